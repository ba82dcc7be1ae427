"""Random games: every legal move equally likely, from a position to the end."""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.buffalo.generate import ahead, dog_targets
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BANK, BOARD_WORDS, CHIEF, CROSSED, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.tables import CHIEF_STEPS, LAST_RANK, NEAR_SHIFT, WIDTH, Words
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below

__all__ = ["playout", "playouts", "playouts_of"]


@kernel
def playout(board: Words, rng: RngState) -> tuple[int, int]:
    """Plays one random game; the board stays as it is. int64[6], uint64[1], changed → int64 × 2.

    Returns:
        The winner, 0 for the buffalo side and 1 for the hunter, and the number of moves.
    """
    prairie, bank, dogs, chief = board[PRAIRIE], board[BANK], board[DOGS], board[CHIEF]
    if board[CROSSED] != 0:
        return 0, 0
    moves = 0
    hunter = board[KEY] < 0
    while True:
        # 1. The buffalo side: a step across ends the game, and so does having none (B3).
        if not hunter:
            steps = ahead(prairie, bank) & ~(prairie | dogs | (1 << chief))
            free = popcount(steps)
            count = free + popcount(prairie & LAST_RANK)
            if count == 0:
                return 1, moves
            moves += 1
            choice = below(rng, count)
            if choice >= free:
                return 0, moves
            end = 1 << nth(steps, choice)
            prairie = (prairie | end) & ~(end << WIDTH)
            bank &= ~(end >> NEAR_SHIFT)
        hunter = False
        # 2. The hunter: the chosen number falls on one of the five pieces.
        moves += 1
        occupied = prairie | dogs | (1 << chief)
        square_0 = first(dogs)
        rest = dogs & (dogs - 1)
        square_1 = first(rest)
        rest &= rest - 1
        square_2 = first(rest)
        square_3 = first(rest & (rest - 1))
        targets_0 = dog_targets(square_0, occupied)
        targets_1 = dog_targets(square_1, occupied)
        targets_2 = dog_targets(square_2, occupied)
        targets_3 = dog_targets(square_3, occupied)
        chief_targets = CHIEF_STEPS[chief] & ~dogs
        upto_0 = popcount(targets_0)
        upto_1 = upto_0 + popcount(targets_1)
        upto_2 = upto_1 + popcount(targets_2)
        upto_3 = upto_2 + popcount(targets_3)
        choice = below(rng, upto_3 + popcount(chief_targets))
        if choice >= upto_3:
            chief = nth(chief_targets, choice - upto_3)
            prairie &= ~(1 << chief)
        elif choice >= upto_2:
            dogs ^= (1 << square_3) | (1 << nth(targets_3, choice - upto_2))
        elif choice >= upto_1:
            dogs ^= (1 << square_2) | (1 << nth(targets_2, choice - upto_1))
        elif choice >= upto_0:
            dogs ^= (1 << square_1) | (1 << nth(targets_1, choice - upto_0))
        else:
            dogs ^= (1 << square_0) | (1 << nth(targets_0, choice))


@kernel
def playouts(board: Words, games: int, rng: RngState) -> tuple[int, int]:
    """Plays many random games. int64[6], int64, uint64[1], changed → int64 × 2.

    Returns:
        How many the hunter won, and the number of moves in all games together.
    """
    won, moves = 0, 0
    for _ in range(games):
        winner, length = playout(board, rng)
        won += winner
        moves += length
    return won, moves


@kernel
def playouts_of(keys: Words, games: int, rng: RngState, results: Words) -> None:
    """Plays random games from each of many positions: a batch for one thread.

    int64[n] keys, int64 games from each, uint64[1], changed, int64[n, 2]: filled with what `playouts` returns.
    """
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    for index in range(len(keys)):
        unpack(keys[index], board)
        results[index, 0], results[index, 1] = playouts(board, games, rng)
