"""Predicates on events: what an answer must have led to.

A predicate names a kind of event and what its fields hold, with dots into nested values:
``{ event = "precedence", pasture = "Coffee-Canyon", "turns.0.seat" = 0 }``. By itself it asks for one such event.
``none = true`` asks for none, ``sum = "due"`` with ``least = 2`` adds a field up, and ``least`` alone counts events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject

__all__ = ["holds"]

WORDS: Final = frozenset({"event", "none", "sum", "least"})


def holds(predicate: JsonObject, events: Sequence[JsonObject]) -> bool:
    """Whether the events, as JSON, satisfy a predicate."""
    wanted = {key: value for key, value in predicate.items() if key not in WORDS}
    found = [
        event
        for event in events
        if event["kind"] == predicate["event"]
        and all(_look_up(event, path) == value for path, value in wanted.items())
    ]
    if predicate.get("none"):
        return not found
    least = predicate.get("least", 1)
    if not isinstance(least, int):
        raise InputError(f"least: expected an integer, got {least!r}")
    field = predicate.get("sum")
    if field is None:
        return len(found) >= least
    return sum(_number(_look_up(event, str(field))) for event in found) >= least


def _look_up(value: Json, path: str) -> Json:
    """The value at a path such as ``turns.0.seat``; None where there is none."""
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return None
    return value


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0
