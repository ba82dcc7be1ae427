"""Alembic's entry: changes the schema over the connection that `stampede.store.engine.migrate` hands in."""

from alembic import context
from sqlalchemy import Connection

from stampede.store.schema import METADATA

connection = context.config.attributes.get("connection")
if not isinstance(connection, Connection):
    raise TypeError(f"expected a connection from stampede.store.engine.migrate, got {connection!r}")
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
