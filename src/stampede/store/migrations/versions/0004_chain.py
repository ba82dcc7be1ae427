"""A hash chain over each table's entries, filled in for those that are there already; a counter of other writes.

The digest is written out here, not taken from `stampede.store.log.entries`: a migration says what was true on its day.
"""

import logging
import time
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

log = logging.getLogger("stampede.store")

CHUNK = 2000
REPORT_SECONDS = 2.0

ENTRIES = sa.table(
    "entries",
    sa.column("table_id", sa.String),
    sa.column("seq", sa.Integer),
    sa.column("mark", sa.String),
    sa.column("payload", sa.Text),
    sa.column("chain", sa.String),
)


def upgrade() -> None:
    """Adds the column and computes the chain of every table, a few thousand entries at a time."""
    op.create_table(
        "writes",
        sa.Column("counter", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.add_column("entries", sa.Column("chain", sa.String(32), nullable=False, server_default=""))
    _fill()
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("entries", "chain", server_default=None)
        return
    # SQLite can't drop a default: make the table anew, in the order in which it was written.
    op.create_table(
        "entries_with_chain",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("chain", sa.String(32), nullable=False),
    )
    op.execute(
        "INSERT INTO entries_with_chain SELECT table_id, seq, mark, payload, chain FROM entries"
        " ORDER BY rowid"
    )
    op.drop_table("entries")
    op.rename_table("entries_with_chain", "entries")


def _fill() -> None:
    connection = op.get_bind()
    key = (ENTRIES.c.table_id, ENTRIES.c.seq)
    change = (
        sa.update(ENTRIES)
        .where(ENTRIES.c.table_id == sa.bindparam("t"), ENTRIES.c.seq == sa.bindparam("s"))
        .values(chain=sa.bindparam("c"))
    )
    total = connection.execute(sa.select(sa.func.count()).select_from(ENTRIES)).scalar_one()
    done, table, seq, chain, told = 0, "", 0, "", time.monotonic()
    while True:
        rows = connection.execute(
            sa.select(*key, ENTRIES.c.mark, ENTRIES.c.payload)
            .where(sa.tuple_(*key) > sa.tuple_(sa.literal(table), sa.literal(seq)))
            .order_by(*key)
            .limit(CHUNK)
        ).all()
        if not rows:
            return
        changes = []
        for row in rows:
            chain = chain if row.table_id == table else ""
            table, seq = row.table_id, row.seq
            text = f"{chain} {table} {seq} {row.mark} {row.payload}"
            chain = sha256(text.encode()).hexdigest()[:32]
            changes.append({"t": table, "s": seq, "c": chain})
        connection.execute(change, changes)
        done += len(rows)
        if time.monotonic() - told > REPORT_SECONDS:
            told = time.monotonic()
            log.warning("computing the log's chain: %d of %d entries", done, total)


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
