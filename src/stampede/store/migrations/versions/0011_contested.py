"""Listings say where people play against each other, so that these games are found at once."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

LISTINGS = sa.table(
    "listings",
    sa.column("table_id", sa.String),
    sa.column("status", sa.String),
    sa.column("summary", sa.Text),
    sa.column("contested", sa.Boolean),
)


def upgrade() -> None:
    """Adds a column, and fills it in for the games that are running."""
    op.add_column(
        "listings",
        sa.Column("contested", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    connection = op.get_bind()
    running = connection.execute(
        sa.select(LISTINGS.c.table_id, LISTINGS.c.summary).where(LISTINGS.c.status == "running")
    ).all()
    contested = [row.table_id for row in running if _is_contested(row.summary)]
    change = sa.update(LISTINGS).where(LISTINGS.c.table_id == sa.bindparam("t"))
    if contested:
        connection.execute(change.values(contested=True), [{"t": one} for one in contested])
    op.create_index("listings_contested", "listings", ["contested", "game"])


def _is_contested(text: str) -> bool:
    """Whether a running game is rated, or has several people or programs."""
    summary = json.loads(text)
    kinds = [player.get("kind") for player in summary.get("players", [])]
    return bool(summary.get("rated")) or sum(kind in ("human", "program") for kind in kinds) > 1


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
