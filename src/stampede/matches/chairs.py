"""What becomes of the chairs: people sit down, move to another device, are called away, go. A part of the fold."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import (
    CallBot,
    Claim,
    HandOver,
    Invite,
    Leave,
    MoveChair,
    Remove,
    Rename,
    Return,
    SeatLink,
    SetChair,
    Start,
)
from stampede.matches.entries import Entry
from stampede.matches.sittings import begin_game, leave_chair, start_if_full
from stampede.matches.state import Chair, ChairKind, TableState

__all__ = ["away", "marked", "planned", "seated"]

GUEST: Final = "guest:"


def planned(level: str | None) -> Chair:
    """A chair that is open, or a bot's."""
    return Chair() if level is None else Chair(ChairKind.BOT, level, level=level)


def away(state: TableState, players: tuple[Player, ...], *, absent: bool) -> TableState:
    """Bots stand in for these players, or hand their seats back."""
    for player in players:
        state = state.with_chair(player, replace(state.chairs[player], absent=absent))
    return state


def seated(
    spec: GameSpec,
    state: TableState,
    entry: Entry,
    command: Claim | Leave | Remove | MoveChair | SetChair | Start,
) -> TableState:
    """Somebody else is on a chair; a game may begin or end by it. What was proposed among others lapses."""
    state = replace(state, ballots=())
    match command:
        case Claim():
            return _claim(spec, state, entry, command)
        case Leave():
            return leave_chair(spec, state, command.player, entry.at)
        case Remove():
            return leave_chair(spec, state, command.player, entry.at, resigns=False)
        case MoveChair():
            return _move_chair(state, entry, command)
        case SetChair():
            return _set_chair(spec, state, command, entry.at)
        case Start():
            return begin_game(spec, _filled(state, command.fill), entry.at)
        case _:
            assert_never(command)


def marked(
    state: TableState, command: SeatLink | Rename | Return | CallBot | Invite | HandOver
) -> TableState:
    """The same people on the same chairs, but something about them is new."""
    match command:
        case SeatLink():
            chair = replace(state.chairs[command.player], digest=command.digest)
            return state.with_chair(command.player, chair)
        case Rename():
            chair = replace(state.chairs[command.player], name=command.name)
            return state.with_chair(command.player, chair)
        case Return():
            return away(state, (command.player,), absent=False)
        case CallBot():
            return away(state, (command.missing,), absent=True)
        case Invite():
            return replace(state, invite=command.digest)
        case HandOver():
            return replace(state, host=command.host)
        case _:
            assert_never(command)


def _claim(spec: GameSpec, state: TableState, entry: Entry, command: Claim) -> TableState:
    assert command.player is not None, "the log keeps the chair that was found"
    kind = ChairKind.PROGRAM if command.program else ChairKind.HUMAN
    chair = Chair(kind, command.name, _guest(entry), command.digest, salt=command.salt)
    return start_if_full(spec, state.with_chair(command.player, chair), entry.at)


def _guest(entry: Entry) -> str | None:
    return entry.who.removeprefix(GUEST) if entry.who.startswith(GUEST) else None


def _move_chair(state: TableState, entry: Entry, command: MoveChair) -> TableState:
    chair, holder = state.chairs[command.player], _guest(entry)
    if chair.holder is not None and state.host == chair.holder:
        state = replace(state, host=holder)
    moved = replace(chair, holder=holder, digest=command.digest, absent=False)
    return state.with_chair(command.player, moved)


def _set_chair(spec: GameSpec, state: TableState, command: SetChair, at: int) -> TableState:
    chair = state.chairs[command.player]
    if chair.left:
        return state.with_chair(command.player, replace(chair, offered=command.level is None))
    return start_if_full(spec, state.with_chair(command.player, planned(command.level)), at)


def _filled(state: TableState, level: str | None) -> TableState:
    for player, chair in enumerate(state.chairs):
        if chair.kind is ChairKind.OPEN:
            state = state.with_chair(player, planned(level))
    return state
