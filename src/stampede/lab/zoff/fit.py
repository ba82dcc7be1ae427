"""Fits Zoff's value function to examples: mini-batches, Adam, nothing but NumPy."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from stampede.search.zoff.features import PASTURE_FEATURES, SEAT_FEATURES
from stampede.search.zoff.value import (
    G1,
    G2,
    HIDDEN,
    MAX_ROUNDS,
    SEAT_HIDDEN,
    STAGE,
    TAU,
    W1,
    W2,
    Net,
)

__all__ = ["Examples", "Floats", "fit", "fit_tau", "fit_tau_at", "level_first_tau"]

Floats = npt.NDArray[np.float32]
BATCH = 256
HELD_BACK = 0.1
RATE = 6e-3


@dataclass(frozen=True, slots=True)
class Examples:
    """One row for each seat and round of the games played; the seats of one state stand together.

    Attributes:
        pastures: float32[n, rows, PASTURE_FEATURES].
        cards: float32[n, SEAT_FEATURES].
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
    def empty(cls, size: int, rows: int, pasture_features: int, seat_features: int) -> Examples:
        """Room for so many examples."""
        shapes = ((size, rows, pasture_features), (size, seat_features), *[(size,)] * 4)
        return cls(*(np.zeros(shape, dtype=np.float32) for shape in shapes))

    def first(self, count: int) -> Examples:
        """The first so many."""
        return Examples(*(getattr(self, part.name)[:count] for part in fields(self)))


def stage_of(net: Net, left: int) -> Net:
    """The weights for so many rounds left: a view, not a copy."""
    return net[(left - 1) * STAGE : left * STAGE]


def _forward(stage: Net, pastures: Floats, cards: Floats) -> tuple[Floats, Floats, Floats]:
    """The cows to come, and the hidden layers before they are cut at zero."""
    hidden = pastures @ stage[W1:W2].reshape(PASTURE_FEATURES, HIDDEN)
    seat_hidden = cards @ stage[G1:G2].reshape(SEAT_FEATURES, SEAT_HIDDEN)
    to_come = np.maximum(hidden, 0).sum(axis=1) @ stage[W2:G1]
    to_come = to_come + np.maximum(seat_hidden, 0) @ stage[G2:]
    return to_come, hidden, seat_hidden


def _gradient(stage: Net, pastures: Floats, cards: Floats, wanted: Floats) -> tuple[Floats, float]:
    to_come, hidden, seat_hidden = _forward(stage, pastures, cards)
    error = (to_come - wanted) / len(wanted)
    slope = np.zeros_like(stage)
    slope[W2:G1] = np.einsum("b,bh->h", error, np.maximum(hidden, 0).sum(axis=1))
    slope[G2:] = np.maximum(seat_hidden, 0).T @ error
    back = (hidden > 0) * stage[W2:G1] * error[:, None, None]
    flat = pastures.reshape(-1, PASTURE_FEATURES)
    slope[W1:W2] = (flat.T @ back.reshape(-1, HIDDEN)).ravel()
    seat_back = (seat_hidden > 0) * stage[G2:] * error[:, None]
    slope[G1:G2] = (cards.T @ seat_back).ravel()
    return slope, float(np.mean((to_come - wanted) ** 2))


def fit(
    net: Net, examples: Examples, epochs: int, *, seed: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Fits the weights from nothing, stage by stage.

    Returns, for each pass, the errors (root mean square, in cows, over all stages) seen and held back; and those held
    back at the end, by rounds left.
    """
    rng = np.random.default_rng(seed)
    squares = np.zeros((epochs, 2))
    by_left = []
    total = 0
    for left in range(1, MAX_ROUNDS + 1):
        rows = np.flatnonzero(examples.left == left)
        if len(rows) == 0:
            continue
        stage = stage_of(net, left)
        stage[W1:W2] = rng.normal(0, 0.3, W2 - W1)
        stage[W2:G1] = rng.normal(0, 0.1, G1 - W2)
        stage[G1:G2] = rng.normal(0, 0.4, G2 - G1)
        stage[G2:] = rng.normal(0, 0.3, STAGE - G2) + 1.0
        curve = _fit_stage(stage, examples, rows, epochs, rng)
        by_left.append(float(np.sqrt(curve[-1, 1])))
        squares += len(rows) * curve
        total += len(rows)
    return [(float(seen), float(held)) for seen, held in np.sqrt(squares / total)], by_left


def _fit_stage(
    stage: Net,
    examples: Examples,
    rows: npt.NDArray[np.intp],
    epochs: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """Fits one stage in place. Returns, for each pass, the mean square errors seen and held back."""
    wanted = examples.cows - examples.placed
    seen, held = np.split(rows, [round(len(rows) * (1 - HELD_BACK))])
    batch = min(BATCH, len(seen))
    first, second = np.zeros_like(stage), np.zeros_like(stage)
    step = 0
    curve = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(seen)
        rate = RATE * (1 - epoch / epochs)
        errors = []
        for start in range(0, len(seen) - batch + 1, batch):
            few = order[start : start + batch]
            slope, error = _gradient(
                stage, examples.pastures[few], examples.cards[few], wanted[few]
            )
            errors.append(error)
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            pace = rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            stage -= (pace * first / (np.sqrt(second) + 1e-8)).astype(np.float32)
        to_come = _forward(stage, examples.pastures[held], examples.cards[held])[0]
        curve[epoch] = np.mean(errors), np.mean((to_come - wanted[held]) ** 2)
    return curve


def predict(net: Net, examples: Examples, left: int) -> Floats:
    """The cows to come, of the examples with so many rounds left."""
    rows = np.flatnonzero(examples.left == left)
    chunks = [
        _forward(stage_of(net, left), examples.pastures[few], examples.cards[few])[0]
        for few in np.array_split(rows, max(1, len(rows) // 20_000))
    ]
    return np.concatenate(chunks)


def fit_tau(net: Net, examples: Examples, players: int) -> None:
    """Chooses, for each number of rounds left, the sharpness under which the winners were the likeliest."""
    for left in range(1, MAX_ROUNDS + 1):
        fit_tau_at(net, examples, players, left)
    level_first_tau(net, int(examples.left.max()))


def fit_tau_at(net: Net, examples: Examples, players: int, left: int) -> None:
    """Chooses that sharpness for one number of rounds left; leaves it as it is without examples."""
    here = examples.left == left
    if not here.any():
        return
    cows = (predict(net, examples, left) + examples.placed[here]).reshape(-1, players)
    won = examples.won[here].reshape(-1, players)
    best = -np.inf
    for tau in np.arange(0.6, 12.0, 0.1):
        scaled = cows / tau
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        logs = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        likelihood = float((won * logs).sum())
        if likelihood > best:
            best = likelihood
            net[TAU + left] = tau


def level_first_tau(net: Net, first: int) -> None:
    """Keeps the first round's sharpness near the next one's: all are nearly even there, little can be learned."""
    nearest = float(net[TAU + first - 1])
    net[TAU + first] = np.clip(net[TAU + first], nearest, 1.5 * nearest)
