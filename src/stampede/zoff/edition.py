"""The printed data of Zoff (Z1): pastures, cow cards, and where each value comes from.

The data is an input (Z1.2): `Edition.load` reads and checks any file of this shape, and names the cell that is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from stampede.core.errors import EditionError, ParseError
from stampede.core.json import TextForm

__all__ = ["CowCard", "Edition", "Pasture"]

SOURCES = ("seed", "public", "reconstructed", "box")
CARDS_OF_VALUE = {2: 3, 3: 3, 4: 2, 5: 2}
"""How many cow cards of each value a colour has (Z2.2)."""
EXTRA_VALUES = (2, 4)
PASTURES = 12
COLOURS = 6
"""Five and the sixth player's, which stands last (Z11.4)."""
TWO_PLAYER_CAPACITIES = (6, 8, 10, 12, 16, 18, 24)
TWO_PLAYER_GROUPS = {"blue": ("blue", "green"), "pink": ("pink", "orange")}
"""Whose cards a player holds, and the two colours of their cows (Z10.1)."""
MAX_CAPACITY = 99
MAX_BONUS = 5


@dataclass(frozen=True, slots=True, order=True)
class CowCard(TextForm):
    """A cow card, ``4M``. Cards compare as they go first on a pasture: lower value, then earlier letter (Z4.2)."""

    value: int
    letter: str

    def __str__(self) -> str:
        return f"{self.value}{self.letter}"

    @classmethod
    def parse(cls, text: str) -> CowCard:
        """Reads ``"4M"``."""
        if len(text) != 2 or text[0] not in "2345" or not ("A" <= text[1] <= "Z"):
            raise ParseError(f"expected a cow card such as 4M (value 2–5, letter), got {text!r}")
        return cls(int(text[0]), text[1])


@dataclass(frozen=True, slots=True)
class Pasture:
    """A pasture: its name, its spaces, its bonuses by rank, and where each of these is known from."""

    name: str
    capacity: int
    bonus: tuple[int, ...]
    source: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Edition:
    """A complete set of printed data.

    Attributes:
        id: Its name in records.
        title: Its name for people.
        pastures: All twelve, smallest first; the last one is for six players only.
        cards: The cow cards of each colour, lowest first; the last colour is for six players only.
        extras: The bracketed cards, for two players only.
    """

    id: str
    title: str
    pastures: tuple[Pasture, ...]
    cards: Mapping[str, tuple[CowCard, ...]]
    extras: Mapping[str, tuple[CowCard, ...]]

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours, in the order of the file."""
        return tuple(self.cards)

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
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise EditionError("file", f"expected TOML, but {error}") from error
        return _Reader(data).edition()

    @classmethod
    def default(cls) -> Edition:
        """The edition that ships with the package."""
        return _load_shipped()


@cache
def _load_shipped() -> Edition:
    text = resources.files("stampede.zoff").joinpath("edition.toml").read_text(encoding="utf-8")
    return Edition.parse(text)


class _Reader:
    """Checks a parsed file cell by cell."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data

    def edition(self) -> Edition:
        _only_keys(self.data, ("edition", "pasture", "cow_cards", "two_player_extras"), "file")
        head = _table(self.data, "edition", "edition")
        _only_keys(head, ("id", "title"), "edition")
        cards = self._cards()
        return Edition(
            id=_text(head, "id", "edition"),
            title=_text(head, "title", "edition"),
            pastures=self._pastures(),
            cards=cards,
            extras=self._extras(cards),
        )

    def _pastures(self) -> tuple[Pasture, ...]:
        rows = self.data.get("pasture")
        if not isinstance(rows, list) or len(rows) != PASTURES:
            got = len(rows) if isinstance(rows, list) else "none"
            raise EditionError("pasture", f"expected {PASTURES} pastures, got {got}")
        pastures = tuple(_pasture(row, f"pasture[{index}]") for index, row in enumerate(rows))
        for index in range(1, PASTURES):
            smaller, larger = pastures[index - 1], pastures[index]
            if larger.capacity <= smaller.capacity:
                raise EditionError(
                    f"pasture[{index}].capacity",
                    f"expected more than the {smaller.capacity} before it, got {larger.capacity}",
                )
            if larger.name in {pasture.name for pasture in pastures[:index]}:
                raise EditionError(f"pasture[{index}].name", f"{larger.name!r} is there already")
        missing = set(TWO_PLAYER_CAPACITIES) - {pasture.capacity for pasture in pastures}
        if missing:
            raise EditionError(
                "pasture", f"expected capacities {sorted(missing)} too: two players need them"
            )
        return pastures

    def _cards(self) -> dict[str, tuple[CowCard, ...]]:
        tables = _table(self.data, "cow_cards", "cow_cards")
        if len(tables) != COLOURS:
            raise EditionError("cow_cards", f"expected {COLOURS} colours, got {len(tables)}")
        seen: dict[CowCard, str] = {}
        cards = {}
        for colour in tables:
            table = _table(tables, colour, f"cow_cards.{colour}")
            cell = f"cow_cards.{colour}"
            _only_keys(table, tuple(str(value) for value in CARDS_OF_VALUE), cell)
            for value, count in CARDS_OF_VALUE.items():
                for card in _letters(table, value, count, cell):
                    if card in seen:
                        raise EditionError(
                            f"{cell}.{value}", f"{card} is there twice, in {seen[card]} too"
                        )
                    seen[card] = colour
            cards[colour] = tuple(sorted(card for card, owner in seen.items() if owner == colour))
        missing = {name for pair in TWO_PLAYER_GROUPS.values() for name in pair} - set(cards)
        if missing:
            raise EditionError(
                "cow_cards", f"expected {sorted(missing)} too: two players need them"
            )
        return cards

    def _extras(self, cards: Mapping[str, tuple[CowCard, ...]]) -> dict[str, tuple[CowCard, ...]]:
        tables = _table(self.data, "two_player_extras", "two_player_extras")
        _only_keys(tables, tuple(TWO_PLAYER_GROUPS), "two_player_extras")
        seen = {card for colour in TWO_PLAYER_GROUPS for card in cards[colour]}
        extras = {}
        for colour in TWO_PLAYER_GROUPS:
            cell = f"two_player_extras.{colour}"
            table = _table(tables, colour, cell)
            _only_keys(table, tuple(str(value) for value in EXTRA_VALUES), cell)
            found = tuple(c for value in EXTRA_VALUES for c in _letters(table, value, 1, cell))
            for card in found:
                if card in seen:
                    raise EditionError(f"{cell}.{card.value}", f"{card} is in a hand already")
                seen.add(card)
            extras[colour] = found
        return extras


def _pasture(row: object, cell: str) -> Pasture:
    table = _table({cell: row}, cell, cell)
    _only_keys(table, ("name", "capacity", "bonus", "source"), cell)
    bonus = table.get("bonus")
    if not isinstance(bonus, list) or not 2 <= len(bonus) <= 4:
        raise EditionError(f"{cell}.bonus", f"expected two to four numbers, got {bonus!r}")
    numbers = tuple(
        _whole(number, 0, MAX_BONUS, f"{cell}.bonus[{rank}]") for rank, number in enumerate(bonus)
    )
    source = _table(table, "source", f"{cell}.source")
    _only_keys(source, ("name", "capacity", "bonus"), f"{cell}.source")
    for key in ("name", "capacity", "bonus"):
        if source.get(key) not in SOURCES:
            expected = ", ".join(SOURCES)
            raise EditionError(
                f"{cell}.source.{key}", f"expected one of {expected}, got {source.get(key)!r}"
            )
    return Pasture(
        name=_text(table, "name", cell),
        capacity=_whole(table.get("capacity"), 2, MAX_CAPACITY, f"{cell}.capacity"),
        bonus=numbers,
        source=tuple((key, str(source[key])) for key in ("name", "capacity", "bonus")),
    )


def _letters(table: Mapping[str, object], value: int, count: int, cell: str) -> list[CowCard]:
    letters = table.get(str(value))
    if (
        not isinstance(letters, str)
        or len(set(letters)) != count
        or len(letters) != count
        or not all("A" <= letter <= "Z" for letter in letters)
    ):
        raise EditionError(
            f"{cell}.{value}", f"expected {count} different letters A–Z, got {letters!r}"
        )
    return [CowCard(value, letter) for letter in letters]


def _only_keys(table: Mapping[str, object], known: tuple[str, ...], cell: str) -> None:
    for key in table:
        if key not in known:
            raise EditionError(f"{cell}.{key}", f"unknown; expected {', '.join(known)}")


def _table(parent: Mapping[str, object], key: str, cell: str) -> Mapping[str, object]:
    value = parent.get(key)
    if not isinstance(value, dict):
        raise EditionError(cell, f"expected a table, got {value!r}")
    return value


def _text(table: Mapping[str, object], key: str, cell: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise EditionError(f"{cell}.{key}", f"expected a text, got {value!r}")
    return value


def _whole(value: object, least: int, most: int, cell: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise EditionError(cell, f"expected a whole number {least}–{most}, got {value!r}")
    return value
