"""How fast games become tables, and how small: beside reading the same records with `json` alone.

The games are distinct, of random players. Times are those of the processor. Rounds take turns, and the best
of each counts.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from stampede.bots import find_bot
from stampede.core.json import JsonObject
from stampede.games import game_named
from stampede.lab import SimulationPlan, simulate
from stampede.lab.bench.measurements import Measurement, Measurements, about_machine, best_rates
from stampede.lab.data import Dataset, Exported, export

__all__ = ["measure", "rounds"]

ROUND_SECONDS = 2.0
GAMES = 500
"""Distinct games of each kind."""
REPLAYED = 50
"""So many of them are exported with states."""

Lines = list[tuple[str, bytes]]


def rounds(seconds: float) -> int:
    """How many rounds a run of about so many seconds has; the games are played before."""
    return max(1, round(seconds / ROUND_SECONDS))


def measure(
    count: int, games: int = GAMES, track: Callable[[range], Iterable[int]] = iter
) -> Measurements:
    """Measures in so many rounds with so many games; ``track`` wraps them, to show progress."""
    records = {
        "Zoff, 5 players": _play("zoff", {"edition": "fx-schmid-1998-r1", "players": 5}, games),
        "Buffalo": _play("buffalo", {}, games),
    }
    report = Measurements(about=about_machine("pyarrow"))
    with tempfile.TemporaryDirectory() as name:
        tasks: dict[str, Callable[[int], float]] = {}
        last: dict[str, Exported] = {}
        for kind, lines in records.items():
            folder = Path(name) / kind
            tasks[f"{kind}: export"] = partial(_export, lines, folder, last, kind)
            tasks[f"{kind}: states"] = partial(_export_states, lines[:REPLAYED], Path(name))
            tasks[f"{kind}: json"] = partial(_read, lines)
            tasks[f"{kind}: load"] = partial(_load, folder)
        best = best_rates(tasks, track(range(count)), time.process_time)
    for kind in records:
        rate, read = best[f"{kind}: export"], best[f"{kind}: json"]
        size = last[kind].bytes_per_step
        report.figures += [
            Measurement(f"{kind}: export", rate, "games a second", 5_000),
            Measurement(f"{kind}: export with states", best[f"{kind}: states"], "games a second"),
            Measurement(f"{kind}: size", size, "bytes a step", 5, at_most=True),
            Measurement(f"{kind}: export / json.loads alone", rate / read, "times"),
            Measurement(f"{kind}: load", best[f"{kind}: load"], "steps a second"),
        ]
        report.counts[f"{kind}: steps"] = last[kind].steps
    return report


def _play(game: str, rules: JsonObject, games: int) -> Lines:
    played = game_named(game).game
    whole = played.write_rules(played.read_rules(rules))
    bots = (find_bot("random", game),) * played.seats(played.read_rules(rules))
    plan = SimulationPlan(played, whole, bots, games, "bench")
    return [(f"game {one.index}", one.record.dumps().encode()) for one in simulate(plan)]


def _export(lines: Lines, folder: Path, last: dict[str, Exported], kind: str, _: int) -> float:
    shutil.rmtree(folder, ignore_errors=True)
    last[kind] = export(lines, folder)
    return len(lines)


def _export_states(lines: Lines, folder: Path, number: int) -> float:
    """Replays every game, too, so that fewer of them suffice."""
    made = folder / f"states-{number}"
    export(lines, made, states=True)
    shutil.rmtree(made)
    return len(lines)


def _read(lines: Lines, _: int) -> float:
    return len([json.loads(line) for _, line in lines])


def _load(folder: Path, _: int) -> float:
    return float(Dataset(folder).arrow("steps").num_rows)
