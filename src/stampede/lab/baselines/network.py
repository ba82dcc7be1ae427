"""A network with two hidden layers, a policy and a value, with its gradient written out, and the optimiser Adam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["Adam", "Floats", "Forward", "Parameters", "backward", "forward", "new_parameters"]

Floats = npt.NDArray[np.floating]
Parameters = dict[str, Floats]
"""By name: w1, b1, w2, b2 of the hidden layers; wp, bp of the policy's logits; wv, bv of the value."""

_POLICY_SCALE: Final = 0.01
"""The first policy is nearly even over all legal atoms."""


def new_parameters(
    inputs: int, hidden: int, atoms: int, rng: np.random.Generator, dtype: type = np.float32
) -> Parameters:
    """Draws the first parameters: normal weights that keep the size of what passes through them (He et al.)."""

    def weights(rows: int, columns: int, scale: float) -> Floats:
        drawn: Floats = (rng.standard_normal((rows, columns)) * scale).astype(dtype)
        return drawn

    return {
        "w1": weights(inputs, hidden, (2 / inputs) ** 0.5),
        "b1": np.zeros(hidden, dtype),
        "w2": weights(hidden, hidden, (2 / hidden) ** 0.5),
        "b2": np.zeros(hidden, dtype),
        "wp": weights(hidden, atoms, _POLICY_SCALE),
        "bp": np.zeros(atoms, dtype),
        "wv": weights(hidden, 1, (1 / hidden) ** 0.5),
        "bv": np.zeros(1, dtype),
    }


@dataclass(frozen=True, slots=True)
class Forward:
    """What a pass through the network leaves: its inputs, both hidden layers, and the results.

    Attributes:
        inputs: [n, inputs].
        first: [n, hidden].
        second: [n, hidden].
        logits: [n, atoms], not masked.
        value: [n].
    """

    inputs: Floats
    first: Floats
    second: Floats
    logits: Floats
    value: Floats


def forward(own: Mapping[str, Floats], inputs: Floats) -> Forward:
    """Passes inputs [n, inputs] through the network."""
    first = np.maximum(inputs @ own["w1"] + own["b1"], 0)
    second = np.maximum(first @ own["w2"] + own["b2"], 0)
    logits = second @ own["wp"] + own["bp"]
    return Forward(inputs, first, second, logits, (second @ own["wv"])[:, 0] + own["bv"][0])


def backward(
    own: Mapping[str, Floats], passed: Forward, by_logits: Floats, by_value: Floats
) -> Parameters:
    """The gradient of a loss by all parameters, from its gradient by the logits [n, atoms] and the values [n]."""
    by_second = by_logits @ own["wp"].T + by_value[:, None] * own["wv"].T
    by_second = by_second * (passed.second > 0)
    by_first = (by_second @ own["w2"].T) * (passed.first > 0)
    return {
        "w1": passed.inputs.T @ by_first,
        "b1": by_first.sum(axis=0),
        "w2": passed.first.T @ by_second,
        "b2": by_second.sum(axis=0),
        "wp": passed.second.T @ by_logits,
        "bp": by_logits.sum(axis=0),
        "wv": passed.second.T @ by_value[:, None],
        "bv": by_value.sum(keepdims=True),
    }


class Adam:
    """The optimiser of Kingma and Ba, with a limit to the length of a gradient.

    Attributes:
        steps: How many steps were taken.
        means: The running means of the gradients, by parameter.
        squares: The running means of their squares.
    """

    def __init__(self, own: Parameters, longest: float = 0.5) -> None:
        self.longest = longest
        self.steps = 0
        self.means = {name: np.zeros_like(array) for name, array in own.items()}
        self.squares = {name: np.zeros_like(array) for name, array in own.items()}

    def step(self, own: Parameters, gradient: Parameters, rate: float) -> None:
        """Takes one step down the gradient; changes the parameters."""
        length = float(np.sqrt(sum(float((part**2).sum()) for part in gradient.values())))
        shrink = min(1.0, self.longest / (length + 1e-8))
        self.steps += 1
        correct = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for name, part in gradient.items():
            mean, square = self.means[name], self.squares[name]
            mean += 0.1 * (shrink * part - mean)
            square += 0.001 * ((shrink * part) ** 2 - square)
            own[name] -= rate * correct * mean / (np.sqrt(square) + 1e-8)
