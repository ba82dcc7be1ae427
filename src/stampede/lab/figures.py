"""What a benchmark reports: figures by name, ratios of them, what is expected, and what was left out and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from stampede.core.json import JsonObject

__all__ = ["Figure", "Figures", "best_rates"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement, or one ratio of two.

    Attributes:
        name: What was measured.
        value: How much.
        unit: In what; "times" for a ratio.
        expected: What we hold ourselves to, at least or, for seconds, at most; None when nothing.
    """

    name: str
    value: float
    unit: str
    expected: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether the expectation is met."""
        if self.expected is None:
            return True
        return (
            self.value <= self.expected if self.unit == "seconds" else self.value >= self.expected
        )


@dataclass(slots=True)
class Figures:
    """All figures of one run.

    Attributes:
        figures: What was measured, in the order in which it is shown.
        skipped: What was left out, by name, and why.
        counts: What every timed run came to, by name, where that is known beforehand.
    """

    figures: list[Figure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """The report as JSON: everything by name."""
        return {
            "counts": dict(self.counts),
            "figures": {f.name: round(f.value, 4) for f in self.figures if f.unit != "times"},
            "ratios": {f.name: round(f.value, 2) for f in self.figures if f.unit == "times"},
            "expected": {f.name: f.expected for f in self.figures if f.expected is not None},
            "missed": [f.name for f in self.figures if not f.is_met],
            "skipped": dict(self.skipped),
        }


def best_rates(
    tasks: Mapping[str, Callable[[int], float]],
    rounds: Iterable[int],
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The best rate of each task over all rounds: tasks take turns, as what else the machine does only slows them.

    Args:
        tasks: By name; each is given its round's number and returns how much it did.
        rounds: The numbers of the rounds.
        clock: What seconds are measured with.
    """
    for task in tasks.values():
        task(0)  # compiled, or loaded, before anything is timed
    best = dict.fromkeys(tasks, 0.0)
    for index in rounds:
        for name, task in tasks.items():
            begin = clock()
            done = task(index)
            best[name] = max(best[name], done / (clock() - begin))
    return best
