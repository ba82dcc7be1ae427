"""The daily puzzles that accounts have tried; whose ratings are hidden."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Creates one table and adds a column."""
    op.create_table(
        "puzzle_days",
        sa.Column("account_id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("result", sa.String(10), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    column = sa.Column("ratings_hidden", sa.Integer, nullable=False, server_default="0")
    op.add_column("profiles", column)


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
