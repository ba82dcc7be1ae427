"""Learning: the script that anybody can run again, on a very small scale."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np

from stampede.kernels.buffalo.bridge import encode, signed
from stampede.search.buffalo.features import FEATURE_COUNT
from stampede.search.buffalo.training import fit, loss
from stampede.search.buffalo.weights import Weights, read_weights
from tests.search.buffalo.plain import midgame

ROOT = Path(__file__).resolve().parents[3]


def _learned(out: Path) -> Weights:
    asked = [
        "--seed",
        "5",
        "--generations",
        "2",
        "--games",
        "3",
        "--nodes",
        "60",
        "--out",
        str(out),
    ]
    subprocess.run(
        [sys.executable, "scripts/train_buffalo.py", *asked],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return read_weights(out.read_text("utf-8"))


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    first, second = (_learned(tmp_path / name) for name in ("first.json", "second.json"))
    assert np.array_equal(first.words, second.words)
    assert np.count_nonzero(first.words) > 50
    assert "--seed 5" in first.made


def test_fitting_brings_predictions_nearer_to_what_is_known() -> None:
    rng = random.Random(9)
    positions = [midgame(rng) for _ in range(200)]
    keys = np.array([signed(encode(position)) for position in positions], dtype=np.int64)
    targets = np.array([float(len(position.buffaloes) > 8) for position in positions])
    weights, squares = np.zeros(FEATURE_COUNT), np.zeros(FEATURE_COUNT)
    before = loss(keys, targets, weights)
    for _ in range(5):
        fit(keys, targets, np.arange(len(keys)), weights, squares, 0.1)
    assert loss(keys, targets, weights) < before / 2
