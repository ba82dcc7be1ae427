"""How much stronger each level of a Buffalo bot is than the one below: games with both sides of even openings.

    python benches/match_levels.py --games 200 --levels 2 3 4 5 6 7 8

Prints a row of Markdown for each. The low levels choose by chance, so games from the same opening differ.

With `--no-clock` level 8 looks at all of its nodes in every move instead of stopping after 0.95 seconds, so that a busy
machine doesn't make it weaker. `--adjudicate` ends a game as soon as a level from 6 on has proven its win: these
always play the best move, so they would win it. `--first` and `--games` let processes share a match.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from stampede.lab.arena.games import MatchPlan, play_match
from stampede.lab.arena.openings import shipped_openings
from stampede.lab.arena.players import player_of
from stampede.lab.arena.stats import Score
from stampede.search.buffalo.engine import Limits


def main() -> None:
    """Plays the matches asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="levels")
    parser.add_argument("--no-clock", dest="clock", action="store_false")
    parser.add_argument("--adjudicate", action="store_true")
    parser.add_argument("--first", type=int, default=1, help="the first game's number, odd")
    parser.add_argument("--log", type=Path, help="every game is added here, a line of JSON each")
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 3, 4, 5, 6, 7, 8])
    told = parser.parse_args()
    print(
        "| level | against | games | won | 95 % interval | as buffalo side | as hunter | seconds |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for level in told.levels:
        below = "random" if level == 1 else str(level - 1)
        _row(str(level), below, told)


def _row(level: str, below: str, told: argparse.Namespace) -> None:
    began = time.perf_counter()
    budget = Limits(nodes=1)
    pairs = [
        (player_of(level, budget, clock=told.clock), player_of(below, budget, clock=told.clock))
        for _ in range(told.jobs)
    ]
    openings = shipped_openings()[(told.first - 1) // 2 :]
    plan = MatchPlan(openings, told.games, told.seed, told.adjudicate)
    reports = []
    for game in play_match(plan, pairs):
        reports.append(game)
        if told.log is not None:
            with told.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"level": int(level), **game.to_json()}) + "\n")
    score = Score(sum(game.a_won for game in reports), len(reports))
    sides = [[game.a_won for game in reports if game.number % 2 == odd] for odd in (1, 0)]
    low, high = score.interval
    shares = " | ".join(f"{sum(wins)} of {len(wins)}" for wins in sides)
    print(
        f"| {level} | {below} | {score.games} | {score.share:.1%} | {low:.1%}–{high:.1%} | {shares}"
        f" | {time.perf_counter() - began:.0f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
