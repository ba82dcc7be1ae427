"""Studies of both games: questions that many games between bots answer, with intervals and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from stampede.core.errors import InputError
from stampede.lab.studies.buffalo_rungs import study_buffalo
from stampede.lab.studies.play import Track
from stampede.lab.studies.report import StudyReport, StudySection
from stampede.lab.studies.zoff_chances import study_chances
from stampede.lab.studies.zoff_edition import study_edition
from stampede.lab.studies.zoff_variants import study_variants
from stampede.lab.studies.zoff_worth import study_worth

__all__ = ["STUDIES", "Study", "StudyReport", "StudySection", "run_study"]


@dataclass(frozen=True, slots=True)
class Study:
    """A question.

    Attributes:
        question: What is asked.
        answer: Plays and sums up: games of each kind, a seed, a bot, and what wraps the steps to show progress.
        games: How many games of each kind are played by default.
        bot: Who plays them by default.
    """

    question: str
    answer: Callable[[int, int, str, Track], StudyReport]
    games: int
    bot: str


STUDIES: Final[Mapping[str, Study]] = MappingProxyType(
    {
        "zoff-chances": Study(
            "Does a colour or the place of your first cows matter?", study_chances, 40_000, "zoff-2"
        ),
        "zoff-edition": Study("Does a reconstructed value matter?", study_edition, 8_000, "zoff-2"),
        "zoff-worth": Study("What is each pasture and rank worth?", study_worth, 40_000, "zoff-2"),
        "zoff-variants": Study(
            "How do variants and house rules change the game?", study_variants, 10_000, "zoff-2"
        ),
        "buffalo-rungs": Study(
            "How does Buffalo go by rung and first move?", study_buffalo, 1_000, "buffalo-2"
        ),
    }
)
"""By name."""


def run_study(
    name: str,
    games: int | None = None,
    seed: int = 1,
    bot: str | None = None,
    track: Track = iter,
) -> StudyReport:
    """Answers a study's question; the same arguments give the same numbers.

    >>> report = run_study("buffalo-rungs", games=8)
    >>> [section.name for section in report.sections]
    ['rungs', 'openings']

    Args:
        name: One of `STUDIES`.
        games: Games of each kind.
        seed: What they are derived from.
        bot: Who plays: a bot of the vector environment.
        track: Wraps the steps, to show progress.
    """
    if name not in STUDIES:
        raise InputError(f"study: expected one of {', '.join(STUDIES)}, got {name!r}")
    study = STUDIES[name]
    count = study.games if games is None else games
    if count < 8:
        raise InputError(f"games: expected at least 8, got {count}")
    return study.answer(count, seed, bot or study.bot, track)
