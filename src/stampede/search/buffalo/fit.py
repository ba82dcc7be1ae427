"""Fitting weights to positions whose worth is known: logistic regression by small steps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BOARD_WORDS, CHIEF, DOGS
from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import kernel
from stampede.search.buffalo.features import MAX_FEATURES, write_features

__all__ = ["Reals", "fit", "loss"]

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
