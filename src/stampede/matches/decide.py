"""Decides on a command: checks it against the present state and changes nothing.

What passes here becomes an entry of the log as it is, except that a claim gets the chair that was found, and an action
is written anew. Conflicts carry what is awaited now, so that a client can go on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple, assert_never

from stampede.core.constraints import check_limits
from stampede.core.errors import InputError, NotToAct
from stampede.core.game import Step
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.callers import (
    Caller,
    check_chair,
    check_host,
    check_in_time,
    check_player,
    holds,
    is_invited,
    players_of,
    same_digest,
)
from stampede.matches.commands import (
    Act,
    CallBot,
    Claim,
    Close,
    Command,
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
    VoteTopic,
)
from stampede.matches.errors import (
    ChairTaken,
    Conflict,
    Forbidden,
    NotAwaited,
    StaleDecision,
    WrongPhase,
)
from stampede.matches.lifecycle import awaited_players
from stampede.matches.names import is_placeholder, name_guest
from stampede.matches.proposals import allows_undo, undo_depth
from stampede.matches.quotas import check_quotas
from stampede.matches.settings import RATED_PATIENCE, Catalogue, ClockKind
from stampede.matches.state import ChairKind, Phase, TableState

__all__ = ["CheckedCommand", "check", "check_digest", "conflict"]

DIGEST_DIGITS: Final = 64


class CheckedCommand(NamedTuple):
    """A command that may be done, and what the rules make of its action."""

    command: Command
    step: Step[Any] | None = None


def check(
    catalogue: Catalogue, state: TableState, command: Command, caller: Caller, at: int
) -> CheckedCommand:
    """Checks a command. Raises MatchError, InputError or ActionError when it may not be done."""
    spec = catalogue.games[state.settings.game]
    check_quotas(spec, state, command, caller)
    if state.phase is Phase.CLOSED:
        raise conflict(WrongPhase, spec, state, "the table is closed")
    match command:
        case Act():
            return _act(spec, state, command, caller)
        case Claim():
            command = _claim(spec, state, command, caller)
        case SetChair() | Remove() | Invite() | HandOver() | Start() | Close():
            check_host(state, caller)
            _host_command(catalogue, spec, state, command, caller)
        case Expire() | Downtime():
            _system_command(state, command, caller, at)
        case MoveChair():
            _move_chair(state, command, caller)
        case Leave() | SeatLink() | Rename() | Ready() | Vote() | Resign() | Return() | CallBot():
            check_chair(state, caller, command.player)
            _own_command(spec, state, command, at)
        case Open():
            raise conflict(WrongPhase, spec, state, "the table is open already")
        case _:
            assert_never(command)
    return CheckedCommand(_void_sealed(spec, state, command, caller))


# --- the game ---


def _act(spec: GameSpec, state: TableState, command: Act, caller: Caller) -> CheckedCommand:
    if caller.system:
        check_player(state, command.player)
    else:
        check_chair(state, caller, command.player)
        check_in_time(state, command.player)
    check_playing(spec, state)
    match, game = state.running, spec.game
    if command.decision != match.decision_id:
        raise stale(spec, state, command.decision)
    if caller.system and not state.chairs[command.player].by_bot:
        raise Forbidden(f"expected a bot on the chair of player {command.player}")
    action = game.read_action(match.state, command.action)
    try:
        step = game.apply(match.state, match.seat_of(command.player), action)
    except NotToAct as error:
        raise conflict(NotAwaited, spec, state, str(error)) from error
    # Written anew, so that nothing comes into the log that the game didn't read.
    written = game.write_action(action)
    return CheckedCommand(Act(command.player, command.decision, written), step)


# --- chairs ---


def _claim(spec: GameSpec, state: TableState, command: Claim, caller: Caller) -> Claim:
    if not is_invited(state, caller):
        raise Forbidden("expected the invitation's token")
    if state.in_game and state.settings.rated:
        raise Forbidden("expected a free chair: in a rated game seats can't be taken over")
    check_limits(command)
    if is_placeholder(command.name):
        taken = {chair.name for chair in state.chairs}
        command = replace(command, name=name_guest(caller.who, taken))
    _check_text(command.name, "name")
    if not command.salt.isprintable():
        raise InputError("salt: expected printable characters")
    check_digest(command.digest, required=caller.guest is None)
    _check_single(state, caller)
    return replace(command, player=_free_chair(spec, state, command.player))


def _check_single(state: TableState, caller: Caller, but: Player | None = None) -> None:
    others = [player for player in players_of(state, caller) if player != but]
    if others and not state.settings.hot_seat:
        raise Forbidden(f"you are player {others[0]} already, and this table is no hot-seat")


def _free_chair(spec: GameSpec, state: TableState, wanted: Player | None) -> Player:
    if wanted is not None:
        check_player(state, wanted)
    free = [player for player, chair in enumerate(state.chairs) if chair.is_free]
    found = wanted if wanted in free else None
    if wanted is None and free:
        found = min(free, key=lambda player: state.chairs[player].kind is not ChairKind.OPEN)
    if found is None:
        which = "a chair" if wanted is None else f"chair {wanted}"
        raise conflict(ChairTaken, spec, state, f"expected {which} to be free, but it isn't")
    return found


def _move_chair(state: TableState, command: MoveChair, caller: Caller) -> None:
    check_player(state, command.player)
    check_digest(command.digest, required=caller.guest is None)
    if not same_digest(state.chairs[command.player].digest, caller.digest):
        raise Forbidden("expected the seat's present token")
    _check_single(state, replace(caller, token=None), but=command.player)


OwnCommand = Leave | SeatLink | Rename | Ready | Vote | Resign | Return | CallBot


def _own_command(spec: GameSpec, state: TableState, command: OwnCommand, at: int) -> None:
    match command:
        case Leave():
            pass
        case SeatLink():
            check_digest(command.digest, required=True)
        case Rename():
            check_limits(command)
            _check_text(command.name, "name")
            if is_placeholder(command.name):
                raise InputError(
                    f"name: expected one that others can call you by, got {command.name!r}"
                )
            if state.in_game:
                raise conflict(WrongPhase, spec, state, "expected no game under way")
        case Ready():
            _ready(spec, state)
        case Vote():
            _check_vote(spec, state, command)
        case Resign():
            _resign(spec, state)
        case Return():
            check_in_time(state, command.player)
            if not state.chairs[command.player].absent:
                raise conflict(WrongPhase, spec, state, "expected a bot that stands in for you")
        case CallBot():
            _call_bot(spec, state, command, at)
        case _:
            assert_never(command)


def _ready(spec: GameSpec, state: TableState) -> None:
    if not state.settings.ready_check:
        raise InputError("expected a table that asks whether everyone is ready")
    if state.phase is not Phase.LOBBY or not state.is_full:
        raise conflict(
            WrongPhase, spec, state, "expected every chair to be taken, before the first game"
        )


def _resign(spec: GameSpec, state: TableState) -> None:
    if "resigned" not in spec.forfeits:
        raise InputError(
            f"expected a game that can be resigned; in {spec.name} leave, and a bot takes over"
        )
    if not state.in_game:
        raise conflict(WrongPhase, spec, state, "expected a game under way")


def _call_bot(spec: GameSpec, state: TableState, command: CallBot, at: int) -> None:
    check_playing(spec, state)
    check_player(state, command.missing)
    if state.settings.clock.kind is not ClockKind.NONE:
        raise InputError("expected a table without clocks: here the clock calls the bot")
    waiting = command.missing in awaited_players(spec.game, state.running)
    if not waiting or state.chairs[command.missing].by_bot:
        raise conflict(NotAwaited, spec, state, f"expected to wait for player {command.missing}")
    if command.missing == command.player:
        raise InputError(
            "missing: expected another player; a bot stands in only for players who are away"
        )
    patience = state.settings.patience_ms
    if state.settings.rated:
        patience = max(patience, RATED_PATIENCE)  # old tables may say less
    waited = at - state.running.decision_at
    if waited < patience:
        raise conflict(WrongPhase, spec, state, f"expected {patience} ms of patience, got {waited}")


def _void_sealed(spec: GameSpec, state: TableState, command: Command, caller: Caller) -> Command:
    """Marks a command by which a sealed answer loses its holder: the next one answers anew, and never sees it."""
    if not isinstance(command, Claim | Leave | Remove | MoveChair) or not state.in_game:
        return command
    assert command.player is not None, "a claim has found its chair"
    holder = state.chairs[command.player].holder
    is_same = holder is not None and holder in (caller.guest, caller.former)
    if isinstance(command, MoveChair) and is_same:
        return command
    match = state.running
    sealed = spec.game.take_back(match.state, match.seat_of(command.player)) is not None
    return replace(command, voids=True) if sealed else command


# --- the host and the system ---


def _host_command(
    catalogue: Catalogue,
    spec: GameSpec,
    state: TableState,
    command: SetChair | Remove | Invite | HandOver | Start | Close,
    caller: Caller,
) -> None:
    match command:
        case SetChair():
            catalogue.check_level(spec.name, command.level, "level")
            _set_chair(spec, state, command)
        case Remove():
            _remove(state, command, caller)
        case Invite():
            check_digest(command.digest, required=False)
        case HandOver():
            if not command.host or state.host is None:
                raise InputError("host: expected a guest, at a table that has a host")
        case Start():
            catalogue.check_level(spec.name, command.fill, "fill")
            _start(spec, state, command)
        case Close():
            if state.in_game and not caller.system:
                raise conflict(WrongPhase, spec, state, "expected no game under way")
        case _:
            assert_never(command)


def _set_chair(spec: GameSpec, state: TableState, command: SetChair) -> None:
    check_player(state, command.player)
    if state.settings.start is not None and command.level is None:
        raise Forbidden("expected bots: a game from a start is for one person")
    if state.in_game and (not state.chairs[command.player].left or command.level is not None):
        raise conflict(
            WrongPhase, spec, state, "in a game only chairs that people have left can be opened"
        )


def _remove(state: TableState, command: Remove, caller: Caller) -> None:
    check_player(state, command.player)
    if not state.chairs[command.player].is_person:
        raise InputError(f"player: expected a person on chair {command.player}, got none")
    if holds(state, caller, command.player):
        raise InputError("player: expected another player; send leave to go yourself")
    if state.in_game and state.settings.rated:
        raise Forbidden("expected no rated game under way: its players can't be removed")


def _start(spec: GameSpec, state: TableState, command: Start) -> None:
    if state.phase is not Phase.LOBBY:
        raise conflict(WrongPhase, spec, state, "expected a table before its first game")
    waiting = [p for p, chair in enumerate(state.chairs) if chair.kind is ChairKind.OPEN]
    if waiting and command.fill is None:
        open_ones = ", ".join(str(player) for player in waiting)
        raise conflict(WrongPhase, spec, state, f"expected players on chairs {open_ones}")
    if state.settings.ready_check and state.settings.rated and state.unready():
        raise conflict(WrongPhase, spec, state, "expected everyone to be ready for a rated game")


def _system_command(state: TableState, command: Expire | Downtime, caller: Caller, at: int) -> None:
    if not caller.system:
        raise Forbidden("expected the system")
    if isinstance(command, Downtime):
        if command.since > at:
            raise InputError(f"since: expected a moment before {at}, got {command.since}")
        return
    due = () if state.clocks is None else state.clocks.run_out(at)
    if not command.players or not set(command.players) <= set(due):
        raise InputError(
            f"players: expected some of {due}, whose time is up, got {command.players}"
        )


# --- votes ---


def _check_vote(spec: GameSpec, state: TableState, vote: Vote) -> None:
    """Checks a vote; raises a Conflict or an InputError when it can't be cast now."""
    needed = {VoteTopic.RESUME: Phase.PAUSED, VoteTopic.NEXT: Phase.OVER}.get(
        vote.on, Phase.PLAYING
    )
    allowed = (needed, Phase.PAUSED) if vote.on is VoteTopic.ABORT else (needed,)
    if state.phase not in allowed:
        raise conflict(
            WrongPhase, spec, state, f"expected a table: {needed.value}, for {vote.on.value}"
        )
    if vote.agree and vote.on is VoteTopic.UNDO:
        _vote_undo(spec, state, vote)
    if vote.agree and vote.on is VoteTopic.NEXT:
        _vote_next(spec, state, vote)
    elif vote.choice:
        raise InputError("choice: expected none here")
    if not vote.agree and state.proposal(vote.on) is None:
        raise conflict(WrongPhase, spec, state, f"expected a proposal: {vote.on.value}, got none")


def _vote_undo(spec: GameSpec, state: TableState, vote: Vote) -> None:
    if not (allows_undo(spec, state) and state.settings.undo):
        raise InputError("expected a game and a table that allow an undo")
    match = state.running
    if vote.decision != match.decision_id:
        raise stale(spec, state, vote.decision)
    proposal = state.proposal(VoteTopic.UNDO)
    proposer = vote.player if proposal is None else proposal.players[0]
    if not undo_depth(spec, match, proposer):
        raise conflict(WrongPhase, spec, state, f"player {proposer} hasn't moved since a reveal")


def _vote_next(spec: GameSpec, state: TableState, vote: Vote) -> None:
    if not state.is_full:
        raise conflict(WrongPhase, spec, state, "expected every chair to be taken")
    series = state.series
    decides = series.winner is None and series.chooser is not None
    if decides and series.chooser is not None and series.seating[series.chooser] == vote.player:
        # RuleSetError, an InputError, says what is due.
        spec.game.read_rules(series.rules(vote.choice))
    elif vote.choice:
        raise InputError("choice: expected none, as it isn't yours")


# --- checks that several commands share ---


def conflict(kind: type[Conflict], spec: GameSpec, state: TableState, problem: str) -> Conflict:
    """A conflict that carries what is awaited now."""
    match = state.match
    if match is None or not state.in_game:
        return kind(problem, state.phase.value)
    return kind(problem, state.phase.value, match.decision_id, awaited_players(spec.game, match))


def check_playing(spec: GameSpec, state: TableState) -> None:
    """Checks that a game runs and isn't paused; WrongPhase when not."""
    if state.phase is not Phase.PLAYING:
        raise conflict(
            WrongPhase,
            spec,
            state,
            f"expected a running game, got a table: {state.phase.value}",
        )


def stale(spec: GameSpec, state: TableState, decision: str) -> Conflict:
    """The conflict of an answer that names another decision than the present one."""
    present = state.running.decision_id
    return conflict(
        StaleDecision, spec, state, f"expected an answer to {present}, got {decision[:40]!r}"
    )


def _check_text(text: str, where: str) -> None:
    """Checks that a text can be shown; InputError when not."""
    if not text.isprintable() or text != text.strip():
        raise InputError(
            f"{where}: expected printable characters, no blanks at the ends, got {text[:60]!r}"
        )


def check_digest(digest: str, *, required: bool) -> None:
    """Checks a digest's form; the InputError doesn't repeat it."""
    if not digest and not required:
        return
    if len(digest) != DIGEST_DIGITS or not set(digest) <= set("0123456789abcdef"):
        raise InputError(f"digest: expected {DIGEST_DIGITS} hexadecimal digits")
