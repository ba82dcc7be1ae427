"""Proves reviews, and tells levels apart by them; prints tables in Markdown.

`check` reviews games of both games in all sizes, or those of a file, and derives every claim again: exit code 1 if one
doesn't hold. `levels` plays games between levels 1 to 6 and measures what their decisions give away. `times` measures
how long reviews take on this machine.

Examples:
  python -m stampede.lab.reviews check --games 50
  python -m stampede.lab.reviews check --records games.jsonl
  python -m stampede.lab.reviews levels buffalo --games 60
  python -m stampede.lab.reviews times --games 5 --threads 2
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track

from stampede.buffalo import BuffaloGame
from stampede.core.record import GameRecord, read_records
from stampede.lab.reviews.check import CheckedReview, check_review
from stampede.lab.reviews.games import play_sample, sample_games
from stampede.lab.reviews.levels import (
    LEVELS,
    OPEN,
    Figure,
    LevelGame,
    all_decisions,
    mean_gap,
    mean_loss,
    open_decisions,
    paired_seats,
    play_levels,
)
from stampede.lab.reviews.listed import Certificates
from stampede.lab.reviews.times import KINDS, play_usual, time_review
from stampede.lab.reviews.wins import WinChecker
from stampede.oracle.reviews import plan_quick_review
from stampede.search.review import run_review

__all__ = ["main"]

_UNITS = {"buffalo": "chance to win", "zoff": "cows of lead"}


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="derive every claim of reviews again")
    check.add_argument("--games", type=int, default=50, help="games of the sample, at most 50")
    check.add_argument("--records", type=Path, help="review the games of this file instead")
    check.add_argument("--seed", type=int, default=0, help="of the sample")
    check.add_argument(
        "--recorded",
        action="store_true",
        help="believe recorded verifications of certificates; a new one takes up to a quarter of an hour",
    )
    levels = commands.add_parser("levels", help="the mean loss of a decision, by level")
    levels.add_argument("game", choices=["zoff", "buffalo"])
    levels.add_argument("--games", type=int, default=30)
    levels.add_argument("--seed", type=int, default=0)
    levels.add_argument("--into", type=Path, help="a file of JSON lines to go on with")
    times = commands.add_parser("times", help="how long the first curve and the whole review take")
    times.add_argument("--games", type=int, default=5, help="of each kind")
    times.add_argument("--threads", type=int, default=2)
    told = parser.parse_args(arguments)
    if told.command == "times":
        return _times(told.games, told.threads)
    if told.command == "levels":
        return _levels(told.game, told.games, told.seed, told.into)
    return _check(told.games, told.records, told.seed, Certificates(recorded=told.recorded))


def _games(games: int, records: Path | None, seed: int) -> Iterator[tuple[str, GameRecord]]:
    if records is not None:
        for _, record in read_records(records.read_text("utf-8").splitlines()):
            yield f"{record.game}, {len(record.seats)} seats", record
        return
    for sample in islice(sample_games(seed), games):
        yield sample.kind, play_sample(sample)


def _check(games: int, records: Path | None, seed: int, certificates: Certificates) -> int:
    found: dict[str, list[CheckedReview]] = {}
    wrong = 0
    rows = _games(games, records, seed)
    total = games if records is None else None
    for kind, record in track(rows, "reviews", total=total, console=Console(stderr=True)):
        checker = WinChecker(certificates=certificates)
        checked = check_review(run_review(plan_quick_review(record)), checker)
        found.setdefault(kind, []).append(checked)
        wrong += len(checked.faults)
        for fault in checked.faults:
            print(f"{kind}: {fault}", file=sys.stderr)  # noqa: T201
    print("\n".join(_table(found)))  # noqa: T201
    return 1 if wrong else 0


def _table(found: dict[str, list[CheckedReview]]) -> Iterator[str]:
    yield (
        "| games | reviews | decisions | better named | mistakes | claimed | judged anew | proven wins"
        " | proven again | plies confirmed | by certificate | only played out | faults |"
    )
    yield "|---|" + "---:|" * 12
    for kind, reviews in sorted(found.items()):
        proofs = [proof for one in reviews for proof in one.proofs.values()]
        claimed = [loss for one in reviews for loss in one.claimed]
        fresh = [loss for one in reviews for loss in one.fresh]
        numbers = [
            len(reviews),
            sum(one.decisions for one in reviews),
            sum(one.better for one in reviews),
            len(claimed),
            f"{sum(claimed) / max(1, len(claimed)):.2f}",
            f"{sum(fresh) / max(1, len(fresh)):.2f}",
            sum(proof.claims for proof in proofs),
            sum(proof.winners for proof in proofs),
            sum(proof.plies for proof in proofs),
            sum(proof.listed for proof in proofs),
            sum(proof.played for proof in proofs),
            sum(len(one.faults) for one in reviews),
        ]
        yield f"| {kind} | {' | '.join(map(str, numbers))} |"


def _kept_games(game: str, games: int, seed: int, into: Path | None) -> Iterator[LevelGame]:
    """The games in the file, and then those that are missing, which are added to it."""
    key, done = {"game": game, "seed": seed}, 0
    if into is not None and into.exists():
        for line in into.read_text("utf-8").splitlines():
            row = json.loads(line)
            if done < games and all(row[name] == value for name, value in key.items()):
                done += 1
                yield LevelGame.from_json(row)
    for played in play_levels(game, games, seed, done):
        yield played
        if into is not None:
            into.parent.mkdir(parents=True, exist_ok=True)
            with into.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**key, **played.to_json()}) + "\n")


def _levels(game: str, games: int, seed: int, into: Path | None) -> int:
    found = _kept_games(game, games, seed, into)
    played = list(track(found, game, total=games, console=Console(stderr=True)))
    print(f"{len(set(played))} of {len(played)} games are different\n")  # noqa: T201
    print("\n".join(_level_table(played, all_decisions, _UNITS[game])))  # noqa: T201
    if game == BuffaloGame.name:
        low, high = OPEN
        name = f"chance; only where the mover's is {low} to {high}"
        print("\n" + "\n".join(_level_table(played, open_decisions, name)))  # noqa: T201
    return 0


def _level_table(played: list[LevelGame], figure: Figure, unit: str) -> Iterator[str]:
    """The mean loss of each level, and how much less it is than that of the level below."""
    yield f"| level | mean loss of a decision ({unit}) | games | less than the level below by | pairs |"
    yield "|---:|---:|---:|---:|---:|"
    for level in LEVELS:
        seats = [
            figure(own)
            for game in played
            for one, own in zip(game.levels, game.decisions, strict=True)
            if one == level
        ]
        if not seats:
            continue
        mean, row = mean_loss(seats), "| |"
        if pairs := list(paired_seats(played, level - 1, level, figure)):
            gap = mean_gap(pairs)
            told = "" if gap.tells_apart else " (not told apart)"
            row = f"| {gap.value:.4f} ± {gap.half:.4f}{told} | {gap.games} |"
        yield f"| {level} | {mean.value:.4f} ± {mean.half:.4f} | {mean.games} {row}"


def _times(games: int, threads: int) -> int:
    print(  # noqa: T201
        "| games | reviews | decisions | first curve, s | processor, s | whole, s | at most, s"
        " | processor, s |\n|---|" + "---:|" * 7
    )
    for kind in KINDS:
        # The first review loads compiled code and networks.
        warm, *records = play_usual(kind, games + 1)
        time_review(warm, threads)
        found = [time_review(record, threads) for record in records]
        numbers = [
            len(found),
            sum(one.decisions for one in found) // len(found),
            f"{median(one.first for one in found):.2f}",
            f"{median(one.first_processor for one in found):.2f}",
            f"{median(one.whole for one in found):.1f}",
            f"{max(one.whole for one in found):.1f}",
            f"{median(one.processor for one in found):.1f}",
        ]
        print(f"| {kind} | {' | '.join(map(str, numbers))} |", flush=True)  # noqa: T201
    load = (
        ", ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else ""
    )
    print(f"\n{os.cpu_count()} cores, {threads} threads; load average {load}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
