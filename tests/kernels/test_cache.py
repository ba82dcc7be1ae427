"""Kernels in later processes: loaded from the cache while it is fresh, compiled anew when any source has changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.files import ROOT

ALL = """
from stampede.buffalo import START_FEN
from stampede.kernels.buffalo import perft
from stampede.kernels.warmup import warmup

names = []
warmup(lambda done, total, name: names.append((done, total, name)))
assert names[-1] == (len(names) - 1, len(names) - 1, ""), names
found = perft.perft(START_FEN, 5)
hits, misses = perft.lines.stats.cache_hits, perft.lines_by_moves.stats.cache_misses
print(found, sum(hits.values()), sum(misses.values()))
"""
INNER = """
from stampede.kernels.jit import kernel

@kernel
def inner(number: int) -> int:
    return number + {added}
"""
OUTER = """
from inner import inner
from stampede.kernels.jit import kernel

@kernel
def outer(number: int) -> int:
    return inner(number)

print(outer(1), sum(outer.stats.cache_hits.values()))
"""


def run(code: str, cache: Path, folder: Path = ROOT) -> list[int]:
    """Runs Python in a process of its own, in a folder, with this cache; returns the numbers that it prints."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "error", "-c", code]
    answer = subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return [int(number) for number in answer.stdout.split()]


@pytest.mark.slow
def test_a_second_process_runs_every_kernel_from_the_cache(tmp_path: Path) -> None:
    """Numba 0.68 aborts here when a kernel that calls itself passes itself a literal."""
    assert run(ALL, tmp_path) == [4078531, 0, 1]
    assert run(ALL, tmp_path) == [4078531, 1, 0]


def test_a_kernel_is_compiled_anew_when_one_that_it_contains_has_changed(tmp_path: Path) -> None:
    """Numba itself looks at the file of the outer one only, and would go on adding one."""
    inner = tmp_path / "inner.py"
    (tmp_path / "outer.py").write_text(OUTER, encoding="utf-8")
    inner.write_text(INNER.format(added=1), encoding="utf-8")
    results = [run("import outer", tmp_path / "cache", tmp_path) for _ in range(2)]
    assert results == [[2, 0], [2, 1]]
    inner.write_text(INNER.format(added=10), encoding="utf-8")
    assert run("import outer", tmp_path / "cache", tmp_path) == [11, 0]


def test_processes_that_compile_for_different_types_at_once_keep_them_apart(tmp_path: Path) -> None:
    """Each finds an empty index; whichever of the two stays, it leads to the code for its own types."""
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    call = (
        "import inner; print(int(2 * inner.inner({})), sum(inner.inner.stats.cache_hits.values()))"
    )
    indices = []
    for number, twice in (("1.5", 5), ("1", 4)):
        assert run(call.format(number), tmp_path / "cache", tmp_path) == [twice, 0]
        (index,) = (tmp_path / "cache").rglob("*.nbi")
        indices.append((number, twice, index, index.read_bytes()))
        index.unlink()
    for number, twice, index, content in indices:
        index.write_bytes(content)
        assert run(call.format(number), tmp_path / "cache", tmp_path) == [twice, 1]
