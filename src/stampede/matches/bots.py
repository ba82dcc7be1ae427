"""Bots as seats: which of them are to act, with all that they may know. Somebody else lets them think.

A request is the same whenever it is asked for, so that after a restart the same bot comes to the same answer; its key
makes an answer that comes twice harmless.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from stampede.core.events import Event
from stampede.core.game import Seat, View
from stampede.core.json import Json
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import Act
from stampede.matches.fair import derived
from stampede.matches.lifecycle import awaited_players
from stampede.matches.state import Chair, ChairKind, Phase, Play, TableState

__all__ = ["BotRequest", "fallback_action", "requests_of"]


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A bot is to act. Two requests for the same decision are equal.

    Attributes:
        player: On whose chair.
        seat: In which seat of the game.
        level: How strong it is.
        decision: The decision to be answered.
        view: What the seat may know now.
        events: What everybody at the table saw happen, when it happened: a good player remembers it. Nothing else
            reaches a bot.
        seed: Where its randomness comes from.
        ready_at: When its answer is due, so that it moves at the table's pace.
    """

    player: Player
    seat: Seat
    level: str
    decision: str
    view: View = field(compare=False)
    events: tuple[Event, ...] = field(compare=False)
    seed: int
    ready_at: int

    @property
    def key(self) -> str:
        """The key under which to send the answer."""
        return f"bot:{self.decision}:{self.player}"

    def command(self, action: Json) -> Act:
        """The answer as a command, to be sent by the system under `key`."""
        return Act(self.player, self.decision, action)


def requests_of(spec: GameSpec, state: TableState) -> tuple[BotRequest, ...]:
    """All bots that are to act."""
    play = state.play
    if play is None or state.phase is not Phase.PLAYING:
        return ()
    return tuple(
        _request(spec, state, play, player)
        for player in awaited_players(spec.game, play)
        if state.chairs[player].by_bot
    )


def _request(spec: GameSpec, state: TableState, play: Play, player: Player) -> BotRequest:
    chair, seat = state.chairs[player], play.seat_of(player)
    seed = derived(state.secret, "bot", play.decision_id, player)
    return BotRequest(
        player=player,
        seat=seat,
        level=_level(state, chair),
        decision=play.decision_id,
        view=spec.game.view(play.state, seat),
        events=tuple(play.events),
        seed=int.from_bytes(seed[:8], "big"),
        # Nobody likes to wait for a bot in an absent player's place.
        ready_at=play.decision_at + (0 if chair.absent else state.settings.pace_ms),
    )


def _level(state: TableState, chair: Chair) -> str:
    if chair.kind is ChairKind.BOT and chair.level is not None:
        return chair.level
    return state.substitute


def fallback_action(spec: GameSpec, state: TableState, request: BotRequest) -> Json:
    """A legal action by chance: what is done when a bot fails."""
    game = spec.game
    legal = game.legal(state.running.state, request.seat)
    action: Json = game.write_action(legal.sample(random.Random(request.seed)))
    return action
