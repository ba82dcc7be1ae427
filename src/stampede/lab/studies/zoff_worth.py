"""What is it worth in Zoff to be first, second or third on a pasture?"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, ZoffEndings, play_zoff
from stampede.lab.studies.report import StudyReport, StudySection, estimate_share
from stampede.zoff import ZoffRules

__all__ = ["study_worth"]

PLAYERS: Final = (3, 4, 5, 6)
"""Two have two colours each, so that a lead has no single rank."""
RANKS = 3
PARTS = 4
_Z = 1.959964


def study_worth(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """The lead that goes with each rank on each pasture, all others held equal; and how often a pasture fills up."""
    sections: list[StudySection] = []
    total = PARTS * (games // PARTS)
    for players in track(PLAYERS):
        rules = ZoffRules(players=players)
        found = [
            play_zoff(rules, [bot] * players, games // PARTS, seed + part) for part in range(PARTS)
        ]
        pastures = rules.printed.pastures_for(players)
        worth, spread = _solve(*_normal_equations(found, len(pastures)))
        rows = tuple(
            Estimate(
                f"{pasture.name}, {rank + 1}.",
                worth[at],
                worth[at] - _Z * spread[at],
                worth[at] + _Z * spread[at],
                f"rank {rank + 1}",
            )
            for number, pasture in enumerate(pastures)
            for rank in range(RANKS)
            for at in [number * RANKS + rank]
        )
        full = tuple(
            estimate_share(
                pasture.name, sum(_full(one, at, pasture.capacity) for one in found), total
            )
            for at, pasture in enumerate(pastures)
        )
        sections += [
            StudySection(
                f"ranks-{players}",
                f"A rank on a pasture at the end, {players} players",
                "lead in cows, against none there",
                rows,
                0.0,
            ),
            StudySection(
                f"full-{players}",
                f"Pastures that are full at the end, {players} players",
                "share of games",
                full,
            ),
        ]
    return StudyReport("zoff-worth", total * len(PLAYERS), seed, bot, tuple(sections))


def _full(found: ZoffEndings, pasture: int, capacity: int) -> int:
    return int((found.herds[:, pasture].sum(axis=1) >= capacity).sum())


def ranks_of(herds: npt.NDArray[np.int16], players: int) -> npt.NDArray[np.int16]:
    """Each colour's rank on each pasture, 0 for the largest herd, -1 without a herd: int16[n, pastures, players]."""
    own = herds[:, :, :players]
    larger = (own[:, :, None, :] > own[:, :, :, None]).sum(axis=3).astype(np.int16)
    return np.where(own > 0, larger, np.int16(-1))


def _normal_equations(
    found: list[ZoffEndings], pastures: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """XᵀX and Xᵀ(y, y²) of a regression of leads on indicators of pasture and rank; the last column is constant."""
    size = pastures * RANKS + 1
    counts, sums = np.zeros((size, size)), np.zeros((size, 2))
    for one in found:
        players = one.scores.shape[1]
        ranks = ranks_of(one.herds[:, :pastures], players)
        for seat in range(players):
            hot = ranks[:, :, seat, None] == np.arange(RANKS)
            columns = np.ones((len(hot), size), np.float32)
            columns[:, :-1] = hot.reshape(len(hot), -1)
            lead = one.leads[:, seat]
            counts += columns.T @ columns
            sums[:, 0] += columns.T @ lead
            sums[:, 1] += columns.T @ lead**2
    return counts, sums


def _solve(
    counts: npt.NDArray[np.float64], sums: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The coefficients and their standard errors."""
    inverse = np.linalg.pinv(counts)  # in few games a rank may never occur: it is 0 then
    worth = inverse @ sums[:, 0]
    seats = counts[-1, -1]
    residual = (sums[-1, 1] - worth @ sums[:, 0]) / (seats - len(worth))
    return worth, np.sqrt(np.maximum(np.diag(inverse) * residual, 0))
