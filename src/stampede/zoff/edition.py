"""The printed data of Zoff (Z1): pastures, cow cards, and where each value comes from.

The data is an input (Z1.2): `Edition.load` reads and checks any file of this shape, and names the cell that is wrong.
As JSON an edition has the shape of its file; `stampede.zoff.edition_reader` checks both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from stampede.core.errors import EditionError, ParseError
from stampede.core.events import JsonFields
from stampede.core.json import Json, JsonObject, SparseObject, TextForm

__all__ = ["CowCard", "Edition", "Pasture"]

SHIPPED: Final = "fx-schmid-1998-r1"
"""The id of the edition that ships with the package."""
SOURCES: Final = ("seed", "public", "reconstructed", "box")
CARDS_OF_VALUE: Final = {2: 3, 3: 3, 4: 2, 5: 2}
"""How many cow cards of each value a colour has (Z2.2)."""
EXTRA_VALUES: Final = (2, 4)
PASTURES: Final = 11
COLOURS: Final = 5
MAX_PASTURES: Final = PASTURES + 1
MAX_COLOURS: Final = COLOURS + 1
"""Five and the sixth player's, which stands last (Z11.4). An edition may do without the data for six."""
TWO_PLAYER_CAPACITIES: Final = (6, 8, 10, 12, 16, 18, 24)
TWO_PLAYER_GROUPS: Final = {"blue": ("blue", "green"), "pink": ("pink", "orange")}
"""Whose cards a player holds, and the two colours of their cows (Z10.1)."""
MIN_CAPACITY: Final = 2
MAX_CAPACITY: Final = 99
MIN_RANKS: Final = 2
MAX_RANKS: Final = 4
MAX_BONUS: Final = 4
"""A bonus of five could be used in so many ways that a table couldn't send them (docs/decisions/0030)."""


@dataclass(frozen=True, slots=True, order=True, repr=False)
class CowCard(TextForm):
    """A cow card, ``4M``. Cards compare as they go first on a pasture: lower value, then earlier letter (Z4.2)."""

    value: int
    letter: str

    def __str__(self) -> str:
        return f"{self.value}{self.letter}"

    def __repr__(self) -> str:
        return f"CowCard.parse('{self}')"

    @classmethod
    def parse(cls, text: str) -> CowCard:
        """Reads ``"4M"``."""
        if len(text) != 2 or text[0] not in "2345" or not ("A" <= text[1] <= "Z"):
            raise ParseError(f"expected a cow card such as 4M (value 2–5, letter), got {text!r}")
        return cls(int(text[0]), text[1])


@dataclass(frozen=True, slots=True)
class PastureSource(JsonFields):
    """Where a pasture's values are known from: each ``seed``, ``public``, ``reconstructed`` or ``box``."""

    name: str
    capacity: str
    bonus: str


@dataclass(frozen=True, slots=True)
class Pasture(JsonFields):
    """A pasture: its name, its spaces, its bonuses by rank, and where each of these is known from."""

    name: str
    capacity: int
    bonus: tuple[int, ...]
    source: PastureSource


class ColourCards(SparseObject):
    """The letters of a colour's cow cards as JSON: by value a text of letters, and a source for each letter."""

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The extra cards have two of the four values."""
        return {"2": str, "4": str, "source": dict[str, list[str]]}, {"3": str, "5": str}


class EditionHead(SparseObject):
    """An edition's names as JSON."""

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The id is for records, the title for people."""
        return {"id": str, "title": str}, {}


@dataclass(frozen=True, slots=True, repr=False)
class Edition(SparseObject):
    """A complete set of printed data.

    Attributes:
        id: Its name in records.
        title: Its name for people.
        pastures: All of them, smallest first; a twelfth one is for six players only.
        cards: The cow cards of each colour, lowest first; a sixth colour is for six players only.
        extras: The bracketed cards, for two players only.
        letter_sources: By colour and card, where its letter is known from; extras included.

    As JSON it has the keys of its file: ``edition`` with the names, ``pasture`` with the list of pastures,
    ``cow_cards`` with the letters of each colour, and ``two_player_extras``.
    """

    id: str
    title: str
    pastures: tuple[Pasture, ...]
    cards: Mapping[str, tuple[CowCard, ...]]
    extras: Mapping[str, tuple[CowCard, ...]]
    letter_sources: Mapping[tuple[str, CowCard], str] = field(default_factory=dict)
    _json: JsonObject = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Makes its JSON once: tables send it often."""
        object.__setattr__(self, "_json", self._to_json())

    def __repr__(self) -> str:
        return f"<Edition {self.id!r}>"

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours, in the order of the file."""
        return tuple(self.cards)

    @property
    def most_players(self) -> int:
        """Six, or five when the data for six is missing (Z11.4)."""
        return 6 if len(self.pastures) == MAX_PASTURES else 5

    def pastures_for(self, players: int) -> tuple[Pasture, ...]:
        """The pastures in play, smallest first (Z2.1, Z10.1, Z11.4)."""
        if players == 2:
            chosen = TWO_PLAYER_CAPACITIES
            return tuple(pasture for pasture in self.pastures if pasture.capacity in chosen)
        return self.pastures[: players + 6]

    def hand(self, colour: str, players: int) -> tuple[CowCard, ...]:
        """A colour's cow cards, lowest first, the extras included for two players."""
        extras = self.extras.get(colour, ()) if players == 2 else ()
        return tuple(sorted(self.cards[colour] + extras))

    def source_of(self, colour: str, card: CowCard) -> str:
        """Where a card's letter is known from."""
        return self.letter_sources.get((colour, card), "reconstructed")

    def count_sources(self) -> dict[str, int]:
        """How many values are known from each source."""
        found = [str(mark) for row in self.pastures for mark in row.source.to_json().values()]
        for owned in (self.cards, self.extras):
            found += [self.source_of(colour, card) for colour in owned for card in owned[colour]]
        return {source: found.count(source) for source in SOURCES}

    def plays_like(self, other: Edition) -> bool:
        """Whether every printed value is the same; names for people and sources may differ."""
        return self._printed() == other._printed()

    def _printed(self) -> object:
        pastures = [(row.name, row.capacity, row.bonus) for row in self.pastures]
        return pastures, list(self.cards.items()), dict(self.extras)

    # --- reading and writing ---

    def to_json(self) -> JsonObject:
        """The edition as JSON, in the shape of its file."""
        return self._json

    def _to_json(self) -> JsonObject:
        return {
            "edition": {"id": self.id, "title": self.title},
            "pasture": [pasture.to_json() for pasture in self.pastures],
            "cow_cards": {colour: self._letters(colour, self.cards) for colour in self.cards},
            "two_player_extras": {
                colour: self._letters(colour, self.extras) for colour in self.extras
            },
        }

    def _letters(self, colour: str, owned: Mapping[str, tuple[CowCard, ...]]) -> JsonObject:
        by_value: dict[str, list[CowCard]] = {}
        for card in owned[colour]:
            by_value.setdefault(str(card.value), []).append(card)
        letters: dict[str, Json] = {
            value: "".join(card.letter for card in cards) for value, cards in by_value.items()
        }
        source: JsonObject = {
            value: [self.source_of(colour, card) for card in cards]
            for value, cards in by_value.items()
        }
        return {**letters, "source": source}

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The keys of the file."""
        return {
            "edition": EditionHead,
            "pasture": tuple[Pasture, ...],
            "cow_cards": dict[str, ColourCards],
            "two_player_extras": dict[str, ColourCards],
        }, {}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Edition:
        """Reads and checks an edition in the shape of a parsed file; EditionError names the wrong cell.

        One that plays like the shipped edition and has its id is the shipped edition.
        """
        edition = _read(data)
        if edition.id != SHIPPED:
            return edition
        shipped = cls.default()
        if not edition.plays_like(shipped):
            raise EditionError(
                "edition.id",
                f"expected another id than {SHIPPED!r}, as the data differs from the shipped edition's",
            )
        return shipped

    @classmethod
    def load(cls, path: Path) -> Edition:
        """Reads and checks an edition file; EditionError names the wrong cell."""
        try:
            return cls.parse(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise EditionError(str(path), f"expected an edition file, but {error}") from error

    @classmethod
    def parse(cls, text: str) -> Edition:
        """Reads and checks an edition from its TOML text."""
        return cls.from_json(_parse_toml(text))

    @classmethod
    def default(cls) -> Edition:
        """The edition that ships with the package."""
        return _load_shipped()


def _parse_toml(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise EditionError("file", f"expected TOML, but {error}") from error


def _read(data: Mapping[str, object]) -> Edition:
    from stampede.zoff.edition_reader import read_edition  # noqa: PLC0415 - it makes editions

    return read_edition(data)


@cache
def _load_shipped() -> Edition:
    text = resources.files("stampede.zoff").joinpath("edition.toml").read_text(encoding="utf-8")
    return _read(_parse_toml(text))
