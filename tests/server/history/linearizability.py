"""Whether a history of concurrent operations could have happened one at a time, in the order of the log.

Every operation has an interval: from just before its request left until just after its answer came. A history is
linearizable when each operation can be given one moment within its interval so that, done one after the other at these
moments, all of them get the answers that they got (Herlihy and Wing, 1990).

In general that is a search. Here the log already says in which order the writes were done, so it can be decided
exactly in almost linear time: give every write the earliest moment that the order allows, and every other operation
the latest state that explains its answer. `exhaustive.py` is the search; tests compare the two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf


class NotLinearizable(AssertionError):
    """No order of the operations explains their answers. The message names an operation that doesn't fit."""


@dataclass(frozen=True, slots=True)
class Write:
    """An entry of the log: `begin` is when it was first asked for, `end` when it was first acknowledged."""

    name: str
    begin: float = -inf
    end: float = inf


@dataclass(frozen=True, slots=True)
class Observation:
    """An operation that changed nothing, but whose answer tells of the state: a read, a refusal, a retry.

    Attributes:
        name: For the message.
        begin: When it was asked for.
        end: When it was answered.
        states: The lengths of the log that explain the answer.
    """

    name: str
    begin: float
    end: float
    states: frozenset[int] | range


def check_linearizable(writes: Sequence[Write], observations: Iterable[Observation]) -> list[float]:
    """Returns the earliest moment of each write, in the order of the log; NotLinearizable when there is none.

    An observation of state *s* lies after write *s* and before write *s* + 1, so the next write can't be earlier than
    the observation's begin. The later the state, the fewer writes that holds back. So every observation starts at its
    latest state; when moments grow past its end it moves to an earlier one, which can only make moments grow. When
    nothing moves any more, these are the least moments that any order could have.
    """
    placed = {seen: max(seen.states, default=-1) for seen in observations}
    while True:
        held = [-inf] * (len(writes) + 1)
        for seen, state in placed.items():
            if 0 <= state <= len(writes):
                held[state] = max(held[state], seen.begin)
        moments = _earliest_moments(writes, held)
        moved = False
        for seen, state in placed.items():
            found = _latest_state(seen, state, moments)
            if found != state:
                placed[seen], moved = found, True
        if not moved:
            return moments[1:]


def _earliest_moments(writes: Sequence[Write], held: Sequence[float]) -> list[float]:
    """Moments by the log's length; the first is that of the empty log."""
    moments = [-inf]
    for number, write in enumerate(writes):
        moment = max(moments[-1], held[number], write.begin)
        if moment > write.end:
            raise NotLinearizable(
                f"{write.name} was acknowledged at {write.end:.6f}, but what comes before it in the log, or saw the log"
                f" without it, was asked for at {moment:.6f}"
            )
        moments.append(moment)
    return moments


def _latest_state(seen: Observation, most: int, moments: Sequence[float]) -> int:
    """The latest state, up to one that was tried before, that was reached before the observation ended."""
    possible = [
        state
        for state in seen.states
        if state <= most and 0 <= state < len(moments) and moments[state] <= seen.end
    ]
    if not possible:
        last = sum(moment <= seen.end for moment in moments) - 1
        raise NotLinearizable(
            f"{seen.name}, answered at {seen.end:.6f}, is explained by the log's lengths {sorted(seen.states)[:9]}"
            f" only, but the log had at most {last} of its {len(moments) - 1} entries by then, and those that explain"
            " it were over before"
        )
    return max(possible)
