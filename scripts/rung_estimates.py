"""Measures what the engine thinks of the ladder's open positions, and writes the shipped file again.

``python scripts/rung_estimates.py``, from the root of a checkout. The file lists the positions; searches and
pseudo-proofs in it are notes from docs/proofs.md and stay as they are. The same budget gives the same figures.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from stampede.proofs.estimates import BUDGET, dump_estimates, measure_estimate, shipped_estimates

FILE = Path(__file__).parents[1] / "src/stampede/proofs/estimates.json"


def main() -> None:
    """Measures all positions; takes a few minutes on one core."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0]).parse_args()
    found = []
    for one in shipped_estimates()[1]:
        found.append(measure_estimate(one))
        told = f"{found[-1].score / 100:+.2f} for the buffaloes"
        wins = f"the hunter won {found[-1].hunter_wins} of {len(BUDGET.games)} games"
        print(f"rung {one.rung} {one.missing}: {told}; {wins}", flush=True)
    FILE.write_text(dump_estimates(found), encoding="utf-8")


if __name__ == "__main__":
    main()
