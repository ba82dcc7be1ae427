"""How a table changes: players sit down and leave, games begin, go on, go back and end, proposals pass.

Pure functions on `TableState` and `Match`; `stampede.matches.fold` puts them together. Nothing is checked here:
`stampede.matches.decide` has done that before a command came into the log.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from stampede.core.game import AnyGame, Outcome, Seat, Step
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
    Remove,
    Rename,
    Return,
    SeatLink,
    SetChair,
    Start,
    Vote,
    VoteTopic,
)
from stampede.matches.entries import Entry
from stampede.matches.fair import DealProof, proof_of
from stampede.matches.state import (
    Chair,
    ChairKind,
    Match,
    Phase,
    PlayedAction,
    Proposal,
    TableState,
)

__all__ = [
    "abort_game",
    "apply_action",
    "awaited_players",
    "begin_game",
    "cast_vote",
    "change_seating",
    "drop_stale_undo",
    "finish_if_over",
    "forfeit",
    "mark_absent",
    "next_proof",
    "outcome_of",
    "plan_chair",
    "undo_actions",
    "undo_depth",
    "update_details",
    "voters_of",
]


# --- a game goes on ---


def apply_action(
    spec: GameSpec, match: Match, seat: Seat, step: Step[Any], seq: int, at: int
) -> Match:
    """The game after an action that the rules have carried out."""
    goes_on = _is_still_open(spec.game, match.state, step.state, seat)
    return match.after(
        step.state,
        (*match.actions, PlayedAction(seq, seat, step.events)),
        (*match.stack, match.state) if spec.undo else (),
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


def undo_depth(match: Match, player: Player) -> int:
    """How many actions have to be taken back to undo the player's last one; 0 when they haven't acted."""
    seat = match.seat_of(player)
    for depth, action in enumerate(reversed(match.actions), start=1):
        if action.seat == seat:
            return depth
    return 0


def undo_actions(match: Match, depth: int, at: int) -> Match:
    """The game before its last actions. Its decision gets a new id, so that no stale answer fits it."""
    kept = len(match.actions) - depth
    return replace(
        match,
        state=match.stack[kept],
        actions=match.actions[:kept],
        stack=match.stack[:kept],
        decision=match.decision + 1,
        decision_at=at,
    )


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
        chairs=_reuse_if_equal(state.chairs, tuple(_name_bot(chair) for chair in state.chairs)),
    )
    return finish_if_over(spec, begun, at)


def _deal(
    spec: GameSpec, state: TableState, rules: JsonObject, seating: tuple[Player, ...], at: int
) -> Match:
    """A new game, dealt from its seed."""
    game, proof = spec.game, next_proof(state)
    number = 1 if state.match is None else state.match.number + 1
    read = game.read_rules(rules)
    start = game.initial(read, game.draw(read, proof.generator()))
    return Match(number, read, seating, proof, start, started_at=at, decision_at=at)


def _name_bot(chair: Chair) -> Chair:
    """A bot that has taken over plays the next game under its own name."""
    level = chair.level or ""
    return Chair(ChairKind.BOT, level, level=level, offered=True) if chair.left else chair


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
    left = tuple(player for player, chair in enumerate(state.chairs) if chair.left)
    chairs = tuple(
        replace(chair, absent=False, offered=chair.offered or chair.left) for chair in state.chairs
    )
    return replace(
        state,
        phase=Phase.OVER,
        match=replace(match, ended_at=at, aborted=aborted, people=people, left=left, stack=()),
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


def mark_absent(state: TableState, players: tuple[Player, ...], *, absent: bool) -> TableState:
    """Lets bots stand in for these players, or hands their seats back to them."""
    for player in players:
        state = state.with_chair(player, replace(state.chairs[player], absent=absent))
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
            return _claim(spec, state, entry, command)
        case Leave():
            return _vacate(spec, state, command.player, entry.at, resigns=True)
        case Remove():
            return _vacate(spec, state, command.player, entry.at, resigns=False)
        case MoveChair():
            return _move_chair(state, entry, command)
        case SetChair():
            return _set_chair(spec, state, command, entry.at)
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
            return mark_absent(state, (command.player,), absent=False)
        case CallBot():
            return mark_absent(state, (command.missing,), absent=True)
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
    return _start_if_full(spec, state.with_chair(command.player, chair), entry.at)


def _start_if_full(spec: GameSpec, state: TableState, at: int) -> TableState:
    """Begins the first game when every chair is taken, unless the host has to say so."""
    full = all(chair.kind is not ChairKind.OPEN for chair in state.chairs)
    ready = state.phase is Phase.LOBBY and state.settings.auto_start and state.persons()
    return begin_game(spec, state, at) if full and ready else state


def _move_chair(state: TableState, entry: Entry, command: MoveChair) -> TableState:
    chair, holder = state.chairs[command.player], guest_of(entry.who)
    if chair.holder is not None and state.host == chair.holder:
        state = replace(state, host=holder)
    moved = replace(chair, holder=holder, digest=command.digest, absent=False)
    return state.with_chair(command.player, moved)


def _set_chair(spec: GameSpec, state: TableState, command: SetChair, at: int) -> TableState:
    chair = state.chairs[command.player]
    if chair.left:
        return state.with_chair(command.player, replace(chair, offered=command.level is None))
    return _start_if_full(spec, state.with_chair(command.player, plan_chair(command.level)), at)


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


# --- votes ---


def voters_of(state: TableState, topic: VoteTopic) -> frozenset[Player]:
    """The players whose agreement is needed.

    Everyone's, programs included, where a player could lose by it: abort and undo. Otherwise people are enough, as a
    program may not know votes, and absent players hold up neither a pause nor its end.
    """
    persons = state.persons()
    if topic in (VoteTopic.ABORT, VoteTopic.UNDO):
        return frozenset(persons)
    people = [player for player in persons if state.chairs[player].kind is ChairKind.HUMAN]
    if topic is not VoteTopic.NEXT:
        people = [player for player in people if not state.chairs[player].absent]
    return frozenset(people or persons)


def cast_vote(spec: GameSpec, state: TableState, vote: Vote, at: int) -> TableState:
    """The state after a vote; the last vote needed carries the proposal out."""
    others = tuple(proposal for proposal in state.proposals if proposal.topic is not vote.on)
    if not vote.agree:
        return replace(state, proposals=others)
    before = state.proposal(vote.on) or Proposal(vote.on, ())
    # A player who votes again keeps their place: the first one has made the proposal.
    agreed = {**dict(before.agreed), vote.player: vote.choice}
    proposal = Proposal(vote.on, tuple(agreed.items()))
    if not _passes(state, proposal, at):
        return replace(state, proposals=(*others, proposal))
    return _carry_out(spec, replace(state, proposals=others), proposal, at)


def _passes(state: TableState, proposal: Proposal, at: int) -> bool:
    waited = at - state.paused_at
    if proposal.topic is VoteTopic.RESUME and waited >= state.settings.patience_ms:
        return True
    return voters_of(state, proposal.topic) <= set(proposal.players)


def _carry_out(spec: GameSpec, state: TableState, proposal: Proposal, at: int) -> TableState:
    match proposal.topic:
        case VoteTopic.ABORT:
            return abort_game(state, at)
        case VoteTopic.UNDO:
            depth = undo_depth(state.running, proposal.players[0])
            return replace(state, match=undo_actions(state.running, depth, at))
        case VoteTopic.PAUSE:
            return replace(state, phase=Phase.PAUSED, paused_at=at)
        case VoteTopic.RESUME:
            match = replace(state.running, decision_at=at)
            return replace(state, phase=Phase.PLAYING, match=match)
        case VoteTopic.NEXT:
            return begin_game(spec, state, at, _next_choice(state, proposal))
        case _:
            assert_never(proposal.topic)


def _next_choice(state: TableState, proposal: Proposal) -> tuple[str, ...] | None:
    """What was chosen for the next game; None when nothing was, or a bot chooses."""
    series = state.series
    if series.chooser is None or series.winner is not None:
        return None
    return dict(proposal.agreed).get(series.seating[series.chooser])


def drop_stale_undo(state: TableState) -> TableState:
    """The state without a proposed undo: it was about a decision that is over."""
    if not state.proposals:
        return state
    kept = tuple(proposal for proposal in state.proposals if proposal.topic is not VoteTopic.UNDO)
    return replace(state, proposals=kept)
