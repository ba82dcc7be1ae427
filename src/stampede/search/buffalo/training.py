"""Games of the engine against itself, for learning: positions and results are written down.

The game itself is plain Python on kernels. One kernel for it all would call the recursive `visit`, and Numba 0.68 then
crashes in every later process that loads it from the cache.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.generate import generate, winner
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import (
    BANK,
    BOARD_WORDS,
    CHIEF,
    DOGS,
    KEY,
    MAX_MOVES,
    PRAIRIE,
)
from stampede.kernels.buffalo.make import make, unmake
from stampede.kernels.buffalo.tables import LAST_RANK, Words
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.search.buffalo.features import MAX_FEATURES, write_features
from stampede.search.buffalo.pvs import visit
from stampede.search.buffalo.threats import is_lost_next, threats
from stampede.search.buffalo.workspace import LENGTHS, LINES, NODE_LIMIT, NODES, STOP, WON

__all__ = ["Reals", "fit", "is_quiet", "look", "loss", "self_play"]

_WIDE: Final = 31_000
_DEEPEST: Final = 30
_PERCENT: Final = 100


def look(mem: Words, table: Words, board: Words, nodes: int) -> tuple[int, int]:
    """Searches a position with a budget of nodes: the best move and its score for the side to move."""
    mem[STOP] = 0
    mem[NODES] = 0
    mem[NODE_LIMIT] = 1 << 60
    move, score = 0, 0
    for depth in range(1, _DEEPEST):
        found = visit(
            mem, table, board[PRAIRIE], board[BANK], board[DOGS], board[CHIEF], board[KEY],
            depth, -_WIDE, _WIDE, 0,
        )  # fmt: skip
        if mem[STOP] == 0 or (mem[LENGTHS] > 0 and found > score):
            move, score = mem[LINES], found
        mem[NODE_LIMIT] = nodes
        if mem[STOP] != 0 or mem[NODES] >= nodes or abs(score) >= WON:
            break
    return int(move), int(score)


@kernel
def is_quiet(board: Words) -> bool:
    """Whether the search would judge this position: nothing is decided on the spot or forced."""
    prairie, dogs, chief = board[PRAIRIE], board[DOGS], board[CHIEF]
    if board[KEY] < 0:
        return (prairie & LAST_RANK) == 0 and threats(prairie, dogs, chief) == 0
    return not is_lost_next(prairie, dogs, chief) and winner(board) < 0


@kernel
def _sensible(board: Words, moves: Words, rng: RngState) -> int:
    """A random move, if possible one that doesn't lose on the spot; 0 when the game is over."""
    count = generate(board, moves, 0)
    if count == 0:
        return 0
    move: int = moves[below(rng, count)]
    for _ in range(2 * count):
        before = make(board, move)
        lost = board[KEY] >= 0 and is_lost_next(board[PRAIRIE], board[DOGS], board[CHIEF])
        unmake(board, move, before)
        if not lost:
            break
        move = moves[below(rng, count)]
    return move


def self_play(
    mem: Words, table: Words, key: int, plan: Words, rng: RngState, keys: Words, scores: Words
) -> tuple[int, int]:
    """Plays one game from a position and writes down quiet positions and what search says of them.

    Args:
        mem: A search's memory.
        table: Its table.
        key: Where the game begins.
        plan: int64[4]: random moves at the beginning; nodes a move; how many moves in a hundred are random; of how
            many positions in a hundred a random neighbour is looked at, too.
        rng: The generator's state, changed.
        keys: int64[n]: filled with keys of positions.
        scores: int64[n]: filled with their scores for the buffalo side.

    Returns:
        How many were written, and the winner: 0 the buffalo side, 1 the hunter. The scores of neighbours, which the
        game's result says nothing about, are marked by an odd number; all others are even.
    """
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    moves = np.empty(MAX_MOVES, dtype=np.int64)
    unpack(key, board)
    count, ply = 0, 0
    while True:
        won = winner(board)
        if won >= 0:
            return count, int(won)
        sign = -1 if board[KEY] < 0 else 1
        begun = ply >= plan[0]
        move = 0
        if begun:
            move, score = look(mem, table, board, plan[1])
            if is_quiet(board) and count < len(keys):
                keys[count], scores[count] = board[KEY], sign * score & ~1
                count += 1
            if below(rng, _PERCENT) < plan[3] and abs(score) < WON:
                aside = _sensible(board, moves, rng)
                before = make(board, aside)
                if winner(board) < 0 and is_quiet(board) and count < len(keys):
                    _, other = look(mem, table, board, plan[1])
                    keys[count], scores[count] = board[KEY], -sign * other | 1
                    count += 1
                unmake(board, aside, before)
        if move == 0 or below(rng, _PERCENT) < plan[2]:
            move = _sensible(board, moves, rng)
        make(board, move)
        ply += 1


Reals = npt.NDArray[np.float64]
"""float64[n]."""


@kernel
def _chance(features: Words, weights: Reals) -> float:
    total = 0.0
    for feature in features:
        total += weights[feature]
    chance: float = 1.0 / (1.0 + np.exp(-total))
    return chance


@kernel
def _features(key: int, board: Words, features: Words) -> None:
    unpack(key, board)
    write_features(key, board[DOGS], board[CHIEF], features, 0)


@kernel
def fit(
    keys: Words, targets: Reals, order: Words, weights: Reals, squares: Reals, rate: float
) -> None:
    """One pass over the positions, in the given order, with steps that shrink where a weight has moved much (Adagrad).

    int64[n] keys, float64[n] chances of the buffalo side, int64[n] order; float64[FEATURE_COUNT] weights and sums of
    squared slopes, both changed.
    """
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    features = np.empty(MAX_FEATURES, dtype=np.int64)
    for index in order:
        _features(keys[index], board, features)
        slope = _chance(features, weights) - targets[index]
        for feature in features:
            pull = slope + 1e-5 * weights[feature]
            squares[feature] += pull * pull
            weights[feature] -= rate * pull / np.sqrt(squares[feature] + 1.0)


@kernel
def loss(keys: Words, targets: Reals, weights: Reals) -> float:
    """The mean cross-entropy of predictions and targets, in nats. int64[n], float64[n], float64[FEATURE_COUNT]."""
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    features = np.empty(MAX_FEATURES, dtype=np.int64)
    total = 0.0
    for index in range(len(keys)):
        _features(keys[index], board, features)
        chance = min(max(_chance(features, weights), 1e-9), 1.0 - 1e-9)
        total -= targets[index] * np.log(chance) + (1.0 - targets[index]) * np.log(1.0 - chance)
    return total / max(1, len(keys))
