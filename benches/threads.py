"""What further threads gain a search of Buffalo: seconds on the clock until it has completed a depth.

Every position is searched with each number of threads in turn, by a new engine with an empty transposition table, as
analysis does. Threads don't find the same at the same time, so single positions vary much; add up some dozens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import geometric_mean

from stampede.buffalo import Position
from stampede.lab.arena.openings import tuning_openings
from stampede.lab.bench.measurements import Measurement, Measurements
from stampede.search.buffalo.engine import Engine, Limits, SearchReport, Stop

__all__ = ["measure"]

_ENTRIES = 1 << 22
_MOST_SECONDS = 300.0
"""After so long a search ends, whatever its depth."""


def measure(
    threads: Sequence[int],
    depth: int,
    positions: int,
    track: Callable[[range], Iterable[int]] = iter,
) -> Measurements:
    """Searches the first openings for tuning to a depth, with each number of threads; the first number is the base."""
    openings = tuning_openings()[:positions]
    _seconds_to_depth(openings[0], 4, 1)  # loads the kernels
    seconds: dict[int, list[float]] = {count: [] for count in threads}
    for number in track(range(len(openings))):
        for count in threads:
            seconds[count].append(_seconds_to_depth(openings[number], depth, count))
    report = Measurements(counts={"positions": len(openings), "depth": depth})
    base = seconds[threads[0]]
    for count, found in seconds.items():
        named = f"{count} thread{'s' if count > 1 else ''}"
        each = geometric_mean([one / other for one, other in zip(base, found, strict=True)])
        report.figures += [
            Measurement(f"{named}: all positions to the depth", sum(found), "seconds"),
            Measurement(f"{named}: gain in all", sum(base) / sum(found), "times"),
            Measurement(f"{named}: gain, geometric mean of positions", each, "times"),
        ]
    return report


def _seconds_to_depth(position: Position, depth: int, threads: int) -> float:
    """Seconds until a depth is completed, or the search is settled before."""
    stop = Stop()

    def look(found: SearchReport) -> None:
        if found.depth >= depth:
            stop.set()

    engine = Engine(_ENTRIES, threads=threads)
    begin = time.perf_counter()
    engine.search(position, Limits(seconds=_MOST_SECONDS), report=look, stop=stop)
    return time.perf_counter() - begin
