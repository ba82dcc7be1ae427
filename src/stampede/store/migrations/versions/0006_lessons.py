"""The lessons that accounts have finished."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Creates one table."""
    op.create_table(
        "finished_lessons",
        sa.Column("account_id", sa.String(64), primary_key=True),
        sa.Column("lesson", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
