"""Series of Buffalo at the terminal (B4): after each game the next one is offered, with its handicap."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.text import Text

from stampede.buffalo import BothSidesSeries, BuffaloSeries, LadderSeries
from stampede.buffalo.geometry import FILES
from stampede.cli.options import listed
from stampede.cli.play.players import Player
from stampede.cli.play.sitting import Sitting
from stampede.cli.play.start import NewGame, open_new, open_saved, play_out
from stampede.cli.terminal import AnyGameTerminal
from stampede.cli.terminal.screen import Quit, Screen
from stampede.core.errors import StampedeError
from stampede.core.game import Outcome

__all__ = ["SERIES_NAMES", "Format", "SeriesPlay", "go_on", "series_of"]

SERIES_NAMES = ("Player A", "Player B")
"""What the two are called when nobody says: sides may change, players don't."""

Format = Literal["ladder", "both-sides"]


def go_on(path: Path, screen: Screen) -> None:
    """Goes on with a saved game, and with the series that it belongs to."""
    sitting = open_saved(path, screen)
    data = sitting.meta.get("series")
    if data is None:
        play_out(sitting)
        return
    series = BuffaloSeries.from_json(data)
    by_player = sorted(zip(series.seating, sitting.players, strict=True), key=lambda pair: pair[0])
    (_, first), (_, second) = by_player
    seed, _, _ = str(sitting.meta.get("seed")).rpartition("/")
    SeriesPlay(sitting.face, series, (first, second), screen, seed).run(sitting)


def series_of(kind: Format) -> BuffaloSeries:
    """A series of this format before its first game."""
    return LadderSeries() if kind == "ladder" else BothSidesSeries()


@dataclass(slots=True)
class SeriesPlay:
    """A series at a terminal.

    Attributes:
        players: The two players; the first leads the buffaloes in the first game.
    """

    face: AnyGameTerminal
    series: BuffaloSeries
    players: tuple[Player, Player]
    screen: Screen
    seed: str

    def run(self, sitting: Sitting | None = None) -> None:
        """Plays game after game, beginning with one under way, until it is decided or somebody leaves."""
        try:
            while not self.series.is_over:
                outcome = play_out(sitting or open_new(self._next_game(), self.screen))
                if outcome is None:
                    return
                self._count(outcome)
                sitting = None
        except Quit:
            self.screen.show(Text("Goodbye."))

    def _count(self, outcome: Outcome) -> None:
        self.series = self.series.after(outcome.winners)
        self.screen.show(Text(self._standing(), "bold"))
        if self.series.is_over or not any(player.bot is None for player in self.players):
            return
        if self.screen.ask("Enter for the next game, `quit` to leave:").lower() in ("quit", "q"):
            raise Quit

    def _standing(self) -> str:
        series = self.series
        if series.winner is not None:
            name = self.players[series.winner].name
            return f"{name} has won on both sides, and the match (B4.4)."
        if not isinstance(series, LadderSeries):
            return f"Game {series.game_number}: the sides are swapped (B4.4)."
        if series.rung > 0:
            fewer = f"{series.rung} {'buffalo' if series.rung == 1 else 'buffaloes'} fewer"
            return f"Rung {series.rung}: the next game has {fewer} (B4.2)."
        if series.rung < 0:
            return (
                f"Rung {series.rung}: the buffalo side opens with {1 - series.rung} steps (B4.3)."
            )
        return "Rung 0: the next game has no handicap (B4.1)."

    def _next_game(self) -> NewGame:
        by_seat = tuple(self.players[player] for player in self.series.seating)
        seed = f"{self.seed}/{self.series.game_number}"
        rules = self.series.next_rules(self._removed(by_seat[0], seed))
        return NewGame(
            face=self.face,
            rules=self.face.game.write_rules(rules),
            players=by_seat,
            seed=seed,
            meta={"series": {"series": self.series.kind, "winners": list(self.series.winners)}},
        )

    def _removed(self, player: Player, seed: str) -> tuple[str, ...]:
        """Which buffaloes stay out: the choice of whoever leads them (B4.2)."""
        due = self.series.due
        if not due:
            return ()
        if player.bot is not None:
            return tuple(random.Random(f"{seed}/removed").sample(FILES, due))
        while True:
            answer = self.screen.ask(f"{player.name}, which {due} files start without a buffalo?")
            chosen = tuple(listed(answer.lower()) if " " in answer or "," in answer else answer)
            try:
                self.series.next_rules(chosen)
            except StampedeError as error:
                self.screen.complain(str(error))
            else:
                return chosen
