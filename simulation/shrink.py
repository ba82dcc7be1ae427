"""Shrinks a failing plan: takes operations away as long as it still fails (delta debugging)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace

from simulation.plan import Operation, Plan
from simulation.simulation import Outcome

__all__ = ["kind_of", "shrink"]


def kind_of(violation: str) -> str:
    """What kind of violation it is: its text without numbers, names and times."""
    text = violation.partition(" s: ")[2]
    return re.sub(r"[0-9.]+|\b\w{6}\b:?|'[^']*'|\{[^}]*\}", "", text)[:50].strip()


def shrink(failed: Outcome, run: Callable[[Plan], Outcome], *, seconds: float = 120.0) -> Outcome:
    """Returns the shortest plan found that violates the same invariant.

    Args:
        failed: What is to be shrunk.
        run: Runs a plan.
        seconds: How long to try, in processor time.
    """
    wanted = kind_of(failed.violations[0])
    deadline = time.process_time() + seconds
    best = _cut_after(failed, run, wanted)
    size = max(1, len(best.plan.operations) // 2)
    while size >= 1 and time.process_time() < deadline:
        shorter = _remove_chunks(best, run, wanted, size, deadline)
        if len(shorter.plan.operations) == len(best.plan.operations):
            size //= 2
        best = shorter
    return best


def _cut_after(failed: Outcome, run: Callable[[Plan], Outcome], wanted: str) -> Outcome:
    """Takes away what comes after the violation, if that was found while people were still there."""
    plan = failed.plan
    operations = tuple(item for item in plan.operations if item.at < failed.seconds)
    if len(operations) == len(plan.operations):
        return failed
    return _try(failed, run, wanted, operations) or failed


def _remove_chunks(
    best: Outcome, run: Callable[[Plan], Outcome], wanted: str, size: int, deadline: float
) -> Outcome:
    """Tries from the end: what happens late is needed least, and its absence shortens every further run."""
    end = len(best.plan.operations)
    while end > 0 and time.process_time() < deadline:
        operations = best.plan.operations
        end = min(end, len(operations))
        found = _try(best, run, wanted, operations[: max(0, end - size)] + operations[end:])
        best = found or best
        end -= size
    return best


def _try(
    best: Outcome,
    run: Callable[[Plan], Outcome],
    wanted: str,
    operations: tuple[Operation, ...],
) -> Outcome | None:
    last = max((item.at for item in operations), default=0.0)
    plan = replace(best.plan, operations=operations, seconds=min(best.plan.seconds, last + 30.0))
    found = run(plan)
    if found.violations and kind_of(found.violations[0]) == wanted:
        return found
    return None
