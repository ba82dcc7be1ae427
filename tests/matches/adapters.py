"""What a composition root hands in: both games as tables are opened for them, Buffalo's series included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from stampede.buffalo import BothSidesSeries, LadderSeries
from stampede.buffalo import Series as BuffaloSeries
from stampede.buffalo.geometry import FILES
from stampede.core.game import Seat
from stampede.core.json import JsonObject
from stampede.games import GAMES
from stampede.matches import Playable
from stampede.zoff import State as ZoffState


@dataclass(frozen=True, slots=True)
class BuffaloTableSeries:
    """Buffalo's series (B4) as a table sees it."""

    series: BuffaloSeries

    @property
    def seating(self) -> tuple[int, ...]:
        return self.series.players

    @property
    def winner(self) -> int | None:
        return self.series.winner

    @property
    def chooser(self) -> Seat | None:
        """The buffalo side chooses which buffaloes it does without (B4.2)."""
        return 0 if self._due else None

    @property
    def _due(self) -> int:
        return max(self.series.rung, 0) if isinstance(self.series, LadderSeries) else 0

    def default_choice(self) -> tuple[str, ...]:
        return tuple(FILES[: self._due])

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        rules = self.series.next_rules(choice)
        return {"removed": list(rules.removed), "opening_moves": rules.opening_moves}

    def after(self, winners: tuple[Seat, ...], /) -> BuffaloTableSeries:
        return replace(self, series=self.series.after_game(winners[0]))

    def to_json(self) -> JsonObject:
        rung = self.series.rung if isinstance(self.series, LadderSeries) else None
        return {**self.series.to_json(), "rung": rung, "due": self._due}


def ladder(rules: JsonObject, players: int) -> BuffaloTableSeries:
    del rules, players
    return BuffaloTableSeries(LadderSeries())


def both_sides(rules: JsonObject, players: int) -> BuffaloTableSeries:
    del rules, players
    return BuffaloTableSeries(BothSidesSeries())


def round_of(state: ZoffState) -> int:
    return state.round


PLAYABLES: Mapping[str, Playable] = {
    "zoff": Playable(GAMES["zoff"], ("random", "easy"), round_of=round_of),
    "buffalo": Playable(
        GAMES["buffalo"],
        ("random",),
        series={"ladder": ladder, "both_sides": both_sides},
        open_information=True,
    ),
}
