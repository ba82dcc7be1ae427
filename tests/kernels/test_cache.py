"""Kernels in later processes: loaded from the cache while it is fresh, compiled anew when any source has changed."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stampede.kernels.cache import PACKAGE, sources
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

CALL = "import inner; print(int(2 * inner.inner({})), sum(inner.inner.stats.cache_hits.values()))"
MEET = """
import os
import time
from pathlib import Path

replace = os.replace

def replace_together(source, target):
    # Waits until another process saves, too, for as long as one could take to get there.
    Path(f"saving-{os.getpid()}").touch()
    end = time.monotonic() + 3
    while len(list(Path().glob("saving-*"))) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    replace(source, target)

os.replace = replace_together
"""
THREADS = """
from threading import Barrier, Thread

from inner import inner
from stampede.kernels.jit import kernel

start = Barrier(2)

@kernel
def first(number: int) -> int:
    return inner(number)

@kernel
def second(number: int) -> int:
    return inner(number)

def call(function):
    start.wait()
    print(function(1))

def main():
    threads = [Thread(target=call, args=(one,), daemon=True) for one in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
"""
PLAYOUTS = "kernels/buffalo/playouts.py"


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


def race(folder: Path, *numbers: str) -> list[list[int]]:
    """Calls a kernel with these numbers in a process each, all at once; returns each one's answer and cache hits."""
    (folder / "inner.py").write_text(MEET + INNER.format(added=1), encoding="utf-8")
    with ThreadPoolExecutor() as pool:
        calls = [pool.submit(run, CALL.format(one), folder / "cache", folder) for one in numbers]
        return [call.result() for call in calls]


def test_processes_that_compile_for_different_types_at_once_keep_them_apart(tmp_path: Path) -> None:
    """Numba numbers the files of a function: without a lock, both would write the first."""
    assert race(tmp_path, "1.5", "1") == [[5, 0], [4, 0]]
    for number, twice in (("1.5", 5), ("1", 4)):
        assert run(CALL.format(number), tmp_path / "cache", tmp_path) == [twice, 1]


def test_processes_that_compile_the_same_at_once_do_it_once(tmp_path: Path) -> None:
    """The one that waited loads what the other has compiled."""
    assert sorted(race(tmp_path, "1", "1")) == [[4, 0], [4, 1]]


def test_folders_that_are_no_longer_used_are_deleted(tmp_path: Path) -> None:
    """Any after a month, those of other versions of the same file after days; whenever a new one is made."""
    inner, root = tmp_path / "inner.py", tmp_path / "cache" / "stampede"
    for added in (1, 2):
        inner.write_text(INNER.format(added=added), encoding="utf-8")
        run("import inner", tmp_path / "cache", tmp_path)
    outdated, recent = root.iterdir()
    unused, used = root / "unused", root / "used"
    for folder, days in ((outdated, 3), (recent, 1), (unused, 31), (used, 29)):
        folder.mkdir(exist_ok=True)
        then = time.time() - days * 86_400
        os.utime(folder, (then, then))
    inner.write_text(INNER.format(added=3), encoding="utf-8")
    assert run(CALL.format(1), tmp_path / "cache", tmp_path) == [8, 0]
    assert not outdated.exists()
    assert recent.exists()
    assert not unused.exists()
    assert used.exists()


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    """Another place is used, here the folder of compiled Python files beside the package, or none."""
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    (tmp_path / "cache").touch()
    assert run(CALL.format(1), tmp_path / "cache", tmp_path) == [4, 0]
    assert run(
        "import inner; from stampede.kernels.jit import is_cached;"
        "print(int(is_cached(inner.inner)))",
        tmp_path / "cache",
        tmp_path,
    ) == [1]


def test_a_cache_that_is_deleted_while_a_process_runs_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    delete = f"import inner, shutil; shutil.rmtree({str(tmp_path / 'cache')!r}); "
    assert run(delete + CALL.format(1), tmp_path / "cache", tmp_path) == [4, 0]
    assert run(CALL.format(1), tmp_path / "cache", tmp_path) == [4, 1]


def test_a_kernel_is_known_to_be_cached_once_it_was_compiled(tmp_path: Path) -> None:
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    ask = "import inner; from stampede.kernels.jit import is_cached; print(int(is_cached(inner.inner)))"
    assert run(ask, tmp_path / "cache", tmp_path) == [0]
    run(CALL.format(1), tmp_path / "cache", tmp_path)
    assert run(ask, tmp_path / "cache", tmp_path) == [1]


def test_threads_that_compile_kernels_that_share_one_do_not_wait_for_each_other(
    tmp_path: Path,
) -> None:
    """Each needs Numba's own lock and the shared kernel's."""
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    (tmp_path / "threads.py").write_text(THREADS, encoding="utf-8")
    assert run("import threads; threads.main()", tmp_path / "cache", tmp_path) == [2, 2]


def test_other_functions_keep_their_place_in_the_cache(tmp_path: Path) -> None:
    """A program may use Numba beside us, with a cache of its own."""
    (tmp_path / "inner.py").write_text(INNER.format(added=1), encoding="utf-8")
    code = "import numba; import inner; print(int(numba.config.CACHE_DIR == {!r}))"
    assert run(code.format(str(tmp_path / "cache")), tmp_path / "cache", tmp_path) == [1]


def test_a_module_is_made_from_all_that_it_imports() -> None:
    """Folders of other games and of what is built on top are no part of it."""
    names = {path.relative_to(PACKAGE).as_posix() for path in sources(PACKAGE / PLAYOUTS)}
    assert {PLAYOUTS, "kernels/bits.py", "kernels/jit.py", "buffalo/geometry.py"} <= names
    assert not [name for name in names if name.startswith(("search/", "server/", "zoff/"))]
