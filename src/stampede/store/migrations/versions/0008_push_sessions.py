"""The session in which an account's browser asked for notices: they end with it."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds one column; what accounts have subscribed to without it is forgotten: nobody knows by which session."""
    op.add_column("push_subscriptions", sa.Column("session_id", sa.String(22), nullable=True))
    op.execute("DELETE FROM push_subscriptions WHERE guest IN (SELECT account_id FROM accounts)")


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
