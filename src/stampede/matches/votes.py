"""What people agree on: abort, undo, pause, resume, the next game. A ballot is done when everybody asked has agreed."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from stampede.core.errors import InputError
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.commands import Matter, Vote
from stampede.matches.errors import WrongPhase
from stampede.matches.plays import undo_depth, undone
from stampede.matches.refusals import conflict, stale
from stampede.matches.sittings import aborted, begin_game
from stampede.matches.state import Ballot, ChairKind, Phase, TableState

__all__ = ["asked", "check_vote", "next_choice", "voted", "without_stale_undo"]


def asked(state: TableState, matter: Matter) -> frozenset[Player]:
    """Whose agreement is needed.

    Every person's, a program's too, where somebody could lose by it: abort and undo. Else people are enough, as a
    program may know no votes; and those who are away don't hold up a pause or its end.
    """
    persons = state.persons()
    if matter in (Matter.ABORT, Matter.UNDO):
        return frozenset(persons)
    people = [player for player in persons if state.chairs[player].kind is ChairKind.HUMAN]
    if matter is not Matter.NEXT:
        people = [player for player in people if not state.chairs[player].absent]
    return frozenset(people or persons)


def voted(spec: GameSpec, state: TableState, vote: Vote, at: int) -> TableState:
    """The state after a vote; when it was the last one needed, what it was about is done."""
    others = tuple(ballot for ballot in state.ballots if ballot.matter is not vote.on)
    if not vote.agree:
        return replace(state, ballots=others)
    before = state.ballot(vote.on) or Ballot(vote.on, ())
    # Whoever votes again keeps his place: the first one has proposed it.
    agreed = {**dict(before.agreed), vote.player: vote.choice}
    ballot = Ballot(vote.on, tuple(agreed.items()))
    if not _is_carried(state, ballot, at):
        return replace(state, ballots=(*others, ballot))
    return _carried(spec, replace(state, ballots=others), ballot, at)


def _is_carried(state: TableState, ballot: Ballot, at: int) -> bool:
    if ballot.matter is Matter.RESUME and at - state.paused_at >= state.settings.patience_ms:
        return True
    return asked(state, ballot.matter) <= set(ballot.players)


def _carried(spec: GameSpec, state: TableState, ballot: Ballot, at: int) -> TableState:
    match ballot.matter:
        case Matter.ABORT:
            return aborted(state, at)
        case Matter.UNDO:
            depth = undo_depth(state.running, ballot.players[0])
            return replace(state, play=undone(state.running, depth, at))
        case Matter.PAUSE:
            return replace(state, phase=Phase.PAUSED, paused_at=at)
        case Matter.RESUME:
            play = replace(state.running, decision_at=at)
            return replace(state, phase=Phase.PLAYING, play=play)
        case Matter.NEXT:
            return begin_game(spec, state, at, next_choice(state, ballot))
        case _:
            assert_never(ballot.matter)


def next_choice(state: TableState, ballot: Ballot) -> tuple[str, ...] | None:
    """What was chosen for the next game; None when nothing was, or by a bot."""
    series = state.series
    if series.chooser is None or series.winner is not None:
        return None
    return dict(ballot.agreed).get(series.seating[series.chooser])


def without_stale_undo(state: TableState) -> TableState:
    """The state without a proposed undo: it stood for a decision that is over."""
    if not state.ballots:
        return state
    kept = tuple(ballot for ballot in state.ballots if ballot.matter is not Matter.UNDO)
    return replace(state, ballots=kept)


# --- checks ---


def check_vote(spec: GameSpec, state: TableState, vote: Vote) -> None:
    """Whether somebody may vote so now; raises a Conflict or an InputError when not."""
    needed = {Matter.RESUME: Phase.PAUSED, Matter.NEXT: Phase.OVER}.get(vote.on, Phase.PLAYING)
    allowed = (needed, Phase.PAUSED) if vote.on is Matter.ABORT else (needed,)
    if state.phase not in allowed:
        raise conflict(
            WrongPhase, spec, state, f"expected a table: {needed.value}, for {vote.on.value}"
        )
    if vote.agree and vote.on is Matter.UNDO:
        _vote_undo(spec, state, vote)
    if vote.agree and vote.on is Matter.NEXT:
        _vote_next(spec, state, vote)
    elif vote.choice:
        raise InputError("choice: expected none here")
    if not vote.agree and state.ballot(vote.on) is None:
        raise conflict(WrongPhase, spec, state, f"nobody has proposed: {vote.on.value}")


def _vote_undo(spec: GameSpec, state: TableState, vote: Vote) -> None:
    if not (spec.open_information and state.settings.undo):
        raise InputError("expected a game and a table that allow an undo")
    play = state.running
    if vote.decision != play.decision_id:
        raise stale(spec, state, vote.decision)
    ballot = state.ballot(Matter.UNDO)
    proposer = vote.player if ballot is None else ballot.players[0]
    if not undo_depth(play, proposer):
        raise conflict(WrongPhase, spec, state, f"player {proposer} hasn't moved yet")


def _vote_next(spec: GameSpec, state: TableState, vote: Vote) -> None:
    if any(chair.kind is ChairKind.OPEN for chair in state.chairs):
        raise conflict(WrongPhase, spec, state, "expected every chair to be taken")
    series = state.series
    decides = series.winner is None and series.chooser is not None
    if decides and series.chooser is not None and series.seating[series.chooser] == vote.player:
        # RuleSetError, an InputError, says what is due.
        spec.game.read_rules(series.rules(vote.choice))
    elif vote.choice:
        raise InputError("choice: expected none, as it isn't yours")
