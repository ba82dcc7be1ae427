"""Reading a data set: tables for Arrow, pandas and Polars, and the records themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq

from stampede.core.errors import InputError
from stampede.core.extras import require
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.lab.data.exporter import FORMS
from stampede.lab.data.schema import FORMAT, GAMES, SEATS, TABLES, TableName

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["Dataset"]

RECORDED: Final[tuple[TableName, ...]] = ("games", "seats", "steps")
"""The tables that records are made of."""


class Dataset:
    """A folder that `export` has written.

    Attributes:
        path: Where it is.
        game: Which game was played.
        tables: The tables that it has.

    Raises:
        InputError: The folder has no such tables, or tables of another version.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.tables: tuple[TableName, ...] = tuple(
            name for name in TABLES if self._file(name).exists()
        )
        if set(TABLES) - {"states", *self.tables}:
            raise InputError(f"{path}: expected games, seats and steps as Parquet files")
        for name in self.tables:
            facts = self._facts(name)
            if facts.get("format") != FORMAT or facts.get("table") != name:
                got = facts.get("format", "none"), facts.get("table", "none")
                raise InputError(
                    f"{self._file(name)}: expected {name} in the format {FORMAT}, got {' '.join(got)}"
                )
        self.game = self._facts("games").get("game", "none")
        if self.game not in FORMS:
            raise InputError(f"{path}: expected a game of {', '.join(FORMS)}, got {self.game}")
        for name in self.tables:
            self._check_columns(name)

    def _check_columns(self, table: TableName) -> None:
        form = FORMS[self.game]
        expected = {"games": GAMES, "seats": SEATS, "steps": form.steps, "states": form.states}
        with self._naming(table):
            found = pq.read_schema(self._file(table))
        for field in expected[table]:
            at = found.get_field_index(field.name)
            if at < 0 or found.field(at).type != field.type:
                got = "none" if at < 0 else str(found.field(at).type)
                raise InputError(
                    f"{self._file(table)}: expected a column {field.name} of {field.type}, got {got}"
                )

    def arrow(self, table: TableName, columns: Sequence[str] | None = None) -> pa.Table:
        """Loads a table, or some of its columns."""
        if table not in self.tables:
            raise InputError(f"{self.path}: expected a table {table}, got {', '.join(self.tables)}")
        file = self._open(table)
        known = file.schema_arrow.names
        for name in columns or ():
            if name not in known:
                raise InputError(f"columns: expected some of {', '.join(known)}, got {name!r}")
        with self._naming(table):
            return file.read(None if columns is None else list(columns))

    def pandas(self, table: TableName, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Loads a table into pandas; names are categories, lists are arrays."""
        require("pandas")
        frame: pd.DataFrame = self.arrow(table, columns).to_pandas()
        return frame

    def polars(self, table: TableName, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Loads a table into Polars; names are categories."""
        require("polars")
        import polars as pl  # noqa: PLC0415 - for those who have it

        found = pl.from_arrow(self.arrow(table, columns))
        assert isinstance(found, pl.DataFrame)
        return found

    def records(self) -> Iterator[GameRecord]:
        """Yields the games as records: the same games, without the checksums of ``meta.check``."""
        form = FORMS[self.game]
        files = {name: self._open(name) for name in RECORDED}
        for group in range(files["games"].num_row_groups):
            games, seats, steps = (self._read_group(files[name], name, group) for name in RECORDED)
            columns = steps.to_pydict()
            people = iter(seats.to_pylist())
            begin = 0
            for game in games.to_pylist():
                end = begin + game["steps"]
                own = [next(people) for _ in range(game["players"])]
                yield _record(self.game, game, own, form.read_steps(columns, begin, end))
                begin = end

    def _file(self, table: TableName) -> Path:
        return self.path / f"{table}.parquet"

    def _open(self, table: TableName) -> pq.ParquetFile:
        with self._naming(table):
            return pq.ParquetFile(self._file(table), page_checksum_verification=True)

    def _read_group(self, file: pq.ParquetFile, table: TableName, group: int) -> pa.Table:
        with self._naming(table):
            return file.read_row_group(group)

    @contextmanager
    def _naming(self, table: TableName) -> Iterator[None]:
        """Names the file that Arrow can't read."""
        try:
            yield
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            what = " ".join(str(error).split())
            raise InputError(
                f"{self._file(table)}: expected a whole Parquet file, but {what}"
            ) from error

    def _facts(self, table: TableName) -> dict[str, str]:
        """What a file says about itself."""
        with self._naming(table):
            found = pq.read_schema(self._file(table)).metadata or {}
        facts = {
            key.decode(errors="replace"): value.decode(errors="replace")
            for key, value in found.items()
        }
        own = "stampede."
        return {key.removeprefix(own): text for key, text in facts.items() if key.startswith(own)}


def _record(
    name: str, game: JsonObject, seats: Sequence[JsonObject], steps: Sequence[Json]
) -> GameRecord:
    meta = {
        **({} if game["seed"] is None else {"seed": _parsed(game["seed"])}),
        **{key: game[key] for key in ("index", "decisions") if game[key] is not None},
        **_parsed(game["meta"]),
    }
    data: JsonObject = {
        "format": "stampede-record/1",
        "game": name,
        "rules": _parsed(game["rules"]),
        **_parsed(game["setup"]),
        "seats": [
            {key: seat[key] for key in ("name", "kind", "bot") if seat[key] is not None}
            for seat in seats
        ],
        "actions": steps,
        **({} if game["result"] is None else {"result": _parsed(game["result"])}),
        "meta": meta,
    }
    return GameRecord.from_json(data)


def _parsed(text: Json) -> JsonObject:
    assert isinstance(text, str)
    found: JsonObject = json.loads(text)
    return found
