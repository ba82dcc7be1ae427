"""Compiling shows its progress, and happens once on a machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "stampede.cli", "analyse", "--depth", "1", "--json"]


@pytest.mark.slow
def test_a_cold_cache_is_told_of_on_standard_error_and_a_warm_one_is_not(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    first, second = (
        subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert "Compiling for Buffalo, once on this machine" in first.stderr
    assert second.stderr == ""
    assert json.loads(first.stdout)["lines"] == json.loads(second.stdout)["lines"]
