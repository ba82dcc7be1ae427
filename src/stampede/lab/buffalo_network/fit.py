"""Fits the network to positions: logistic loss, one position at a time, step sizes by Adagrad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BOARD_WORDS, CHIEF, DOGS
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import kernel
from stampede.lab.buffalo_network.positions import Batch
from stampede.search.buffalo.features import MAX_FEATURES, write_features
from stampede.search.buffalo.network import (
    CHIEF_ROWS,
    HIDDEN,
    LARGEST,
    LARGEST_OUTPUT,
    OUTPUT_UNIT,
    ROW_COUNT,
    ROWS,
    UNIT,
    Network,
    Small,
    list_rows,
)
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import PROVEN

__all__ = ["RATES", "NetworkExamples", "NetworkFit", "make_examples"]

Floats = npt.NDArray[np.float32]

RATES: Final = (0.2, 0.15, 0.1, 0.06, 0.03)
"""The step size of each pass over the examples."""
_SCALE: Final = 200.0
"""Hundredths to one unit of the logistic curve."""
_CLIPPED: Final = 3000


@dataclass(frozen=True, slots=True, eq=False)
class NetworkExamples:
    """Positions as the network sees them.

    Attributes:
        rows: Their rows, int16[n, ROWS].
        sides: 1 where the hunter is to move, int8[n].
        sums: The sums of their features' weights, in units of the logistic curve, float32[n].
        targets: The chances of the buffalo side to learn, float32[n].
    """

    rows: Small
    sides: npt.NDArray[np.int8]
    sums: Floats
    targets: Floats


def make_examples(batches: list[Batch], trust: float) -> NetworkExamples:
    """Turns positions into examples.

    A target is, by the share `trust`, how the game ended, and otherwise what search says. It is the latter alone for
    neighbours, and where the score is proven.
    """
    keys = np.concatenate([batch.keys for batch in batches])
    scores = np.concatenate([batch.scores for batch in batches]).astype(np.int64)
    won = np.concatenate([batch.won for batch in batches])
    seen = 1.0 / (1.0 + np.exp(-np.clip(scores, -_CLIPPED, _CLIPPED) / _SCALE))
    is_alone = (scores & 1 == 1) | (np.abs(scores) >= PROVEN)
    targets = np.where(is_alone, seen, trust * won + (1.0 - trust) * seen).astype(np.float32)
    rows = np.empty((len(keys), ROWS), dtype=np.int16)
    sides, sums = (keys < 0).astype(np.int8), np.empty(len(keys), dtype=np.float32)
    _prepare(keys, shipped_weights().words / _SCALE, rows, sums)
    return NetworkExamples(rows, sides, sums, targets)


class NetworkFit:
    """A network that is being fitted."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.rows = (self._rng.standard_normal((ROW_COUNT, HIDDEN)) * 0.05).astype(np.float32)
        self.rows[CHIEF_ROWS:] += np.float32(
            0.5
        )  # the biases: neurons begin in the middle of their range
        outputs = self._rng.standard_normal((1, HIDDEN)) * 0.3
        self.outputs: Floats = np.repeat(outputs, 2, axis=0).astype(np.float32)
        self._row_squares = np.zeros_like(self.rows)
        self._output_squares = np.zeros_like(self.outputs)

    def make_pass(self, examples: NetworkExamples, rate: float) -> None:
        """Looks at all examples once, in random order."""
        order = self._rng.permutation(len(examples.targets))
        _descend(
            examples.rows, examples.sides, examples.sums, examples.targets, order,
            self.rows, self.outputs, self._row_squares, self._output_squares, np.float32(rate),
        )  # fmt: skip

    def loss(self, examples: NetworkExamples) -> float:
        """The mean cross-entropy of predictions and targets, in nats."""
        return float(
            _loss(
                examples.rows, examples.sides, examples.sums, examples.targets,
                self.rows, self.outputs,
            )
        )  # fmt: skip

    def network(self, made: str) -> Network:
        """The network in whole steps, as the search reads it."""
        rows = np.clip(np.rint(self.rows * UNIT), -LARGEST, LARGEST)
        outputs = np.rint(self.outputs * _SCALE * OUTPUT_UNIT)
        outputs = np.clip(outputs, -LARGEST_OUTPUT, LARGEST_OUTPUT)
        return Network(rows.astype(np.int16), outputs.astype(np.int16), made)


@kernel
def _prepare(keys: Words, weights: npt.NDArray[np.float64], rows: Small, sums: Floats) -> None:
    board = np.empty(BOARD_WORDS, dtype=np.int64)
    features = np.empty(MAX_FEATURES, dtype=np.int64)
    for index in range(len(keys)):
        unpack(keys[index], board)
        write_features(keys[index], board[DOGS], board[CHIEF], features, 0)
        total = 0.0
        for feature in features:
            total += weights[feature]
        sums[index] = total
        list_rows(keys[index], board[DOGS], board[CHIEF], rows[index])


@kernel
def _predict(
    listed: Small, total: float, weights: Floats, outputs: Floats, neurons: Floats
) -> float:
    """The chance of the buffalo side. One example's rows and sum; float32[HIDDEN], filled with the neurons' sums."""
    neurons[:] = 0.0
    for row in listed:
        for neuron in range(HIDDEN):
            neurons[neuron] += weights[row, neuron]
    for neuron in range(HIDDEN):
        total += outputs[neuron] * min(max(neurons[neuron], np.float32(0)), np.float32(1))
    chance: float = 1.0 / (1.0 + np.exp(-total))
    return chance


@kernel
def _descend(
    rows: Small, sides: npt.NDArray[np.int8], sums: Floats, targets: Floats, order: Words,
    weights: Floats, outputs: Floats, weight_squares: Floats, output_squares: Floats, rate: np.float32,
) -> None:  # fmt: skip
    """One pass of stochastic gradient descent."""
    neurons, gradients = np.empty(HIDDEN, dtype=np.float32), np.empty(HIDDEN, dtype=np.float32)
    zero, one, small = np.float32(0), np.float32(1), np.float32(0.01)
    for index in order:
        out, squares = outputs[sides[index]], output_squares[sides[index]]
        chance = _predict(rows[index], sums[index], weights, out, neurons)
        error = np.float32(chance - targets[index])
        for neuron in range(HIDDEN):
            level = neurons[neuron]
            gradients[neuron] = error * out[neuron] if zero < level < one else zero
            step = error * min(max(level, zero), one)
            squares[neuron] += step * step
            out[neuron] -= rate * step / np.sqrt(squares[neuron] + small)
        for row in rows[index]:
            for neuron in range(HIDDEN):
                step = gradients[neuron]
                weight_squares[row, neuron] += step * step
                weights[row, neuron] -= rate * step / np.sqrt(weight_squares[row, neuron] + small)


@kernel
def _loss(
    rows: Small, sides: npt.NDArray[np.int8], sums: Floats, targets: Floats,
    weights: Floats, outputs: Floats,
) -> float:  # fmt: skip
    neurons = np.empty(HIDDEN, dtype=np.float32)
    total = 0.0
    for index in range(len(targets)):
        chance = _predict(rows[index], sums[index], weights, outputs[sides[index]], neurons)
        chance = min(max(chance, 1e-9), 1.0 - 1e-9)
        total -= targets[index] * np.log(chance) + (1.0 - targets[index]) * np.log(1.0 - chance)
    return total / max(1, len(targets))
