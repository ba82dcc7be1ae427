"""The game record, ``stampede-record/1``: a complete game as one JSON object (docs/record.md).

Reading keeps to the format: unknown keys are ignored, a missing or wrong one is an error that says where. Whether
the steps are legal is another question: `stampede.core.replay` answers it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from stampede.core.errors import InputError, RecordError
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_list,
    expect_object,
    expect_str,
)

__all__ = [
    "FORMAT",
    "RULES_KEYS",
    "SETUP_KEYS",
    "GameRecord",
    "SeatInfo",
    "checksums",
    "read_records",
]

FORMAT = "stampede-record/1"
SETUP_KEYS = ("start", "deal", "colours")
"""The keys that one game has and the other has not."""
RULES_KEYS = ("edition_data",)
"""Keys of the rules that stand beside them in a record, as they are long."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sat in a seat: a person, or a bot of a level."""

    name: str
    kind: Literal["human", "bot"] = "human"
    bot: str | int | None = None

    def to_json(self) -> JsonObject:
        """The seat as it stands in a record."""
        level: JsonObject = {} if self.bot is None else {"bot": self.bot}
        return {"name": self.name, "kind": self.kind, **level}

    @classmethod
    def from_json(cls, value: Json, where: str) -> SeatInfo:
        """Reads one entry of a record's ``seats``."""
        data = expect_object(value, where)
        kind = expect_str(data.get("kind"), f"{where}.kind")
        if kind not in ("human", "bot"):
            raise InputError(f'{where}.kind: expected "human" or "bot", got {kind!r}')
        level = data.get("bot")
        if isinstance(level, bool) or not isinstance(level, str | int | None):
            raise InputError(f"{where}.bot: expected a level, got {canonical(level)}")
        name = expect_str(data.get("name"), f"{where}.name")
        return cls(name, "human" if kind == "human" else "bot", level)


@dataclass(frozen=True, slots=True, repr=False)
class GameRecord:
    """One complete game: the rules can replay it from this alone.

    >>> text = '{"format":"stampede-record/1","game":"buffalo","rules":{},"seats":[],"actions":["f7f6"]}'
    >>> GameRecord.loads(text).actions
    ('f7f6',)

    Attributes:
        game: ``zoff`` or ``buffalo``.
        rules: The rule set, as the game writes it; the data of an edition included.
        seats: Who sat where.
        setup: The keys of one game only (``start``; ``deal`` and ``colours``).
        actions: The steps, in order.
        result: How it ended; None while it runs.
        meta: Free: dates, seed, ids; ``check`` holds the steps' checksums.
    """

    game: str
    rules: JsonObject
    seats: tuple[SeatInfo, ...]
    setup: JsonObject
    actions: tuple[Json, ...]
    result: JsonObject | None = None
    meta: JsonObject = field(default_factory=dict)

    def __repr__(self) -> str:
        names = ", ".join(seat.name for seat in self.seats)
        end = "unfinished" if self.result is None else str(self.result.get("reason"))
        return f"<GameRecord of {self.game}: {names}; {len(self.actions)} steps, {end}>"

    @property
    def seat_of_colour(self) -> dict[str, int]:
        """Who plays each colour, in a flat form for any number of players; empty where no colour has an owner.

        The record's own ``colours`` has one colour a seat, but a list of two for each of two players, and may be a list
        or an object by seat.
        """
        colours = self.setup.get("colours")
        if isinstance(colours, dict):
            colours = [colours.get(str(seat)) for seat in range(len(colours))]
        found: dict[str, int] = {}
        for seat, own in enumerate(colours if isinstance(colours, list) else []):
            found.update(
                (str(colour), seat) for colour in (own if isinstance(own, list) else [own])
            )
        return found

    def to_json(self) -> JsonObject:
        """The record as one JSON object, keys in the order of the format."""
        result: JsonObject = {} if self.result is None else {"result": self.result}
        return {
            "format": FORMAT,
            **_head(self),
            "seats": [seat.to_json() for seat in self.seats],
            "actions": list(self.actions),
            **result,
            "meta": self.meta,
        }

    def dumps(self) -> str:
        """The record as one line of JSON."""
        return canonical(self.to_json())

    @classmethod
    def from_json(cls, value: Json) -> GameRecord:
        """Reads a record; RecordError when a key is missing or wrong."""
        try:
            return cls._read(expect_object(value, "record"))
        except RecordError:
            raise
        except InputError as error:
            raise RecordError(str(error)) from error

    @classmethod
    def _read(cls, data: JsonObject) -> GameRecord:
        if data.get("format") != FORMAT:
            got = canonical(data.get("format"))
            raise RecordError(f'format: expected "{FORMAT}", got {got[:80]}')
        result = data.get("result")
        return cls(
            game=expect_str(data.get("game"), "game"),
            rules=_read_rules(data),
            seats=tuple(
                SeatInfo.from_json(seat, f"seats[{index}]")
                for index, seat in enumerate(expect_list(data.get("seats"), "seats"))
            ),
            setup={key: data[key] for key in SETUP_KEYS if key in data},
            actions=tuple(expect_list(data.get("actions"), "actions")),
            result=None if result is None else expect_object(result, "result"),
            meta=expect_object(data.get("meta", {}), "meta"),
        )

    @classmethod
    def loads(cls, text: str) -> GameRecord:
        """Reads a record from its JSON text."""
        try:
            value: Json = json.loads(text, parse_constant=_refuse_constant)
        except (json.JSONDecodeError, RecursionError) as error:
            raise RecordError(f"expected one JSON object, but {error}") from error
        return cls.from_json(value)


def read_records(lines: Iterable[str]) -> Iterator[tuple[int, GameRecord]]:
    """Reads JSON Lines: yields each record with its line number, counted from 1.

    A single record written over several lines is read too.

    Raises:
        RecordError: A line is no record; the message starts with the line's number.
    """
    rows = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    for place, (number, line) in enumerate(rows):
        if place == 0 and line.strip() == "{":
            yield number, GameRecord.loads("".join([line, *(below for _, below in rows)]))
            return
        try:
            record = GameRecord.loads(line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from error
        yield number, record


def checksums(record: GameRecord) -> str:
    """Four hexadecimal digits a step: a running CRC-32 over set-up and steps.

    A changed step can be as legal as the true one and change no later step, so replaying alone can't name it. The
    checksums can. They guard against slips, not against a forger.
    """
    running = zlib.crc32(canonical(_head(record)).encode())
    digits = []
    for action in record.actions:
        running = zlib.crc32(canonical(action).encode(), running)
        digits.append(f"{running & 0xFFFF:04x}")
    return "".join(digits)


def _head(record: GameRecord) -> Mapping[str, Json]:
    """What stands before the seats and the steps."""
    rules = {key: value for key, value in record.rules.items() if key not in RULES_KEYS}
    long = {key: record.rules[key] for key in RULES_KEYS if key in record.rules}
    return {"game": record.game, "rules": rules, **long, **record.setup}


def _read_rules(data: JsonObject) -> JsonObject:
    rules = expect_object(data.get("rules"), "rules")
    return {**rules, **{key: data[key] for key in RULES_KEYS if key in data}}


def _refuse_constant(name: str) -> Json:
    raise RecordError(f"expected JSON, got {name}")
