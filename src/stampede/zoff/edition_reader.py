"""Checks an edition cell by cell: a parsed TOML file, or the same shape as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stampede.core.errors import EditionError
from stampede.zoff.edition import (
    CARDS_OF_VALUE,
    COLOURS,
    EXTRA_VALUES,
    MAX_BONUS,
    MAX_CAPACITY,
    MAX_COLOURS,
    MAX_PASTURES,
    MAX_RANKS,
    MIN_CAPACITY,
    MIN_RANKS,
    PASTURES,
    SOURCES,
    TWO_PLAYER_CAPACITIES,
    TWO_PLAYER_GROUPS,
    CowCard,
    Edition,
    Pasture,
    PastureSource,
)

__all__ = ["read_edition"]

# Names go to logs, pages and terminals, so they are short and plain.
_ID: Final = (
    re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"),
    "1–40 letters, digits, dots, dashes or underscores",
)
_TITLE: Final = (
    re.compile(r"\S(?:[^\x00-\x1f\x7f-\x9f\u2028\u2029]{0,78}\S)?"),
    "1–80 characters in one line",
)
_NAME: Final = (
    re.compile(r"[^\W_](?:[\w '’.&,!()/-]{0,38}[\w'’.!)])?"),
    "1–40 letters, digits, blanks, dashes or '.&,!()/",
)
_COLOUR: Final = (re.compile(r"[A-Za-z][A-Za-z-]{0,15}"), "1–16 letters")
_Form = tuple[re.Pattern[str], str]


def read_edition(data: Mapping[str, object]) -> Edition:
    """Reads an edition; EditionError names the first wrong cell."""
    return _Reader(data).edition()


class _Reader:
    """Checks a parsed file cell by cell."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.letter_sources: dict[tuple[str, CowCard], str] = {}

    def edition(self) -> Edition:
        _only_keys(self.data, ("edition", "pasture", "cow_cards", "two_player_extras"), "file")
        head = _table(self.data, "edition", "edition")
        _only_keys(head, ("id", "title"), "edition")
        pastures, cards = self._pastures(), self._cards()
        if (len(pastures) == MAX_PASTURES) != (len(cards) == MAX_COLOURS):
            raise EditionError(
                "cow_cards",
                "expected a sixth colour and a twelfth pasture for six players, or neither, "
                f"got {len(cards)} colours and {len(pastures)} pastures",
            )
        return Edition(
            id=_text(head, "id", "edition", _ID),
            title=_text(head, "title", "edition", _TITLE),
            pastures=pastures,
            cards=cards,
            extras=self._extras(cards),
            letter_sources=self.letter_sources,
        )

    def _pastures(self) -> tuple[Pasture, ...]:
        rows = self.data.get("pasture")
        if not isinstance(rows, list | tuple) or len(rows) not in (PASTURES, MAX_PASTURES):
            got = len(rows) if isinstance(rows, list | tuple) else "none"
            raise EditionError(
                "pasture",
                f"expected {PASTURES} pastures, or {MAX_PASTURES} for six players, got {got}",
            )
        pastures = tuple(_pasture(row, f"pasture[{index}]") for index, row in enumerate(rows))
        for index in range(1, len(pastures)):
            smaller, larger = pastures[index - 1], pastures[index]
            if larger.capacity <= smaller.capacity:
                raise EditionError(
                    f"pasture[{index}].capacity",
                    f"expected more than the {smaller.capacity} before it, got {larger.capacity}",
                )
            if larger.name in {pasture.name for pasture in pastures[:index]}:
                raise EditionError(f"pasture[{index}].name", f"{larger.name!r} is there already")
        missing = set(TWO_PLAYER_CAPACITIES) - {row.capacity for row in pastures[:PASTURES]}
        if missing:
            raise EditionError(
                "pasture", f"expected capacities {sorted(missing)} too: two players need them"
            )
        return pastures

    def _cards(self) -> dict[str, tuple[CowCard, ...]]:
        tables = _table(self.data, "cow_cards", "cow_cards")
        if len(tables) not in (COLOURS, MAX_COLOURS):
            raise EditionError(
                "cow_cards",
                f"expected {COLOURS} colours, or {MAX_COLOURS} for six players, got {len(tables)}",
            )
        seen: dict[CowCard, str] = {}
        cards = {}
        for colour in tables:
            _check_form(colour, "cow_cards", _COLOUR)
            cell = f"cow_cards.{colour}"
            found = self._read_cards(_table(tables, colour, cell), colour, CARDS_OF_VALUE, cell)
            for card in found:
                if card in seen:
                    raise EditionError(
                        f"{cell}.{card.value}", f"{card} is there twice, in {seen[card]} too"
                    )
                seen[card] = colour
            cards[colour] = tuple(sorted(found))
        missing = {name for pair in TWO_PLAYER_GROUPS.values() for name in pair} - set(
            tuple(cards)[:COLOURS]
        )
        if missing:
            raise EditionError(
                "cow_cards",
                f"expected {sorted(missing)} among the first {COLOURS}: two players need them",
            )
        return cards

    def _extras(self, cards: Mapping[str, tuple[CowCard, ...]]) -> dict[str, tuple[CowCard, ...]]:
        tables = _table(self.data, "two_player_extras", "two_player_extras")
        _only_keys(tables, tuple(TWO_PLAYER_GROUPS), "two_player_extras")
        seen = {card for colour in TWO_PLAYER_GROUPS for card in cards[colour]}
        extras = {}
        for colour in TWO_PLAYER_GROUPS:
            cell = f"two_player_extras.{colour}"
            counts = dict.fromkeys(EXTRA_VALUES, 1)
            found = self._read_cards(_table(tables, colour, cell), colour, counts, cell)
            for card in found:
                if card in seen:
                    raise EditionError(f"{cell}.{card.value}", f"{card} is in a hand already")
                seen.add(card)
            extras[colour] = tuple(found)
        return extras

    def _read_cards(
        self, table: Mapping[str, object], colour: str, counts: Mapping[int, int], cell: str
    ) -> list[CowCard]:
        """The cards of a colour, so many of each value, and the sources of their letters."""
        values = tuple(str(value) for value in counts)
        _only_keys(table, (*values, "source"), cell)
        source = _table(table, "source", f"{cell}.source") if "source" in table else {}
        _only_keys(source, values, f"{cell}.source")
        found = []
        for value, count in counts.items():
            cards = _letters(table, value, count, cell)
            marks = _letter_sources(source, value, count, f"{cell}.source")
            self.letter_sources |= {(colour, c): mark for c, mark in zip(cards, marks, strict=True)}
            found += cards
        return found


def _pasture(row: object, cell: str) -> Pasture:
    table = _table({cell: row}, cell, cell)
    _only_keys(table, ("name", "capacity", "bonus", "source"), cell)
    bonus = table.get("bonus")
    if not isinstance(bonus, list | tuple) or not MIN_RANKS <= len(bonus) <= MAX_RANKS:
        raise EditionError(
            f"{cell}.bonus", f"expected {MIN_RANKS} to {MAX_RANKS} numbers, got {bonus!r:.80}"
        )
    numbers = tuple(
        _whole(number, 0, MAX_BONUS, f"{cell}.bonus[{rank}]") for rank, number in enumerate(bonus)
    )
    source = _table(table, "source", f"{cell}.source")
    keys = ("name", "capacity", "bonus")
    _only_keys(source, keys, f"{cell}.source")
    return Pasture(
        name=_text(table, "name", cell, _NAME),
        capacity=_whole(table.get("capacity"), MIN_CAPACITY, MAX_CAPACITY, f"{cell}.capacity"),
        bonus=numbers,
        source=PastureSource(*(_source(source.get(key), f"{cell}.source.{key}") for key in keys)),
    )


def _source(value: object, cell: str) -> str:
    if not isinstance(value, str) or value not in SOURCES:
        raise EditionError(cell, f"expected one of {', '.join(SOURCES)}, got {value!r:.80}")
    return value


def _letters(table: Mapping[str, object], value: int, count: int, cell: str) -> list[CowCard]:
    letters = table.get(str(value))
    if (
        not isinstance(letters, str)
        or len(set(letters)) != count
        or len(letters) != count
        or not all("A" <= letter <= "Z" for letter in letters)
    ):
        raise EditionError(
            f"{cell}.{value}", f"expected {count} different letters A–Z, got {letters!r:.80}"
        )
    return [CowCard(value, letter) for letter in letters]


def _letter_sources(source: Mapping[str, object], value: int, count: int, cell: str) -> list[str]:
    """One word for all letters of a value, or a list with one for each; without one they are reconstructed."""
    marks = source.get(str(value), "reconstructed")
    cell = f"{cell}.{value}"
    if isinstance(marks, list | tuple):
        if len(marks) != count:
            raise EditionError(
                cell, f"expected a source for each of {count} letters, got {len(marks)}"
            )
        return [_source(mark, f"{cell}[{index}]") for index, mark in enumerate(marks)]
    return [_source(marks, cell)] * count


def _only_keys(table: Mapping[str, object], known: tuple[str, ...], cell: str) -> None:
    for key in table:
        if key not in known:
            raise EditionError(f"{cell}.{str(key)[:40]}", f"unknown; expected {', '.join(known)}")


def _table(parent: Mapping[str, object], key: str, cell: str) -> Mapping[str, object]:
    value = parent.get(key)
    if not isinstance(value, Mapping):
        raise EditionError(cell, f"expected a table, got {value!r:.80}")
    return value


def _text(table: Mapping[str, object], key: str, cell: str, form: _Form) -> str:
    return _check_form(table.get(key), f"{cell}.{key}", form)


def _check_form(value: object, cell: str, form: _Form) -> str:
    pattern, expected = form
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise EditionError(cell, f"expected {expected}, got {value!r:.80}")
    return value


def _whole(value: object, least: int, most: int, cell: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise EditionError(cell, f"expected a whole number {least}–{most}, got {value!r:.80}")
    return value
