"""The fold: a state and an entry make the next state. The one place where a table changes; live and in every rebuild.

An entry was checked before it came into the log (`stampede.matches.decide`), so nothing is checked here again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, assert_never

from stampede.core.errors import InputError
from stampede.core.events import Event
from stampede.core.game import Step
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.catalogue import Catalogue
from stampede.matches.chairs import away, marked, planned, seated
from stampede.matches.clocks import RETURN_GRACE_MS, Clocks
from stampede.matches.commands import (
    Act,
    CallBot,
    Claim,
    Close,
    Downtime,
    Expire,
    HandOver,
    Invite,
    Leave,
    MoveChair,
    Open,
    Remove,
    Rename,
    Resign,
    Return,
    SeatLink,
    SetChair,
    Start,
    Vote,
)
from stampede.matches.entries import Entry
from stampede.matches.plays import acted, awaited, forfeited
from stampede.matches.settings import ClockKind, Expiry
from stampede.matches.sittings import aborted, finish_if_over
from stampede.matches.state import Phase, TableState
from stampede.matches.votes import voted, without_stale_undo

__all__ = ["Folded", "fold", "opened"]


NO_FUSS: Final[Mapping[str, int]] = MappingProxyType({})


class Folded(NamedTuple):
    """The state after an entry, and what happened in the game."""

    state: TableState
    events: tuple[Event, ...] = ()


def opened(catalogue: Catalogue, entry: Entry) -> TableState:
    """The state after a log's first entry; InputError when that opens no table."""
    command = entry.command
    if not isinstance(command, Open) or entry.seq != 1:
        raise InputError(f"expected a log that begins with open, got {command.kind} {entry.seq}")
    settings = command.settings
    spec = catalogue.game_named(settings.game)
    chairs = tuple(planned(plan.level) for plan in settings.chairs)
    series = spec.begin_series(settings.series, settings.rules, len(chairs))
    return TableState(
        table=command.table,
        settings=settings,
        secret=command.secret,
        invite=command.invite,
        substitute=settings.substitute or catalogue.usual_level(spec.name),
        host=command.host,
        chairs=chairs,
        series=series,
        seq=entry.seq,
        at=entry.at,
    )


def fold(spec: GameSpec, state: TableState, entry: Entry, step: Step[Any] | None = None) -> Folded:
    """The state after an entry.

    Args:
        spec: The table's game.
        state: The state before.
        entry: The next entry of the log.
        step: What the rules make of the entry's action, when that is known already.
    """
    if entry.seq != state.seq + 1:
        raise InputError(f"seq: expected {state.seq + 1}, got {entry.seq}")
    after, events = _done(spec, state, entry, step)
    fuss: Mapping[str, int] = NO_FUSS
    if not _moved_on(state, after):
        fuss = {**state.fuss, entry.who: state.fuss.get(entry.who, 0) + 1}
    clocks = _clocks(spec, state, after, entry.at)
    if after.seq == entry.seq and after.fuss is fuss and after.clocks is clocks:
        return Folded(after, events)  # an ordinary action
    return Folded(after.after(entry.seq, entry.at, fuss, clocks), events)


def _done(spec: GameSpec, state: TableState, entry: Entry, step: Step[Any] | None) -> Folded:
    """What the command does; clocks and counters apart."""
    command, at = entry.command, entry.at
    match command:
        case Act():
            return _act(spec, state, entry, command, step)
        case Vote():
            return Folded(voted(spec, state, command, at))
        case Claim() | Leave() | Remove() | MoveChair() | SetChair() | Start():
            return Folded(seated(spec, state, entry, command))
        case SeatLink() | Rename() | Return() | CallBot() | Invite() | HandOver():
            return Folded(marked(state, command))
        case Resign():
            play = forfeited(state.running, (command.player,), "resigned")
            return Folded(finish_if_over(spec, replace(state, play=play), at))
        case Expire():
            return Folded(_expire(spec, state, command.players, at))
        case Downtime():
            return Folded(_downtime(state, command.since, at))
        case Close():
            ended = aborted(state, at) if state.in_game else state
            return Folded(replace(ended, phase=Phase.CLOSED))
        case Open():
            raise InputError("expected one open at the beginning of a log, got another")
        case _:
            assert_never(command)


# --- the game ---


def _act(
    spec: GameSpec, state: TableState, entry: Entry, command: Act, step: Step[Any] | None
) -> Folded:
    play, game = state.running, spec.game
    seat = play.seat_of(command.player)
    if step is None:
        step = game.apply(play.state, seat, game.read_action(play.state, command.action))
    moved, events = acted(spec, play, seat, step, entry.seq, entry.at)
    fuss = state.fuss
    if moved.decision != play.decision:
        state, fuss = without_stale_undo(state), NO_FUSS
    chair = state.chairs[command.player]
    if chair.absent and entry.who != "system":
        state = away(state, (command.player,), absent=False)
    state = state.with_play(moved, fuss, entry.seq, entry.at)
    return Folded(finish_if_over(spec, state, entry.at), events)


def _expire(spec: GameSpec, state: TableState, players: tuple[Player, ...], at: int) -> TableState:
    if state.settings.clock.expiry is Expiry.BOT:
        return away(state, players, absent=True)
    play = forfeited(state.running, players, "time")
    return finish_if_over(spec, replace(state, play=play), at)


# --- clocks and counters ---


def _moved_on(before: TableState, after: TableState) -> bool:
    old, play = before.play, after.play
    if before.phase is not after.phase:
        return True
    if old is None or play is None:
        return play is not None
    return old.decision != play.decision or old.number != play.number


def _downtime(state: TableState, since: int, at: int) -> TableState:
    clocks = None if state.clocks is None else state.clocks.standing_since(since, at)
    return replace(state, clocks=clocks)


def _clocks(spec: GameSpec, before: TableState, after: TableState, at: int) -> Clocks | None:
    """The clocks after an entry: they run for the people whose answers are awaited."""
    clock, clocks, play = after.settings.clock, after.clocks, after.play
    if clock.kind is ClockKind.NONE:
        return None
    if after.phase is not Phase.PLAYING or play is None:
        return None if clocks is None else clocks.stopped(at)
    game_round = 0 if spec.round_of is None else spec.round_of(play.state)
    if clocks is None or _is_refilled(before, after, clocks, game_round):
        clocks = Clocks.fresh(len(after.chairs), clock.limit_ms, game_round)
    clocks = clocks.stopped(at)
    for player, chair in enumerate(after.chairs):
        if before.chairs[player].by_bot and not chair.by_bot:
            clocks = clocks.at_least(player, min(clock.limit_ms, RETURN_GRACE_MS))
    thinking = {p for p in awaited(spec.game, play) if not after.chairs[p].by_bot}
    return clocks.started(thinking, at)


def _is_refilled(before: TableState, after: TableState, clocks: Clocks, game_round: int) -> bool:
    """Whether the clocks are full again: with every decision, or with every round."""
    assert after.play is not None, "a game is running"
    if before.play is None or before.play.number != after.play.number:
        return True
    if after.settings.clock.kind is ClockKind.ROUND:
        return game_round != clocks.round
    return before.play.decision != after.play.decision
