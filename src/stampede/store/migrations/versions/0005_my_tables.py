"""Tables that people have removed from their own lists. The tables themselves stay."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Creates one table."""
    op.create_table(
        "hidden_tables",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
