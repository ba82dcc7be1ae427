"""How do variants and house rules change a game of Zoff?"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, ZoffEndings, play_zoff
from stampede.lab.studies.report import StudyReport, StudySection, estimate_mean, estimate_ratio
from stampede.lab.vector.zoff import read_variant

__all__ = ["study_variants"]

OTHERS: Final = "zoff-1"

VARIANTS: Final = (
    "",
    "fair",
    "auction",
    "auction fair",
    "must_place",
    "last_cow_counts",
    "one_last_card",
    "open_discards",
    "auction rebid_among_tied",
)
PLAYERS: Final = (2, 3, 4, 5, 6)


def study_variants(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """Cows, margins, early ends and the better player's chances with each variant and house rule."""
    cows: list[Estimate] = []
    margins: list[Estimate] = []
    skill: list[Estimate] = []
    early: list[Estimate] = []
    played = 0
    for players in track(PLAYERS):
        group = f"{players} players"
        plain = play_zoff(read_variant(players, ""), [bot] * players, games, seed)
        for variant in VARIANTS:
            rules = read_variant(players, variant)
            name = f"{group}, {variant.replace(' ', ' and ') or 'plain'}"
            found = play_zoff(rules, [bot] * players, games, seed + 1)
            weaker = play_zoff(rules, [bot] + [OTHERS] * (players - 1), games, seed + 2)
            played += 2 * games
            cows.append(estimate_ratio(name, _cows(found), _cows(plain), group))
            margins.append(estimate_ratio(name, _margin(found), _margin(plain), group))
            early.append(estimate_mean(name, found.early.astype(np.float32), group))
            skill.append(estimate_mean(name, weaker.wins[:, 0], group, players))
        played += games
    sections = (
        StudySection("cows", "Cows on all pastures", "ratio to the plain game", tuple(cows), 1.0),
        StudySection(
            "margins",
            "Cows between the first and the second player",
            "ratio to the plain game",
            tuple(margins),
            1.0,
        ),
        StudySection(
            "early", "Games that end before their last round is over", "share", tuple(early)
        ),
        StudySection(
            "skill",
            f"Victories of {bot} among {OTHERS}",
            "victories / a fair share of them",
            tuple(skill),
            1.0,
        ),
    )
    return StudyReport("zoff-variants", played, seed, bot, sections)


def _cows(found: ZoffEndings) -> npt.NDArray[np.float32]:
    cows: npt.NDArray[np.float32] = found.herds.sum(axis=(1, 2)).astype(np.float32)
    return cows


def _margin(found: ZoffEndings) -> npt.NDArray[np.float32]:
    ordered = np.sort(found.scores, axis=1)
    margin: npt.NDArray[np.float32] = ordered[:, -1] - ordered[:, -2]
    return margin
