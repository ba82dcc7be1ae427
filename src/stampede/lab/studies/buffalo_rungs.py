"""How does Buffalo go by the rungs of the ladder, and by its first move?"""

from __future__ import annotations

import random

import numpy as np

from stampede.buffalo import BuffaloRules, Position
from stampede.buffalo.geometry import FILES
from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, play_buffalo
from stampede.lab.studies.report import StudyReport, StudySection, estimate_share

__all__ = ["study_buffalo"]

RUNGS = range(-4, 7)
DRAWS = 8
"""On a rung with buffaloes left out: how many sets of files are drawn."""


def study_buffalo(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """The buffalo side's victories on each rung (B4.1), and after each first move, a file and its mirror as one."""
    rungs: list[Estimate] = []
    openings: list[Estimate] = []
    played = 0
    tasks = len(RUNGS) + 6
    for number in track(range(tasks)):
        if number < len(RUNGS):
            wins, count = _play_rung(RUNGS[number], games, seed, bot)
            rungs.append(estimate_share(_name(RUNGS[number]), wins, count))
        else:
            file = FILES[number - len(RUNGS)]
            start = Position.start().play(f"{file}7{file}6")
            won = play_buffalo(BuffaloRules(), (bot, bot), games, seed + number, start)
            wins, count = float(won.sum()), games
            openings.append(estimate_share(f"{file}7{file}6", wins, count))
        played += count
    sections = (
        StudySection("rungs", "The buffalo side by rung", "share of victories", tuple(rungs), 0.5),
        StudySection(
            "openings",
            "The buffalo side by first move",
            "share of victories",
            tuple(openings),
            rungs[list(RUNGS).index(0)].value,
        ),
    )
    return StudyReport("buffalo-rungs", played, seed, bot, sections)


def _name(rung: int) -> str:
    if rung > 0:
        return f"{11 - rung} buffaloes (+{rung})"
    return f"opening of {1 - rung} ({rung})" if rung else "even (0)"


def _play_rung(rung: int, games: int, seed: int, bot: str) -> tuple[float, int]:
    """The victories of the buffalo side, and how many games; on a positive rung over several sets of files."""
    if rung <= 0:
        won = play_buffalo(BuffaloRules(opening_moves=1 - rung), (bot, bot), games, seed + rung)
        return float(won.sum()), games
    rng = random.Random(f"{seed}/{rung}")
    wins = []
    for draw in range(DRAWS):
        removed = tuple(sorted(rng.sample(FILES, rung)))
        rules = BuffaloRules(removed)
        wins.append(play_buffalo(rules, (bot, bot), games // DRAWS, seed + 100 * rung + draw))
    together = np.concatenate(wins)
    return float(together.sum()), len(together)
