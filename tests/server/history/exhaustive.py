"""Linearizability by trying all orders (Wing and Gong, 1993): slow and plainly right, for small histories."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.server.history.linearizability import Observation, Write


@dataclass(frozen=True, slots=True)
class Step:
    """An operation in the search: a write has the length of the log after it, an observation its states."""

    begin: float
    end: float
    write: int = 0
    states: frozenset[int] | range = frozenset()


def is_linearizable(writes: Sequence[Write], observations: Sequence[Observation]) -> bool:
    """Tries every operation next that no other one has to precede, until all are done or nothing fits."""
    steps = [Step(w.begin, w.end, write=number) for number, w in enumerate(writes, start=1)]
    steps += [Step(seen.begin, seen.end, states=seen.states) for seen in observations]
    return _can_finish(frozenset(range(len(steps))), 0, steps, set())


def _can_finish(
    left: frozenset[int],
    length: int,
    steps: Sequence[Step],
    failed: set[tuple[frozenset[int], int]],
) -> bool:
    if not left:
        return True
    if (left, length) in failed:
        return False
    first_end = min(steps[index].end for index in left)
    for index in sorted(left):
        step = steps[index]
        if step.begin > first_end:  # another operation had ended before this one began
            continue
        if step.write:
            fits, after = step.write == length + 1, length + 1
        else:
            fits, after = length in step.states, length
        if fits and _can_finish(left - {index}, after, steps, failed):
            return True
    failed.add((left, length))
    return False
