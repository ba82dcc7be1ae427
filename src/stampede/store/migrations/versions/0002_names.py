"""Names, ratings, moderation: accounts, sessions, passkeys; rated games; blocks, reports, chat.

Written out in full, not taken from `stampede.store.schema`: a migration says what was true on its day.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the tables."""
    _names()
    _ratings()
    _moderation()


def _names() -> None:
    """Who people are."""
    op.create_table(
        "accounts",
        sa.Column("account_id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(200), nullable=False, unique=True),
        sa.Column("passphrase", sa.Text, nullable=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "account_tables",
        sa.Column("account_id", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("site", sa.String(255), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=True),
    )
    op.create_index("ix_passkeys_account_id", "passkeys", ["account_id"])
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(40), nullable=False),
    )
    op.create_index("ix_recovery_codes_account_id", "recovery_codes", ["account_id"])
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("session_id", sa.String(22), nullable=False, unique=True),
        sa.Column("account_id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("device", sa.String(200), nullable=False),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.String(90), primary_key=True),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )


def _ratings() -> None:
    """How strong they are."""
    op.create_table(
        "rating_queue",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("pool", sa.String(40), nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
    )
    op.create_index("rated_games_order", "rated_games", ["pool", "ended", "table_id", "game"])
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("board", sa.String(40), nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
    )
    op.create_index("rating_changes_identity", "rating_changes", ["identity", "board"])
    op.create_table(
        "ratings",
        sa.Column("identity", sa.String(64), primary_key=True),
        sa.Column("board", sa.String(40), primary_key=True),
        sa.Column("pool", sa.String(40), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_ratings_pool", "ratings", ["pool"])
    op.create_index("ratings_board", "ratings", ["board"])


def _moderation() -> None:
    """How they get along."""
    op.create_table(
        "blocks",
        sa.Column("blocker", sa.String(64), primary_key=True),
        sa.Column("blocked", sa.String(64), primary_key=True),
        sa.Column("block_id", sa.String(22), nullable=False, unique=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "barred",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("who", sa.String(80), primary_key=True),
    )
    op.create_table(
        "reports",
        sa.Column("report_id", sa.String(22), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("reporter", sa.String(80), nullable=False),
        sa.Column("reported", sa.String(80), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("chat", sa.Text, nullable=False),
    )
    op.create_index("ix_reports_at", "reports", ["at"])
    op.create_index("ix_reports_reported", "reports", ["reported"])
    op.create_index("ix_reports_reporter", "reports", ["reporter"])
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("ix_chat_at", "chat", ["at"])
    op.create_table(
        "chat_consents",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("who", sa.String(80), primary_key=True),
    )


def downgrade() -> None:
    """Forward only: a backup is the way back."""
    raise NotImplementedError("migrations run forward only; restore a backup instead")
