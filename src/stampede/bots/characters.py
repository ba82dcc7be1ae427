"""Who the bots are: a name for each level of each game, and the names of further bots at a table.

Clients keep a character's texts under its level: its name, a sentence of temperament, its remarks. A character plays
no part in what a bot decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

__all__ = ["CHARACTERS", "COMPANIONS", "Character", "Mood", "character_of", "name_bots"]

Mood = str
"""How a character talks: ``shy``, ``merry``, ``dry`` or ``proud``. Clients have texts for each."""


@dataclass(frozen=True, slots=True)
class Character:
    """A bot as a person at the table.

    Attributes:
        name: Its name.
        mood: How it talks.
    """

    name: str
    mood: Mood


CHARACTERS: Final[Mapping[str, Character]] = MappingProxyType(
    {
        "random": Character("Tumbleweed", "merry"),
        "zoff-1": Character("Pip", "shy"),
        "zoff-2": Character("Clem", "merry"),
        "zoff-3": Character("Etta", "dry"),
        "zoff-4": Character("Wade", "dry"),
        "zoff-5": Character("Ruby", "merry"),
        "zoff-6": Character("Silas", "proud"),
        "buffalo-1": Character("Clover", "shy"),
        "buffalo-2": Character("Biscuit", "merry"),
        "buffalo-3": Character("Hazel", "shy"),
        "buffalo-4": Character("Rusty", "merry"),
        "buffalo-5": Character("Juno", "dry"),
        "buffalo-6": Character("Marlow", "dry"),
        "buffalo-7": Character("Tilly", "shy"),
        "buffalo-8": Character("Dixie", "merry"),
        "buffalo-9": Character("Orson", "proud"),
        "buffalo-10": Character("Missouri", "dry"),
    }
)
"""By level."""

COMPANIONS: Final = ("Buck", "Cole", "June", "Otis", "Willa", "Nell")
"""The names of further bots of a level at the same table: there are at most six chairs."""


def character_of(level: str) -> Character | None:
    """The character of a level; None for programs and levels from elsewhere."""
    return CHARACTERS.get(level)


def name_bots(levels: Sequence[str | None]) -> tuple[str, ...]:
    """The names of a table's bots, chair by chair; empty where the level is None.

    The first bot of a level has the level's own name, the others have those of `COMPANIONS` in order.

    >>> name_bots(["zoff-3", None, "zoff-3", "zoff-1", "zoff-3"])
    ('Etta', '', 'Buck', 'Pip', 'Cole')
    """
    names: list[str] = []
    companions = iter(COMPANIONS)
    met: set[str] = set()
    for level in levels:
        if level is None:
            names.append("")
        elif level not in met and level in CHARACTERS:
            met.add(level)
            names.append(CHARACTERS[level].name)
        else:
            names.append(next(companions))
    return tuple(names)
