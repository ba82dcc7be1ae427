"""Checks a review: the same numbers come out again, every claim fits the game, and every proven win is proven.

A number that repeats may still be luck: a search that names the best of many options names the luckiest. So each
mistake is judged once more with another seed or, in Buffalo, with more positions: `fresh` is what remains of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from stampede.buffalo import BuffaloGame, BuffaloState, Move, Position, Side
from stampede.core.game import AnyGame
from stampede.core.json import Json, canonical
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_choice, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS
from stampede.lab.reviews.wins import WinChecker
from stampede.oracle import default_oracle
from stampede.oracle.reviews import plan_review_again
from stampede.proofs.puzzles.zoff_solver import RoundSolver
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.review import chance_of
from stampede.search.review import GameReview, ProvenWin, ReviewedDecision, run_review
from stampede.search.zoff.review.choices import review_choices
from stampede.search.zoff.review.game import effort_of
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffGame
from stampede.zoff.actions import Choose
from stampede.zoff.state import State

__all__ = ["CheckedReview", "ProofCount", "check_review"]

_FRESH_SEED: Final = 1_000_003
"""Far from the seeds of the review, which are near each other."""
_MORE: Final = 4
"""So many times the positions are searched for a fresh look at a mistake in Buffalo."""
_MARKS: Final = {"cows": (0.5, 1.0), "chance": (0.12, 0.3)}
"""By unit: from which loss a decision is a mistake, and a blunder."""
_END_STATES: Final = 100_000
"""States of a last round of Zoff that are played out again."""
_WORDS: Final = ("choice_better", "answer_better", "settle_better")
"""Reasons that name the loss."""


@dataclass(slots=True)
class ProofCount:
    """Claims of proven wins.

    Attributes:
        claims: All of them.
        winners: Those whose winner is proven again.
        plies: Those whose number of plies is confirmed.
        listed: Those that a verified certificate proves, which weren't proven again.
        played: Those that were neither, but only played out.
    """

    claims: int = 0
    winners: int = 0
    plies: int = 0
    listed: int = 0
    played: int = 0


@dataclass(slots=True)
class CheckedReview:
    """What the check of one review has found.

    Attributes:
        decisions: All decisions.
        better: Those for which the review names something better.
        faults: What is wrong; empty when every claim holds.
        claimed: What the mistakes (`?`, `??`) gave away, as the review says.
        fresh: The same mistakes, judged once more.
        proofs: Proven wins by how they are known.
    """

    decisions: int
    better: int
    faults: list[str] = field(default_factory=list)
    claimed: list[float] = field(default_factory=list)
    fresh: list[float] = field(default_factory=list)
    proofs: dict[str, ProofCount] = field(default_factory=dict)


def check_review(review: GameReview, checker: WinChecker | None = None) -> CheckedReview:
    """Checks a review against its record, from the budget that it names.

    Raises:
        InputError: It isn't the review of a finished game.
    """
    record = review.record
    found = CheckedReview(
        len(review.decisions), sum(decision.loss > 0 for decision in review.decisions)
    )
    again = run_review(plan_review_again(record, review.budget))
    if again.to_json() != review.to_json():
        found.faults.append("the same record and budget give another review")
    states = _states(record)
    game = game_named(record.game).game
    for decision in review.decisions:
        for fault in _faults(decision, game, states[decision.turn]):
            found.faults.append(f"turn {decision.turn}: {fault}")
    found.faults += _end_faults(review)
    if record.game == BuffaloGame.name:
        _check_wins(review, states, checker or WinChecker(), found)
        look = partial(_fresh_moves, states, review.budget)
    else:
        _check_ends(review, states, found)
        look = partial(_fresh_choices, states, review.budget)
    for decision, fresh in look(review.decisions):
        found.claimed.append(decision.loss)
        found.fresh.append(fresh)
    return found


def _states(record: GameRecord) -> list[object]:
    played = replay(game_named(record.game).game, record)
    return [played.start, *(turn.state for turn in played.turns)]


# --- what a decision says ---


def _faults(decision: ReviewedDecision, game: AnyGame, state: object) -> Iterator[str]:
    """What is wrong with a decision by itself."""
    if (decision.loss > 0) != (decision.best != decision.chosen):
        yield f"a loss of {decision.loss} from {decision.chosen} to {decision.best}"
    mistake, blunder = _MARKS[decision.unit]
    mark = "??" if decision.loss >= blunder else "?" if decision.loss >= mistake else ""
    if decision.mark.strip("!") != mark:
        yield f"marked {decision.mark!r} with a loss of {decision.loss}"
    legal = game.legal(state, decision.seat)
    named: list[Json] = [decision.best, *(one.action for one in decision.alternatives)]
    for action in named:
        if decision.options and game.read_action(state, action) not in legal:
            yield f"{action} is named and can't be done"
    for reason in decision.reasons:
        if reason.code in _WORDS and reason.values["cows"] != f"{decision.loss:.1f}":
            yield f"a loss of {decision.loss} is called {reason}"


def _end_faults(review: GameReview) -> Iterator[str]:
    """Whether the curve is one of chances, and ends with the result."""
    result = review.record.result or {}
    winners = result.get("winners", [result.get("winner")])
    for point in review.points:
        if abs(sum(point.chances) - 1) > 1e-6:
            yield f"turn {point.turn}: chances {point.chances}"
    end = review.points[-1].chances
    if result.get("reason") != "resigned" and winners != [
        seat for seat, chance in enumerate(end) if chance > 0
    ]:
        yield f"the curve ends with {end}, the game was won by {winners}"
    turns = [point.turn for point in review.points]
    if any(first >= second for first, second in pairwise(turns)):
        yield f"the curve's turns don't rise: {turns}"


# --- proven wins ---


def _check_wins(
    review: GameReview, states: list[object], checker: WinChecker, found: CheckedReview
) -> None:
    """Verifies the wins on the curve, which are those that remarks name, and those that mistakes allowed."""
    claims = [(point.turn, point.proven) for point in review.points]
    claims += [(decision.turn + 1, decision.proven) for decision in review.decisions]
    for turn, win in claims:
        if win is None:
            continue
        position = _position(states[turn])
        source = win.source if win.kind == "certificate" else ""
        checked = checker.check(position, _side(win), win.plies, source)
        count = found.proofs.setdefault(win.kind, ProofCount())
        count.claims += 1
        count.winners += checked.winner is True
        count.plies += checked.plies is True
        count.listed += checked.listed is True
        count.played += checked.winner is None and not checked.listed
        if checked.is_refuted:
            found.faults.append(f"turn {turn}: {win} isn't so: {position.fen()}")
    for decision in review.decisions:
        found.faults += _line_faults(decision, _position(states[decision.turn + 1]))


def _check_ends(review: GameReview, states: list[object], found: CheckedReview) -> None:
    """Plays out again what is said to be proven in the last round of Zoff, with the solver of puzzles."""
    solver = RoundSolver(_END_STATES)
    for decision in review.decisions:
        win, before, after = decision.proven, states[decision.turn], states[decision.turn + 1]
        if win is None:
            continue
        assert isinstance(before, State), "a state of Zoff"
        assert isinstance(after, State), "a state of Zoff"
        count = found.proofs.setdefault(win.kind, ProofCount())
        count.claims += 1
        choices = solver.solve(before).choices
        ends = {canonical(choice.action.to_json()): choice.end.winners for choice in choices}
        told = ends[canonical(decision.chosen)], ends[canonical(decision.best)]
        holds = told == ((win.seat,), (decision.seat,))
        count.winners += holds
        in_time = _ends_in_time(after, win.seat, win.plies)
        count.plies += in_time
        if not (holds and in_time):
            found.faults.append(f"turn {decision.turn}: {win} isn't so: {told}")


def _ends_in_time(state: State, winner: int, plies: int) -> bool:
    """Whether a seat wins in so many actions, whatever the other one does, by the readable rules alone."""
    if state.ending is not None:
        return state.ending.winners == (winner,)
    if plies <= 0:
        return False
    game = ZoffGame()
    (seat,) = game.to_act(state)
    following = (
        _ends_in_time(game.apply(state, seat, action).state, winner, plies - 1)
        for action in game.legal(state, seat)
    )
    return any(following) if seat == winner else all(following)


def _line_faults(decision: ReviewedDecision, after: Position) -> Iterator[str]:
    """Whether the refutation can be played, and ends as it is said to."""
    for text in decision.line:
        move = Move.parse(text)
        if after.is_over or not after.is_legal(move):
            yield f"turn {decision.turn}: the line {decision.line} breaks the rules at {text}"
            return
        after = after.after(move)


def _side(win: ProvenWin) -> Side:
    return Side.BUFFALO if win.seat == 0 else Side.HUNTER


def _position(state: object) -> Position:
    assert isinstance(state, BuffaloState), "a state of Buffalo"
    return state.position


# --- mistakes, judged once more ---


def _fresh_moves(
    states: list[object], budget: Mapping[str, int], decisions: tuple[ReviewedDecision, ...]
) -> Iterator[tuple[ReviewedDecision, float]]:
    """The chances that a mistake gives away against the move that was named, with more positions for both."""
    limits = Limits(nodes=_MORE * budget["nodes"])
    for decision in decisions:
        if decision.mark in ("?", "??"):
            position = _position(states[decision.turn])
            worth = []
            for text in (decision.chosen, decision.best):
                after = position.after(Move.parse(str(text)))
                if after.is_over:
                    worth.append(float(after.winner is position.turn))
                    continue
                engine = Engine(_MORE * budget["entries"], oracle=default_oracle())
                best = engine.search(after, limits).best
                worth.append(1.0 - chance_of(best.score, best.plies))
            yield decision, worth[1] - worth[0]


def _fresh_choices(
    states: list[object], budget: Mapping[str, int], decisions: tuple[ReviewedDecision, ...]
) -> Iterator[tuple[ReviewedDecision, float]]:
    """The cows that a sealed choice gives away against the one that was named, with another seed.

    Placements and bonuses are searched without chance, so that there is nothing to judge anew.
    """
    effort = effort_of(budget)
    rounds: dict[int, list[ReviewedDecision]] = {}
    for decision in decisions:
        if isinstance(decision.chosen, dict) and decision.chosen["type"] == "choose":
            rounds.setdefault(decision.round, []).append(decision)
    game = game_named("zoff").game
    for made in rounds.values():
        state = states[min(decision.turn for decision in made)]
        assert isinstance(state, State), "a state of Zoff"
        setup, record = encode_setup(state), encode(state)
        net = load_net(int(setup.players))
        values = []
        for which in ("chosen", "best"):
            laid = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
            for decision in made:
                choose = game.read_action(state, getattr(decision, which))
                assert isinstance(choose, Choose), "a choice"
                laid[decision.seat] = encode_choice(state, decision.seat, choose)
            rng = new_rng(_FRESH_SEED + made[0].turn)
            judged = review_choices(setup, record, laid, net, effort, rng)
            values.append([one.value for one in judged.by_seat])
        for decision in made:
            if decision.mark in ("?", "??"):
                yield decision, values[1][decision.seat] - values[0][decision.seat]
