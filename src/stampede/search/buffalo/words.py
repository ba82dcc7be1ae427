"""What stands out in a position, in words. Said only when it is so by the rules; nothing here is a guess."""

from __future__ import annotations

from collections.abc import Iterator

from stampede.buffalo import Position, Side, Square
from stampede.buffalo.geometry import AHEAD

__all__ = ["remarks"]


def remarks(position: Position) -> tuple[str, ...]:
    """Sentences about a position, the most urgent first."""
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


def _rank_two(position: Position) -> Iterator[str]:
    there = [square for square in position.buffaloes if square.rank == 2]
    if not there:
        return
    names = " and ".join(map(str, there))
    if position.turn is Side.BUFFALO:
        yield f"The buffalo on {there[0]} can cross now and wins (B3.1)."
    elif len(there) > 1:
        yield f"The buffaloes on {names} both cross next; the chief can capture only one."
    elif _apart(position.chief, there[0]) > 1:
        yield f"The buffalo on {names} crosses next, and the chief can't reach it."
    else:
        yield f"The buffalo on {names} crosses next: the chief must capture it at once."


def _threats(position: Position) -> Iterator[str]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3 or position.piece_at(_front(buffalo)) is not None:
            continue
        front = _front(buffalo)
        if _apart(position.chief, front) > 1:
            verb = "can step" if position.turn is Side.BUFFALO else "threatens to step"
            yield (
                f"The buffalo on {buffalo} {verb} to {front}, where the chief can't capture it,"
                " and to cross."
            )
        else:
            yield f"The buffalo on {buffalo} can offer itself on {front}: the chief must take it."


def _pins(position: Position) -> Iterator[str]:
    for buffalo in position.buffaloes:
        if buffalo.rank != 3:
            continue
        front = _front(buffalo)
        if front in position.dogs and _apart(position.chief, front) > 1:
            yield f"The dog on {front} is pinned: if it leaves, the buffalo on {buffalo} wins."


def _dog_ahead(position: Position, buffalo: Square) -> Square | None:
    """The nearest dog in front of a buffalo."""
    ahead = [dog for dog in position.dogs if dog.file == buffalo.file and dog < buffalo]
    return max(ahead, default=None)


def _runners(position: Position) -> Iterator[str]:
    """Buffaloes that no dog waits for and that the chief can't catch any more if they just run."""
    spare = 1 if position.turn is Side.HUNTER else 0
    for buffalo in position.buffaloes:
        if buffalo.rank <= 3 or _dog_ahead(position, buffalo) is not None:
            continue
        end = Square.at(buffalo.file, 2)
        steps = buffalo.rank - 2
        if _apart(position.chief, end) > steps + spare:
            yield f"The chief alone can't catch the buffalo on {buffalo}: a dog is needed there."


def _cover(position: Position) -> str:
    covered = [b for b in position.buffaloes if _dog_ahead(position, b) is not None]
    blocked = [b for b in position.buffaloes if _front(b) in (*position.dogs, position.chief)]
    guards = {_dog_ahead(position, buffalo) for buffalo in covered}
    free = len(position.dogs) - len(guards)
    return (
        f"{_count(len(position.buffaloes), 'buffalo', 'buffaloes')}: {len(blocked)} blocked,"
        f" {len(covered)} with a dog ahead, {len(position.buffaloes) - len(covered)} without;"
        f" {_count(free, 'dog', 'dogs')} free."
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
