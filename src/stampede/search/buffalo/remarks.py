"""Remarks about a position: facts that follow from the rules, as a code with values and as an English sentence.

Clients translate the codes; the sentence is for the terminal. A remark is only made when it is true by the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stampede.buffalo import Position, Side, Square
from stampede.buffalo.geometry import AHEAD
from stampede.core.remark import Phrases, Remark

__all__ = ["PHRASES", "remarks"]


PHRASES: Final = Phrases(
    {
        # Verdicts.
        "even": "even",
        "slight": "{side} is slightly better",
        "clear": "{side} is clearly better",
        "winning": "{side} is winning, not proven",
        "forced": "{side} wins by force: proven, at most {count:move|moves}",
        # Sources of exact results.
        "in_table": "A table of exact values covers this position: {name}.",
        "in_certificate": "A verified certificate covers this position: {name}.",
        # Facts about the position.
        "crosses_now": "The buffalo on {buffalo} can cross now and wins (B3.1).",
        "both_cross": "The buffaloes on {buffaloes} both cross next; the chief can capture only one.",
        "out_of_reach": "The buffalo on {buffalo} crosses next, and the chief can't reach it.",
        "must_capture": "The buffalo on {buffalo} crosses next: the chief must capture it at once.",
        "can_step": (
            "The buffalo on {buffalo} can step to {to}, where the chief can't capture it, and cross."
        ),
        "threatens_step": (
            "The buffalo on {buffalo} threatens to step to {to}, where the chief can't capture it,"
            " and to cross."
        ),
        "offers": "The buffalo on {buffalo} can offer itself on {to}: the chief must take it.",
        "pinned": "The dog on {dog} is pinned: if it leaves, the buffalo on {buffalo} wins.",
        "runner": "The chief alone can't catch the buffalo on {buffalo}: a dog is needed there.",
        "cover": (
            "{count:buffalo|buffaloes}: {blocked} blocked, {covered} with a dog ahead, {open} without;"
            " {free:dog|dogs} free."
        ),
    },
    {"buffalo": "the buffalo side", "hunter": "the hunter"},
)
"""The sentences of all remarks."""


def remarks(position: Position) -> tuple[Remark, ...]:
    """The remarks about a position, the most urgent first."""
    return (
        *_rank_two(position),
        *_threats(position),
        *_pins(position),
        *_runners(position),
        _cover(position),
    )


def _distance(square: Square, other: Square) -> int:
    """The steps of the chief between two squares."""
    return max(abs(square.file - other.file), abs(square.rank - other.rank))


def _front(buffalo: Square) -> Square:
    square = AHEAD[buffalo]
    assert square is not None, "a buffalo on the prairie or near bank has a square ahead"
    return square


def _rank_two(position: Position) -> Iterator[Remark]:
    there = [square for square in position.buffaloes if square.rank == 2]
    if not there:
        return
    nearest = {"buffalo": there[0]}
    if position.turn is Side.BUFFALO:
        yield PHRASES.remark("crosses_now", **nearest)
    elif len(there) > 1:
        yield PHRASES.remark("both_cross", buffaloes=" and ".join(map(str, there)))
    elif _distance(position.chief, there[0]) > 1:
        yield PHRASES.remark("out_of_reach", **nearest)
    else:
        yield PHRASES.remark("must_capture", **nearest)


def _threats(position: Position) -> Iterator[Remark]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3 or position.piece_at(_front(buffalo)) is not None:
            continue
        front = _front(buffalo)
        code = "can_step" if position.turn is Side.BUFFALO else "threatens_step"
        if _distance(position.chief, front) <= 1:
            code = "offers"
        yield PHRASES.remark(code, buffalo=buffalo, to=front)


def _pins(position: Position) -> Iterator[Remark]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3:
            continue
        front = _front(buffalo)
        if front in position.dogs and _distance(position.chief, front) > 1:
            yield PHRASES.remark("pinned", dog=front, buffalo=buffalo)


def _dog_ahead(position: Position, buffalo: Square) -> Square | None:
    """The nearest dog ahead of a buffalo."""
    ahead = [dog for dog in position.dogs if dog.file == buffalo.file and dog < buffalo]
    return max(ahead, default=None)


def _runners(position: Position) -> Iterator[Remark]:
    """Buffaloes with no dog ahead that the chief alone can't catch any more."""
    spare = 1 if position.turn is Side.HUNTER else 0
    for buffalo in position.buffaloes:
        if buffalo.rank <= 3 or _dog_ahead(position, buffalo) is not None:
            continue
        end = Square.at(buffalo.file, 2)
        steps = buffalo.rank - 2
        if _distance(position.chief, end) > steps + spare:
            yield PHRASES.remark("runner", buffalo=buffalo)


def _cover(position: Position) -> Remark:
    covered = [b for b in position.buffaloes if _dog_ahead(position, b) is not None]
    blocked = [b for b in position.buffaloes if _front(b) in (*position.dogs, position.chief)]
    guards = {_dog_ahead(position, buffalo) for buffalo in covered}
    counts = {
        "count": len(position.buffaloes),
        "blocked": len(blocked),
        "covered": len(covered),
        "open": len(position.buffaloes) - len(covered),
        "free": len(position.dogs) - len(guards),
    }
    return PHRASES.remark("cover", **counts)
