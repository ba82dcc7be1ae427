"""Players of a tournament, for both games behind one face: bots, engines, and programs that may fail to answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from stampede.bots import Bot, find_bot
from stampede.bots.buffalo.player import BuffaloBot
from stampede.bots.preparation import needs_compiled_code
from stampede.buffalo import BuffaloGame
from stampede.core.bot import give_memory
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.games import game_named
from stampede.lab.arena.answers import PlayerFault
from stampede.lab.tournament.remote import RemotePlayer
from stampede.lab.tournament.spec import UCI, WEBSOCKET, PlayerSpec, TournamentSpec

if TYPE_CHECKING:
    from stampede.lab.arena.players import MatchPlayer

__all__ = ["BotContestant", "Contestant", "check_programs", "contestants_of"]

USUAL_NODES: Final = 20_000
"""The budget of engines that are given none."""


class Contestant(Protocol):
    """A player of a tournament. Raises `PlayerFault` when it can't answer."""

    @property
    def needs_compiled_code(self) -> bool:
        """Whether it can't answer before kernels are compiled."""

    def begin(self, played: AnyPlaythrough, seat: Seat, seed: str) -> None:
        """Begins a game on a seat; the seed is for its random choices."""

    # Only the game knows the types of its actions.
    def act(self, played: AnyPlaythrough, seat: Seat) -> Any:
        """Its action on a seat that is to act, or the action's JSON; not yet checked."""

    def end(self, played: AnyPlaythrough, seat: Seat) -> None:
        """Tells it that a game is over."""

    def close(self) -> None:
        """Ends programs and connections; the next game begins them anew."""


class BotContestant:
    """A bot in this process. What it raises is its fault, not the tournament's."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._streams: dict[Seat, random.Random] = {}
        self.needs_compiled_code = needs_compiled_code(bot)

    def begin(self, played: AnyPlaythrough, seat: Seat, seed: str) -> None:
        """Seeds the seat's generator."""
        del played
        self._streams[seat] = random.Random(seed)

    def act(self, played: AnyPlaythrough, seat: Seat) -> Any:
        """The bot's choice, from the seat's view."""
        view = played.view(seat)
        try:
            chosen = give_memory(self._bot, played.events).choose(view, self._streams[seat])
        except Exception as error:
            raise PlayerFault(f"raised {type(error).__name__}: {error}") from error
        try:
            is_legal = chosen in view.legal
        except Exception:  # noqa: BLE001 - an object of any kind: some can't even be compared
            is_legal = False
        if not is_legal:
            raise PlayerFault(f"illegal action {str(chosen)[:80]!r}")
        return chosen

    def end(self, played: AnyPlaythrough, seat: Seat) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


class EngineContestant:
    """An engine that plays Buffalo: ours with a budget, or a UCI engine. It is told the opening and the moves."""

    needs_compiled_code: Final = True  # a UCI engine may be ours

    def __init__(self, player: MatchPlayer) -> None:
        self._player = player

    def begin(self, played: AnyPlaythrough, seat: Seat, seed: str) -> None:
        """Begins a game; starts an engine that isn't running."""
        del played, seat
        self._player.begin(seed)

    def act(self, played: AnyPlaythrough, seat: Seat) -> Any:
        """The player's move as text."""
        del seat
        moves = [turn.action for turn in played.turns]
        try:
            return self._player.move(played.start.position, moves, played.state.position).move
        except PlayerFault:
            raise
        except Exception as error:
            raise PlayerFault(f"raised {type(error).__name__}: {error}") from error

    def end(self, played: AnyPlaythrough, seat: Seat) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Ends the engine's program."""
        self._player.close()


def contestants_of(spec: TournamentSpec) -> Mapping[str, Contestant]:
    """The players of a tournament by name; programs start with their first game.

    Raises:
        InputError: A player is unknown.
    """
    made: dict[str, Contestant] = {}
    for player in spec.players:
        try:
            made[player.name] = _contestant(player, spec)
        except InputError as error:
            raise InputError(f"players: {player.name}: {error}") from error
    return made


def check_programs(spec: TournamentSpec) -> None:
    """Starts every program and connects to every address once, before anything is played.

    Raises:
        InputError: One of them doesn't answer.
    """
    game = game_named(spec.game).game
    rules = game.read_rules(spec.rules)
    table = Playthrough(game, rules, game.draw(rules, random.Random(0)))
    for player in spec.players:
        if player.is_remote or player.player.startswith(UCI):
            contestant = _contestant(player, spec)
            try:
                contestant.begin(table, 0, spec.seed)
            except PlayerFault as error:
                raise InputError(
                    f"players: {player.name}: expected a program that answers, but it {error}"
                ) from error
            finally:
                contestant.close()


def _engine(player: PlayerSpec, spec: TournamentSpec) -> EngineContestant:
    from stampede.lab.arena.players import player_of  # noqa: PLC0415 - loads compiled code
    from stampede.search.buffalo.engine import Limits  # noqa: PLC0415

    steps = spec.rules.get("opening_moves", 1)
    if steps != 1:
        raise InputError(f"expected bots, as engines know no opening turn of {steps} moves")
    nodes = USUAL_NODES if player.nodes is None and player.seconds is None else player.nodes
    limits = Limits(nodes=nodes, seconds=player.seconds)
    return EngineContestant(player_of(player.player, limits, grace=spec.grace))


def _contestant(player: PlayerSpec, spec: TournamentSpec) -> Contestant:
    if player.is_remote:
        return RemotePlayer(player.player.removeprefix(WEBSOCKET), player.seconds, spec.grace)
    if spec.game == BuffaloGame.name and player.is_engine:
        return _engine(player, spec)
    if player.player.startswith(UCI):
        raise InputError("expected a level, a bot or ws:URL, as UCI engines play Buffalo only")
    bot = find_bot(player.player, spec.game)
    # Without a clock, a busy machine doesn't make a level weaker, and the same seed gives the same games.
    return BotContestant(
        BuffaloBot(bot.level.without_clock()) if isinstance(bot, BuffaloBot) else bot
    )
