"""Bots on chairs: which of them are to act, and all that they may know. The server runs them.

A request is the same whenever it is made, so after a restart the same bot comes to the same answer; its idempotency
key makes an answer that arrives twice harmless.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final

from stampede.core.events import Event
from stampede.core.game import Seat, View
from stampede.core.json import Json
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import Act
from stampede.matches.fair import derived
from stampede.matches.lifecycle import awaited_players
from stampede.matches.state import ChairKind, Match, Phase, TableState

__all__ = ["GUIDE", "BotRequest", "fallback_action", "requests_of"]

GUIDE: Final = "guide"
"""The level of all bots in a coached game."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A bot is to act. Two requests for the same decision are equal.

    Attributes:
        player: The chair's player.
        seat: The player's seat in the game.
        level: How strong it is; with its temperament, if it has one: ``zoff-4-spoiler``.
        decision: The decision to be answered.
        after: The number of the seat's last entry in this game: an answer may have been taken back, or become void.
        view: What the seat may know now.
        events: What everyone at the table saw when it happened: a good player remembers it. A bot gets nothing else.
        seed: The seed of its randomness.
        ready_at: When its answer is due, so that it moves at the table's pace.
    """

    player: Player
    seat: Seat
    level: str
    decision: str
    after: int
    # The bot knows its game's actions; the authority doesn't.
    view: View[Any] = field(compare=False)
    events: tuple[Event, ...] = field(compare=False)
    seed: int
    ready_at: int

    @property
    def key(self) -> str:
        """The idempotency key of the answer."""
        return f"bot:{self.decision}:{self.player}:{self.after}"

    def command(self, action: Json) -> Act:
        """The answer as a command, which the system sends under `key`."""
        return Act(self.player, self.decision, action)


def requests_of(spec: GameSpec, state: TableState, weakest: str) -> tuple[BotRequest, ...]:
    """The bots that are to act. In a rated game none plays for a person at a level above the weakest."""
    match = state.match
    if match is None or state.phase is not Phase.PLAYING:
        return ()
    return tuple(
        _request(spec, state, match, player, weakest)
        for player in awaited_players(spec.game, match)
        if state.chairs[player].by_bot
    )


def _request(
    spec: GameSpec, state: TableState, match: Match, player: Player, weakest: str
) -> BotRequest:
    chair, seat = state.chairs[player], match.seat_of(player)
    seed = derived(state.secret, "bot", match.decision_id, player)
    return BotRequest(
        player=player,
        seat=seat,
        level=_level(state, player, weakest),
        decision=match.decision_id,
        after=next((action.seq for action in reversed(match.actions) if action.seat == seat), 0),
        view=spec.game.view(match.state, seat),
        events=tuple(match.events),
        seed=int.from_bytes(seed[:8], "big"),
        # The others wait long enough for an absent player; the bot that stands in answers at once.
        ready_at=match.decision_at + (0 if chair.absent else state.settings.pace_ms),
    )


def _level(state: TableState, player: Player, weakest: str) -> str:
    chair = state.chairs[player]
    if state.settings.coached and state.running.number == 1 and chair.kind is ChairKind.BOT:
        return GUIDE
    if chair.out or (state.settings.rated and (chair.absent or chair.left)):
        return weakest
    if chair.kind is ChairKind.BOT and chair.level is not None:
        temperament = state.temperament_of(player)
        return chair.level if temperament is None else f"{chair.level}-{temperament}"
    return state.substitute


def fallback_action(spec: GameSpec, state: TableState, request: BotRequest) -> Json:
    """A random legal action, for a bot that has failed."""
    game = spec.game
    legal = game.legal(state.running.state, request.seat)
    action: Json = game.write_action(legal.sample(random.Random(request.seed)))
    return action
