"""Proposals: what players can agree on, whose agreement is needed, and what is done when everyone agrees.

Pure functions on `TableState`, as in `stampede.matches.lifecycle`. `stampede.matches.decide` has checked every vote.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import Vote, VoteTopic
from stampede.matches.lifecycle import abort_game, begin_game
from stampede.matches.state import ChairKind, Match, Phase, Proposal, TableState

__all__ = [
    "allows_undo",
    "cast_vote",
    "drop_stale_undo",
    "free_take_backs",
    "undo_depth",
    "voters_of",
]


def voters_of(state: TableState, topic: VoteTopic) -> frozenset[Player]:
    """The players whose agreement is needed.

    Everyone's, programs included, where a player could lose by it: abort and undo. Otherwise people are enough, as a
    program may not know votes, and absent players hold up neither a pause nor its end. Those who have lost by time have
    no say in the rest of the game.
    """
    everyone = state.persons()
    persons = tuple(player for player in everyone if not state.chairs[player].out) or everyone
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
            depth = undo_depth(spec, state.running, proposal.players[0])
            return replace(state, match=_undo_actions(state.running, depth, at))
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


# --- taking back ---


def allows_undo(spec: GameSpec, state: TableState) -> bool:
    """Whether actions can be taken back at this table.

    Where something is hidden, only a person who plays bots alone can, in a game that doesn't count: no other player
    could lose by it.
    """
    return spec.undo or (_is_alone(state) and not state.settings.rated)


def _is_alone(state: TableState) -> bool:
    """Whether one person plays against bots. A player who has left may come back, so they count."""
    return len(state.persons()) == 1 and not any(chair.left for chair in state.chairs)


def undo_depth(spec: GameSpec, match: Match, player: Player) -> int:
    """How many actions have to be taken back to undo the player's last open one; 0 when there is none.

    Nothing before the last reveal of secret answers is there any more, and a sealed answer is changed by an action of
    the game itself.
    """
    seat = match.seat_of(player)
    played = zip(reversed(match.actions), reversed(match.stack), strict=False)
    for depth, (action, before) in enumerate(played, start=1):
        if action.seat == seat and not spec.is_secret(before):
            return depth
    return 0


def free_take_backs(spec: GameSpec, state: TableState) -> tuple[Player, ...]:
    """The players who can take their last action back at once, as no one else has to agree."""
    if state.phase is not Phase.PLAYING or not state.settings.undo or not _is_alone(state):
        return ()
    if not allows_undo(spec, state):
        return ()
    return tuple(p for p in state.persons() if undo_depth(spec, state.running, p))


def _undo_actions(match: Match, depth: int, at: int) -> Match:
    """The game before its last actions. Its decision gets a new id, so that no stale answer fits it."""
    return replace(
        match,
        state=match.stack[-depth],
        actions=match.actions[:-depth],
        stack=match.stack[:-depth],
        decision=match.decision + 1,
        decision_at=at,
    )


def drop_stale_undo(state: TableState) -> TableState:
    """The state without a proposed undo: it was about a decision that is over."""
    if not state.proposals:
        return state
    kept = tuple(proposal for proposal in state.proposals if proposal.topic is not VoteTopic.UNDO)
    return replace(state, proposals=kept)
