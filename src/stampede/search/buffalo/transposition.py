"""The table of known positions: what earlier visits found, by exact key. Entries are described in `memory`."""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.tables import Words
from stampede.kernels.fetch import fetch
from stampede.kernels.jit import bare
from stampede.search.buffalo.workspace import WAYS, WON

__all__ = ["AT_LEAST", "AT_MOST", "EXACT", "announce", "find", "score_of", "store"]

AT_LEAST: Final = 1
AT_MOST: Final = 2
EXACT: Final = 3

_SPREAD: Final = 0x1E3779B97F4A7C15
_SCORE_ZERO: Final = 32768
_AGES: Final = 63


@bare
def _place(table: Words, key: int) -> int:
    """Where the entries for a key begin: a product mixes its bits, the highest ones are taken."""
    mixed = (key ^ ((key >> 29) & 0x7FFFFFFFF)) * _SPREAD
    mask = len(table) // (2 * WAYS) - 1
    return ((mixed >> 30) & mask) * (2 * WAYS)


@bare
def find(table: Words, key: int) -> int:
    """The data of a position, or 0 when the table doesn't know it."""
    at = _place(table, key)
    for way in range(WAYS):
        if table[at + 2 * way] == key:
            data: int = table[at + 2 * way + 1]
            return data
    return 0


@bare
def announce(table: Words, key: int) -> None:
    """A position is going to be looked for: has its entries brought near meanwhile."""
    fetch(table, _place(table, key))


@bare
def score_of(data: int, ply: int) -> int:
    """The score of an entry, wins and losses counted from the root again."""
    score = (data & 0xFFFF) - _SCORE_ZERO
    if score >= WON:
        return score - ply
    if score <= -WON:
        return score + ply
    return score


@bare
def store(
    table: Words, age: int, key: int, move: int, score: int, depth: int, bound: int, ply: int
) -> None:
    """Keeps what was found, in place of the entry that is worth least: old ones, then shallow ones."""
    if score >= WON:
        score += ply
    elif score <= -WON:
        score -= ply
    at = _place(table, key)
    worst, worst_value = at, 1 << 40
    for way in range(WAYS):
        here = at + 2 * way
        data = table[here + 1]
        if table[here] == key:
            worst = here
            if move == 0:
                move = (data >> 16) & 0x3FFF
            break
        stale = (age - (data >> 40)) & _AGES
        value = ((data >> 30) & 0xFF) - 8 * stale
        if data == 0:
            value = -(1 << 20)
        if value < worst_value:
            worst, worst_value = here, value
    table[worst] = key
    table[worst + 1] = (
        (score + _SCORE_ZERO)
        | (move << 16)
        | (max(depth, 0) << 30)
        | (bound << 38)
        | ((age & _AGES) << 40)
    )
