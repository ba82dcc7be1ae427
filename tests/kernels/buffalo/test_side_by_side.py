"""The kernels do what the readable rules do."""

import os
import subprocess
import sys

import pytest

from tests.kernels.buffalo.side_by_side import counts, play
from tests.repository.files import ROOT


@pytest.mark.parametrize("seed", range(4))
def test_the_kernels_play_as_the_rules_do(seed: int) -> None:
    """B2.1, B2.2, B2.3, B2.4, B2.5, B3.1, B3.2, B4.2: moves, successors, ends, keys, mirror images."""
    assert play(2200, seed, thoroughly=50) > 45_000


def test_the_kernels_play_as_the_rules_do_without_jit() -> None:
    """B2.1, B3.1, B3.2: the same source, as plain Python."""
    command = [sys.executable, "-m", "tests.kernels.buffalo.side_by_side", "60", "9"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error"}
    answer = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    compared, *found = map(int, answer.stdout.split())
    assert compared > 1000
    assert found == counts()
