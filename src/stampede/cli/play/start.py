"""Opening a game at the terminal, new or saved, and leaving it."""

from __future__ import annotations

import errno
import os
import random
import shlex
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.text import Text

from stampede.cli.compile import compile_for, warming
from stampede.cli.play.players import Player, players_of
from stampede.cli.play.saves import fresh_path, load
from stampede.cli.play.sitting import Sitting
from stampede.cli.terminal import AnyGameTerminal, terminal_for
from stampede.cli.terminal.screen import Quit, Screen
from stampede.core.errors import InputError, RecordError
from stampede.core.game import Outcome
from stampede.core.json import JsonObject
from stampede.core.playthrough import Playthrough
from stampede.core.replay import replay

__all__ = ["NewGame", "any_seed", "open_new", "open_saved", "play_out"]


LAST_EVENTS = 8
"""How many events remind the players of a saved game."""
KNOWING = "buffalo-8"
"""The bot that uses tables."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """All that is settled before a game begins.

    Attributes:
        face: The game.
        rules: Its rule set, as in a record.
        players: Who plays, by seat.
        seed: What the deal and the bots draw from.
        save: Where to keep it; None for a file of its own in the folder of saved games.
        deal: A given deal, such as a position; None to draw one.
        meta: What else the record tells.
    """

    face: AnyGameTerminal
    rules: JsonObject
    players: tuple[Player, ...]
    seed: str
    save: Path | None = None
    deal: object = None
    meta: JsonObject | None = None


def any_seed() -> str:
    """A seed for those who don't mind."""
    return f"{random.SystemRandom().getrandbits(48):012x}"


def open_new(game: NewGame, screen: Screen) -> Sitting:
    """Deals a new game."""
    rules_of = game.face.game
    rules = rules_of.read_rules(game.rules)
    deal = game.deal
    if deal is None:
        deal = rules_of.draw(rules, random.Random(f"{game.seed}/deal"))
    played = Playthrough(rules_of, rules, deal)
    if game.save is not None and game.save.exists():
        raise InputError(f"{game.save}: expected a new file; a saved game goes on with --resume")
    meta = {"seed": game.seed, **(game.meta or {})}
    sitting = Sitting(game.face, played, game.players, screen, game.save, meta)
    if game.save is not None:
        sitting.save(unbegun=True)  # a name that can't be written is told now, not after a move
    elif sitting.people:
        _keep_somewhere(sitting)
    return sitting


def _keep_somewhere(sitting: Sitting) -> None:
    """Finds the game a file; a folder that can't be written is no reason not to play."""
    path = fresh_path(sitting.played.game.name, datetime.now(tz=UTC))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "can't be written", str(path.parent))
        sitting.path = path
    except OSError as error:
        note = f"This game isn't kept: {error.filename}: {error.strerror}. `save FILE` keeps it."
        sitting.screen.show(Text(note, "dim"))


def open_saved(path: Path, screen: Screen, face: AnyGameTerminal | None = None) -> Sitting:
    """Goes on with a saved game; every step of it is checked."""
    record = load(path)
    shown = face or terminal_for(record.game)
    try:
        played = replay(shown.game, record)
    except RecordError as error:
        raise InputError(f"{path}: {error}") from error
    meta = {key: value for key, value in record.meta.items() if key != "check"}
    sitting = Sitting(shown, played, players_of(record), screen, path, meta)
    sitting.fresh = list(shown.game.redact(played.events[-LAST_EVENTS:], played.state, None))
    return sitting


def play_out(sitting: Sitting) -> Outcome | None:
    """Plays to the end, or until somebody leaves: then it says how to go on, and returns None."""
    bots = [player.bot for player in sitting.players if player.bot is not None]
    compile_for(sitting.played.game.name, bots)
    # Tables aren't worth waiting for: level 8 plays without them until they are there.
    learns = any(bot.name == KNOWING for bot in bots)
    try:
        with warming() if learns else nullcontext():
            return sitting.run()
    except (Quit, KeyboardInterrupt):
        _farewell(sitting)
        return None


def _farewell(sitting: Sitting) -> None:
    screen, path = sitting.screen, sitting.path
    if not sitting.played.steps():
        screen.show(Text("Goodbye."))
        return
    if path is None:
        screen.show(Text("Goodbye. The game isn't kept."))
        return
    sitting.save()
    if sitting.face.sealed_seats(sitting.played.state):
        screen.show(Text("Choices that weren't turned over yet aren't saved; they are made again."))
    screen.show(Text("Goodbye. The game is saved; go on with:"))
    command = f"stampede play --resume {shlex.quote(str(path))}"
    screen.out.print(f"  {command}", soft_wrap=True, markup=False)
