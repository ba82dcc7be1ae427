"""Opening positions for matches: a file with a FEN a line; `#` begins a comment."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from stampede.buffalo import Position
from stampede.core.errors import InputError, ParseError

__all__ = ["read_openings", "shipped_openings"]


def read_openings(path: Path) -> tuple[Position, ...]:
    """Reads openings; InputError names the first malformed line."""
    return _parse(path.read_text("utf-8"), str(path))


def shipped_openings() -> tuple[Position, ...]:
    """The shipped balanced openings; docs/strength.md says how they were chosen."""
    text = resources.files(__package__).joinpath("openings.txt").read_text("utf-8")
    return _parse(text, "openings.txt")


def _parse(text: str, name: str) -> tuple[Position, ...]:
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        fen = line.partition("#")[0].strip()
        if not fen:
            continue
        try:
            position = Position.from_fen(fen)
        except ParseError as error:
            raise InputError(f"{name}:{number}: {error}") from error
        if position.is_over:
            raise InputError(f"{name}:{number}: expected a game that isn't over, got {fen!r}")
        openings.append(position)
    if not openings:
        raise InputError(f"{name}: expected a FEN a line, got none")
    return tuple(openings)
