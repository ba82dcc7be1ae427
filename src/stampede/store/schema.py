"""The tables of the database. The log is the truth; what is marked as a cache can be made anew from it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

__all__ = ["ALL", "ENTRIES", "IMPORTED", "LISTINGS", "METADATA", "PLAYERS", "VALUES"]

METADATA: Final = MetaData()

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("key", String(80), nullable=True),
    # Tells a writer whose commit was cut off whether the entry that it finds is its own.
    Column("mark", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Index(
        "entries_key",
        "table_id",
        "key",
        unique=True,
        sqlite_where=text("key IS NOT NULL"),
        postgresql_where=text("key IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)
"""The log: what was done at a table, in order. Rows are added, never changed."""

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

ALL: Final = (ENTRIES, LISTINGS, PLAYERS, IMPORTED, VALUES)
