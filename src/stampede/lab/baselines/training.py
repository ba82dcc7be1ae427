"""Trains a network by playing: rollouts, proximal policy optimisation, and checkpoints that go on exactly.

The same settings give the same numbers on the same machine, whether a run is stopped and resumed or not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.lab.baselines.games import LearningGames, new_games
from stampede.lab.baselines.network import Adam, Floats, Parameters, forward, new_parameters
from stampede.lab.baselines.ppo import (
    LossSettings,
    Rollout,
    estimate_advantages,
    log_policy,
    loss_and_gradient,
)

__all__ = [
    "Learned",
    "Progress",
    "Trainer",
    "TrainingPlan",
    "draw_atoms",
    "read_learned",
    "replaced",
]

FORMAT: Final = "stampede-baseline/1"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What is learned, and how.

    Attributes:
        game: ``zoff`` or ``buffalo``.
        players: How many seats.
        against: Whom it plays: ``self``, or names of bots.
        fewest: Buffalo: each game starts with so many buffaloes up to all 11, drawn anew (B4.2). Games with few of
            them are a curriculum: there the hunter wins now and then, and learns how.
        seed: What everything is derived from.
        hidden: The size of each hidden layer.
        games: Games side by side, against each of its opponents.
        steps: Steps of each game between two rounds of learning.
        epochs: How often a round's decisions are learned from.
        batch: Decisions of one step of the optimiser.
        rate: The step's length at first; it shrinks to nothing in the last round.
        rounds: Rounds of learning in all.
        discount: What a seat's next decision counts in this one.
        smoothing: λ of the advantages.
        entropy: What it is worth to stay open, at first; it shrinks with the rate.
    """

    game: str
    players: int = 2
    against: tuple[str, ...] = ("self",)
    fewest: int = 11
    seed: int = 1
    hidden: int = 128
    games: int = 64
    steps: int = 64
    epochs: int = 3
    batch: int = 512
    rate: float = 1e-3
    rounds: int = 200
    discount: float = 0.997
    smoothing: float = 0.95
    entropy: float = 0.01

    def text(self) -> str:
        """The plan as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def parse(cls, text: str) -> TrainingPlan:
        """The plan that `text` has written."""
        told = json.loads(text)
        if set(told) != {item.name for item in fields(cls)}:
            raise InputError(f"plan: expected one of {FORMAT}, got {text}")
        return cls(**{**told, "against": tuple(told["against"])})


@dataclass(frozen=True, slots=True)
class Learned:
    """A trained network with what it was trained for."""

    plan: TrainingPlan
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class Progress:
    """What a round of learning saw.

    Attributes:
        round: Its number, from 1.
        decisions: How many decisions were learned from, in all rounds so far.
        ended: The games that ended in this round.
        earned: The mean of what the learner's seats earned in a game that ended; 0 against itself.
        loss: The mean loss.
    """

    round: int
    decisions: int
    ended: int
    earned: float
    loss: float


def draw_atoms(logs: Floats, rng: np.random.Generator | None) -> npt.NDArray[np.int64]:
    """Draws an atom from each row of log chances, or takes the likeliest without a generator. [n, atoms] → int[n]."""
    if rng is None:
        best: npt.NDArray[np.int64] = logs.argmax(axis=1)
        return best
    # The Gumbel-max trick; float32 noise, as the chances are.
    noise = -np.log(-np.log(rng.random(logs.shape, dtype=np.float32) + 1e-20) + 1e-20)
    drawn: npt.NDArray[np.int64] = (logs + noise).argmax(axis=1)
    return drawn


class Trainer:
    """A run of training.

    >>> trainer = Trainer(TrainingPlan("buffalo", games=4, steps=8, batch=16, hidden=8, rounds=2))
    >>> [progress.round for progress in trainer.run()]
    [1, 2]
    """

    def __init__(self, plan: TrainingPlan) -> None:
        self.plan = plan
        self.arenas = [
            new_games(plan.game, against, plan.games, plan.players, plan.fewest)
            for against in plan.against
        ]
        self.rng = np.random.default_rng(plan.seed)
        first = self.arenas[0]
        self.own = new_parameters(first.inputs, plan.hidden, first.games.atoms, self.rng)
        self.adam = Adam(self.own)
        self.rounds = 0
        self.decisions = 0
        for number, arena in enumerate(self.arenas):
            arena.seed(plan.seed * 1000 + number)

    @property
    def learned(self) -> Learned:
        """What it has learned so far."""
        return Learned(self.plan, {name: part.copy() for name, part in self.own.items()})

    def run(self) -> Iterator[Progress]:
        """Learns, round by round, until the plan's last one."""
        while self.rounds < self.plan.rounds:
            yield self._round()

    def _round(self) -> Progress:
        plan = self.plan
        parts, ended, earned = [], 0, 0.0
        for arena in self.arenas:
            part, games, sum_earned = self._roll_out(arena)
            parts.append(part)
            ended, earned = ended + games, earned + sum_earned
        batch = _joined(parts)
        left = 1 - self.rounds / plan.rounds
        settings = LossSettings(entropy=plan.entropy * left)
        losses = []
        for _ in range(plan.epochs):
            order = self.rng.permutation(len(batch.atoms))
            for begin in range(0, len(order), plan.batch):
                rows = order[begin : begin + plan.batch]
                loss, gradient = loss_and_gradient(self.own, _rows(batch, rows), settings)
                self.adam.step(self.own, gradient, plan.rate * left)
                losses.append(loss)
        self.rounds += 1
        self.decisions += len(batch.atoms)
        mean = earned / ended if ended else 0.0
        return Progress(self.rounds, self.decisions, ended, mean, float(np.mean(losses)))

    def _roll_out(self, arena: LearningGames) -> tuple[Rollout, int, float]:
        """Plays the plan's steps; returns the decisions, how many games ended, and what the learner earned in them."""
        plan, shape = self.plan, arena.own.shape
        rewards = np.zeros((plan.steps, *shape), np.float32)
        values = np.zeros_like(rewards)
        acting = np.zeros(rewards.shape, np.bool_)
        ended = np.zeros((plan.steps, shape[0]), np.bool_)
        inputs, masks, atoms, logs = [], [], [], []
        for step in range(plan.steps):
            arena.vary_starts(self.rng)
            where = arena.asked
            acting[step] = where
            inputs.append(arena.observe(where))
            masks.append(arena.masks(where))
            passed = forward(self.own, inputs[-1])
            chances = log_policy(passed.logits, masks[-1])
            atoms.append(draw_atoms(chances, self.rng))
            logs.append(chances[np.arange(len(chances)), atoms[-1]])
            values[step][where] = passed.value
            rewards[step], ended[step] = arena.step(where, atoms[-1])
        last = np.zeros(shape, np.float32)
        last[arena.own] = forward(self.own, arena.observe(arena.own)).value
        advantages = estimate_advantages(
            acting,
            values,
            rewards,
            ended,
            last,
            discount=plan.discount,
            smoothing=plan.smoothing,
        )[acting]
        returns = advantages + values[acting]
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        batch = Rollout(
            np.concatenate(inputs),
            np.concatenate(masks),
            np.concatenate(atoms),
            np.concatenate(logs),
            scaled,
            returns,
        )
        alone = arena.opponents is not None
        return batch, int(ended.sum()), float(rewards[:, arena.own].sum()) if alone else 0.0

    # --- checkpoints ---

    def save(self, file: Path) -> None:
        """Writes a checkpoint, whole or not at all: the network, the optimiser, the generators and all games."""
        arrays: dict[str, npt.NDArray[np.generic]] = {}
        for name, part in self.own.items():
            arrays[f"own/{name}"] = part
            arrays[f"means/{name}"] = self.adam.means[name]
            arrays[f"squares/{name}"] = self.adam.squares[name]
        for number, arena in enumerate(self.arenas):
            saved = [arena.games.save(index) for index in range(self.plan.games)]
            arrays[f"games/{number}"] = np.frombuffer(b"".join(saved), np.uint8)
            if arena.opponents is not None:
                arrays[f"bots/{number}"] = np.frombuffer(arena.opponents.save(), np.uint8)
        state = {
            "format": FORMAT,
            "plan": self.plan.text(),
            "rounds": self.rounds,
            "decisions": self.decisions,
            "adam": self.adam.steps,
            "rng": self.rng.bit_generator.state,
        }
        arrays["state"] = np.array(json.dumps(state))
        with replaced(file) as partial, partial.open("wb") as out:
            np.savez(out, **arrays)  # type: ignore[arg-type]
            out.flush()
            os.fsync(out.fileno())

    @classmethod
    def resume(cls, file: Path) -> Trainer:
        """Goes on where a checkpoint was written.

        Raises:
            InputError: It isn't a checkpoint of this version.
        """
        arrays, state = _read(file)
        trainer = cls(TrainingPlan.parse(state["plan"]))
        for name in trainer.own:
            trainer.own[name] = arrays[f"own/{name}"]
            trainer.adam.means[name] = arrays[f"means/{name}"]
            trainer.adam.squares[name] = arrays[f"squares/{name}"]
        for number, arena in enumerate(trainer.arenas):
            rows = arrays[f"games/{number}"].reshape(trainer.plan.games, -1)
            for index, row in enumerate(rows):
                arena.games.restore(index, row.tobytes())
            if arena.opponents is not None:
                arena.opponents.restore(arrays[f"bots/{number}"].tobytes())
        trainer.rounds, trainer.decisions = state["rounds"], state["decisions"]
        trainer.adam.steps = state["adam"]
        trainer.rng.bit_generator.state = state["rng"]
        return trainer


@contextmanager
def replaced(file: Path) -> Iterator[Path]:
    """Yields where to write a file, which appears under its name when it is complete, or not at all."""
    partial = file.with_name(f".{file.name}.partial")
    try:
        yield partial
        partial.replace(file)
    except OSError as error:  # a full disk doesn't tell the name
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        partial.unlink(missing_ok=True)


def read_learned(file: Path) -> Learned:
    """The network of a checkpoint.

    Raises:
        InputError: It isn't a checkpoint of this version.
    """
    arrays, state = _read(file)
    own = {
        name.removeprefix("own/"): part for name, part in arrays.items() if name.startswith("own/")
    }
    return Learned(TrainingPlan.parse(state["plan"]), own)


def _read(file: Path) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    try:
        with np.load(file) as found:
            arrays = {name: found[name] for name in found.files}
        state = json.loads(str(arrays.pop("state")))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, AttributeError, BadZipFile) as error:
        raise InputError(
            f"{file}: expected a checkpoint.npz of `stampede lab train`, got another or a damaged file"
        ) from error
    if state.get("format") != FORMAT:
        raise InputError(f"{file}: expected {FORMAT}, got {state.get('format')!r}")
    return arrays, state


def _joined(parts: list[Rollout]) -> Rollout:
    columns = ([getattr(part, item.name) for part in parts] for item in fields(Rollout))
    return Rollout(*(np.concatenate(column) for column in columns))


def _rows(batch: Rollout, rows: npt.NDArray[np.int64]) -> Rollout:
    return Rollout(*(getattr(batch, item.name)[rows] for item in fields(Rollout)))
