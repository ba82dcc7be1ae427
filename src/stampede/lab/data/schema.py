"""The columns of a data set's tables, and the version of these columns (docs/data.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import pyarrow as pa

__all__ = ["FORMAT", "GAMES", "NAME", "SEATS", "TABLES", "TEXTS", "TableName", "described"]

FORMAT: Final = "stampede-data/1"
"""The version of the tables; another number means other columns."""

TableName: TypeAlias = Literal["games", "seats", "steps", "states"]
TABLES: Final[tuple[TableName, ...]] = get_args(TableName)

NAME: Final = pa.dictionary(pa.int32(), pa.string())
"""One of a few texts, such as a colour: a category for pandas and Polars."""
TEXTS: Final = pa.list_(pa.string())

GAMES: Final = pa.schema(
    [
        ("game", pa.int32()),  # its number in the data set, from 0: the key of all tables
        ("players", pa.int8()),
        ("rules", NAME),  # JSON, as in a record
        ("setup", pa.string()),  # JSON: start; deal and colours
        ("seed", NAME),  # JSON; the simulation that it is from
        ("index", pa.int64()),  # its number there
        ("decisions", pa.int32()),
        ("steps", pa.int32()),
        ("rounds", pa.int16()),
        ("reason", NAME),  # why it ended; null while it runs, and so are the winners
        ("winners", pa.list_(pa.int8())),
        ("result", pa.string()),  # JSON, as in a record
        ("meta", NAME),  # JSON: what else the record's meta says, without its checksums
    ]
)
SEATS: Final = pa.schema(
    [
        ("game", pa.int32()),
        ("seat", pa.int8()),
        ("name", NAME),
        ("kind", NAME),
        ("bot", NAME),
        ("colours", TEXTS),
        ("placed", pa.int16()),
        ("score", pa.float64()),
        ("won", pa.bool_()),
    ]
)


def described(schema: pa.Schema, facts: Mapping[str, str]) -> pa.Schema:
    """Returns a schema whose file says what it is: the format, the game, the table."""
    return schema.with_metadata({f"stampede.{key}": value for key, value in facts.items()})
