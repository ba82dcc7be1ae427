"""The tables of the database. The log is the truth; what is marked as a cache can be made anew from it."""

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
    "IMPORTED",
    "LISTINGS",
    "METADATA",
    "PASSKEYS",
    "PLAYERS",
    "RATED_GAMES",
    "RATINGS",
    "RATING_CHANGES",
    "RATING_QUEUE",
    "RECOVERY_CODES",
    "REPORTS",
    "SESSIONS",
    "VALUES",
]

METADATA: Final = MetaData()

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # Tells a writer whose commit was cut off whether the entry that it finds is its own.
    Column("mark", String(16), nullable=False),
    Column("payload", Text, nullable=False),
)
"""The log: what was done at a table, in order. Rows are added, never changed; in the file they lie as they came."""

LISTINGS: Final = Table(
    "listings",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("status", String(20), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("summary", Text, nullable=False),
    Index("listings_status", "status", "updated"),
)
"""A cache: what a lobby shows of each table."""

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("guest", String(64), primary_key=True),
    Column("table_id", String(40), primary_key=True),
)
"""A cache: who sits at which tables."""

IMPORTED: Final = Table(
    "imported",
    METADATA,
    Column("record_id", String(40), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("record", Text, nullable=False),
)
"""Games that were played elsewhere and brought in as records."""

VALUES: Final = Table(
    "store_values",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server keeps for itself: its signing key."""

# --- names ---

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("account_id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    # The name as names are compared: case, width and marks that look alike folded.
    Column("folded", String(200), nullable=False, unique=True),
    Column("passphrase", Text, nullable=True),
    Column("created", BigInteger, nullable=False),
)
"""Names that are kept. The passphrase is an argon2id hash; None for somebody who has passkeys only."""

ACCOUNT_TABLES: Final = Table(
    "account_tables",
    METADATA,
    Column("account_id", String(40), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    # The guest as whom he sat there: from before he kept his name, or the account itself.
    Column("guest", String(64), primary_key=True),
    Column("since", BigInteger, nullable=False),
)
"""At which tables somebody has ever sat, also those that he has left."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    # The credential's id can be longer than an index takes: its digest stands for it.
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
"""Public keys of passkeys, each bound to the site at which it was made."""

RECOVERY_CODES: Final = Table(
    "recovery_codes",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("account_id", String(40), nullable=False, index=True),
)
"""Digests of recovery codes that haven't been used."""

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
"""Who is signed in, by the digest of the cookie's secret."""

CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    Column("challenge", String(90), primary_key=True),
    Column("purpose", String(20), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""What passkeys have been asked to sign; each is good for one answer."""

# --- ratings: a cache, made anew by `stampede ratings recompute` ---

RATING_QUEUE: Final = Table(
    "rating_queue",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    # A later end has a higher number, so that whoever has counted up to here doesn't take that one out.
    Column("seq", Integer, nullable=False),
)
"""Tables at which a rated game has ended that may not be counted yet. Written together with the log."""

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
"""A cache: the rated games that are counted, with who took part and in which rank."""

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
"""A cache: what each rated game did to each rating."""

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
"""Who doesn't want to meet whom."""

BARRED: Final = Table(
    "barred",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("who", String(80), primary_key=True),
)
"""Whom a table's host has removed: he may not sit down there again."""

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
"""What guests have reported, for whoever runs the server."""

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
"""The latest things that were said at a table. Not part of the log, and in no record."""

CONSENTS: Final = Table(
    "chat_consents",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("who", String(80), primary_key=True),
)
"""Who agrees to free text at a table."""

ALL: Final = (
    ENTRIES,
    LISTINGS,
    PLAYERS,
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
