"""Buffalo's part of the game record (docs/record.md): rule set, start, steps, result."""

from __future__ import annotations

from collections.abc import Sequence

from stampede.buffalo.actions import Move
from stampede.buffalo.events import Moved
from stampede.buffalo.position import Position
from stampede.buffalo.result import BuffaloResult
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.state import BuffaloState
from stampede.core.errors import InputError, ParseError, RuleSetError
from stampede.core.events import Event
from stampede.core.game import Outcome
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_int,
    expect_list,
    expect_str,
)
from stampede.core.record import GameRecord

__all__ = [
    "read_move",
    "read_rules",
    "read_setup",
    "write_result",
    "write_rules",
    "write_setup",
    "write_steps",
]


def read_rules(data: JsonObject) -> BuffaloRules:
    """Reads a record's ``rules``; a key that is missing has its ordinary value."""
    try:
        files = expect_list(data.get("removed", []), "rules.removed")
        removed = [expect_str(file, f"rules.removed[{i}]") for i, file in enumerate(files)]
        steps = expect_int(data.get("opening_moves", 1), "rules.opening_moves")
    except InputError as error:
        raise RuleSetError(str(error)) from error
    return BuffaloRules(tuple(removed), steps)


def write_rules(rules: BuffaloRules) -> JsonObject:
    """Writes a record's ``rules``."""
    return rules.to_json()


def read_setup(rules: BuffaloRules, record: GameRecord) -> Position:
    """The position in which a record begins: its ``start``, else the standard one."""
    if "start" not in record.setup:
        return Position.start(rules.removed)
    return Position.from_fen(expect_str(record.setup["start"], "start"))


def write_setup(state: BuffaloState) -> JsonObject:
    """Writes a record's ``start``, unless it is the standard one."""
    start = state.start.fen()
    return {} if start == Position.start(state.rules.removed).fen() else {"start": start}


def read_move(data: Json) -> Move:
    """Reads a step: the text of a move."""
    if not isinstance(data, str):
        raise ParseError(f"expected the text of a move, such as a7a6, got {canonical(data)[:80]}")
    return Move.parse(data)


def write_steps(events: Sequence[Event]) -> list[Json]:
    """Writes the moves among these events."""
    return [str(event.move) for event in events if isinstance(event, Moved)]


def write_result(outcome: Outcome) -> JsonObject:
    """Writes a record's ``result``."""
    return BuffaloResult.of(outcome).to_json()
