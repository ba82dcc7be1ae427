"""The fold: a state and an entry make the next state. Tables change here only, live and when they are rebuilt.

Entries were checked before they came into the log (`stampede.matches.decide`), so nothing is checked again.
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
from stampede.matches.clocks import RETURN_GRACE_MS, START_GRACE_MS, Clocks
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
    Ready,
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
from stampede.matches.fair import derived
from stampede.matches.lifecycle import (
    abort_game,
    apply_action,
    awaited_players,
    change_seating,
    finish_if_over,
    forfeit,
    hand_back,
    mark_absent,
    mark_out,
    mark_ready,
    note_lapses,
    plan_chair,
    update_details,
)
from stampede.matches.messages import player_of
from stampede.matches.proposals import allows_undo, cast_vote, drop_stale_undo
from stampede.matches.settings import Catalogue, ClockKind, Expiry
from stampede.matches.state import Phase, PlayedAction, TableState

__all__ = ["FoldResult", "fold", "open_state"]


NO_COMMANDS: Final[Mapping[str, int]] = MappingProxyType({})


class FoldResult(NamedTuple):
    """The state after an entry, and what happened in the game."""

    state: TableState
    events: tuple[Event, ...] = ()


def open_state(catalogue: Catalogue, entry: Entry) -> TableState:
    """The state after a log's first entry; InputError when that opens no table."""
    command = entry.command
    if not isinstance(command, Open) or entry.seq != 1:
        raise InputError(f"expected a log that begins with open, got {command.type} {entry.seq}")
    settings = command.settings
    spec = catalogue.game_named(settings.game)
    chairs = tuple(plan_chair(plan.bot) for plan in settings.chairs)
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
        temperaments=tuple(
            _temperaments(catalogue, command, player) for player in range(len(chairs))
        ),
    )


def _temperaments(catalogue: Catalogue, command: Open, player: int) -> Mapping[str, str]:
    """By level: what a bot on a chair wants, as the table's settings say or drawn from its secret."""
    wanted = command.settings.temperament
    drawn = derived(command.secret, "temperament", player)[0]
    return {
        level: wanted if wanted in known else known[drawn % len(known)]
        for level, known in catalogue.temperaments_of(command.settings.game).items()
    }


def fold(
    spec: GameSpec, state: TableState, entry: Entry, step: Step[Any] | None = None
) -> FoldResult:
    """The state after an entry.

    Args:
        spec: The table's game.
        state: The state before.
        entry: The next entry of the log.
        step: The result of the entry's action, if it is known already.
    """
    if entry.seq != state.seq + 1:
        raise InputError(f"seq: expected {state.seq + 1}, got {entry.seq}")
    after, events = _apply_command(spec, state, entry, step)
    counts: Mapping[str, int] = NO_COMMANDS
    if not _has_progressed(state, after):
        counts = {
            **state.commands_since_progress,
            entry.who: state.commands_since_progress.get(entry.who, 0) + 1,
        }
    clocks = _clocks(spec, state, after, entry, events)
    if (
        after.seq == entry.seq
        and after.commands_since_progress is counts
        and after.clocks is clocks
    ):
        return FoldResult(after, events)  # nearly every action
    return FoldResult(after.after(entry.seq, entry.at, counts, clocks), events)


def _apply_command(
    spec: GameSpec, state: TableState, entry: Entry, step: Step[Any] | None
) -> FoldResult:
    """Carries the command out; clocks and counters come after it."""
    command, at = entry.command, entry.at
    match command:
        case Act():
            return _act(spec, state, entry, command, step)
        case Vote():
            return FoldResult(cast_vote(spec, state, command, at))
        case Claim() | Leave() | Remove() | MoveChair():
            opened = _void_answer(spec, state, entry) if command.voids else FoldResult(state)
            after = change_seating(spec, opened.state, entry, command)
            return FoldResult(after, opened.events)
        case SetChair() | Start():
            return FoldResult(change_seating(spec, state, entry, command))
        case Ready():
            return FoldResult(mark_ready(spec, state, command, at))
        case SeatLink() | Rename() | Return() | CallBot() | Invite() | HandOver():
            return FoldResult(update_details(state, command))
        case Resign():
            match = forfeit(state.running, (command.player,), "resigned")
            return FoldResult(finish_if_over(spec, replace(state, match=match), at))
        case Expire():
            return FoldResult(_expire(spec, state, command.players, at))
        case Downtime():
            return FoldResult(_downtime(state, command.since, at))
        case Close():
            ended = abort_game(state, at) if state.in_game else state
            return FoldResult(replace(ended, phase=Phase.CLOSED))
        case Open():
            raise InputError("expected one open at the beginning of a log, got another")
        case _:
            assert_never(command)


# --- the game ---


def _act(
    spec: GameSpec, state: TableState, entry: Entry, command: Act, step: Step[Any] | None
) -> FoldResult:
    match, game = state.running, spec.game
    seat = match.seat_of(command.player)
    if step is None:
        step = game.apply(match.state, seat, game.read_action(match.state, command.action))
    chair, by_bot = state.chairs[command.player], entry.who == "system"
    stands_in = by_bot and (chair.absent or chair.left)
    played = PlayedAction(entry.seq, seat, step.events, stands_in)
    undo = allows_undo(spec, state)
    moved = apply_action(spec, match, played, step.state, entry.at, undo=undo)
    counts = state.commands_since_progress
    if (chair.absent or chair.lapses) and not by_bot:
        state = mark_absent(state, command.player, absent=False)
    if moved.decision != match.decision:
        state, counts = hand_back(drop_stale_undo(state)), NO_COMMANDS
    state = state.with_match(moved, counts, entry.seq, entry.at)
    return FoldResult(finish_if_over(spec, state, entry.at), step.events)


def _void_answer(spec: GameSpec, state: TableState, entry: Entry) -> FoldResult:
    """Opens the sealed answer of a seat that changes hands; the decision stays the same."""
    match, player = state.running, player_of(entry.command)
    assert player is not None, "the log keeps whose seat it is"
    seat = match.seat_of(player)
    step = spec.game.take_back(match.state, seat)
    assert step is not None, "only a sealed answer is made void"
    played = PlayedAction(entry.seq, seat, step.events)
    undo = allows_undo(spec, state)
    opened = apply_action(spec, match, played, step.state, entry.at, undo=undo)
    return FoldResult(replace(state, match=opened), step.events)


def _expire(spec: GameSpec, state: TableState, players: tuple[Player, ...], at: int) -> TableState:
    if state.settings.clock.expiry is Expiry.BOT:
        return note_lapses(state, players)
    if "time" not in spec.forfeits:  # the others play on
        return mark_out(state, players)
    match = forfeit(state.running, players, "time")
    return finish_if_over(spec, replace(state, match=match), at)


# --- clocks and counters ---


def _has_progressed(before: TableState, after: TableState) -> bool:
    old, match = before.match, after.match
    if before.phase is not after.phase:
        return True
    if old is None or match is None:
        return match is not None
    return old.decision != match.decision or old.number != match.number


def _downtime(state: TableState, since: int, at: int) -> TableState:
    clocks = None if state.clocks is None else state.clocks.hold(since, at)
    return replace(state, clocks=clocks)


def _clocks(
    spec: GameSpec, before: TableState, after: TableState, entry: Entry, events: tuple[Event, ...]
) -> Clocks | None:
    """The clocks after an entry: they run for the players whose answers are awaited, bots excepted."""
    clock, match, at = after.settings.clock, after.match, entry.at
    if clock.kind is ClockKind.NONE:
        return None
    clocks = None if after.clocks is None else after.clocks.stop(at)
    if after.phase is not Phase.PLAYING or match is None:
        return clocks
    clocks = _refill(spec, before, after, clocks, isinstance(entry.command, Act), events)
    # A chair that moves between devices brings no time: it can move again and again.
    is_claim = isinstance(entry.command, Claim)
    asked_anew = _players_asked_anew(spec, before, after) if is_claim else frozenset()
    for player, chair in enumerate(after.chairs):
        came_back = before.chairs[player].by_bot and not chair.by_bot
        if came_back or (player in asked_anew and not chair.by_bot):
            clocks = clocks.ensure(player, min(clock.limit_ms, RETURN_GRACE_MS))
    thinking = {p for p in awaited_players(spec.game, match) if not after.chairs[p].by_bot}
    return clocks.start(thinking, at)


def _refill(
    spec: GameSpec,
    before: TableState,
    after: TableState,
    clocks: Clocks | None,
    acted: bool,  # noqa: FBT001 - it says what the entry was
    events: tuple[Event, ...],
) -> Clocks:
    """The stopped clocks with what the entry brings: time for a decision, a round or a game, increment and grace."""
    clock, match, old = after.settings.clock, after.running, before.match
    game_round = 0 if spec.round_of is None else spec.round_of(match.state)
    players = len(after.chairs)
    if clocks is None or old is None or old.number != match.number:
        grace = START_GRACE_MS if clock.grace else 0
        return Clocks.full(players, clock.limit_ms, game_round, grace)
    if old.decision != match.decision:
        told = acted and clock.grace
        story = 0 if spec.story_ms is None or not told else spec.story_ms(events)
        clocks = clocks.next_decision(story, clock.increment_ms if acted else 0)
    if _is_refilled(before, after, clocks, game_round):
        return Clocks.full(players, clock.limit_ms, game_round, clocks.grace)
    return clocks


def _players_asked_anew(spec: GameSpec, before: TableState, after: TableState) -> frozenset[Player]:
    """The players whose predecessor's sealed answer has just become void."""
    old, match = before.match, after.match
    if before.chairs is after.chairs or old is None or match is None or old is match:
        return frozenset()
    if old.decision_id != match.decision_id:
        return frozenset()
    return frozenset(awaited_players(spec.game, match)) - set(awaited_players(spec.game, old))


def _is_refilled(before: TableState, after: TableState, clocks: Clocks, game_round: int) -> bool:
    """Whether the clocks are full again in the middle of a game: at every decision, or at every round."""
    match after.settings.clock.kind:
        case ClockKind.ROUND:
            return game_round != clocks.round
        case ClockKind.GAME:
            return False
        case _:
            return before.running.decision != after.running.decision
