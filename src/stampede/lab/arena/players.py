"""The players of a match: our engine with a budget, a bot's level, or a UCI engine."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from stampede.bots import find_bot
from stampede.bots.buffalo.levels import Thought, level_of
from stampede.bots.buffalo.player import BuffaloBot
from stampede.bots.buffalo.search import think
from stampede.buffalo import BuffaloGame, BuffaloRules, Move, Position
from stampede.core.bot import Bot, give_memory
from stampede.core.errors import InputError
from stampede.core.playthrough import Playthrough
from stampede.lab.arena.answers import PlayerMove
from stampede.lab.arena.client import UciPlayer
from stampede.search.buffalo.engine import Engine, Limits, Variation
from stampede.search.buffalo.parameters import parse_parameters
from stampede.search.buffalo.weights import shipped_weights, strongest_weights

__all__ = ["BotPlayer", "CustomPlayer", "EnginePlayer", "MatchPlayer", "player_of"]

_ENTRIES = 1 << 22
_GAME = BuffaloGame()
B = TypeVar("B", bound=Bot)


class MatchPlayer(Protocol):
    """A player of a match. Raises `PlayerFault` when it can't move."""

    @property
    def name(self) -> str:
        """Its name in the report."""

    def begin(self, seed: str) -> None:
        """Begins a game; the seed is for its random choices."""

    def move(self, start: Position, moves: list[Move], position: Position) -> PlayerMove:
        """Its move, given the opening, the moves so far, and the current position."""

    def close(self) -> None:
        """Ends the player after the match."""


@dataclass(slots=True)
class EnginePlayer:
    """Our engine with a budget; it keeps its transposition table during a game."""

    name: str
    limits: Limits
    engine: Engine

    def begin(self, seed: str) -> None:
        """Empties the transposition table."""
        del seed
        self.engine.forget()

    def move(self, start: Position, moves: list[Move], position: Position) -> PlayerMove:
        """The best move found."""
        del start, moves
        return _answer(position, self.engine.search(position, self.limits).best)

    def close(self) -> None:
        """Nothing to do."""


class _SeededPlayer(Generic[B]):
    """A bot with a generator that is seeded anew for each game."""

    def __init__(self, bot: B) -> None:
        """Makes a player of a bot."""
        self.name = bot.name
        self._bot = bot
        self._rng = random.Random(0)

    def begin(self, seed: str) -> None:
        """Seeds the generator."""
        self._rng = random.Random(seed)

    def close(self) -> None:
        """Nothing to do."""


class BotPlayer(_SeededPlayer[BuffaloBot]):
    """A bot of a level."""

    def move(self, start: Position, moves: list[Move], position: Position) -> PlayerMove:
        """The bot's move."""
        del start, moves
        level = self._bot.level
        thought = level.plays(position.turn)
        if isinstance(thought, Thought):
            return _answer(position, think(level, thought, position, self._rng))
        return PlayerMove(str(self._bot.move(position, self._rng)))


class CustomPlayer(_SeededPlayer[Bot]):
    """Any bot that plays Buffalo: the random one, or one of your own."""

    def move(self, start: Position, moves: list[Move], position: Position) -> PlayerMove:
        """The bot's move, from the view of the side to move."""
        del position
        played = Playthrough(_GAME, BuffaloRules(), start)
        for move in moves:
            played.play(played.to_act[0], move)
        bot = give_memory(self._bot, played.events)
        return PlayerMove(str(bot.choose(played.view(played.to_act[0]), self._rng)))


def _answer(position: Position, variation: Variation) -> PlayerMove:
    """The variation's move, with the winner if it is a proven win."""
    return PlayerMove(str(variation.move), position.turn if (variation.plies or 0) > 0 else None)


def player_of(text: str, limits: Limits, *, grace: float = 5.0, clock: bool = True) -> MatchPlayer:
    """Makes the player that a text describes.

    Args:
        text: ``5`` or ``buffalo-5`` (a level), ``random``, ``module:Class`` (a bot of your own),
            ``engine`` (ours with `limits`), ``nodes=N``,
            ``seconds=S`` or ``depth=N`` (ours with this budget), ``uci:COMMAND`` (a UCI engine, with `limits`).
            Ours takes options: ``nodes=8000,network=no``, and search parameters such as ``reverse_depth=7``.
        limits: The budget for players that don't name one.
        grace: The seconds by which a UCI engine may overrun its time.
        clock: Whether a level keeps its time limit. Without it, the level uses all of its nodes on a busy machine, too.

    Raises:
        InputError: The text is malformed.
    """
    if text.startswith("uci:"):
        return UciPlayer(text.removeprefix("uci:"), limits, grace)
    if re.match("engine(,|$)|(nodes|depth|seconds)=", text):
        return _engine_player(text, limits)
    level = text.removeprefix("buffalo-")
    if level.isdecimal():
        found = level_of(int(level))
        return BotPlayer(BuffaloBot(found if clock else found.without_clock()))
    try:
        return CustomPlayer(find_bot(text, _GAME.name))
    except InputError as error:
        raise InputError(f"{error}; or engine, nodes=N, seconds=S, depth=N, uci:COMMAND") from error


def _engine_player(text: str, limits: Limits) -> EnginePlayer:
    """Our engine with a budget and options: ``nodes=8000,network=no,reverse_depth=7``."""
    head, *options = text.split(",")
    name, _, value = head.partition("=")
    told = dict(option.partition("=")[::2] for option in options)
    network = told.pop("network", "yes")
    if network not in ("yes", "no"):
        raise InputError(f"network: expected yes or no, got {network!r}")
    engine = Engine(
        _ENTRIES,
        strongest_weights() if network == "yes" else shipped_weights(),
        parameters=parse_parameters(told),
    )
    return EnginePlayer(text, limits if name == "engine" else _budget(name, value), engine)


def _budget(name: str, value: str) -> Limits:
    try:
        amount = float(value)
    except ValueError as error:
        raise InputError(f"player: expected a number after {name}=, got {value!r}") from error
    if name == "seconds":
        return Limits(seconds=amount)
    return Limits(nodes=int(amount)) if name == "nodes" else Limits(depth=int(amount))
