"""Saved games: each game is kept in a file while it is played, so that none is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from stampede.cli.common.files import read_text, whole_file
from stampede.core.errors import InputError, RecordError
from stampede.core.record import GameRecord, read_records

__all__ = ["fresh_path", "latest_games", "load", "saved_games", "store"]


def folder() -> Path:
    """Returns the folder of games without a file name of their own: ``$XDG_STATE_HOME/stampede``."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "stampede"


def fresh_path(game: str, now: datetime) -> Path:
    """Returns an unused file for a new game."""
    stem = f"{game}-{now:%Y%m%d-%H%M%S}"
    names = (f"{stem}{'' if again == 0 else f'-{again}'}.json" for again in range(10_000))
    return next(path for name in names if not (path := folder() / name).exists())


def store(path: Path, record: GameRecord) -> None:
    """Writes a game; the file never holds half of one."""
    with whole_file(path) as stream:
        stream.write(record.dumps() + "\n")


def load(path: Path) -> GameRecord:
    """Reads the game of a file; InputError if there is none, or several."""
    try:
        records = [record for _, record in read_records(read_text(path).splitlines(keepends=True))]
    except RecordError as error:
        raise InputError(f"{path}: {error}") from error
    if len(records) != 1:
        raise InputError(f"{path}: expected one game to resume, got {len(records)}")
    return records[0]


def saved_games() -> list[tuple[Path, GameRecord]]:
    """Returns the unfinished games of the folder, latest first; skips files that can't be read."""
    return [(path, record) for path, record in _records("*.json") if record.result is None]


def latest_games(game: str, most: int, but: Path | None) -> list[GameRecord]:
    """Returns finished games of the folder, latest first, but one; reads no more files than it needs."""
    found = _records(f"{game}-*.json")
    ended = (record for path, record in found if record.result is not None and path != but)
    return list(islice(ended, most))


def _records(pattern: str) -> Iterator[tuple[Path, GameRecord]]:
    """The games of the folder, latest first, as long as they are asked for; skips files that can't be read."""
    paths = [path for path in folder().glob(pattern) if path.is_file()]
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            yield path, load(path)
        except (InputError, OSError):
            continue
