"""Reviews of finished games that were computed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Creates one table."""
    op.create_table(
        "reviews",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("reviews_used", "reviews", ["used"])


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
