"""A sampled check of an endgame tablebase: random positions against a search that knows no tablebase."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import signed
from stampede.kernels.buffalo.layout import CHIEF_AT, DOGS_AT, FILE_BITS, SQUARE_BITS
from stampede.kernels.buffalo.lookups import WIDTH
from stampede.proofs.search.prove import Prover
from stampede.tablebase.endgames.endgame import Endgame
from stampede.tablebase.endgames.spec import LOWEST_RANK, RANKS

__all__ = ["SampledCheck", "check_sample"]

_DOGS: Final = 4
_PRAIRIE_RANKS: Final = range(2, 7)


@dataclass(frozen=True, slots=True)
class SampledCheck:
    """How many positions were compared, by outcome; those that the search left open aren't compared.

    Attributes:
        buffalo: Wins of the buffalo side.
        hunter: Wins of the hunter.
        open: Positions that the search didn't decide.
    """

    buffalo: int = 0
    hunter: int = 0
    open: int = 0


def check_sample(
    endgame: Endgame,
    positions: int,
    *,
    seed: int = 0,
    budget: int = 1_000_000,
    megabytes: int = 64,
    report: Callable[[SampledCheck], object] = lambda _check: None,
) -> SampledCheck:
    """Compares random positions with the hunter to move, of 1, 2, 3, 1, … buffaloes.

    Args:
        endgame: A tablebase with four dogs.
        positions: How many positions.
        seed: Decides which.
        budget: The positions that a search visits at most.
        megabytes: The size of the search's transposition table, which is emptied before each.
        report: Called after each position.

    Raises:
        InputError: The search finds another winner; the message has the position's key.
    """
    spec = endgame.spec
    if spec.dogs != _DOGS:
        raise InputError(f"expected an endgame tablebase with {_DOGS} dogs, got {spec}")
    rng = random.Random(f"{spec}/{seed}")
    plain = Prover((), width=spec.columns, megabytes=megabytes, cores=1)
    check = SampledCheck()
    for number in range(positions):
        buffaloes, dogs, chief = _draw(rng, spec.columns, 1 + number % spec.buffaloes)
        won = endgame.wins(buffaloes, dogs, chief)
        key = _key(spec.columns, buffaloes, dogs, chief)
        plain.forget()
        winner = plain.search(key, positions=budget).winner
        if winner is None:
            check = replace(check, open=check.open + 1)
        elif (winner is Side.BUFFALO) is not won:
            told = "the buffalo side wins" if won else "the hunter wins"
            raise InputError(f"{spec}: {told} in key {key:#x}, but a search finds that {winner}")
        elif won:
            check = replace(check, buffalo=check.buffalo + 1)
        else:
            check = replace(check, hunter=check.hunter + 1)
        report(check)
    return check


def _draw(
    rng: random.Random, width: int, count: int
) -> tuple[list[tuple[int, int]], list[int], int]:
    """Buffaloes as column and rank, and the squares of the dogs and of the chief, counted on this width."""
    buffaloes = [
        (column, rng.randrange(LOWEST_RANK, LOWEST_RANK + RANKS))
        for column in rng.sample(range(width), count)
    ]
    taken = {(rank - 2) * width + column for column, rank in buffaloes}
    free = [at for at in range(len(_PRAIRIE_RANKS) * width) if at not in taken]
    chief, *dogs = rng.sample(free, 1 + _DOGS)
    return buffaloes, dogs, chief


def _key(width: int, buffaloes: list[tuple[int, int]], dogs: list[int], chief: int) -> int:
    def square(at: int) -> int:
        return at // width * WIDTH + at % width

    key = sum(rank << (FILE_BITS * column) for column, rank in buffaloes)
    key |= square(chief) << CHIEF_AT
    for index, dog in enumerate(sorted(map(square, dogs))):
        key |= dog << (DOGS_AT + SQUARE_BITS * index)
    return signed(key | 1 << 63)
