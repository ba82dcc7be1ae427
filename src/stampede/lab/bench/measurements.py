"""What a benchmark reports: named figures, the goals they are held to, and what was skipped and why."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from stampede import __version__
from stampede.core.json import JsonObject

__all__ = ["Measurement", "Measurements", "about_machine", "best_rates"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement, or the ratio of two.

    Attributes:
        name: What was measured.
        value: How much.
        unit: The unit; "times" for a ratio.
        expected: The goal, or None when there is none.
        at_most: Whether the goal is an upper bound; it is a lower bound otherwise.
    """

    name: str
    value: float
    unit: str
    expected: float | None = None
    at_most: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure reaches its goal."""
        if self.expected is None:
            return True
        return self.value <= self.expected if self.at_most else self.value >= self.expected


@dataclass(slots=True)
class Measurements:
    """All figures of one run.

    Attributes:
        figures: What was measured, in the order in which it is shown.
        skipped: What was skipped, by name, and why.
        counts: What each timed task counted, by name, where the right answer is known.
        about: The day, the machine and versions, by name, where a page states them.
    """

    figures: list[Measurement] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Returns the report as JSON, everything by name."""
        return {
            **({"about": dict(self.about)} if self.about else {}),
            "counts": dict(self.counts),
            "figures": {f.name: round(f.value, 4) for f in self.figures if f.unit != "times"},
            "ratios": {f.name: round(f.value, 2) for f in self.figures if f.unit == "times"},
            "expected": {f.name: f.expected for f in self.figures if f.expected is not None},
            "missed": [f.name for f in self.figures if not f.is_met],
            "skipped": dict(self.skipped),
        }


def about_machine(*packages: str) -> dict[str, str]:
    """The day, the machine, its load average, and the versions of those packages that are installed."""
    found = {
        "day": time.strftime("%-d %B %Y") if os.name == "posix" else time.strftime("%d %B %Y"),
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
        "stampede": __version__,
    }
    for package in packages:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def best_rates(
    tasks: Mapping[str, Callable[[int], float]],
    rounds: Iterable[int],
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Measures the best rate of each task over all rounds.

    Tasks take turns within a round. The best round counts, because other load on the machine only slows a task down.

    Args:
        tasks: By name; each takes the number of its round and returns how much it did.
        rounds: The numbers of the rounds.
        clock: The clock that measures seconds.
    """
    for task in tasks.values():
        task(0)  # compiles and loads before anything is timed
    best = dict.fromkeys(tasks, 0.0)
    for index in rounds:
        for name, task in tasks.items():
            begin = clock()
            done = task(index)
            best[name] = max(best[name], done / (clock() - begin))
    return best
