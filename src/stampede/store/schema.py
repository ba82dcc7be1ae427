"""The database's schema. The log is the truth; what is marked as a cache can be rebuilt from it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

__all__ = [
    "ACCOUNTS",
    "ACCOUNT_TABLES",
    "ALL",
    "BARRED",
    "BLOCKS",
    "CHALLENGES",
    "CHAT",
    "CONSENTS",
    "ENTRIES",
    "HIDDEN",
    "IMPORTED",
    "LESSONS",
    "LISTINGS",
    "METADATA",
    "PASSKEYS",
    "PLAYERS",
    "PROFILES",
    "PUSH",
    "PUZZLE_DAYS",
    "PUZZLE_RATINGS",
    "PUZZLE_RESULTS",
    "RATED_GAMES",
    "RATINGS",
    "RATING_CHANGES",
    "RATING_QUEUE",
    "RECOVERY_CODES",
    "REPORTS",
    "SESSIONS",
    "VALUES",
    "WRITES",
]

METADATA: Final = MetaData()

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # Tells a writer whose commit was interrupted whether an existing entry is its own.
    Column("mark", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    # A digest of this row and of the chain value before it (`stampede.store.log.chain`).
    Column("chain", String(32), nullable=False),
)
"""The log: the accepted commands of every table, in order. Rows are only ever added."""

LISTINGS: Final = Table(
    "listings",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("status", String(20), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),
    # Whether people play against each other there now (`stampede.server.tables.listing.is_contested`).
    Column("contested", Boolean, nullable=False, server_default=false()),
    Index("listings_status", "status", "updated"),
    Index("listings_contested", "contested", "game"),
)
"""A cache: the lobby's listing of each table."""

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("guest", String(64), primary_key=True),
    Column("table_id", String(40), primary_key=True),
)
"""A cache: who sits at which tables."""

LESSONS: Final = Table(
    "finished_lessons",
    METADATA,
    Column("account_id", String(64), primary_key=True),
    Column("lesson", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

PUZZLE_DAYS: Final = Table(
    "puzzle_days",
    METADATA,
    Column("account_id", String(64), primary_key=True),
    Column("game", String(20), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("result", String(10), nullable=False),
    Column("at", BigInteger, nullable=False),
)

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("used", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index("reviews_used", "used"),
)
"""A cache: reviews by the digest of what was played."""

PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    Column("identity", String(64), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
)
"""Accounts and puzzles, named as `stampede.store.accounts.puzzles.Solvers` says."""

PUZZLE_RESULTS: Final = Table(
    "puzzle_results",
    METADATA,
    Column("account_id", String(64), primary_key=True),
    Column("puzzle", String(64), primary_key=True),
    Column("solved", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
)
"""The first try of each account at each rated puzzle, with the account's rating after it."""

PROFILES: Final = Table(
    "profiles",
    METADATA,
    Column("account_id", String(64), primary_key=True),
    Column("shown", Integer, nullable=False),
    Column("ratings_hidden", Integer, nullable=False, server_default="0"),
)
"""Accounts whose page others may see; without a row it is private."""

HIDDEN: Final = Table(
    "hidden_tables",
    METADATA,
    Column("guest", String(64), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""Tables that guests and accounts have removed from their own lists."""

PUSH: Final = Table(
    "push_subscriptions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("guest", String(64), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(5), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("session_id", String(22), nullable=True),
    Index("push_subscriptions_guest", "guest"),
)
"""Browsers of guests and accounts that get notices; an account's only while its session lasts."""

IMPORTED: Final = Table(
    "imported",
    METADATA,
    Column("record_id", String(40), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("record", Text, nullable=False),
)
"""Imported records."""

VALUES: Final = Table(
    "store_values",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Values of the server, such as its signing key."""

WRITES: Final = Table(
    "writes",
    METADATA,
    Column("counter", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
)
"""How many writes there were beside the log, for the mark of a SQLite file (`stampede.store.files`). In no backup."""

# --- accounts ---

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("account_id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    # The name in the form in which names are compared.
    Column("folded", String(200), nullable=False, unique=True),
    Column("passphrase", Text, nullable=True),
    Column("created", BigInteger, nullable=False),
)
"""Accounts. The passphrase is an argon2id hash; None for an account that has passkeys only."""

ACCOUNT_TABLES: Final = Table(
    "account_tables",
    METADATA,
    Column("account_id", String(40), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    # The guest as whom the account sat there: a guest from before it existed, or the account itself.
    Column("guest", String(64), primary_key=True),
    Column("since", BigInteger, nullable=False),
)
"""The tables at which an account has ever sat."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    # The credential's id can be too long for an index, so its digest is the key.
    Column("digest", String(64), primary_key=True),
    Column("account_id", String(40), nullable=False, index=True),
    Column("credential", Text, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("site", String(255), nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=True),
)
"""Passkeys, each bound to the site at which it was made."""

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("account_id", String(40), nullable=False, index=True),
)
"""Digests of unused recovery codes."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("session_id", String(22), nullable=False, unique=True),
    Column("account_id", String(40), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("confirmed", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("device", String(200), nullable=False),
)
"""Sessions by the digest of the cookie's secret."""

CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("challenge", String(90), primary_key=True),
    Column("purpose", String(20), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""Challenges for passkeys; each is good for one answer."""

# --- ratings: a cache that `stampede ratings recompute` rebuilds ---

RATING_QUEUE: Final = Table(
    "rating_queue",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    # A game that ends later raises the number, so that a worker that has counted up to here doesn't remove it.
    Column("seq", Integer, nullable=False),
)
"""Tables with rated games that may not be counted yet. Written together with the log."""

RATED_GAMES: Final = Table(
    "rated_games",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("pool", String(40), nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("players", Text, nullable=False),
    Index("rated_games_order", "pool", "ended", "table_id", "game"),
)
"""A cache: the counted games with their players and ranks."""

RATING_CHANGES: Final = Table(
    "rating_changes",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("identity", String(64), nullable=False),
    Column("board", String(40), nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index("rating_changes_identity", "identity", "board"),
)
"""A cache: the changes of ratings by each game."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("identity", String(64), primary_key=True),
    Column("board", String(40), primary_key=True),
    Column("pool", String(40), nullable=False, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("ratings_board", "board"),
)
"""A cache: the ratings as they stand."""

# --- moderation ---

BLOCKS: Final = Table(
    "blocks",
    METADATA,
    Column("blocker", String(64), primary_key=True),
    Column("blocked", String(64), primary_key=True, index=True),
    Column("block_id", String(22), nullable=False, unique=True),
    Column("name", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Blocks between players."""

BARRED: Final = Table(
    "barred",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("who", String(80), primary_key=True),
)
"""Players whom a table's host has removed; they may not sit down there again."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("report_id", String(22), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("status", String(10), nullable=False),
    Column("reporter", String(80), nullable=False, index=True),
    Column("reported", String(80), nullable=False, index=True),
    Column("table_id", String(40), nullable=False),
    Column("player", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("note", Text, nullable=False),
    Column("chat", Text, nullable=False),
)
"""Reports of players to the operator."""

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("who", String(80), nullable=False),
    Column("player", Integer, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("text", Text, nullable=False),
)
"""The latest chat messages of a table. Not part of the log, and in no record."""

CONSENTS: Final = Table(
    "chat_consents",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("who", String(80), primary_key=True),
)
"""Who agrees to free text in a table's chat."""

ALL: Final = (
    ENTRIES,
    LISTINGS,
    PLAYERS,
    HIDDEN,
    LESSONS,
    PUZZLE_DAYS,
    PUZZLE_RATINGS,
    PUZZLE_RESULTS,
    PROFILES,
    PUSH,
    IMPORTED,
    VALUES,
    ACCOUNTS,
    ACCOUNT_TABLES,
    PASSKEYS,
    RECOVERY_CODES,
    SESSIONS,
    CHALLENGES,
    RATING_QUEUE,
    RATED_GAMES,
    RATING_CHANGES,
    RATINGS,
    BLOCKS,
    BARRED,
    REPORTS,
    CHAT,
    CONSENTS,
)
