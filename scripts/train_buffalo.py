"""Learns the weights of Buffalo's evaluation by self-play, anew from nothing.

    python scripts/train_buffalo.py --seed 1 --out src/stampede/search/buffalo/weights.json

Each generation plays games against itself with the weights so far, and fits the weights to the latest generations'
positions: partly to how their game ended, partly to what search said of them. Starts are spread over the ladder
(fewer buffaloes, or some already on their way), so that both sides win often. The same seed gives the same file.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.rng import RngState, new_rng
from stampede.search.buffalo.evaluation_sums import sum_weights
from stampede.search.buffalo.features import FEATURE_COUNT
from stampede.search.buffalo.training import Reals, fit, loss, self_play, start_key
from stampede.search.buffalo.transposition import new_transposition_table
from stampede.search.buffalo.weights import Weights, write_weights
from stampede.search.buffalo.workspace import EVALUATION, new_workspace

SCALE = 200.0
"""Hundredths to one unit of the logistic curve."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for on the command line."""

    seed: int
    generations: int
    games: int
    nodes: int
    keep: int
    trust: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions of one generation with the chances of the buffalo side."""

    keys: Words
    targets: Reals
    buffalo_wins: float


def generation(plan: Plan, weights: Reals, rng: random.Random) -> Sample:
    """Plays a generation's games."""
    words = np.rint(weights * SCALE).astype(np.int64)
    space, state = new_workspace(sum_weights(words)), new_rng(rng.getrandbits(64))
    parts = [_game(plan, space, state, rng) for _ in range(plan.games)]
    wins = sum(won for _, _, won in parts) / plan.games
    keys = np.concatenate([keys for keys, _, _ in parts])
    return Sample(keys, np.concatenate([targets for _, targets, _ in parts]), wins)


def _game(
    plan: Plan, space: Words, state: RngState, rng: random.Random
) -> tuple[Words, Reals, bool]:
    keys, scores = np.empty(300, dtype=np.int64), np.empty(300, dtype=np.int64)
    moves = np.array([rng.randrange(12), plan.nodes, 4, 35], dtype=np.int64)
    space[:EVALUATION] = 0
    tt = new_transposition_table(2 * plan.nodes)
    count, winner = self_play(space, tt, start_key(rng), moves, state, keys, scores)
    keys, scores = keys[:count], scores[:count]
    seen = 1.0 / (1.0 + np.exp(-scores / SCALE))
    aside = scores & 1 == 1
    targets = np.where(aside, seen, plan.trust * (winner == 0) + (1 - plan.trust) * seen)
    return keys, targets, winner == 0


def learn(plan: Plan) -> Reals:
    """All generations; tells about each on standard output."""
    rng = random.Random(plan.seed)
    weights = np.zeros(FEATURE_COUNT)
    kept: deque[Sample] = deque(maxlen=plan.keep)
    for number in range(plan.generations):
        began = time.perf_counter()
        sample = generation(plan, weights, rng)
        unseen = loss(sample.keys, sample.targets, weights)
        kept.append(sample)
        keys = np.concatenate([part.keys for part in kept])
        targets = np.concatenate([part.targets for part in kept])
        squares = np.zeros(FEATURE_COUNT)
        shuffle = np.random.default_rng(rng.getrandbits(32))
        for rate in (0.2, 0.2, 0.15, 0.1, 0.07, 0.05):
            fit(keys, targets, shuffle.permutation(len(keys)), weights, squares, rate)
        print(
            f"generation {number}: {len(sample.keys)} positions, buffalo side won"
            f" {sample.buffalo_wins:.1%}, loss unseen {unseen:.4f}, fitted"
            f" {loss(keys, targets, weights):.4f}, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return weights


def main() -> None:
    """Learns and writes the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--games", type=int, default=1500, help="a generation")
    parser.add_argument("--nodes", type=int, default=2000, help="a move")
    parser.add_argument("--keep", type=int, default=4, help="generations that are fitted together")
    parser.add_argument("--trust", type=float, default=0.6, help="share of the game's result")
    parser.add_argument("--out", type=Path, required=True)
    told = vars(parser.parse_args())
    out = told.pop("out")
    weights = learn(Plan(**told))
    made = "scripts/train_buffalo.py " + " ".join(
        f"--{name} {value}" for name, value in told.items()
    )
    write_weights(out, Weights(np.rint(weights * SCALE).astype(np.int64), made))


if __name__ == "__main__":
    main()
