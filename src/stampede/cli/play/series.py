"""Game after game at the terminal: a series offers the next game, with the rules that follow from the results."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rich.text import Text

from stampede.cli.play.saves import load
from stampede.cli.play.start import NewGame, check_bots, open_new, open_saved, play_out
from stampede.cli.terminal import AnyGameTerminal, Quit, Screen, terminal_for
from stampede.core.errors import InputError, StampedeError
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject, expect_int, expect_list
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.series import Series

__all__ = ["LocalSeries", "resume"]


def resume(
    path: Path, screen: Screen, terminal: AnyGameTerminal | None = None, bot: str = ""
) -> None:
    """Goes on with a saved game, and with the series that it belongs to.

    Args:
        path: The saved game.
        screen: The screen and the keyboard.
        terminal: The game; by default the one that the record names.
        bot: The bot of your own that may play.
    """
    record = load(path)
    shown = terminal or terminal_for(record.game)
    check_bots(path, record, bot)
    session = open_saved(path, record, shown, screen)
    series = LocalSeries.of_record(shown, record)
    outcome = play_out(session)
    if series is not None and outcome is not None:
        series.play(screen, outcome)


@dataclass(slots=True)
class LocalSeries:
    """A series at a terminal. The game's `SeriesSpec` says what its games are.

    Attributes:
        terminal: The game.
        name: The name of the series.
        players: Its players, by the seats of the first game.
        seed: What all its games draw from.
        winners: The seat that won each game so far.
        state: The series after these games, as the game defines it.
    """

    terminal: AnyGameTerminal
    name: str
    players: tuple[SeatInfo, ...]
    seed: str
    winners: tuple[Seat, ...] = ()
    state: Series = field(init=False)

    @classmethod
    def of_record(cls, terminal: AnyGameTerminal, record: GameRecord) -> LocalSeries | None:
        """Returns the series of a saved game as it stood before the game; None if it belongs to none."""
        data = record.meta.get("series")
        if not isinstance(data, dict):  # the record of a server's table has the name alone
            return None
        seats = expect_list(data.get("winners"), "winners")
        winners = tuple(expect_int(seat, f"winners[{index}]") for index, seat in enumerate(seats))
        seed, _, _ = str(record.meta.get("seed")).rpartition("/")
        series = cls(terminal, str(data.get("series")), record.seats, seed, winners)
        seating = series.state.seating
        series.players = tuple(record.seats[seating.index(player)] for player in sorted(seating))
        return series

    def __post_init__(self) -> None:
        """Counts the games so far; InputError if there can't be such a series."""
        spec, count = self.terminal.spec, len(self.players)
        if self.name not in (known := [series.name for series in spec.series]):
            raise InputError(f"series: expected one of {', '.join(known)}, got {self.name!r}")
        self.state = spec.begin_series(self.name, spec.default_rules(count), count)
        for seat in self.winners:
            self.state = self.state.after((seat,))

    def play(self, screen: Screen, last: Outcome | None = None) -> None:
        """Plays until the series is decided or a player leaves.

        Args:
            screen: The screen and the keyboard.
            last: The result of a game that was just played and isn't counted yet.
        """
        try:
            while True:
                if last is not None:
                    self.winners = (*self.winners, *last.winners)
                    self.state = self.state.after(last.winners)
                    self._announce(screen)
                if self.state.winner is not None:
                    return
                last = play_out(open_new(self._next_game(screen), screen))
                if last is None:
                    return
        except Quit:
            screen.show(Text("Goodbye."))

    def _announce(self, screen: Screen) -> None:
        """Tells how the series stands and waits for Enter; Quit if a player wants to leave."""
        state, names = self.state, tuple(player.name for player in self.players)
        screen.show(Text(self.terminal.standing(state, names), "bold"))
        if state.winner is None and any(player.kind == "human" for player in self.players):
            answer = screen.ask("Enter for the next game, `quit` to leave:").lower()
            if answer in ("quit", "q"):
                raise Quit

    def _next_game(self, screen: Screen) -> NewGame:
        state = self.state
        seats = tuple(self.players[player] for player in state.seating)
        if state.chooser is None:
            rules = state.rules(())
        elif seats[state.chooser].kind == "bot":
            rules = state.rules(state.default_choice())
        else:
            rules = self._ask_rules(state, seats[state.chooser].name, screen)
        meta: JsonObject = {"series": {"series": self.name, "winners": list(self.winners)}}
        seed = f"{self.seed}/{len(self.winners) + 1}"
        return NewGame(self.terminal, rules, seats, seed, meta=meta)

    def _ask_rules(self, state: Series, name: str, screen: Screen) -> JsonObject:
        """Asks a player for the choice that the next game needs, until it is a legal one."""
        while True:
            answer = screen.ask(f"{name}, {self.terminal.ask_choice(state)}")
            try:
                rules = state.rules(self.terminal.parse_choice(answer))
                self.terminal.game.read_rules(rules)
            except StampedeError as error:
                screen.complain(str(error))
            else:
                return rules
