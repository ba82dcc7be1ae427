"""The menu: a few questions with good answers ready, then a game."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from stampede.bots import bot_names
from stampede.buffalo.rules import BUFFALOES
from stampede.cli.options import edition_id, listed, variant_rules
from stampede.cli.play.players import Player, seated, side_seats
from stampede.cli.play.saves import saved_games
from stampede.cli.play.series import SERIES_NAMES, SeriesPlay, go_on, series_of
from stampede.cli.play.start import NewGame, any_seed, open_new, play_out
from stampede.cli.rules import rules_summary
from stampede.cli.terminal import BuffaloTerminal, ZoffTerminal, heading
from stampede.cli.terminal.screen import Quit, Screen
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord
from stampede.games import game_named

__all__ = ["Menu"]

SHOWN_SAVES = 9


class Menu:
    """Asks what to play, and plays it; then asks again."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def run(self) -> None:
        """Until the player leaves."""
        try:
            while True:
                self._once()
        except Quit:
            self.screen.show(Text("Goodbye."))

    def _once(self) -> None:
        saves = saved_games()
        self._show_menu(len(saves))
        answer = self.screen.ask("Your choice:").lower()
        try:
            match answer:
                case "1" | "buffalo" | "b":
                    self._buffalo()
                case "2" | "zoff" | "z":
                    self._zoff()
                case "3" | "resume" | "r" if saves:
                    self._resume(saves)
                case "4" | "rules":
                    for game in ("buffalo", "zoff"):
                        self.screen.show(rules_summary(game), "")
                case "q" | "quit" | "exit":
                    raise Quit
                case _:
                    self.screen.complain(f"expected a number of the list, got {answer!r}")
        except StampedeError as error:
            self.screen.complain(str(error))

    def _show_menu(self, saves: int) -> None:
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        rows.add_row(
            "1", Text("Buffalo", "bold"), "two players; one buffalo across the prairie wins"
        )
        rows.add_row(
            "2", Text("Zoff in Buffalo", "bold"), "two to six; secret choices, cows on pastures"
        )
        if saves:
            rows.add_row(
                "3",
                "Go on",
                f"with one of {saves} saved games" if saves > 1 else "with the saved game",
            )
        rows.add_row("4", "Rules", "of both games, in short")
        rows.add_row("q", "Quit", "")
        self.screen.show(heading("Stampede"), rows)

    def _choose(self, question: str, default: str) -> str:
        return self.screen.ask(f"{question} [{default}]") or default

    # --- the games ---

    def _buffalo(self) -> None:
        side = self._choose(
            "Your side: buffalo, hunter, or both (two people here)", "buffalo"
        ).lower()
        seats = side_seats(
            next((s for s in ("buffalo", "hunter", "both") if s.startswith(side)), side)
        )
        names = self._names(len(seats))
        kind = self._choose("One game, or a series: one, ladder, both-sides", "one").lower()
        face = BuffaloTerminal()
        if kind in ("ladder", "both-sides"):
            bot = self._level("buffalo", 2 - len(seats))
            players = seated(SERIES_NAMES, seats, names, bot, "buffalo")
            series = series_of("ladder" if kind == "ladder" else "both-sides")
            SeriesPlay(face, series, (players[0], players[1]), self.screen, any_seed()).run()
            return
        if kind != "one":
            raise InputError(f"expected one, ladder or both-sides, got {kind!r}")
        removed = self._choose("Files without a buffalo, such as a,k (handicap)", "none")
        files = [] if removed == "none" else listed(removed.lower())
        steps = self._choose(
            f"Opening steps of the buffalo side, 1 to {BUFFALOES - len(files)}", "1"
        )
        if not steps.isdecimal():
            raise InputError(f"expected a number of steps, got {steps!r}")
        rules: JsonObject = {"removed": files, "opening_moves": int(steps)}
        titles = face.titles(face.game.read_rules(rules))
        bot = self._level("buffalo", 2 - len(seats))
        self._play(NewGame(face, rules, seated(titles, seats, names, bot, "buffalo"), any_seed()))

    def _zoff(self) -> None:
        count = self._choose("How many players, 2 to 6", "4")
        if not count.isdecimal():
            raise InputError(f"expected a number of players, got {count!r}")
        people = self._choose(f"How many of them are people at this screen, 1 to {count}", "1")
        if not people.isdecimal() or not 1 <= int(people) <= int(count):
            raise InputError(f"expected 1 to {count} people, got {people!r}")
        names = self._names(int(people))
        variants = self._choose("Variants: auction, fair, open_discards", "none")
        face = ZoffTerminal()
        switches = variant_rules(game_named("zoff"), "" if variants == "none" else variants)
        rules: JsonObject = {"edition": edition_id(face.game), "players": int(count), **switches}
        titles = face.titles(face.game.read_rules(rules))
        bot = self._level("zoff", int(count) - int(people))
        players: tuple[Player, ...] = seated(titles, range(int(people)), names, bot, "zoff")
        self._play(NewGame(face, rules, players, any_seed()))

    def _level(self, game: str, bots: int) -> str:
        if not bots:
            return "random"
        strongest = bot_names(game)[-1].rpartition("-")[2]
        return self._choose(f"How strong the bots play, 1 to {strongest}, or random", "2")

    def _names(self, people: int) -> str:
        question = "Your name" if people == 1 else "Your names, with commas between"
        return self.screen.ask(f"{question} (Enter for none):")

    def _play(self, game: NewGame) -> None:
        play_out(open_new(game, self.screen))

    # --- saved games ---

    def _resume(self, saves: list[tuple[Path, GameRecord]]) -> None:
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        for number, (path, record) in enumerate(saves[:SHOWN_SAVES], start=1):
            names = ", ".join(seat.name for seat in record.seats)
            title = game_named(record.game).title
            rows.add_row(str(number), title, names, f"{len(record.actions)} steps", path.stem)
        self.screen.show(rows)
        answer = self._choose("Which one", "1")
        if not answer.isdecimal() or not 1 <= int(answer) <= len(saves[:SHOWN_SAVES]):
            raise InputError(f"expected 1 to {len(saves[:SHOWN_SAVES])}, got {answer!r}")
        go_on(saves[int(answer) - 1][0], self.screen)
