"""What happened at a table, entry by entry, as a viewer may see it now: for live viewers and those who come back.

Each entry of the log makes one message, so a viewer who knows the last number that they saw misses nothing. Viewers who
are there see the game's events as they happen. Later the events are redacted when they are handed out: a card that may
no longer be looked at isn't in a message that is sent again.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from stampede.core.events import Event
from stampede.core.json import JsonObject, JsonType
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import (
    Act,
    CallBot,
    Claim,
    Command,
    Expire,
    Ready,
    Rename,
    SetChair,
    Vote,
)
from stampede.matches.entries import Entry
from stampede.matches.lifecycle import awaited_players
from stampede.matches.settings import Expiry
from stampede.matches.state import Match, Phase, TableState

__all__ = ["Message", "MessageLog", "player_of"]


@dataclass(frozen=True, slots=True)
class Message:
    """What a viewer is told of an entry.

    Attributes:
        seq: The entry's number.
        at: Its time.
        kind: The command's type, such as ``act``.
        player: Whose command it was; None for the host's and the system's.
        data: What every viewer may know of the command.
        events: What happened in the game.
        phase: The table's phase afterwards.
        decision: The id of the decision that is awaited afterwards.
        awaited: The players who are awaited afterwards.
    """

    seq: int
    at: int
    kind: str
    player: Player | None
    data: JsonObject
    events: tuple[Event, ...]
    phase: Annotated[str, JsonType(Phase)]
    decision: str | None
    awaited: tuple[Player, ...]

    def to_json(self) -> JsonObject:
        """The message as JSON."""
        return {
            "seq": self.seq,
            "at": self.at,
            "kind": self.kind,
            "player": self.player,
            "data": self.data,
            "events": [event.to_json() for event in self.events],
            "phase": self.phase,
            "decision": self.decision,
            "awaited": list(self.awaited),
        }


class _Logged(NamedTuple):
    """A message with all of its events, which aren't for handing out, and the number of the game it belongs to."""

    game: int
    message: Message


class MessageLog:
    """The messages of a table, one an entry, without gaps."""

    __slots__ = ("_logged", "_spec")

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._logged: list[_Logged] = []

    def append(
        self,
        entry: Entry,
        before: TableState | None,
        after: TableState,
        events: tuple[Event, ...],
    ) -> None:
        """Adds what an entry did; `before` is None for the entry that opened the table."""
        match, command = after.match, entry.command
        is_asking = match is not None and after.in_game
        message = Message(
            entry.seq,
            entry.at,
            command.type,
            player_of(command),
            {} if before is None else _public_data(command, before, after),
            events,
            after.phase.value,
            match.decision_id if match is not None and is_asking else None,
            awaited_players(self._spec.game, match) if match is not None and is_asking else (),
        )
        self._logged.append(_Logged(0 if match is None else match.number, message))

    def since(
        self, state: TableState, viewer: Player | None, seq: int, limit: int | None = None
    ) -> list[Message]:
        """The messages after an entry as a viewer may see them now, at most so many of them.

        Viewers from whom nothing in a message is hidden are given the very same object.
        """
        start = max(0, seq)
        logged = self._logged[start : None if limit is None else start + limit]
        if self._spec.open_information:
            return [message for _, message in logged]
        return [self._redact(state, item, viewer) for item in logged]

    def live(self, seq: int) -> list[Message]:
        """The messages after an entry as they were when they happened, for viewers who are there."""
        return [message for _, message in self._logged[max(0, seq) :]]

    def witnessed(self, seq: int) -> tuple[Event, ...]:
        """The events after an entry as they were when they happened, for people who were there."""
        return tuple(event for message in self.live(seq) for event in message.events)

    def _redact(self, state: TableState, logged: _Logged, viewer: Player | None) -> Message:
        game, message = logged
        if not message.events:
            return message
        match = state.running if state.running.number == game else state.past[game - 1]
        seat = None if viewer is None else match.seat_of(viewer)
        events = self._spec.game.redact(message.events, match.state, seat)
        is_same = len(events) == len(message.events) and all(
            map(operator.is_, events, message.events)
        )
        return message if is_same else replace(message, events=events)


def player_of(command: Command) -> Player | None:
    """The player that a command is about; None when it's about none."""
    player: Player | None = getattr(command, "player", None)
    return player


def _public_data(command: Command, before: TableState, after: TableState) -> JsonObject:
    """What everybody may know of a command. Fields are named one by one, so that a new one isn't shown by accident."""
    match command:
        case Act():  # first, as most commands are actions
            return {}
        case Claim():
            return {"name": command.name, "program": command.program}
        case Rename():
            return {"name": command.name}
        case Ready():
            return {"ready": command.ready}
        case SetChair():
            return {"level": command.level}
        case CallBot():
            return {"missing": command.missing}
        case Expire():
            return _expiry(command.players, after)
        case Vote():
            return _vote_data(command, before, after)
        case _:
            return {}


def _expiry(players: tuple[Player, ...], after: TableState) -> JsonObject:
    """Whose time ran out; in ``once`` those for whom a bot takes this decision only."""
    clock = after.settings.clock
    data: JsonObject = {"players": list(players)}
    if clock.expiry is not Expiry.BOT or clock.lapses == 1:
        return data
    once = [player for player in players if after.chairs[player].lapses < clock.lapses]
    return {**data, "once": list(once)}


def _vote_data(vote: Vote, before: TableState, after: TableState) -> JsonObject:
    data: JsonObject = {
        "on": vote.on.value,
        "agree": vote.agree,
        "choice": list(vote.choice),
        "done": vote.agree and after.proposal(vote.on) is None,
        "undone": _actions_undone(before.match, after.match),
    }
    proposal = before.proposal(vote.on)
    if vote.agree or proposal is None:
        return data
    return {**data, "withdrawn": vote.player in proposal.players, "proposer": proposal.players[0]}


def _actions_undone(before: Match | None, after: Match | None) -> int:
    if before is None or after is None or before.number != after.number:
        return 0
    return len(before.actions) - len(after.actions)
