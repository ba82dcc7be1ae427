"""A run of training in a folder: `checkpoint.npz`, `points.jsonl` with what it reached on the way, and `curve.svg`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import canonical
from stampede.lab.arena.stats import Score
from stampede.lab.baselines.player import Reached, measure
from stampede.lab.baselines.training import Progress, Trainer, TrainingPlan, replaced
from stampede.lab.plots import Curve, draw_curves

__all__ = ["CHECKPOINT", "CURVE", "POINTS", "Point", "TrainingRun", "total"]

CHECKPOINT: Final = "checkpoint.npz"
POINTS: Final = "points.jsonl"
CURVE: Final = "curve.svg"
_MEASURING: Final = 7_919
"""The seed of the games that measure; training never uses it."""


@dataclass(frozen=True, slots=True)
class Point:
    """What a network reached after some rounds, against one bot and in one seat."""

    round: int
    decisions: int
    result: Reached


def total(results: Sequence[Reached]) -> Reached:
    """The results of all seats together."""
    games = sum(result.games for result in results)
    lead = sum(result.lead * result.games for result in results) / games
    return Reached(results[0].against, None, games, sum(one.wins for one in results), lead)


class TrainingRun:
    """Trains in a folder, and measures on the way.

    Args:
        plan: What to learn.
        folder: Where the files go.
        judges: The bots against which it is measured.
        points: How often.
        games: Games of each measurement.
        resume: Whether to go on with the folder's checkpoint.

    Raises:
        InputError: There is a checkpoint and it isn't asked to go on with, or the other way round, or of another plan.
    """

    def __init__(
        self,
        plan: TrainingPlan,
        folder: Path,
        judges: Sequence[str],
        *,
        points: int = 20,
        games: int = 400,
        resume: bool = False,
    ) -> None:
        file = folder / CHECKPOINT
        if file.exists() and not resume:
            raise InputError(f"{folder}: expected a folder without a run, or --resume")
        if file.exists():
            self.trainer = Trainer.resume(file)
            if self.trainer.plan != plan:
                raise InputError(
                    f"{folder}: expected a run of {plan.text()}, got {self.trainer.plan.text()}"
                )
        else:
            self.trainer = Trainer(plan)
        self.folder, self.judges, self.games = folder, tuple(judges), games
        self.every = max(1, plan.rounds // points)
        self.points = [point for point in self._kept() if point.round <= self.trainer.rounds]

    def run(self) -> Iterator[Progress]:
        """Learns on to the last round; what it reached is written as it goes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.trainer.rounds == 0:
            self._measure(0, 0)
        for progress in self.trainer.run():
            if progress.round % self.every == 0 or progress.round == self.trainer.plan.rounds:
                self._measure(progress.round, progress.decisions)
                self.trainer.save(self.folder / CHECKPOINT)
            yield progress

    def _measure(self, number: int, decisions: int) -> None:
        for judge in self.judges:
            results = measure(self.trainer.learned, judge, self.games, _MEASURING)
            self.points += [Point(number, decisions, result) for result in results]
        lines = [canonical(asdict(point)) for point in self.points]
        for name, text in ((POINTS, "\n".join(lines) + "\n"), (CURVE, self.draw())):
            with replaced(self.folder / name) as partial:
                partial.write_text(text, "utf-8")

    def _kept(self) -> Iterator[Point]:
        file = self.folder / POINTS
        if not file.exists():
            return
        for line in file.read_text("utf-8").splitlines():
            told = json.loads(line)
            yield Point(told["round"], told["decisions"], Reached(**told["result"]))

    def draw(self) -> str:
        """The share of victories against each bot, over the decisions learned from, as SVG."""
        plan = self.trainer.plan
        seats = (0, 1) if plan.game == "buffalo" else (None,)
        curves = [self._curve(judge, seat) for judge in self.judges for seat in seats]
        title = (
            "Buffalo: PPO learns"
            if plan.game == "buffalo"
            else f"Zoff, {plan.players} players: PPO learns"
        )
        return draw_curves(
            title, curves, x_axis="decisions learned from", y_axis="share of victories"
        )

    def _curve(self, judge: str, seat: int | None) -> Curve:
        shares: dict[int, Score] = {}
        for decisions in dict.fromkeys(point.decisions for point in self.points):
            found = [
                point.result
                for point in self.points
                if point.decisions == decisions
                and point.result.against == judge
                and seat in (None, point.result.seat)
            ]
            if found:
                shares[decisions] = total(found).share
        side = "" if seat is None else ", as buffaloes" if seat == 0 else ", as hunter"
        return Curve(
            f"{judge}{side}",
            tuple((decisions, score.share) for decisions, score in shares.items()),
            tuple(score.interval for score in shares.values()),
        )
