"""Opens games at the terminal, new and saved ones, and leaves them."""

from __future__ import annotations

import errno
import os
import random
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rich.text import Text

from stampede.bots import bot_names, describe_bots
from stampede.cli.common.compile import compile_for, warming
from stampede.cli.common.own_bots import own_bot
from stampede.cli.play.local_table import LocalTable
from stampede.cli.play.saves import fresh_path
from stampede.cli.play.session import GameSession
from stampede.cli.terminal import AnyGameTerminal, Quit, Screen
from stampede.core.errors import InputError, RecordError
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay

__all__ = [
    "NewGame",
    "any_seed",
    "check_bots",
    "open_new",
    "open_saved",
    "play_out",
    "seat_players",
]

REMINDER = 4
"""How many actions remind the players of a saved game."""


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
        meta: What else the record holds.
    """

    terminal: AnyGameTerminal
    rules: JsonObject
    seats: tuple[SeatInfo, ...]
    seed: str
    save: Path | None = None
    deal: object = None
    meta: JsonObject = field(default_factory=dict)


def any_seed() -> str:
    """Returns a random seed."""
    return f"{random.SystemRandom().getrandbits(48):012x}"


def seat_players(
    titles: Sequence[str], people: Sequence[Seat], names: str, bot: str, game: str
) -> tuple[SeatInfo, ...]:
    """Seats people and bots; bots, and people without a name, are called by their seat's title.

    Raises:
        InputError: There are too many names, two players have the same, or there is no such bot.
    """
    given = [name.strip() for name in names.split(",") if name.strip()]
    if len(given) > len(people):
        raise InputError(f"names: expected up to {len(people)}, got {len(given)}")
    called = dict(zip(people, given, strict=False))
    seats = tuple(
        SeatInfo(called.get(seat, title))
        if seat in people
        else SeatInfo(title, "bot", _bot_id(bot, game))
        for seat, title in enumerate(titles)
    )
    all_names = [seat.name for seat in seats]
    if twice := sorted({name for name in all_names if all_names.count(name) > 1}):
        raise InputError(f"names: expected different ones, got {', '.join(twice)} twice")
    return seats


def _bot_id(bot: str, game: str) -> str:
    """Returns what a record calls a bot: the package's own by their names, others by what finds them again."""
    name = own_bot(bot, game).name
    return name if ":" not in bot and name in bot_names(game) else bot


def open_new(game: NewGame, screen: Screen) -> GameSession:
    """Deals a new game."""
    terminal, deal = game.terminal, game.deal
    if deal is None:
        rules = terminal.game.read_rules(game.rules)
        deal = terminal.game.draw(rules, random.Random(f"{game.seed}/deal"))
    if game.save is not None and game.save.exists():
        raise InputError(f"{game.save}: expected a new file; --resume goes on with a saved game")
    table = LocalTable(terminal, game.rules, game.seats, deal, game.seed)
    session = GameSession(terminal, table, screen, game.save, {"seed": game.seed, **game.meta})
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


def check_bots(path: Path, record: GameRecord, trusted: str) -> None:
    """Raises InputError for a bot from outside the package, unless you name it: no file imports a module."""
    for seat in record.seats:
        if seat.kind != "bot" or seat.bot in (*bot_names(record.game), trusted):
            continue
        text = f"{path}: bot: expected one of {describe_bots(record.game)}, got {seat.bot!r}"
        if seat.bot is None:
            raise InputError(text)
        command = _resume_command(record.game, path, str(seat.bot))
        raise InputError(f"{text}; if it is yours and you trust it: `{command}`")


def open_saved(
    path: Path, record: GameRecord, terminal: AnyGameTerminal, screen: Screen
) -> GameSession:
    """Sends the steps of a saved game to a new table; InputError if one of them is wrong."""
    try:
        played = replay(terminal.game, record)
    except RecordError as error:
        raise InputError(f"{path}: {error}") from error
    meta = {key: value for key, value in record.meta.items() if key != "check"}
    deal = terminal.game.read_setup(played.rules, record)
    table = LocalTable(terminal, record.rules, record.seats, deal, str(meta.get("seed")))
    for turn in played.turns:
        table.play(turn.seat, turn.action)
    told, outcome = table.seq_before(REMINDER), played.outcome
    if outcome is not None and table.outcome is None:
        losers = [seat for seat in table.people if seat not in outcome.winners]
        if outcome.reason != "resigned" or not losers:
            raise InputError(
                f"{path}: expected a game to go on with, got one that ended: {outcome.reason};"
                " `stampede record show` shows it"
            )
        table.resign(losers[0])
    return GameSession(terminal, table, screen, path, meta, resumed=table.seq, told=told)


def play_out(session: GameSession) -> Outcome | None:
    """Plays to the end, or until a player leaves: then says how to go on, and returns None."""
    terminal = session.terminal
    bots = _bots(session)
    compile_for(terminal.spec.name, (own_bot(bot, terminal.spec.name) for bot in bots))
    try:
        # Tablebases aren't worth waiting for: a bot that uses them plays without until they are there.
        with nullcontext() if terminal.tablebase_levels.isdisjoint(bots) else warming():
            return session.run()
    except (Quit, KeyboardInterrupt):
        _say_goodbye(session)
        return None


def _resume_command(game: str, path: Path, bot: str | None) -> str:
    file = shlex.quote(str(path))
    if bot is None:
        return f"stampede play --resume {file}"
    return f"stampede play {game} --resume {file} --bot {shlex.quote(bot)}"


def _bots(session: GameSession) -> list[str]:
    return [str(seat.bot) for seat in session.table.seats if seat.kind == "bot"]


def _say_goodbye(session: GameSession) -> None:
    screen, path = session.screen, session.path
    if path is None or not session.is_begun:
        lost = " The game isn't kept." if session.is_begun else ""
        screen.show(Text(f"Goodbye.{lost}"))
        return
    session.save()
    if session.terminal.sealed_seats(session.table.view(None)):
        screen.show(Text("Choices that weren't turned over yet aren't saved; they are made again."))
    screen.show(Text("Goodbye. The game is saved; go on with:"))
    game = session.terminal.spec.name
    own = [bot for bot in _bots(session) if bot not in bot_names(game)]
    command = _resume_command(game, path, own[0] if own else None)
    screen.out.print(f"  {command}", soft_wrap=True, markup=False)
