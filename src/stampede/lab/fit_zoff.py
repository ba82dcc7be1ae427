"""Fits Zoff's value function to examples: mini-batches, Adam, nothing but NumPy."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from stampede.search.zoff.inputs import PASTURE_INPUTS, SEAT_INPUTS
from stampede.search.zoff.value import (
    G1,
    G2,
    HIDDEN,
    MAX_ROUNDS,
    SEAT_HIDDEN,
    TAU,
    W1,
    W2,
    Net,
)

__all__ = ["Examples", "fit", "fit_tau"]

Floats = npt.NDArray[np.float32]
BATCH = 512
HELD_BACK = 0.1
RATE = 2e-3


@dataclass(frozen=True, slots=True)
class Examples:
    """One row for each seat and round of the games played; the seats of one state stand together.

    Attributes:
        pastures: float32[n, rows, PASTURE_INPUTS].
        cards: float32[n, SEAT_INPUTS].
        placed: Cows on the board at that moment.
        cows: Cows in the end.
        won: The share of the victory.
        left: Rounds left.
    """

    pastures: Floats
    cards: Floats
    placed: Floats
    cows: Floats
    won: Floats
    left: Floats

    @classmethod
    def empty(cls, size: int, rows: int, pasture_inputs: int, seat_inputs: int) -> Examples:
        """Room for so many examples."""
        shapes = ((size, rows, pasture_inputs), (size, seat_inputs), *[(size,)] * 4)
        return cls(*(np.zeros(shape, dtype=np.float32) for shape in shapes))

    def first(self, count: int) -> Examples:
        """The first so many."""
        return Examples(*(getattr(self, part.name)[:count] for part in fields(self)))


def _forward(net: Net, pastures: Floats, cards: Floats) -> tuple[Floats, Floats, Floats]:
    """The cows to come, and the hidden layers before they are cut at zero."""
    hidden = pastures @ net[W1:W2].reshape(PASTURE_INPUTS, HIDDEN)
    seat_hidden = cards @ net[G1:G2].reshape(SEAT_INPUTS, SEAT_HIDDEN)
    to_come = np.maximum(hidden, 0).sum(axis=1) @ net[W2:G1]
    to_come = to_come + np.maximum(seat_hidden, 0) @ net[G2:TAU]
    return to_come, hidden, seat_hidden


def _gradient(net: Net, pastures: Floats, cards: Floats, wanted: Floats) -> tuple[Floats, float]:
    to_come, hidden, seat_hidden = _forward(net, pastures, cards)
    error = (to_come - wanted) / len(wanted)
    slope = np.zeros_like(net)
    slope[W2:G1] = np.einsum("b,bh->h", error, np.maximum(hidden, 0).sum(axis=1))
    slope[G2:TAU] = np.maximum(seat_hidden, 0).T @ error
    back = (hidden > 0) * net[W2:G1] * error[:, None, None]
    flat = pastures.reshape(-1, PASTURE_INPUTS)
    slope[W1:W2] = (flat.T @ back.reshape(-1, HIDDEN)).ravel()
    seat_back = (seat_hidden > 0) * net[G2:TAU] * error[:, None]
    slope[G1:G2] = (cards.T @ seat_back).ravel()
    return slope, float(np.mean((to_come - wanted) ** 2))


def fit(
    net: Net, examples: Examples, epochs: int, *, seed: int, fresh: bool
) -> list[tuple[float, float]]:
    """Fits the weights in place. Returns, for each pass, the errors (root mean square, in cows) seen and held back."""
    rng = np.random.default_rng(seed)
    if fresh:
        net[W1:W2] = rng.normal(0, 0.3, W2 - W1)
        net[W2:G1] = rng.normal(0, 0.1, G1 - W2)
        net[G1:G2] = rng.normal(0, 0.4, G2 - G1)
        net[G2:TAU] = rng.normal(0, 0.3, TAU - G2) + 1.0
    wanted = examples.cows - examples.placed
    seen = round(len(wanted) * (1 - HELD_BACK))
    batch = min(BATCH, seen)
    first, second = np.zeros_like(net), np.zeros_like(net)
    step = 0
    curve = []
    for epoch in range(epochs):
        order = rng.permutation(seen)
        rate = RATE * (1 - epoch / epochs)
        errors = []
        for start in range(0, seen - batch + 1, batch):
            rows = order[start : start + batch]
            slope, error = _gradient(
                net, examples.pastures[rows], examples.cards[rows], wanted[rows]
            )
            errors.append(error)
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            pace = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            net -= (pace * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
        to_come = predict(net, examples, slice(seen, None))
        held = float(np.sqrt(np.mean((to_come - wanted[seen:]) ** 2)))
        curve.append((float(np.sqrt(np.mean(errors))), held))
    return curve


def predict(net: Net, examples: Examples, part: slice) -> Floats:
    """The cows to come, of a part of the examples."""
    return _forward(net, examples.pastures[part], examples.cards[part])[0]


def fit_tau(net: Net, examples: Examples, players: int) -> None:
    """Chooses, for each number of rounds left, the sharpness under which the winners were the likeliest."""
    chunks = [
        predict(net, examples, slice(at, at + 20_000))
        for at in range(0, len(examples.cows), 20_000)
    ]
    cows = (np.concatenate(chunks) + examples.placed).reshape(-1, players)
    won, left = examples.won.reshape(-1, players), examples.left.reshape(-1, players)[:, 0]
    for rounds in range(1, MAX_ROUNDS + 1):
        here = left == rounds
        if not here.any():
            continue
        best = -np.inf
        for tau in np.arange(0.6, 12.0, 0.1):
            scaled = cows[here] / tau
            scaled = scaled - scaled.max(axis=1, keepdims=True)
            logs = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
            likelihood = float((won[here] * logs).sum())
            if likelihood > best:
                best = likelihood
                net[TAU + rounds] = tau
    # Before the first round all are nearly even and little can be learned: stay near the next round's.
    first = int(left.max())
    nearest = float(net[TAU + first - 1])
    net[TAU + first] = np.clip(net[TAU + first], nearest, 1.5 * nearest)
