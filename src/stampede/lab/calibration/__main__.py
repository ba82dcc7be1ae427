"""Measures the levels of a game against the panel and each other, and writes the tables of its page anew.

Games are kept in a file of JSON lines; a run continues where the last one stopped, and a finished one plays nothing. A
changed level needs a new file. Budgets are nodes, not seconds, so every game is repeatable. Games from number 1000 on
judge; tune levels on those below (`--first 0`), which have other seeds, deals and openings.

Examples:
  python -m stampede.lab.calibration buffalo --games 200 --write docs/strength.md
  python -m stampede.lab.calibration buffalo --first 0 --games 100 --into build/tuning.jsonl
  python -m stampede.lab.calibration zoff --players 2 4 --games 120 --jobs 2
  python -m stampede.lab.calibration zoff --players 2 6 --games 120 30 --write docs/strength-zoff.md
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from rich.console import Console
from rich.progress import track

from stampede.bots import bot_names
from stampede.buffalo import BuffaloGame
from stampede.core.errors import InputError
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


def _games_by_count(games: Sequence[int], counts: Sequence[int]) -> dict[int, int]:
    """The games of each pairing for each number of players: one number for all, or one for each."""
    if len(games) not in {1, len(counts)}:
        raise InputError(f"--games: expected 1 number, or {len(counts)}, got {len(games)}")
    return dict(zip(counts, games if len(games) > 1 else list(games) * len(counts), strict=True))


def main(arguments: list[str] | None = None) -> None:
    """Plays what is missing and prints the tables, or writes them into a page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=[BUFFALO, ZOFF])
    each = "games of each pairing: one number, or one for each of --players"
    parser.add_argument("--games", type=int, nargs="+", default=[200], help=each)
    parser.add_argument("--first", type=int, default=JUDGING, help="the number of the first game")
    parser.add_argument("--top", type=int, default=99, help="the highest level")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--into", type=Path, default=None, help="results: build/calibration-GAME")
    parser.add_argument("--write", type=Path, default=None, help="a page with marks")
    told = parser.parse_args(arguments)
    file = told.into or Path("build") / f"calibration-{told.game}.jsonl"
    parts, total = [], 0
    counts = [2] if told.game == BUFFALO else told.players
    for players, games in _games_by_count(told.games, counts).items():
        is_zoff = told.game == ZOFF
        pairings = _zoff_pairings(told.top, players) if is_zoff else _buffalo_pairings(told.top)
        wanted = [(told.game, pairing) for pairing in pairings]
        numbers = range(told.first, told.first + games)
        parts.append(play_missing(wanted, numbers, file, told.jobs))
        total += games * len(wanted)
    shown = Console(stderr=True)
    results = list(track(chain(*parts), told.game, total=total, console=shown))
    lines = buffalo_tables(results) if told.game == BUFFALO else zoff_tables(results)
    if told.write is not None:
        replace_section(told.write, "calibration", lines)
    else:
        print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
