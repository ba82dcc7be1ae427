"""What a study finds: tables of estimates with intervals, and figures drawn from the same numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.core.json import JsonObject
from stampede.lab.arena.stats import Score
from stampede.lab.plots import Estimate, draw_estimates

__all__ = ["StudyReport", "StudySection", "estimate_mean", "estimate_ratio", "estimate_share"]

_Z = 1.959964
"""The normal distribution's 97.5 % point: intervals hold 95 %."""


def estimate_mean(
    name: str, numbers: npt.NDArray[np.floating], group: str = "", scale: float = 1.0
) -> Estimate:
    """The mean of independent numbers with its 95 % interval, times a scale."""
    mean = float(numbers.mean())
    half = _Z * float(numbers.std(ddof=1)) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return Estimate(name, scale * mean, scale * (mean - half), scale * (mean + half), group)


def estimate_share(name: str, wins: float, games: int, group: str = "") -> Estimate:
    """A share of games with Wilson's 95 % interval."""
    score = Score(round(wins), games)
    return Estimate(name, score.share, *score.interval, group)


def estimate_ratio(
    name: str,
    above: npt.NDArray[np.floating],
    below: npt.NDArray[np.floating],
    group: str = "",
) -> Estimate:
    """The ratio of two independent means with its 95 % interval, by the delta method."""
    one, other = float(above.mean()), float(below.mean())
    ratio = one / other
    noise = (
        float(above.var(ddof=1)) / len(above) / one**2
        + float(below.var(ddof=1)) / len(below) / other**2
    )
    half = _Z * abs(ratio) * math.sqrt(noise)
    return Estimate(name, ratio, ratio - half, ratio + half, group)


@dataclass(frozen=True, slots=True)
class StudySection:
    """One question with its answer.

    Attributes:
        name: What its figure is called.
        title: What is shown.
        axis: What is measured.
        rows: The estimates.
        reference: What they would be if nothing mattered.
        note: How many of the rows' intervals leave the reference out, or what else is to be said.
    """

    name: str
    title: str
    axis: str
    rows: tuple[Estimate, ...]
    reference: float | None = None
    note: str = ""

    @property
    def apart(self) -> list[str]:
        """The rows whose interval doesn't hold the reference."""
        if self.reference is None:
            return []
        at = self.reference
        return [row.name for row in self.rows if not row.low <= at <= row.high]

    def draw(self) -> str:
        """The figure, as SVG."""
        return draw_estimates(self.title, self.rows, axis=self.axis, reference=self.reference)

    def table(self) -> str:
        """The rows as a table in Markdown."""
        groups = len({row.group for row in self.rows}) > 1
        head = ["", *(["by"] if groups else []), self.axis, "95 % interval"]
        lines = [f"| {' | '.join(head)} |", "|---|" + "---|" * groups + "---:|---:|"]
        for row in self.rows:
            cells = [row.name, *([row.group] if groups else [])]
            cells += [f"{row.value:.3f}", f"{row.low:.3f} – {row.high:.3f}"]
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)

    def to_json(self) -> JsonObject:
        """The section as JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "axis": self.axis,
            "reference": self.reference,
            "note": self.note,
            "rows": [
                {
                    "name": row.name,
                    "group": row.group,
                    "value": round(row.value, 5),
                    "interval_95": [round(row.low, 5), round(row.high, 5)],
                }
                for row in self.rows
            ],
        }


@dataclass(frozen=True, slots=True)
class StudyReport:
    """The result of a study.

    Attributes:
        study: Its name.
        games: How many games were played in all.
        seed: What they are derived from.
        bots: Who played them.
        sections: What was found.
    """

    study: str
    games: int
    seed: int
    bots: str
    sections: tuple[StudySection, ...]

    def markdown(self) -> str:
        """All tables, with titles."""
        parts = [f"{self.games:,} games of {self.bots}, seed {self.seed}."]
        for section in self.sections:
            parts += [f"### {section.title}", section.table()]
            if section.note:
                parts.append(section.note)
        return "\n\n".join(parts) + "\n"

    def to_json(self) -> JsonObject:
        """The report as JSON."""
        return {
            "study": self.study,
            "games": self.games,
            "seed": self.seed,
            "bots": self.bots,
            "sections": [section.to_json() for section in self.sections],
        }
