"""Training the evaluation: self-play that samples positions, and logistic regression that fits weights to them.

A game of self-play is plain Python on kernels. A kernel around it would call the recursive `pvs`, and Numba 0.68 then
crashes in every later process that loads that kernel from the cache.
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, signed
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
from stampede.kernels.buffalo.lookups import LAST_RANK, Words
from stampede.kernels.buffalo.make import make, unmake
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.search.buffalo.features import MAX_FEATURES, write_features
from stampede.search.buffalo.pvs import pvs
from stampede.search.buffalo.threats import is_lost_next, threats
from stampede.search.buffalo.workspace import NODE_LIMIT, NODES, PROVEN, PV_LENGTHS, PV_MOVES, STOP

__all__ = ["Reals", "fit", "is_quiet", "loss", "search_position", "self_play", "start_key"]

Reals = npt.NDArray[np.float64]
"""float64[n]."""

_INFINITE: Final = 31_000
_MAX_DEPTH: Final = 30
_FILES: Final = "abcdefghijk"
_PERCENT: Final = 100
_REGULARISATION: Final = 1e-5
"""L2: pulls weights of rare features towards 0."""


def start_key(rng: random.Random) -> int:
    """A start: up to three buffaloes fewer, or up to three already one step ahead, or as the rules have it."""
    handicap = rng.choice((-3, -2, -1, 0, 0, 0, 1, 2, 3))
    files = rng.sample(_FILES, abs(handicap))
    position = Position.start(files if handicap > 0 else ())
    if handicap < 0:
        for file in files:
            position = position.with_turn(Side.BUFFALO).play(f"{file}7{file}6")
    return signed(encode(position))


def search_position(space: Words, tt: Words, board: Words, nodes: int) -> tuple[int, int]:
    """Searches a position within a budget of nodes; returns the best move and its score for the side to move."""
    space[STOP] = 0
    space[NODES] = 0
    space[NODE_LIMIT] = 1 << 60
    move, score = 0, 0
    for depth in range(1, _MAX_DEPTH):
        found = pvs(
            space, tt, board[PRAIRIE], board[BANK], board[DOGS], board[CHIEF], board[KEY],
            depth, -_INFINITE, _INFINITE, 0,
        )  # fmt: skip
        if space[STOP] == 0 or (space[PV_LENGTHS] > 0 and found > score):
            move, score = space[PV_MOVES], found
        space[NODE_LIMIT] = nodes
        if space[STOP] != 0 or space[NODES] >= nodes or abs(score) >= PROVEN:
            break
    return int(move), int(score)


@kernel
def is_quiet(board: Words) -> bool:
    """Whether the search would evaluate this position: nothing is decided at sight, and no threat must be answered."""
    prairie, dogs, chief = board[PRAIRIE], board[DOGS], board[CHIEF]
    if board[KEY] < 0:
        return (prairie & LAST_RANK) == 0 and threats(prairie, dogs, chief) == 0
    return not is_lost_next(prairie, dogs, chief) and winner(board) < 0


@kernel
def _draw_sensible_move(board: Words, moves: Words, rng: RngState) -> int:
    """Draws a random move, if possible one that doesn't lose at once; 0 when the game is over."""
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
    space: Words, tt: Words, key: int, settings: Words, rng: RngState, keys: Words, scores: Words
) -> tuple[int, int]:
    """Plays one game from a position and samples quiet positions with the scores that a search gives them.

    Args:
        space: A search's memory.
        tt: Its transposition table.
        key: The position in which the game begins.
        settings: int64[4]: the number of random moves at the beginning; nodes a move; the percentage of random moves;
            the percentage of positions that have a random neighbour searched, too.
        rng: The generator's state, changed.
        keys: int64[n]: filled with keys of positions.
        scores: int64[n]: filled with their scores for the buffalo side.

    Returns:
        The number of samples, and the winner: 0 the buffalo side, 1 the hunter. A score's lowest bit is a flag: it is 1
        for neighbours, which the game's result says nothing about, and 0 for positions of the game.
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
        begun = ply >= settings[0]
        move = 0
        if begun:
            move, score = search_position(space, tt, board, settings[1])
            if is_quiet(board) and count < len(keys):
                keys[count], scores[count] = board[KEY], sign * score & ~1
                count += 1
            if below(rng, _PERCENT) < settings[3] and abs(score) < PROVEN:
                aside = _draw_sensible_move(board, moves, rng)
                before = make(board, aside)
                if winner(board) < 0 and is_quiet(board) and count < len(keys):
                    _, other = search_position(space, tt, board, settings[1])
                    keys[count], scores[count] = board[KEY], -sign * other | 1
                    count += 1
                unmake(board, aside, before)
        if move == 0 or below(rng, _PERCENT) < settings[2]:
            move = _draw_sensible_move(board, moves, rng)
        make(board, move)
        ply += 1


# --- fitting ---


@kernel
def _predict(features: Words, weights: Reals) -> float:
    total = 0.0
    for feature in features:
        total += weights[feature]
    chance: float = 1.0 / (1.0 + np.exp(-total))
    return chance


@kernel
def _list_features(key: int, board: Words, features: Words) -> None:
    unpack(key, board)
    write_features(key, board[DOGS], board[CHIEF], features, 0)


@kernel
def fit(
    keys: Words, targets: Reals, order: Words, weights: Reals, squares: Reals, rate: float
) -> None:
    """Makes one pass of stochastic gradient descent over the positions (logistic loss, Adagrad step sizes).

    int64[n] keys, float64[n] winning chances of the buffalo side, int64[n] order of the positions;
    float64[FEATURE_COUNT] weights and sums of squared gradients, both changed.
    """
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    features = np.empty(MAX_FEATURES, dtype=np.int64)
    for index in order:
        _list_features(keys[index], board, features)
        error = _predict(features, weights) - targets[index]
        for feature in features:
            gradient = error + _REGULARISATION * weights[feature]
            squares[feature] += gradient * gradient
            weights[feature] -= rate * gradient / np.sqrt(squares[feature] + 1.0)


@kernel
def loss(keys: Words, targets: Reals, weights: Reals) -> float:
    """The mean cross-entropy of predictions and targets, in nats. int64[n], float64[n], float64[FEATURE_COUNT]."""
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    features = np.empty(MAX_FEATURES, dtype=np.int64)
    total = 0.0
    for index in range(len(keys)):
        _list_features(keys[index], board, features)
        chance = min(max(_predict(features, weights), 1e-9), 1.0 - 1e-9)
        total -= targets[index] * np.log(chance) + (1.0 - targets[index]) * np.log(1.0 - chance)
    return total / max(1, len(keys))
