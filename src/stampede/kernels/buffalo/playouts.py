"""Random playouts: every legal move equally likely, from a position to the end of the game."""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.buffalo.generate import ahead, dog_targets
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BANK, BOARD_WORDS, CHIEF, CROSSED, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.lookups import (
    CHIEF_STEPS,
    FIRST_FILE,
    LAST_RANK,
    NEAR_SHIFT,
    WIDTH,
    Words,
)
from stampede.kernels.jit import inlined, kernel
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
    if board[KEY] < 0:
        prairie, dogs, chief = _random_reply(prairie, dogs, chief, rng)
        moves += 1
    while True:
        steps = ahead(prairie, bank) & ~(prairie | dogs | (1 << chief))
        crossing = prairie & LAST_RANK
        if steps | crossing == 0:
            return 1, moves
        moves += 1
        # A file has one buffalo and that one step at most. So files are drawn until one has a step: mostly the first.
        end = 0
        while end == 0:
            file = below(rng, WIDTH)
            if crossing & (1 << file):
                return 0, moves
            end = steps & (FIRST_FILE << file)
        prairie = (prairie | end) & ~(end << WIDTH)
        bank &= ~(end >> NEAR_SHIFT)
        prairie, dogs, chief = _random_reply(prairie, dogs, chief, rng)
        moves += 1


@inlined
def _random_reply(prairie: int, dogs: int, chief: int, rng: RngState) -> tuple[int, int, int]:
    """One of the hunter's moves. Sets int64 × 2, the chief's square, uint64[1], changed → the first three anew.

    The drawn number falls on one of the five pieces and then on one of its targets. Written so that the compiler
    needs no branches: their outcome is random, so that the processor guesses every other one wrong.
    """
    # 1. Where each piece can go, and how many moves come before its own.
    occupied = prairie | dogs | (1 << chief)
    dog_0 = first(dogs)
    rest = dogs & (dogs - 1)
    dog_1 = first(rest)
    rest &= rest - 1
    dog_2 = first(rest)
    dog_3 = first(rest & (rest - 1))
    targets_0 = dog_targets(dog_0, occupied)
    targets_1 = dog_targets(dog_1, occupied)
    targets_2 = dog_targets(dog_2, occupied)
    targets_3 = dog_targets(dog_3, occupied)
    steps = CHIEF_STEPS[chief] & ~dogs
    upto_0 = popcount(targets_0)
    upto_1 = upto_0 + popcount(targets_1)
    upto_2 = upto_1 + popcount(targets_2)
    upto_3 = upto_2 + popcount(targets_3)
    choice = below(rng, upto_3 + popcount(steps))
    # 2. The piece.
    mover, targets, before = dog_0, targets_0, 0
    if choice >= upto_0:
        mover, targets, before = dog_1, targets_1, upto_0
    if choice >= upto_1:
        mover, targets, before = dog_2, targets_2, upto_1
    if choice >= upto_2:
        mover, targets, before = dog_3, targets_3, upto_2
    leads = choice >= upto_3
    if leads:
        targets, before = steps, upto_3
    # 3. The move. A dog's target is empty, so taking a buffalo from there does nothing.
    end = nth(targets, choice - before)
    run = (1 << mover) | (1 << end)
    return prairie & ~(1 << end), dogs ^ (0 if leads else run), end if leads else chief


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
