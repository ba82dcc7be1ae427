"""The law of herds (Z4.4) and its consequences: how many cows may go where. Pure functions on small tuples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from stampede.zoff.reasons import ZoffReason

__all__ = [
    "allowed_cows",
    "bonus_placements",
    "breaks_law",
    "most_placeable",
    "rank_with",
    "ranking",
    "refused_cows",
    "used_cows",
]


def breaks_law(herds: Sequence[int], colour: int, cows: int) -> bool:
    """Whether the herd, with so many cows more (at least 1), would be as large as another one there (Z4.4)."""
    return herds[colour] + cows in herds  # never its own present size, as it grows


def allowed_cows(herds: Sequence[int], colour: int, most: int) -> list[int]:
    """Returns the numbers of cows, up to ``most``, that a colour may put on a pasture. Zero is always one (Z4.3)."""
    own = herds[colour]
    return [0, *[cows for cows in range(1, most + 1) if own + cows not in herds]]


def refused_cows(
    herds: Sequence[int], colour: int, card: int, free: int, reserve: int, names: Sequence[str]
) -> tuple[tuple[int, ZoffReason], ...]:
    """Returns the numbers that a card would give and a rule forbids, each with the reason (Z4.3, Z4.4)."""
    if card <= free and card <= reserve and not _meets(herds, herds[colour], card):
        return ()
    refused = []
    for cows in range(1, card + 1):
        if cows > free:
            refused.append((cows, ZoffReason("no_space", "Z4.3", (("free", free),))))
        elif cows > reserve:
            refused.append((cows, ZoffReason("reserve_empty", "Z4.3", (("reserve", reserve),))))
        elif breaks_law(herds, colour, cows):
            size = herds[colour] + cows
            other = next(c for c, herd in enumerate(herds) if herd == size and c != colour)
            values = (("size", size), ("colour", names[other]))
            refused.append((cows, ZoffReason("equal_herd", "Z4.4", values)))
    return tuple(refused)


def used_cows(card: int, left: int) -> tuple[tuple[int, ZoffReason], ...]:
    """Returns the numbers that a card doesn't give any more, as it has placed for another colour (Z10.5)."""
    reason = ZoffReason("card_used", "Z10.5", (("left", left),))
    return tuple((cows, reason) for cows in range(left + 1, card + 1))


def _meets(herds: Sequence[int], own: int, cows: int) -> bool:
    """Whether some herd has a size that so many cows more could reach."""
    return any(own < herd <= own + cows for herd in herds)


def rank_with(herds: Sequence[int], colour: int, cows: int) -> int:
    """Returns the rank (Z5.1) of a colour's herd if it grew by so many cows; 0 when it would have none."""
    size = herds[colour] + cows
    if not size:
        return 0
    return 1 + sum(herd > size for other, herd in enumerate(herds) if other != colour)


def ranking(herds: Sequence[int]) -> list[int]:
    """Returns the colours with a herd, largest first (Z5.1). Under the law of herds no two are equal."""
    present = [colour for colour, herd in enumerate(herds) if herd]
    return sorted(present, key=lambda colour: -herds[colour])


def _options(
    herds: Sequence[Sequence[int]], free: Sequence[int], colour: int, most: int
) -> list[tuple[int, list[int]]]:
    """For each open pasture, the numbers of bonus cows (at least 1) that may end up on it."""
    options = []
    for pasture, room in enumerate(free):
        if room:
            counts = allowed_cows(herds[pasture], colour, min(most, room))[1:]
            if counts:
                options.append((pasture, counts))
    return options


def most_placeable(
    herds: Sequence[Sequence[int]], free: Sequence[int], colour: int, most: int
) -> int:
    """Returns how many cows of a bonus of ``most`` can be placed at all (Z5.3)."""
    reached = {0}
    for _, counts in _options(herds, free, colour, most):
        reached |= {total + cows for total in reached for cows in counts if total + cows <= most}
    return max(reached)


def bonus_placements(
    herds: Sequence[Sequence[int]],
    free: Sequence[int],
    colour: int,
    most: int,
    least: int = 0,
) -> Iterator[tuple[int, ...]]:
    """Yields all ways to use a bonus of ``least`` to ``most`` cows, as pastures in order (Z5.2, Z5.3).

    The law of herds is judged when the whole bonus is placed, so pastures are independent of each other. The
    order of the cows matters only when it decides which pasture fills first (Z5.4): then every order of filling
    is listed, else one.
    """
    options = _options(herds, free, colour, most)
    for counts in _splits(options, most):
        if sum(cows for _, cows in counts) < least:
            continue
        filling = [pasture for pasture, cows in counts if cows == free[pasture]]
        if len(filling) < 2:
            yield tuple(pasture for pasture, cows in counts for _ in range(cows))
            continue
        number = dict(counts)
        calm = [pasture for pasture, _ in counts if pasture not in filling]
        for order in permutations(filling):
            yield tuple(pasture for pasture in (*calm, *order) for _ in range(number[pasture]))


def _splits(
    options: list[tuple[int, list[int]]], most: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to spread up to ``most`` cows over the pastures' allowed numbers, as pasture and cows."""
    yield ()
    for index, (pasture, counts) in enumerate(options):
        for cows in counts:
            if cows > most:
                break
            if cows == most:
                yield ((pasture, cows),)
                continue
            for rest in _splits(options[index + 1 :], most - cows):
                yield ((pasture, cows), *rest)
