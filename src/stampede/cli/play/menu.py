"""The menu: a few questions with good answers ready, then a game. What it asks comes from the games' `GameSpec`."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from stampede.bots import bot_names
from stampede.cli.common.options import listed, variant_rules
from stampede.cli.play.saves import saved_games
from stampede.cli.play.series import LocalSeries, resume
from stampede.cli.play.start import NewGame, any_seed, open_new, play_out, seat_players
from stampede.cli.rules import rules_summary
from stampede.cli.terminal import Quit, Screen, bare_table, heading, terminal_for
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import Json
from stampede.core.record import GameRecord
from stampede.core.series import REMATCH
from stampede.core.spec import GameSpec, OptionKind, RuleOption
from stampede.games import BUFFALO, ZOFF, game_named

__all__ = ["Menu", "side_seats"]

GAMES = (
    (BUFFALO, "two players; one buffalo across the prairie wins"),
    (ZOFF, "two to six; secret choices, cows on pastures"),
)
"""The games in the order of the menu, each with a line about it."""
SHOWN_SAVES = 9


class Menu:
    """Asks what to play, and plays it; then asks again."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def run(self) -> None:
        """Runs until the player leaves."""
        try:
            while True:
                self._run_once()
        except Quit:
            self.screen.show(Text("Goodbye."))

    def _run_once(self) -> None:
        saves = saved_games()
        games = [game for game, _ in GAMES]
        rows = bare_table()
        for number, (game, line) in enumerate(GAMES, start=1):
            rows.add_row(str(number), Text(game.title, "bold"), line)
        if saves:
            many = f"with one of {len(saves)} saved games"
            rows.add_row("3", "Go on", many if len(saves) > 1 else "with the saved game")
        rows.add_row("4", "Rules", "of both games, in short")
        rows.add_row("q", "Leave", "")
        self.screen.show(heading("Stampede"), rows)
        answer = self.screen.ask("Your choice:").lower()
        by_word = {word: game for game in games for word in (game.name, game.name[0])}
        by_word |= {str(number): game for number, game in enumerate(games, start=1)}
        try:
            if answer in by_word:
                self._play(by_word[answer])
            elif answer in ("3", "resume", "r") and saves:
                self._resume(saves)
            elif answer in ("4", "rules"):
                self.screen.show(*(part for g in games for part in (rules_summary(g.name), "")))
            elif answer in ("q", "quit", "exit"):
                raise Quit
            else:
                self.screen.complain(f"expected a number of the list, got {answer!r}")
        except StampedeError as error:
            self.screen.complain(str(error))

    def _choose(self, question: str, default: str) -> str:
        return self.screen.ask(f"{question} [{default}]") or default

    def _number(self, question: str, default: int, least: int, most: int) -> int:
        answer = self._choose(f"{question}, {least} to {most}", str(default))
        if not answer.isdecimal() or not least <= int(answer) <= most:
            raise InputError(f"expected a number from {least} to {most}, got {answer!r}")
        return int(answer)

    # --- a game ---

    def _play(self, spec: GameSpec) -> None:
        terminal, seed = terminal_for(spec.name), any_seed()
        count = spec.seats[0]
        if len(spec.seats) > 1:
            count = self._number("How many players", 4, spec.seats[0], spec.seats[-1])
        people = self._people(spec, count)
        question = "Your name" if len(people) == 1 else "Your names, with commas between"
        names = self.screen.ask(f"{question} (Enter for none):")
        series = self._series(spec)
        variants = "none"
        if spec.variants:
            known = ", ".join((*spec.variants, *spec.house_rules))
            variants = self._choose(f"Variants and house rules: {known}", "none")
        switches = variant_rules(spec, "" if variants == "none" else variants)
        rules: dict[str, Json] = dict(terminal.rule_set(count, switches))
        if series == REMATCH.name:
            rules |= {option.name: self._ask(option) for option in spec.options if option.handicap}
        read = terminal.game.read_rules(rules)
        bot = "random"
        if len(people) < count:
            strongest = bot_names(spec.name)[-1].rpartition("-")[2]
            bot = self._choose(f"How strong the bots play, 1 to {strongest}, or random", "2")
        titles = terminal.titles(read) if series == REMATCH.name else series_titles(count)
        seats = seat_players(titles, people, names, bot, spec.name)
        if series == REMATCH.name:
            play_out(open_new(NewGame(terminal, rules, seats, seed), self.screen))
        else:
            LocalSeries(terminal, series, seats, seed).play(self.screen)

    def _people(self, spec: GameSpec, count: int) -> tuple[int, ...]:
        if not spec.sides:
            question = "How many of them are people at this screen"
            return tuple(range(self._number(question, 1, 1, count)))
        sides = ", ".join(spec.sides)
        side = self._choose(f"Your side: {sides}, or both (two people here)", spec.sides[0]).lower()
        known = (*spec.sides, "both")
        return side_seats(spec, next((name for name in known if name.startswith(side)), side))

    def _series(self, spec: GameSpec) -> str:
        if len(spec.series) == 1:
            return REMATCH.name
        known = ["one", *(series.name.replace("_", "-") for series in spec.series[1:])]
        answer = self._choose(f"One game, or a series: {', '.join(known)}", "one").lower()
        if answer not in known:
            raise InputError(f"expected {', '.join(known[:-1])} or {known[-1]}, got {answer!r}")
        return spec.series[known.index(answer)].name

    def _ask(self, option: RuleOption) -> Json:
        """Asks for a handicap."""
        text = f"{option.text.rstrip('.')} (handicap)"
        if option.kind is OptionKind.SUBSET:
            like = f"{option.choices[0]},{option.choices[-1]}"
            answer = self._choose(f"{text}, such as {like}", "none").lower()
            return [] if answer == "none" else [*listed(answer)]
        assert option.kind is OptionKind.NUMBER, "handicaps are subsets or numbers"
        assert option.minimum is not None
        assert option.maximum is not None
        return self._number(text, option.minimum, option.minimum, option.maximum)

    # --- saved games ---

    def _resume(self, saves: list[tuple[Path, GameRecord]]) -> None:
        rows = bare_table()
        for number, (path, record) in enumerate(saves[:SHOWN_SAVES], start=1):
            names = ", ".join(seat.name for seat in record.seats)
            title = game_named(record.game).title
            rows.add_row(str(number), title, names, f"{len(record.actions)} steps", path.stem)
        self.screen.show(rows)
        number = self._number("Which one", 1, 1, len(saves[:SHOWN_SAVES]))
        resume(saves[number - 1][0], self.screen)


def side_seats(spec: GameSpec, side: str) -> tuple[int, ...]:
    """Returns the seats of people by the side that they play; InputError if there is no such side."""
    seats: dict[str, tuple[int, ...]] = {name: (seat,) for seat, name in enumerate(spec.sides)}
    seats |= {"both": tuple(range(len(spec.sides))), "none": ()}
    if side not in seats:
        raise InputError(f"side: expected one of {', '.join(seats)}, got {side!r}")
    return seats[side]


def series_titles(players: int) -> tuple[str, ...]:
    """Returns what players of a series are called: sides may change, players don't."""
    return tuple(f"Player {chr(ord('A') + player)}" for player in range(players))
