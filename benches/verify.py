"""How fast certificates are checked on one core: ``python -m benches verify``.

A certificate without tables, so that every position has its replies looked up: 59 places of chief and dogs on a board
of six columns, won by the hunter. Processor time counts, reading and unpacking included; the best of several rounds.
"""

from __future__ import annotations

import time
from pathlib import Path

from stampede.lab.bench.measurements import Measurement, Measurements
from stampede.proofs.certificates import verify

__all__ = ["measure"]

CERTIFICATE = Path(__file__).parent / "certificates" / "six-columns.cert"
ROUNDS = 10


def measure() -> Measurements:
    """Measures how many positions a second are checked."""
    report = Measurements()
    best = 0.0
    for _ in range(1 + ROUNDS):  # the first round compiles
        begin = time.process_time()
        (verdict,) = verify([CERTIFICATE], workers=1)
        seconds = time.process_time() - begin
        if verdict.fault is not None or verdict.header is None:
            raise ValueError(f"{CERTIFICATE}: expected a proof, got {verdict.fault}")
        best = max(best, verdict.header.positions / seconds)
        report.counts["positions"] = verdict.header.positions
    report.figures.append(
        Measurement("checking a certificate on one core", best, "positions/s", 1e6)
    )
    return report
