"""Opens games at the terminal: new ones, saved ones, and one after the other in a series."""

from __future__ import annotations

import errno
import os
import random
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rich.text import Text

from stampede.bots import bot_named
from stampede.cli.compile import compile_for, warming
from stampede.cli.play.local_table import LocalTable
from stampede.cli.play.saves import fresh_path, load
from stampede.cli.play.session import GameSession
from stampede.cli.terminal import (
    AnyGameTerminal,
    AnyPlaythrough,
    Quit,
    Screen,
    heading,
    terminal_for,
)
from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.game import Outcome, Seat
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_object
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from stampede.core.series import Series

__all__ = [
    "NewGame",
    "PlayedSeries",
    "any_seed",
    "play_new",
    "play_series",
    "resume",
    "seat_players",
]

REMINDER = 4
"""How many actions remind the players of a saved game."""
LAST_EVENTS = 8


@dataclass(frozen=True, slots=True)
class PlayedSeries:
    """A series at a terminal. The authority's series is made from it anew.

    Attributes:
        name: Its name in the game's `GameSpec`.
        players: Its players; the first sits in the first seat of the first game.
        seed: The seed of all its games.
        winners: The seats that won each game so far.
    """

    name: str
    players: tuple[SeatInfo, ...]
    seed: str
    winners: tuple[tuple[Seat, ...], ...] = ()

    def state(self, terminal: AnyGameTerminal) -> Series:
        """Returns the series after these games; InputError if there can't be such a series."""
        spec, count = terminal.spec, len(self.players)
        if self.name not in (known := [series.name for series in spec.series]):
            raise InputError(f"series: expected one of {', '.join(known)}, got {self.name!r}")
        series = spec.begin_series(self.name, spec.default_rules(count), count)
        for winners in self.winners:
            series = series.after(winners)
        return series

    def to_json(self) -> JsonObject:
        """Returns the series for a record's ``meta``: ``{"series", "winners"}``."""
        return {"series": self.name, "winners": [seat for game in self.winners for seat in game]}


@dataclass(frozen=True, slots=True)
class NewGame:
    """All that is settled before a game begins.

    Attributes:
        terminal: The game.
        rules: Its rule set, as in a record.
        seats: The players by seat.
        seed: What the deal and the bots draw from.
        save: Where to save it; None for a file of its own in the folder of saved games.
        deal: A given deal, such as a position; None to draw one.
        series: The series that it belongs to, if any.
    """

    terminal: AnyGameTerminal
    rules: JsonObject
    seats: tuple[SeatInfo, ...]
    seed: str
    save: Path | None = None
    deal: object = None
    series: PlayedSeries | None = None


def any_seed() -> str:
    """Returns a random seed."""
    return f"{random.SystemRandom().getrandbits(48):012x}"


def seat_players(
    titles: Sequence[str], people: Sequence[Seat], names: str, bot: str, game: str
) -> tuple[SeatInfo, ...]:
    """Seats people and bots; bots, and people without a name, are called by their seat's title.

    Raises:
        InputError: There are too many names, or two players have the same, or there is no such bot.
    """
    given = [name.strip() for name in names.split(",") if name.strip()]
    if len(given) > len(people):
        raise InputError(f"names: expected up to {len(people)}, got {len(given)}")
    called = dict(zip(people, given, strict=False))
    seats = tuple(
        SeatInfo(called.get(seat, title))
        if seat in people
        else SeatInfo(title, "bot", bot_named(bot, game).name)
        for seat, title in enumerate(titles)
    )
    all_names = [seat.name for seat in seats]
    if twice := sorted({name for name in all_names if all_names.count(name) > 1}):
        raise InputError(f"names: expected different ones, got {', '.join(twice)} twice")
    return seats


# --- playing ---


def play_new(game: NewGame, screen: Screen) -> None:
    """Plays a new game."""
    _play_out(_open_new(game, screen))


def play_series(terminal: AnyGameTerminal, series: PlayedSeries, screen: Screen) -> None:
    """Plays the games of a series until it is decided or a player leaves."""
    try:
        while (state := series.state(terminal)).winner is None:
            outcome = _play_out(_open_new(_next_game(terminal, series, state, screen), screen))
            if outcome is None:
                return
            series = replace(series, winners=(*series.winners, outcome.winners))
            _announce(terminal, series, screen)
    except Quit:
        screen.show(Text("Goodbye."))


def resume(path: Path, screen: Screen, terminal: AnyGameTerminal | None = None) -> None:
    """Goes on with a saved game, and with the series that it belongs to; every step of it is checked."""
    record = load(path)
    shown = terminal or terminal_for(record.game)
    try:
        played = replay(shown.game, record)
    except RecordError as error:
        raise InputError(f"{path}: {error}") from error
    series = _series_of(record, shown)
    if played.outcome is None:
        outcome = _play_out(_open_saved(path, record, played, shown, screen))
    else:
        outcome = played.outcome
        _show_finished(path, record, played, shown, screen)
    if series is None or outcome is None:
        return
    series = replace(series, winners=(*series.winners, outcome.winners))
    try:
        _announce(shown, series, screen)
    except Quit:
        screen.show(Text("Goodbye."))
    else:
        play_series(shown, series, screen)


def _play_out(session: GameSession) -> Outcome | None:
    """Plays to the end, or until a player leaves: then tells how to resume, and returns None."""
    bots = [str(seat.bot) for seat in session.table.seats if seat.bot is not None]
    terminal = session.terminal
    compile_for(terminal.spec.name, (bot_named(bot) for bot in bots))
    try:
        # Tablebases aren't worth waiting for: a bot that uses them plays without until they are there.
        with nullcontext() if terminal.tablebase_levels.isdisjoint(bots) else warming():
            return session.run()
    except (Quit, KeyboardInterrupt):
        _say_goodbye(session)
        return None


def _say_goodbye(session: GameSession) -> None:
    screen, path = session.screen, session.path
    if not session.is_begun:
        screen.show(Text("Goodbye."))
        return
    if path is None:
        screen.show(Text("Goodbye. The game isn't kept."))
        return
    session.save()
    if session.terminal.sealed_seats(session.table.view(None)):
        screen.show(Text("Choices that weren't turned over yet aren't saved; they are made again."))
    screen.show(Text("Goodbye. The game is saved; go on with:"))
    command = f"stampede play --resume {shlex.quote(str(path))}"
    screen.out.print(f"  {command}", soft_wrap=True, markup=False)


# --- opening ---


def _open_new(game: NewGame, screen: Screen) -> GameSession:
    terminal = game.terminal
    deal = game.deal
    if deal is None:
        rules = terminal.game.read_rules(game.rules)
        deal = terminal.game.draw(rules, random.Random(f"{game.seed}/deal"))
    if game.save is not None and game.save.exists():
        raise InputError(f"{game.save}: expected a new file; resume a saved game with --resume")
    meta: dict[str, Json] = {"seed": game.seed}
    if game.series is not None:
        meta["series"] = game.series.to_json()
    table = LocalTable(terminal, game.rules, game.seats, deal, game.seed)
    session = GameSession(terminal, table, screen, game.save, meta)
    if game.save is not None:
        session.save(unbegun=True)  # a file that can't be written is reported now, not after a move
    elif table.people:
        _choose_file(session)
    return session


def _choose_file(session: GameSession) -> None:
    """Gives the game a file; a folder that can't be written is no reason not to play."""
    path = fresh_path(session.terminal.spec.name, datetime.now(tz=UTC))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "can't be written", str(path.parent))
        session.path = path
    except OSError as error:
        note = f"This game isn't kept: {error.filename}: {error.strerror}. `save FILE` keeps it."
        session.screen.show(Text(note, "dim"))


def _open_saved(
    path: Path,
    record: GameRecord,
    played: AnyPlaythrough,
    terminal: AnyGameTerminal,
    screen: Screen,
) -> GameSession:
    meta = {key: value for key, value in record.meta.items() if key != "check"}
    deal = terminal.game.read_setup(played.rules, record)
    table = LocalTable(terminal, record.rules, record.seats, deal, str(meta.get("seed")))
    for turn in played.turns:
        table.play(turn.seat, turn.action)
    told = table.seq_before(REMINDER)
    return GameSession(terminal, table, screen, path, meta, resumed=table.seq, told=told)


def _show_finished(
    path: Path,
    record: GameRecord,
    played: AnyPlaythrough,
    terminal: AnyGameTerminal,
    screen: Screen,
) -> None:
    """Shows the end of a finished game once more."""
    assert played.outcome is not None
    names = tuple(seat.name for seat in record.seats)
    view = terminal.game.view(played.state, None)
    screen.show(
        heading("What happened"),
        *terminal.story(played.events[-LAST_EVENTS:], names),
        terminal.screen(view, names, screen.width),
        heading("The result"),
        terminal.summary(view, played.outcome, names),
        Text(f"The record of this game: {path}", "dim"),
    )


# --- series ---


def _next_game(
    terminal: AnyGameTerminal, series: PlayedSeries, state: Series, screen: Screen
) -> NewGame:
    seats = tuple(series.players[player] for player in state.seating)
    rules = _choose_rules(terminal, state, seats, screen)
    seed = f"{series.seed}/{len(series.winners) + 1}"
    return NewGame(terminal, rules, seats, seed, series=series)


def _choose_rules(
    terminal: AnyGameTerminal, state: Series, seats: Sequence[SeatInfo], screen: Screen
) -> JsonObject:
    """Returns the next game's rules, with the choice of the player who has one."""
    if state.chooser is None or seats[state.chooser].kind == "bot":
        return state.rules(() if state.chooser is None else state.default_choice())
    while True:
        answer = screen.ask(f"{seats[state.chooser].name}, {terminal.ask_choice(state)}")
        try:
            rules = state.rules(terminal.parse_choice(answer))
            terminal.game.read_rules(rules)
        except StampedeError as error:
            screen.complain(str(error))
        else:
            return rules


def _announce(terminal: AnyGameTerminal, series: PlayedSeries, screen: Screen) -> None:
    """Tells how the series stands and waits for Enter; Quit if a player wants to leave."""
    state = series.state(terminal)
    names = tuple(player.name for player in series.players)
    screen.show(Text(terminal.standing(state, names), "bold"))
    if state.winner is None and any(player.kind == "human" for player in series.players):
        answer = screen.ask("Enter for the next game, `quit` to leave:")
        if answer.lower() in ("quit", "q"):
            raise Quit


def _series_of(record: GameRecord, terminal: AnyGameTerminal) -> PlayedSeries | None:
    """The series that a saved game belongs to, as it stood before the game."""
    data = record.meta.get("series")
    if not isinstance(data, dict):  # a table's record names its series by a word
        return None
    values = expect_object(data, "series")
    seats = expect_list(values.get("winners"), "winners")
    winners = tuple((expect_int(seat, f"winners[{i}]"),) for i, seat in enumerate(seats))
    seed, _, _ = str(record.meta.get("seed")).rpartition("/")
    series = PlayedSeries(str(values.get("series")), record.seats, seed, winners)
    by_seat = zip(series.state(terminal).seating, record.seats, strict=True)
    return replace(
        series, players=tuple(info for _, info in sorted(by_seat, key=lambda pair: pair[0]))
    )
