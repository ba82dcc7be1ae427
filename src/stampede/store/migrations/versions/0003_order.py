"""The log in the order in which it was written, with one index, and without a column that nothing needs.

In SQLite the log's rows were kept table by table: every entry changed three pages of its own, as neighbours had to make
room. Behind each other they share a page. An entry's key is in its payload, and its number alone keeps two from being
written: the writer of number n has read everything before it, so there is no need to look for the same key again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Rewrites the log's table. SQLite needs as much free space as the log has, for a moment."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index("entries_key", "entries")
        op.drop_column("entries", "key")
        return
    op.create_table(
        "entries_in_order",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
    )
    op.execute(
        "INSERT INTO entries_in_order SELECT table_id, seq, mark, payload FROM entries"
        " ORDER BY table_id, seq"
    )
    op.drop_table("entries")
    op.rename_table("entries_in_order", "entries")


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
