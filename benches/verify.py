"""How fast certificates are checked on one core: ``stampede bench verify [--json]``.

A certificate without tables, so that every position has its replies looked up: 59 places of chief and dogs on a board
of six columns, won by the hunter. Processor time counts, reading and unpacking included; the best of several rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from stampede.lab.figures import Figure, Figures
from stampede.proofs.certificates import verify

__all__ = ["measure"]

CERTIFICATE = Path(__file__).parent / "certificates" / "six-columns.cert"
ROUNDS = 10


def measure() -> Figures:
    """Measures how many positions a second are checked."""
    report = Figures()
    best = 0.0
    for _ in range(1 + ROUNDS):  # the first round compiles
        begin = time.process_time()
        (verdict,) = verify([CERTIFICATE], workers=1)
        seconds = time.process_time() - begin
        if verdict.fault is not None or verdict.header is None:
            raise ValueError(f"{CERTIFICATE}: expected a proof, got {verdict.fault}")
        best = max(best, verdict.header.positions / seconds)
        report.counts["positions"] = verdict.header.positions
    report.figures.append(Figure("checking a certificate on one core", best, "positions/s", 1e6))
    return report


def main() -> None:
    """Measures and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    report = measure()
    if parser.parse_args().json:
        print(json.dumps(report.to_json()))
        return
    for figure in report.figures:
        wanted = "" if figure.expected is None else f" (expected at least {figure.expected:,.0f})"
        print(f"{figure.name}: {figure.value:,.0f} {figure.unit}{wanted}")


if __name__ == "__main__":
    main()
