"""How a table changes: players sit down and leave, games begin, go on, go back and end, proposals pass.

Pure functions on `TableState` and `Match`; `stampede.matches.fold` puts them together. Nothing is checked here:
`stampede.matches.decide` has done that before a command came into the log.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from stampede.core.game import AnyGame, Outcome, Seat
from stampede.core.json import JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.callers import guest_of
from stampede.matches.commands import (
    CallBot,
    Claim,
    HandOver,
    Invite,
    Leave,
    MoveChair,
    Ready,
    Remove,
    Rename,
    Return,
    SeatLink,
    SetChair,
    Start,
)
from stampede.matches.entries import Entry
from stampede.matches.fair import DealProof, proof_of
from stampede.matches.settings import begin_from
from stampede.matches.state import (
    Chair,
    ChairKind,
    Match,
    Phase,
    PlayedAction,
    TableState,
)

__all__ = [
    "abort_game",
    "apply_action",
    "awaited_players",
    "begin_game",
    "change_seating",
    "finish_if_over",
    "forfeit",
    "hand_back",
    "mark_absent",
    "mark_out",
    "mark_ready",
    "next_proof",
    "note_lapses",
    "outcome_of",
    "plan_chair",
    "update_details",
]


# --- a game goes on ---


def apply_action(
    spec: GameSpec, match: Match, action: PlayedAction, state: Any, at: int, *, undo: bool
) -> Match:
    """The game after an action that the rules have carried out; `state` is what they made of it.

    With `undo` the state before is kept, until a secret decision is revealed: what was seen stays seen.
    """
    goes_on = _is_still_open(spec.game, match.state, state, action.seat)
    is_revealed = not goes_on and spec.is_secret(match.state)
    return match.after(
        state,
        (*match.actions, action),
        (*match.stack, match.state) if undo and not is_revealed else (),
        match.decision if goes_on else match.decision + 1,
        match.decision_at if goes_on else at,
    )


def _is_still_open(game: AnyGame, before: Any, after: Any, seat: Seat) -> bool:
    """Whether the decision that was answered is still open.

    By the contract a seat whose answer is sealed isn't in ``to_act``, but can still act to change it. So the decision
    goes on when the seat only changed its answer, or when it answered and may still change it.
    """
    if seat not in game.to_act(before):
        return True
    return seat not in game.to_act(after) and len(game.legal(after, seat)) > 0


def awaited_players(game: AnyGame, match: Match) -> tuple[Player, ...]:
    """The players whose answer is awaited, in the order of their seats; none when the game has ended."""
    if match.ended_at is not None:
        return ()
    return tuple([match.seating[seat] for seat in game.to_act(match.state)])


def outcome_of(game: AnyGame, match: Match) -> Outcome | None:
    """How a game ended, by the rules or outside them; None while it runs, or when it was aborted."""
    if match.verdict is not None:
        return match.verdict
    outcome: Outcome | None = game.outcome(match.state)
    return outcome


def forfeit(match: Match, losers: tuple[Player, ...], reason: str) -> Match:
    """The game, lost for these players outside the rules."""
    winners = tuple(seat for seat, player in enumerate(match.seating) if player not in losers)
    return replace(match, verdict=Outcome(winners, reason))


# --- games begin and end ---


def next_proof(state: TableState) -> DealProof:
    """What will decide the next game's chance."""
    number = 1 if state.match is None else state.match.number + 1
    salts = tuple(chair.salt for chair in state.chairs)
    return proof_of(state.secret, state.table, number, salts)


def begin_game(
    spec: GameSpec, state: TableState, at: int, choice: tuple[str, ...] | None = None
) -> TableState:
    """Begins the series' next game; a series that is decided begins anew.

    Without a choice, what a series asks for is chosen as for a bot.
    """
    series, settings = state.series, state.settings
    if series.winner is not None:
        series = spec.begin_series(settings.series, settings.rules, len(state.chairs))
    if choice is None:
        choice = () if series.chooser is None else series.default_choice()
    match = _deal(spec, state, series.rules(choice), series.seating, at)
    begun = replace(
        state,
        phase=Phase.PLAYING,
        series=series,
        match=match,
        past=state.past if state.match is None else (*state.past, state.match),
        proposals=(),
        chairs=_reuse_if_equal(state.chairs, tuple(_sit_anew(chair) for chair in state.chairs)),
    )
    return finish_if_over(spec, begun, at)


def _deal(
    spec: GameSpec, state: TableState, rules: JsonObject, seating: tuple[Player, ...], at: int
) -> Match:
    """A new game: dealt from its seed, or from the start that the table has."""
    game, proof = spec.game, next_proof(state)
    number = 1 if state.match is None else state.match.number + 1
    read = game.read_rules(rules)
    if state.settings.start is not None:
        played = begin_from(game, rules, state.settings.start)
        actions = tuple(PlayedAction(0, turn.seat, turn.events) for turn in played.turns)
        return Match(number, read, seating, proof, played.state, at, at, actions)
    asked = tuple(state.settings.chairs[player].colour for player in seating)
    start = game.initial(read, game.draw_for(read, proof.generator(), asked))
    return Match(number, read, seating, proof, start, started_at=at, decision_at=at)


def _sit_anew(chair: Chair) -> Chair:
    """The chair in a new game: a bot that has taken over plays it under its own name."""
    if chair.left:
        level = chair.level or ""
        return Chair(ChairKind.BOT, level, level=level, offered=True)
    return replace(chair, ready=False) if chair.ready else chair


def finish_if_over(spec: GameSpec, state: TableState, at: int) -> TableState:
    """Ends the game when the rules, or a verdict, say so; the series takes note."""
    outcome = outcome_of(spec.game, state.running)
    if outcome is None:
        return state
    return replace(_end_game(state, at, aborted=False), series=state.series.after(outcome.winners))


def abort_game(state: TableState, at: int) -> TableState:
    """Ends the game without an outcome; it doesn't count in the series."""
    return _end_game(state, at, aborted=True)


def _end_game(state: TableState, at: int, *, aborted: bool) -> TableState:
    match = state.running
    people = tuple(state.chairs[player].info() for player in match.seating)
    out = tuple(player for player, chair in enumerate(state.chairs) if chair.out)
    left = tuple(player for player, chair in enumerate(state.chairs) if chair.left or player in out)
    chairs = tuple(
        replace(chair, absent=False, lapses=0, out=False, offered=chair.offered or chair.left)
        for chair in state.chairs
    )
    return replace(
        state,
        phase=Phase.OVER,
        match=replace(
            match, ended_at=at, aborted=aborted, people=people, left=left, out=out, stack=()
        ),
        proposals=(),
        chairs=_reuse_if_equal(state.chairs, chairs),
    )


def _reuse_if_equal(before: tuple[Chair, ...], after: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The same object when nothing has changed: views compare chairs by identity."""
    return before if before == after else after


# --- chairs ---


def plan_chair(level: str | None) -> Chair:
    """A chair for a bot of this level; an open one for None."""
    return Chair() if level is None else Chair(ChairKind.BOT, level, level=level)


def mark_absent(state: TableState, player: Player, *, absent: bool) -> TableState:
    """Lets a bot stand in for a player, or hands the seat back to them."""
    chair = state.chairs[player]
    return state.with_chair(player, replace(chair, absent=absent, lapses=0))


def note_lapses(state: TableState, players: tuple[Player, ...]) -> TableState:
    """Lets bots answer for players whose time has run out."""
    for player in players:
        chair = state.chairs[player]
        late = replace(chair, absent=True, lapses=chair.lapses + 1)
        state = state.with_chair(player, late)
    return state


def mark_out(state: TableState, players: tuple[Player, ...]) -> TableState:
    """Lets bots finish the game for players who have lost by time."""
    for player in players:
        chair = replace(state.chairs[player], absent=True, out=True)
        state = state.with_chair(player, chair)
    return state


def hand_back(state: TableState) -> TableState:
    """Gives players who have lapsed too seldom for a stand-in their seats back: the decision is over."""
    most = state.settings.clock.lapses
    for player, chair in enumerate(state.chairs):
        if chair.absent and 0 < chair.lapses < most and not chair.out:
            state = state.with_chair(player, replace(chair, absent=False))
    return state


def change_seating(
    spec: GameSpec,
    state: TableState,
    entry: Entry,
    command: Claim | Leave | Remove | MoveChair | SetChair | Start,
) -> TableState:
    """Puts another player on a chair. A game may begin or end by that, and all proposals lapse."""
    state = replace(state, proposals=())
    match command:
        case Claim():
            return _claim(spec, _ask_again(state), entry, command)
        case Leave():
            return _vacate(spec, _ask_again(state), command.player, entry.at, resigns=True)
        case Remove():
            return _vacate(spec, _ask_again(state), command.player, entry.at, resigns=False)
        case MoveChair():
            return _move_chair(state, entry, command)
        case SetChair():
            return _set_chair(spec, _ask_again(state), entry, command)
        case Start():
            return begin_game(spec, _fill_chairs(state, command.fill), entry.at)
        case _:
            assert_never(command)


def update_details(
    state: TableState, command: SeatLink | Rename | Return | CallBot | Invite | HandOver
) -> TableState:
    """Changes something about a chair or the table while everyone keeps their chairs."""
    match command:
        case SeatLink():
            chair = replace(state.chairs[command.player], digest=command.digest)
            return state.with_chair(command.player, chair)
        case Rename():
            chair = replace(state.chairs[command.player], name=command.name)
            return state.with_chair(command.player, chair)
        case Return():
            return mark_absent(state, command.player, absent=False)
        case CallBot():
            return mark_absent(state, command.missing, absent=True)
        case Invite():
            return replace(state, invite=command.digest)
        case HandOver():
            return replace(state, host=command.host)
        case _:
            assert_never(command)


def _claim(spec: GameSpec, state: TableState, entry: Entry, command: Claim) -> TableState:
    assert command.player is not None, "the log keeps the chair that was found"
    kind = ChairKind.PROGRAM if command.program else ChairKind.HUMAN
    chair = Chair(kind, command.name, guest_of(entry.who), command.digest, salt=command.salt)
    state = state.with_chair(command.player, chair)
    return _start_if_full(spec, _mark_present(state, entry, command.player), entry.at)


def _start_if_full(spec: GameSpec, state: TableState, at: int) -> TableState:
    """Begins the first game when every chair is taken, and everyone is ready where that is asked.

    At some tables the host has to say so.
    """
    starts = state.phase is Phase.LOBBY and state.settings.auto_start and state.persons()
    waits = state.settings.ready_check and state.unready()
    return begin_game(spec, state, at) if starts and state.is_full and not waits else state


def _asks_for_ready(state: TableState) -> bool:
    return state.settings.ready_check and state.phase is Phase.LOBBY


def _mark_present(state: TableState, entry: Entry, claimed: Player | None = None) -> TableState:
    """Takes a person for ready, with all chairs that they hold, who has just filled the table."""
    if not _asks_for_ready(state) or not state.is_full:
        return state
    guest = guest_of(entry.who)
    for player, chair in enumerate(state.chairs):
        if player == claimed or (guest is not None and chair.holder == guest):
            state = state.with_chair(player, replace(chair, ready=True))
    return state


def _ask_again(state: TableState) -> TableState:
    """Asks everyone anew whether they are ready: they said so to other players."""
    if not _asks_for_ready(state):
        return state
    return replace(state, chairs=tuple(replace(chair, ready=False) for chair in state.chairs))


def mark_ready(spec: GameSpec, state: TableState, command: Ready, at: int) -> TableState:
    """Notes that a player is ready, or isn't any more. The last one who is begins the game."""
    chair = replace(state.chairs[command.player], ready=command.ready)
    return _start_if_full(spec, state.with_chair(command.player, chair), at)


def _move_chair(state: TableState, entry: Entry, command: MoveChair) -> TableState:
    chair, holder = state.chairs[command.player], guest_of(entry.who)
    if chair.holder is not None and state.host == chair.holder:
        state = replace(state, host=holder)
    moved = replace(chair, holder=holder, digest=command.digest, absent=chair.out)
    return state.with_chair(command.player, moved)


def _set_chair(spec: GameSpec, state: TableState, entry: Entry, command: SetChair) -> TableState:
    chair = state.chairs[command.player]
    if chair.left:
        return state.with_chair(command.player, replace(chair, offered=command.level is None))
    state = state.with_chair(command.player, plan_chair(command.level))
    return _start_if_full(spec, _mark_present(state, entry), entry.at)


def _fill_chairs(state: TableState, level: str | None) -> TableState:
    for player, chair in enumerate(state.chairs):
        if chair.kind is ChairKind.OPEN:
            state = state.with_chair(player, plan_chair(level))
    return state


def _vacate(
    spec: GameSpec, state: TableState, player: Player, at: int, *, resigns: bool
) -> TableState:
    """Vacates a chair; mid-game a bot takes over, or the player resigns where the game allows that."""
    gone = state.chairs[player].holder
    if not state.in_game:
        state = state.with_chair(player, Chair())
    elif resigns and "resigned" in spec.forfeits:
        state = replace(state, match=forfeit(state.running, (player,), "resigned"))
        state = finish_if_over(spec, state, at).with_chair(player, Chair())
    else:
        name, level = state.chairs[player].name, state.substitute
        state = state.with_chair(player, Chair(ChairKind.BOT, name, level=level, left=True))
    if state.in_game and not state.persons():
        state = abort_game(state, at)  # bots don't play on among themselves
    return _pass_on_host(state, gone)


def _pass_on_host(state: TableState, gone: str | None) -> TableState:
    """Makes the next person the host; closes a table that everyone has left."""
    holders = [state.chairs[player].holder for player in state.persons()]
    if gone is not None and state.host == gone and gone not in holders:
        state = replace(state, host=next((holder for holder in holders if holder), None))
    if not holders and state.host is None:
        state = replace(state, phase=Phase.CLOSED)
    return state
