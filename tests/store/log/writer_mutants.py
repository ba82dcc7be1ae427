# ruff: noqa: E501 - a fault a line reads better
"""Faults put into the group-commit writer one at a time: the tests have to notice each.

`python -m tests.store.log.writer_mutants` runs them all and prints a table. It takes about a minute, so that the tests
run it only when STAMPEDE_MUTANTS is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[3]
TARGET: Final = Path("stampede/store/log/group_commit.py")
OPTIONS: Final = ("-x", "-q", "--noconftest", "-p", "no:cacheprovider", "-p", "no:randomly")
TESTS: Final = tuple(
    f"tests/store/log/test_group_{topic}.py"
    for topic in ("commit", "retries", "callbacks", "closing")
)


class Mutant(NamedTuple):
    """A fault: what it stands for, and the text that is replaced once."""

    name: str
    old: str
    new: str


MUTANTS: Final = (
    Mutant("no pause between groups", "> 0 and not self._closing", "> 9 and not self._closing"),
    Mutant("pauses while closing", "> 0 and not self._closing", "> 0"),
    Mutant("pause is measured from the end", "begin + MIN_INTERVAL - loop.time()", "MIN_INTERVAL"),
    Mutant("pause is ten times as long", "MIN_INTERVAL = 0.010", "MIN_INTERVAL = 0.100"),
    Mutant("first delay doubled", "FIRST_RETRY_DELAY = 0.01", "FIRST_RETRY_DELAY = 0.02"),
    Mutant("longest delay doubled", "MAX_RETRY_DELAY = 0.25", "MAX_RETRY_DELAY = 0.5"),
    Mutant("delay doesn't grow", "min(2 * delay, MAX", "min(delay, MAX"),
    Mutant("delay grows for ever", "min(2 * delay, MAX_RETRY_DELAY)", "2 * delay"),
    Mutant("delay jumps to the longest", "min(2 * delay, MAX", "max(2 * delay, MAX"),
    Mutant("no delay at all", "await asyncio.sleep(delay)", "await asyncio.sleep(0)"),
    Mutant("deadline without the delay", "loop.time() + delay > deadline", "loop.time() > deadline"),
    Mutant("deadline is exclusive", "+ delay > deadline", "+ delay >= deadline"),
    Mutant("no deadline", "if loop.time() + delay > deadline:", "if False:"),
    Mutant("gives up at once", "if loop.time() + delay > deadline:", "if True:"),
    Mutant("deadline twice as far", "loop.time() + self._timeout", "loop.time() + 2 * self._timeout"),
    Mutant("deadline of zero", "deadline = loop.time() + self._timeout", "deadline = loop.time()"),
    Mutant("timed-out group counts as written", "self._fail(group, self._time_out(error))", "[None for _ in group]"),
    Mutant("store error counts as written", "except StoreError as error:\n                return self._fail(group, error)", "except StoreError:\n                return [None for _ in group]"),
    Mutant("store error is retried", "except StoreError as error:\n                return self._fail(group, error)", "except StoreError:\n                pass"),
    Mutant("bug counts as written", "return self._fail(group, problem)", "return [None for _ in group]"),
    Mutant("bug ends the writer", "return self._fail(group, problem)", "raise"),
    Mutant("one error for all", "[type(error)(str(error)) for _ in group]", "[error for _ in group]"),
    Mutant("error loses its kind", "[type(error)(str(error)) for", "[StoreUnavailable(str(error)) for"),
    Mutant("error loses its text", "type(error)(str(error)) for", "type(error)('') for"),
    Mutant("only the first is told", "self._fail(group, self._time_out(error))", "self._fail(group[:1], self._time_out(error))"),
    Mutant("failure isn't remembered", "self.failure = error", "pass"),
    Mutant("failure isn't forgotten", "self.failure = None\n                return", "return"),
    Mutant("capacity is one more", ">= self._capacity", "> self._capacity"),
    Mutant("capacity is one less", ">= self._capacity", ">= self._capacity - 1"),
    Mutant("no capacity", "if len(self._queue) >= self._capacity:", "if False:"),
    Mutant("group is one larger", "min(self._group, len(self._queue))", "min(self._group + 1, len(self._queue))"),
    Mutant("groups have no limit", "min(self._group, len(self._queue))", "len(self._queue)"),
    Mutant("group of one", "min(self._group, len(self._queue))", "min(1, len(self._queue))"),
    Mutant("last in, first out", "self._queue.popleft()", "self._queue.pop()"),
    Mutant("closed writer takes more", "if self._closing:\n            raise", "if False:\n            raise"),
    Mutant("closing isn't noted", "self._closing = True", "self._closing = False or not self._queue"),
    Mutant("closing doesn't wake", "self._closing = True\n        self._wake.set()", "self._closing = True"),
    Mutant("closing drops the queue", "self._closing = True\n", "self._closing = True\n        self._queue.clear()\n"),
    Mutant("closing doesn't wait for the group", "await self._task  # the", "self._task.cancel()  # the"),
    Mutant("the database stays open", "await self._backend.close()", "pass"),
    Mutant("the database closes first", "await self._task  # the", "await self._backend.close()\n        await self._task  # the"),
    Mutant("putting doesn't wake", "PendingAppend(append, on_durable))\n        self._wake.set()", "PendingAppend(append, on_durable))"),
    Mutant("told before it is durable", "self._queue.append(PendingAppend(append, on_durable))", "on_durable(None)\n        self._queue.append(PendingAppend(append, lambda _: None))"),
    Mutant("told before the next group goes", "loop.call_soon(self._notify, group, results)", "self._notify(group, results)\n                await asyncio.sleep(0.005)"),
    Mutant("told twice", "                on_durable(error)\n", "                on_durable(error)\n                on_durable(error)\n"),
    Mutant("a failing callback stops the others", "except Exception:  # the other", "except KeyError:  # the other"),
    Mutant("refused counts as written", "self.written += error is None", "self.written += 1"),
    Mutant("written counts as refused", "self.refused += error is not None", "self.refused += 1"),
    Mutant("groups aren't counted", "self.groups += 1", "self.groups += 0"),
    Mutant("a cancelled caller breaks the group", "if written.done():  # the caller", "if False:  # the caller"),
    Mutant("a caller isn't told of errors", "written.set_exception(error)", "written.set_result(None)"),
    Mutant("ends when idle", "while self._queue or not self._closing:", "while self._queue:"),
    Mutant("writes one group only when woken", "while self._queue:\n                begin", "if self._queue:\n                begin"),
)  # fmt: skip


def apply(mutant: Mutant, folder: Path) -> None:
    """Makes a package in a folder that differs from ours by one fault: links, and one changed file."""
    text = (ROOT / "src" / TARGET).read_text()
    if text.count(mutant.old) != 1:
        raise ValueError(
            f"{mutant.name}: expected its text once, got {text.count(mutant.old)} times"
        )
    source, place = ROOT / "src", folder
    for part in TARGET.parts:
        for file in source.iterdir():
            if file.name != part:
                (place / file.name).symlink_to(file)
        source, place = source / part, place / part
        if source.is_dir():
            place.mkdir()
    place.write_text(text.replace(mutant.old, mutant.new))


def is_noticed(mutant: Mutant) -> bool:
    """Runs the tests against a fault; returns whether one fails."""
    with tempfile.TemporaryDirectory() as name:
        apply(mutant, Path(name))
        found = subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, *TESTS],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{name}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=300,
            check=False,
        )
    if found.returncode not in (0, 1):
        raise RuntimeError(found.stdout.decode() + found.stderr.decode())
    return found.returncode == 1


def main() -> None:
    for mutant in MUTANTS[int(sys.argv[1]) if sys.argv[1:] else 0 :]:
        sys.stdout.write(f"{'noticed' if is_noticed(mutant) else 'MISSED '}  {mutant.name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
