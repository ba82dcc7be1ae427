"""A rule book as data: sections, clauses, and the blocks that these are made of.

Texts keep a little Markdown: ``**bold**``, ``*emphasis*``, ``` `code` ``` and ``[link](#section)``. Ids of clauses
stand in them as they are, such as Z4.4; every reader makes links of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from stampede.core.events import JsonFields
from stampede.rulebook.examples import Example
from stampede.rulebook.scenes import Scene

__all__ = [
    "Block",
    "Book",
    "Clause",
    "Figure",
    "Grid",
    "ItemList",
    "Labels",
    "Paragraph",
    "Part",
    "Section",
    "Worked",
    "anchor_of",
    "plain_text",
]

MARKS: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)|\*\*|\*|`")


def anchor_of(clause: str) -> str:
    """Returns the anchor of a clause on its page: ``z4-4`` for Z4.4."""
    return clause.lower().replace(".", "-")


def plain_text(text: str) -> str:
    """Returns a text without its Markdown."""
    return MARKS.sub(lambda found: found[1] or "", text)


@dataclass(frozen=True, slots=True)
class Paragraph(JsonFields):
    """A paragraph."""

    text: str
    kind: Literal["paragraph"] = field(default="paragraph", kw_only=True)


@dataclass(frozen=True, slots=True)
class ItemList(JsonFields):
    """A list, numbered or not."""

    ordered: bool
    items: tuple[str, ...]
    kind: Literal["list"] = field(default="list", kw_only=True)


@dataclass(frozen=True, slots=True)
class Figure(JsonFields):
    """A picture: the name of its scene, and what it shows in words."""

    scene: str
    text: str
    kind: Literal["figure"] = field(default="figure", kw_only=True)


@dataclass(frozen=True, slots=True)
class Worked(JsonFields):
    """A table of a worked example: the pastures before or after it, the cards that are laid, or every step."""

    example: str
    part: Literal["before", "choices", "steps", "after"]
    kind: Literal["worked"] = field(default="worked", kw_only=True)


@dataclass(frozen=True, slots=True)
class Grid(JsonFields):
    """A table of texts."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    kind: Literal["grid"] = field(default="grid", kw_only=True)


Part: TypeAlias = Paragraph | ItemList | Figure | Worked | Grid
"""What a clause is made of."""


@dataclass(frozen=True, slots=True)
class Clause(JsonFields):
    """A rule with its id, such as Z4.4; its first part says it, the others explain it."""

    id: str
    parts: tuple[Part, ...]
    kind: Literal["clause"] = field(default="clause", kw_only=True)


Block: TypeAlias = Paragraph | ItemList | Figure | Worked | Grid | Clause
"""What a section is made of."""


@dataclass(frozen=True, slots=True)
class Section(JsonFields):
    """A chapter. Its id is the same in every language."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Labels(JsonFields):
    """The words of the tables in which worked examples are shown."""

    pasture: str
    capacity: str
    bonuses: str
    herds: str
    free: str
    full: str
    herd: str
    by: str
    bonus_of: str
    cows_on: str
    becomes: str
    wasted: str
    cards: str
    colours: dict[str, str]


@dataclass(frozen=True, slots=True)
class Book(JsonFields):
    """The rules of a game in a language.

    Attributes:
        intro: Who made the game, and for how many players.
        scenes: The positions that figures show, by name.
        examples: The worked examples by name; the scenes ``GAME-NAME-before`` and ``-after`` are their two ends.
    """

    game: str
    language: str
    title: str
    intro: str
    sections: tuple[Section, ...]
    labels: Labels
    scenes: dict[str, Scene]
    examples: dict[str, Example]

    def clauses(self) -> Iterator[Clause]:
        """Yields all clauses in order."""
        for section in self.sections:
            yield from (block for block in section.blocks if isinstance(block, Clause))

    def section(self, section_id: str) -> Section:
        """Returns the section with this id.

        Raises:
            KeyError: There is none.
        """
        for section in self.sections:
            if section.id == section_id:
                return section
        raise KeyError(section_id)
