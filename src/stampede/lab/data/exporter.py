"""Writing a data set: records in, a folder of Parquet files out, in batches of some thousand games."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

import stampede
from stampede.core.errors import InputError, RecordError
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.lab.data.buffalo import BUFFALO
from stampede.lab.data.forms import DataForm
from stampede.lab.data.heads import games_table, read_head, seats_table
from stampede.lab.data.schema import FORMAT, GAMES, SEATS, TableName, described
from stampede.lab.data.zoff import ZOFF
from stampede.lab.shards import JobFolder

__all__ = ["FORMS", "Exported", "export", "record_lines"]

FORMS: Final[Mapping[str, DataForm]] = MappingProxyType({"zoff": ZOFF, "buffalo": BUFFALO})
"""The columns of each game."""

_BATCH: Final = 1000
"""Games of a row group: each table has the same games in its row group of the same number."""
_LEVEL: Final = 9


@dataclass(slots=True)
class Exported:
    """What an export has written.

    Attributes:
        game: Which game was played.
        games: How many.
        steps: How many steps they have.
        sizes: The size of each table's file, in bytes.
    """

    game: str
    games: int = 0
    steps: int = 0
    sizes: dict[TableName, int] = field(default_factory=dict)

    @property
    def bytes_per_step(self) -> float:
        """The size of all tables but the states, by the number of steps."""
        tables = sum(size for name, size in self.sizes.items() if name != "states")
        return tables / max(self.steps, 1)


def record_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yields records, each with its place, from the folder of a simulation or from a file of JSON Lines."""
    if path.is_dir():
        for index, line in JobFolder(path).lines():
            yield f"{path}: item {index}", line.encode()
        return
    with path.open("rb") as stream:
        for number, row in enumerate(stream, start=1):
            if row.strip():
                yield f"{path}:{number}", row


def export(
    records: Iterable[tuple[str, bytes]],
    folder: Path,
    *,
    states: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Exported:
    """Writes records of one game as tables; the folder appears when it is complete, or not at all.

    Args:
        records: Lines of records, each with its place for error messages: `record_lines`.
        folder: A new or empty folder.
        states: Whether to write `states`, too; then every game is replayed, which takes its time.
        progress: Called with the number of games that are written.

    Raises:
        InputError: A line is no record, the games differ, or the folder isn't empty.
    """
    with _new_folder(folder) as part:
        exporter: _Exporter | None = None
        with ExitStack() as files:
            for batch in _batches(records):
                heads = [_head(place, line) for place, line in batch]
                if exporter is None:
                    exporter = _Exporter(part, heads[0].game, files, states=states)
                exporter.add(batch, heads)
                if progress is not None:
                    progress(exporter.done.games)
        if exporter is None:
            raise InputError("expected records, got none")
        done = exporter.done
        done.sizes = {name: (part / f"{name}.parquet").stat().st_size for name in exporter.tables}
    return done


class _Exporter:
    """The open files of an export."""

    def __init__(self, folder: Path, game: str, files: ExitStack, *, states: bool) -> None:
        if game not in FORMS:
            raise InputError(f"game: expected {' or '.join(FORMS)}, got {game!r}")
        self._form = FORMS[game]
        self.done = Exported(game)
        schemas: dict[TableName, pa.Schema] = {
            "games": GAMES,
            "seats": SEATS,
            "steps": self._form.steps,
        }
        if states:
            schemas["states"] = self._form.states
        facts = {"format": FORMAT, "game": game, "version": stampede.__version__}
        self._schemas = {
            name: described(schema, {**facts, "table": name}) for name, schema in schemas.items()
        }
        self._writers = {
            name: files.enter_context(_writer(folder / f"{name}.parquet", schema))
            for name, schema in self._schemas.items()
        }

    @property
    def tables(self) -> tuple[TableName, ...]:
        """The tables that are written."""
        return tuple(self._schemas)

    def add(self, batch: Sequence[tuple[str, bytes]], heads: Sequence[GameRecord]) -> None:
        """Writes some games: a row group in each table."""
        for (place, _), head in zip(batch, heads, strict=True):
            if head.game != self.done.game:
                raise InputError(f"{place}: expected a game of {self.done.game}, got {head.game}")
        first = self.done.games
        lines = [line for _, line in batch]
        try:
            steps = self._form.make_steps(lines, heads, first)
        except RecordError as error:
            place = batch[error.index][0] if error.index is not None else batch[0][0]
            raise InputError(f"{place}: {error.args[0]}") from error
        self._write("games", games_table(heads, first, steps.counts, steps.rounds))
        self._write("seats", seats_table(heads, first))
        self._write("steps", steps.table)
        if "states" in self._writers:
            self._write("states", self._states(batch, first))
        self.done.games += len(batch)
        self.done.steps += len(steps.table)

    def _write(self, name: TableName, table: pa.Table) -> None:
        self._writers[name].write_table(table.cast(self._schemas[name]))

    def _states(self, batch: Sequence[tuple[str, bytes]], first: int) -> pa.Table:
        game = game_named(self.done.game).game
        rows: list[tuple[object, ...]] = []
        for number, (place, line) in enumerate(batch, start=first):
            try:
                played = replay(game, GameRecord.loads(line.decode()))
            except RecordError as error:
                raise InputError(f"{place}: {error}") from error
            rows += self._form.state_rows(number, played)
        schema = self._form.states
        columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
        return pa.table(
            {
                field.name: pa.array(list(column), field.type)
                for field, column in zip(schema, columns, strict=True)
            }
        )


def _head(place: str, line: bytes) -> GameRecord:
    try:
        return read_head(line)
    except RecordError as error:
        raise InputError(f"{place}: {error}") from error


def _batches(records: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    batch: list[tuple[str, bytes]] = []
    for record in records:
        batch.append(record)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Opens a file: columns of keys as differences, texts by a dictionary, and a checksum for each page."""
    keys = [name for name in ("game", "step", "index") if name in schema.names]
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=_LEVEL,
        use_dictionary=[name for name in _leaves(schema) if name not in keys],
        column_encoding=dict.fromkeys(keys, "DELTA_BINARY_PACKED"),
        write_page_checksum=True,
        write_statistics=["game"],
    )


def _leaves(schema: pa.Schema) -> list[str]:
    return [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
    ]


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Yields a hidden folder beside this one, which gets its name at the end."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: expected a new or an empty folder")
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(".part", f".{target.name}.", dir=target.parent))
    try:
        yield part
        part.chmod(0o755)
        part.replace(target)
    except BaseException as error:  # an interruption leaves nothing behind either
        shutil.rmtree(part, ignore_errors=True)
        if isinstance(error, OSError) and error.filename is None:  # Arrow's own: a full disk, say
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise OSError(error.errno or errno.EIO, reason, str(folder)) from error
        raise
