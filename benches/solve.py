"""How fast tables are built and proofs are searched: ``python -m benches solve``.

The table is chief and two dogs anywhere on eight columns, built by a process of its own, whose largest memory is
read; the search looks at the real start with two tables as recognisers, on one core.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from pathlib import Path

from stampede.lab.bench.measurements import Measurement, Measurements
from stampede.proofs.search.prove import Prover
from stampede.proofs.search.starts import start_key
from stampede.tablebase.build import build_columns
from stampede.tablebase.spec import TablebaseSpec
from stampede.tablebase.tablebase import open_tablebase

__all__ = ["measure"]

LARGE = TablebaseSpec.of(8, 2, (2, 3, 4, 5, 6))
RECOGNISERS = (TablebaseSpec.of(8, 3), TablebaseSpec.of(8, 2, (2, 3)))
POSITIONS = 2_000_000


def measure(folder: Path) -> Measurements:
    """Measures once; the tables stay in the folder."""
    report = Measurements()
    _built(TablebaseSpec.of(3, 1), folder)  # compiles
    seconds, processor, memory, size, bank = _built(LARGE, folder)
    report.counts["winning at the bank"] = bank
    report.figures += [
        Measurement("chief and 2 dogs on 8 columns", seconds, "seconds", 120, at_most=True),
        Measurement("processor time of both cores", processor, "seconds"),
        Measurement("largest memory", memory / 1e9, "GB"),
        Measurement("file", size / 1e9, "GB"),
    ]
    for spec in RECOGNISERS:
        build_columns(spec, folder)
    tablebases = [open_tablebase(build_columns(spec, folder)) for spec in RECOGNISERS]
    prover = Prover(tablebases, megabytes=512, cores=1)
    prover.search(start_key(), positions=1000)
    begin = time.process_time()
    status = prover.search(start_key(), positions=POSITIONS)
    rate = status.positions / (time.process_time() - begin)
    report.figures.append(Measurement("proof search on one core", rate, "positions/s", 200_000))
    return report


def _built(spec: TablebaseSpec, folder: Path) -> tuple[float, float, int, int, int]:
    """Seconds, processor seconds, bytes of memory, bytes of the file, and wins at the bank."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_build, (str(spec), folder))


def _build(text: str, folder: Path) -> tuple[float, float, int, int, int]:
    spec = TablebaseSpec.parse(text)
    begin = time.perf_counter()
    path = build_columns(spec, folder)
    seconds = time.perf_counter() - begin
    used = resource.getrusage(resource.RUSAGE_SELF)
    bank = open_tablebase(path).winning([0] * len(spec.live))
    processor = used.ru_utime + used.ru_stime
    return seconds, processor, used.ru_maxrss * 1024, path.stat().st_size, bank
