"""What stands out in a position. Said only when it is so by the rules; nothing here is a guess."""

from __future__ import annotations

from collections.abc import Iterator

from stampede.buffalo import Position, Side, Square
from stampede.buffalo.geometry import AHEAD
from stampede.search.buffalo.sayings import Saying

__all__ = ["remarks"]


def remarks(position: Position) -> tuple[Saying, ...]:
    """What there is to say about a position, the most urgent first."""
    return (
        *_rank_two(position),
        *_threats(position),
        *_pins(position),
        *_runners(position),
        _cover(position),
    )


def _apart(square: Square, other: Square) -> int:
    """How many steps of the chief lie between two squares."""
    return max(abs(square.file - other.file), abs(square.rank - other.rank))


def _front(buffalo: Square) -> Square:
    square = AHEAD[buffalo]
    assert square is not None, "a buffalo on the prairie or near bank has a square ahead"
    return square


def _rank_two(position: Position) -> Iterator[Saying]:
    there = [square for square in position.buffaloes if square.rank == 2]
    if not there:
        return
    nearest = {"buffalo": str(there[0])}
    if position.turn is Side.BUFFALO:
        yield Saying("crosses_now", nearest)
    elif len(there) > 1:
        yield Saying("both_cross", {"buffaloes": " and ".join(map(str, there))})
    elif _apart(position.chief, there[0]) > 1:
        yield Saying("out_of_reach", nearest)
    else:
        yield Saying("must_capture", nearest)


def _threats(position: Position) -> Iterator[Saying]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3 or position.piece_at(_front(buffalo)) is not None:
            continue
        front = _front(buffalo)
        code = "can_step" if position.turn is Side.BUFFALO else "threatens_step"
        if _apart(position.chief, front) <= 1:
            code = "offers"
        yield Saying(code, {"buffalo": str(buffalo), "to": str(front)})


def _pins(position: Position) -> Iterator[Saying]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3:
            continue
        front = _front(buffalo)
        if front in position.dogs and _apart(position.chief, front) > 1:
            yield Saying("pinned", {"dog": str(front), "buffalo": str(buffalo)})


def _dog_ahead(position: Position, buffalo: Square) -> Square | None:
    """The nearest dog in front of a buffalo."""
    ahead = [dog for dog in position.dogs if dog.file == buffalo.file and dog < buffalo]
    return max(ahead, default=None)


def _runners(position: Position) -> Iterator[Saying]:
    """Buffaloes that no dog waits for and that the chief can't catch any more if they just run."""
    spare = 1 if position.turn is Side.HUNTER else 0
    for buffalo in position.buffaloes:
        if buffalo.rank <= 3 or _dog_ahead(position, buffalo) is not None:
            continue
        end = Square.at(buffalo.file, 2)
        steps = buffalo.rank - 2
        if _apart(position.chief, end) > steps + spare:
            yield Saying("runner", {"buffalo": str(buffalo)})


def _cover(position: Position) -> Saying:
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
    return Saying("cover", {name: str(number) for name, number in counts.items()})
