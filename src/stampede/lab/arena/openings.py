"""Opening positions for matches: a file with a FEN a line; `#` begins a comment.

Two files come with the package, without a position in common. ``openings.txt`` judges: what is reported is measured
with it. ``openings-tuning.txt`` is for everything else: choosing parameters, sequential tests, training.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

from stampede.buffalo import Position
from stampede.core.errors import InputError, ParseError

__all__ = ["TUNING", "openings_of", "read_openings", "shipped_openings", "tuning_openings"]

TUNING: Final = "tuning"
"""The name of the openings for tuning on command lines."""


def openings_of(file: Path | None) -> tuple[Position, ...]:
    """The openings that a command line asks for: a file's, those for tuning by their name, else those that judge."""
    if file is None:
        return shipped_openings()
    return tuning_openings() if file == Path(TUNING) else read_openings(file)


def read_openings(path: Path) -> tuple[Position, ...]:
    """Reads openings; InputError names the first malformed line."""
    return _parse(path.read_text("utf-8"), str(path))


def shipped_openings() -> tuple[Position, ...]:
    """The balanced openings that judge; docs/strength.md says how they were chosen."""
    return _shipped("openings.txt")


def tuning_openings() -> tuple[Position, ...]:
    """The openings for tuning, even without the network. Neither they nor their mirror images are among the others."""
    return _shipped("openings-tuning.txt")


def _shipped(name: str) -> tuple[Position, ...]:
    return _parse(resources.files(__package__).joinpath(name).read_text("utf-8"), name)


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
