"""Measures the levels of a game against the panel and each other, and writes the tables of its page anew.

Games are kept in a file of JSON lines; a run continues where the last one stopped, and a finished one plays nothing. A
changed level needs a new file. Budgets are nodes, not seconds, so every game is repeatable. Games from number 1000 on
judge; tune levels on those below (`--first 0`), which have other seeds, deals and openings.

Examples:
  python -m stampede.lab.calibration buffalo --games 200 --write docs/strength.md
  python -m stampede.lab.calibration buffalo --first 0 --games 100 --into build/tuning.jsonl
  python -m stampede.lab.calibration zoff --players 2 4 --games 120 --jobs 2 --write docs/strength-zoff.md
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.progress import track

from stampede.bots import bot_names
from stampede.buffalo import BuffaloGame
from stampede.lab.calibration.games import JUDGING, Pairing, play_missing
from stampede.lab.calibration.tables import LOOKERS, buffalo_tables, replace_section, zoff_tables
from stampede.zoff import ZoffGame

__all__ = ["main"]

BUFFALO, ZOFF = BuffaloGame().name, ZoffGame().name


def _buffalo_pairings(top: int) -> list[Pairing]:
    """Neighbours, on both sides, and the panel: the beginner and those who look ahead against low levels only."""
    levels = [name for name in bot_names(BUFFALO) if name != "random"][:top]
    pairs = [*pairwise(["beginner", *levels]), ("beginner", "beginner")]
    pairs += [("beginner", level) for level in levels[1:4]]
    pairs += [(weak, "beginner") for weak in ("random", *LOOKERS)]
    pairs += [(looker, level) for level in levels[:4] for looker in LOOKERS]
    both = [Pairing(*pair, 2) for pair in pairs]
    both += [Pairing(second, first, 2) for first, second in pairs if first != second]
    return both


def _zoff_pairings(top: int, players: int) -> list[Pairing]:
    """One of a level among others of the level below, and levels and panel among beginners."""
    levels = [name for name in bot_names(ZOFF) if name != "random"][:top]
    among = ["random", "one-move", "two-move", "greedy", "cautious", *levels[:4]]
    pairs = [(name, "beginner") for name in among]
    pairs += [(above, below) for below, above in pairwise(levels)]
    return [Pairing(*pair, players) for pair in pairs]


def main(arguments: list[str] | None = None) -> None:
    """Plays what is missing and prints the tables, or writes them into a page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=[BUFFALO, ZOFF])
    parser.add_argument("--games", type=int, default=200, help="games of each pairing")
    parser.add_argument("--first", type=int, default=JUDGING, help="the number of the first game")
    parser.add_argument("--top", type=int, default=99, help="the highest level")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--into", type=Path, default=None, help="results: build/calibration-GAME")
    parser.add_argument("--write", type=Path, default=None, help="a page with marks")
    told = parser.parse_args(arguments)
    if told.game == BUFFALO:
        pairings = _buffalo_pairings(told.top)
    else:
        pairings = [pair for count in told.players for pair in _zoff_pairings(told.top, count)]
    file = told.into or Path("build") / f"calibration-{told.game}.jsonl"
    wanted = [(told.game, pairing) for pairing in pairings]
    numbers = range(told.first, told.first + told.games)
    games = play_missing(wanted, numbers, file, told.jobs)
    shown = Console(stderr=True)
    total = told.games * len(wanted)
    results = list(track(games, told.game, total=total, console=shown))
    lines = buffalo_tables(results) if told.game == BUFFALO else zoff_tables(results)
    if told.write is not None:
        replace_section(told.write, "calibration", lines)
    else:
        print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
