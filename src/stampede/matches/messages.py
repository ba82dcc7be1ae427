"""What happened at a table, entry by entry, as a viewer may see it now: for those who are here and those who come back.

Each entry of the log makes one message, so a viewer who knows the last number that he saw misses nothing. The game's
events are redacted when they are handed out, not when they happened: a card that may no longer be looked at isn't in a
message that is sent again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from stampede.core.events import Event
from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import Act, CallBot, Claim, Command, Expire, Rename, SetChair, Vote
from stampede.matches.entries import Entry
from stampede.matches.state import Play, TableState
from stampede.matches.views import awaited_now

__all__ = ["Message", "Note", "message_for", "note_of", "redacted"]


class Note(NamedTuple):
    """What the table remembers of an entry. The events are the game's own: not for handing out.

    Attributes:
        game: The number of the game that it belongs to; 0 before the first.
        data: What everybody may know of the command.
    """

    seq: int
    at: int
    kind: str
    player: Player | None
    game: int
    data: JsonObject
    events: tuple[Event, ...]
    phase: str
    decision: str | None
    awaited: list[Json]

    def to_json(self, events: tuple[Event, ...]) -> JsonObject:
        """The note as a message in JSON, with the events that its viewer may see."""
        return _json(self, events)


@dataclass(frozen=True, slots=True)
class Message:
    """What a viewer is told of an entry.

    Attributes:
        seq: The entry's number.
        at: Its time.
        kind: The command's type, such as ``act``.
        player: Whose command it was; None for the host's and the system's.
        data: What is to be known of the command.
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
    phase: str
    decision: str | None
    awaited: list[Json]

    def to_json(self) -> JsonObject:
        """The message as JSON."""
        return _json(self, self.events)


def _json(told: Note | Message, events: tuple[Event, ...]) -> JsonObject:
    return {
        "seq": told.seq,
        "at": told.at,
        "kind": told.kind,
        "player": told.player,
        "data": told.data,
        "events": [event.to_json() for event in events],
        "phase": told.phase,
        "decision": told.decision,
        "awaited": told.awaited,
    }


def note_of(
    spec: GameSpec,
    before: TableState | None,
    after: TableState,
    entry: Entry,
    events: tuple[Event, ...],
) -> Note:
    """What is remembered of an entry."""
    decision, waiting = awaited_now(spec, after)
    seq, at, _, _, _, command = entry
    number = 0 if after.play is None else after.play.number
    data = {} if before is None else _public(command, before, after)
    # By position, as every action comes by here.
    return Note(
        seq,
        at,
        command.kind,
        player_of(command),
        number,
        data,
        events,
        after.phase.value,
        decision,
        waiting,
    )


def player_of(command: Command) -> Player | None:
    """The player that a command is about; None when it's about none."""
    player: Player | None = getattr(command, "player", None)
    return player


def _public(command: Command, before: TableState, after: TableState) -> JsonObject:
    """What everybody may know of a command: names what is shown, so that a new field isn't by accident."""
    match command:
        case Act():
            return {}
        case Claim():
            return {"name": command.name, "program": command.program}
        case Rename():
            return {"name": command.name}
        case SetChair():
            return {"level": command.level}
        case CallBot():
            return {"missing": command.missing}
        case Expire():
            return {"players": list(command.players)}
        case Vote():
            done = command.agree and after.ballot(command.on) is None
            return {
                "on": command.on.value,
                "agree": command.agree,
                "choice": list(command.choice),
                "done": done,
                "undone": _undone(before.play, after.play),
            }
        case _:
            return {}


def _undone(before: Play | None, after: Play | None) -> int:
    if before is None or after is None or before.number != after.number:
        return 0
    return len(before.told) - len(after.told)


def message_for(spec: GameSpec, state: TableState, note: Note, viewer: Player | None) -> Message:
    """A note as this viewer may see it now."""
    return Message(
        seq=note.seq,
        at=note.at,
        kind=note.kind,
        player=note.player,
        data=note.data,
        events=redacted(spec, state, note, viewer),
        phase=note.phase,
        decision=note.decision,
        awaited=note.awaited,
    )


def redacted(
    spec: GameSpec, state: TableState, note: Note, viewer: Player | None
) -> tuple[Event, ...]:
    """A note's events as this viewer may see them now; the very same tuple when nothing is hidden."""
    if not note.events:
        return ()
    play = state.running if state.running.number == note.game else state.past[note.game - 1]
    seat = None if viewer is None else play.seat_of(viewer)
    return spec.game.redact(note.events, play.state, seat)
