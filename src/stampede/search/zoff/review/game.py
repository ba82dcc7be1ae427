"""Reviews a finished game: what each decision was worth, what would have been better, and how the chances moved.

The record tells everything, so all hands are known here. A choice is evaluated against what the others may have
chosen (`stampede.search.zoff.review.choices`), not against what they happened to lay: luck isn't skill. Values are in
cows: own expected cows at the end less the mean of the others'.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.core.remark import Remark
from stampede.core.replay import replay
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import (
    decode_bonus,
    decode_choice,
    encode,
    encode_bonus,
    encode_choice,
    encode_setup,
)
from stampede.kernels.zoff.layout import MAX_COLOURS, SetupRecord, StateRecord
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    choice_count,
    nth_bonus,
    placements,
)
from stampede.search.review import (
    Alternative,
    CurvePoint,
    Mark,
    PairOutcome,
    ReviewedDecision,
    ReviewPart,
    ReviewPlan,
    expect_finished,
)
from stampede.search.zoff.review.choices import LEAD, review_choices
from stampede.search.zoff.review.foresight import draw_rounds, explain_outcome
from stampede.search.zoff.review.openings import (
    ReviewedOpening,
    review_bid,
    review_pick,
    review_settling,
    worths_of_colours,
)
from stampede.search.zoff.review.remarks import (
    SMALL,
    describe_action,
    explain_answer,
    explain_choice,
)
from stampede.search.zoff.strategy import Effort, evaluate_answers
from stampede.search.zoff.value import Net, expected_cows, fill_win_chances, load_net
from stampede.zoff import ZoffGame
from stampede.zoff.actions import Bid, Choose, Pick, Place, PlaceBonus, Settle, TakeBack, ZoffAction
from stampede.zoff.events import Placed, Wasted
from stampede.zoff.rules import ZoffRules
from stampede.zoff.setup import Deal
from stampede.zoff.state import State, ZoffPhase

__all__ = ["EFFORT", "answer_options", "effort_of", "plan_review"]

EFFORT = Effort(pool=96, samples=6, keep=10, rounds=8_000, leaves=2_000)
BUDGET = ("pool", "samples", "keep", "rounds", "leaves", "response_iterations")
"""The counts of an effort that a review depends on."""
MISTAKE, BLUNDER = 0.5, 1.0
"""From so many cows given away a decision is marked ? and ??."""
FIND, MANY = 1.0, 3
"""An answer is marked ! if all of at least so many others give so many cows away."""
SHOWN = 4
"""How many answers are told with their values."""

ZoffPlaythrough: TypeAlias = Playthrough[ZoffRules, State, ZoffAction, Deal]
_Answer: TypeAlias = tuple[int, Seat, Place | PlaceBonus, State]


def plan_review(
    record: GameRecord, game: ZoffGame | None = None, effort: Effort = EFFORT, seed: int = 0
) -> ReviewPlan:
    """Plans the review of a finished game, from settling and bids to the last bonus.

    Raises:
        InputError: The record isn't a finished game of Zoff, or not by the rules.
    """
    expect_finished(record, ZoffGame.name)
    rules = game or ZoffGame()
    played = replay(rules, record)
    net = load_net(played.rules.players)
    sheet = _sort_decisions(played)
    tasks: list[Callable[[], ReviewPart]] = [lambda: ReviewPart(points=_curve(played, sheet, net))]
    tasks += [
        partial(_review_round, choosing, net, effort, seed) for choosing in sheet.rounds.values()
    ]
    tasks += [
        partial(_review_answers, answers, net, effort, seed) for answers in sheet.answers.values()
    ]
    if sheet.opening:
        first = next(iter(sheet.rounds.values())).state
        tasks.append(partial(_review_opening, rules, first, sheet.opening, seed))
    budget = {"seed": seed} | {name: getattr(effort, name) for name in BUDGET}
    return ReviewPlan(record, played.rules.players, tuple(tasks), budget)


def effort_of(budget: Mapping[str, int]) -> Effort:
    """The effort that a review's budget names."""
    return Effort(
        pool=budget["pool"],
        samples=budget["samples"],
        keep=budget["keep"],
        rounds=budget["rounds"],
        leaves=budget["leaves"],
        response_iterations=budget["response_iterations"],
    )


def _sort_decisions(played: ZoffPlaythrough) -> _Sheet:
    """Sorts the decisions of a game by what has to be reviewed together. What was taken back doesn't count."""
    sheet = _Sheet()
    before = played.start
    for turn, (seat, action, after, events) in enumerate(played.turns):
        match action:
            case Choose():
                opened = sheet.rounds.setdefault(before.round, _Choosing(turn, before))
                opened.choices[seat] = (turn, action)
            case TakeBack():
                sheet.take_back(seat, before.round)
            case Place() | PlaceBonus():
                sheet.answers.setdefault(before.round, []).append((turn, seat, action, before))
            case _:
                sheet.opening.append((turn, seat, action, before))
        for event in events:
            if isinstance(event, Placed | Wasted) and event.round in sheet.rounds:
                sheet.rounds[event.round].outcomes.append(event)
        before = after
    return sheet


@dataclass(slots=True)
class _Choosing:
    """A round: the state in which all choose, what they laid, and what became of it."""

    turn: int
    state: State
    choices: dict[Seat, tuple[int, Choose]] = field(default_factory=dict)
    outcomes: list[Placed | Wasted] = field(default_factory=list)

    def outcome(self, seat: Seat, choose: Choose) -> tuple[PairOutcome, ...]:
        """What became of a seat's pairs."""
        found = []
        for pair in choose.pairs:
            cows = [
                event.cows if isinstance(event, Placed) else None
                for event in self.outcomes
                if event.seat == seat
                and event.card == pair.card
                and (not pair.pasture or event.pasture == pair.pasture)
            ]
            placed = [count for count in cows if count is not None]
            total = sum(placed) if placed else None
            found.append(PairOutcome(pair.pasture, str(pair.card), pair.card.value, total))
        return tuple(found)


@dataclass(slots=True)
class _Sheet:
    """The decisions of a game, by round."""

    opening: list[tuple[int, Seat, ZoffAction, State]] = field(default_factory=list)
    rounds: dict[int, _Choosing] = field(default_factory=dict)
    answers: dict[int, list[_Answer]] = field(default_factory=dict)

    def take_back(self, seat: Seat, number: int) -> None:
        """The last sealed answer of this seat doesn't count, if there was one."""
        if number in self.rounds:
            self.rounds[number].choices.pop(seat, None)
            return
        for index in range(len(self.opening) - 1, -1, -1):
            if self.opening[index][1] == seat:
                del self.opening[index]
                return


# --- the curve ---


def _curve(played: ZoffPlaythrough, sheet: _Sheet, net: Net) -> tuple[CurvePoint, ...]:
    """Where the seats stand when each round begins, and at the end."""
    points = [_point(choosing.turn, choosing.state, net) for choosing in sheet.rounds.values()]
    return (*points, _point(len(played.turns), played.state, net))


def _point(turn: int, state: State, net: Net) -> CurvePoint:
    setup, record = encode_setup(state), encode(state)
    cows, wins = np.zeros(MAX_COLOURS), np.zeros(MAX_COLOURS)
    expected_cows(setup, record, net, cows)
    fill_win_chances(setup, record, net, cows, wins)
    players = state.setup.rules.players
    number = 0 if state.ending is not None else state.round
    chances, worth = (tuple(map(float, values[:players])) for values in (wins, cows))
    return CurvePoint(turn, number, chances, worth)


# --- before the first round ---


def _review_opening(
    game: ZoffGame,
    first_round: State,
    taken: list[tuple[int, Seat, ZoffAction, State]],
    seed: int,
) -> ReviewPart:
    """Reviews settlings, bids and picks."""
    rng = new_rng(seed)
    settled = {seat: way for _, seat, way, _ in taken if isinstance(way, Settle)}
    weighed: dict[Seat, ReviewedOpening] = {}
    worths: dict[str, float] = {}
    decisions = []
    for turn, seat, action, before in taken:
        match action:
            case Settle():
                weighed = weighed or review_settling(game, before, settled, rng)
                found = weighed[seat]
            case Bid():
                worths = worths or worths_of_colours(first_round, rng)
                found = review_bid(action, worths)
            case Pick():
                worths = worths or worths_of_colours(first_round, rng)
                free = [way for way in game.legal(before, seat) if isinstance(way, Pick)]
                found = review_pick(before, action, free, worths)
            case _:
                raise AssertionError(f"expected a decision before the rounds, got {action}")
        decisions.append(
            _decision(
                (turn, 0, seat), action, found.best, (found.value, found.best_value),
                options=found.options, reasons=found.reasons,
            )
        )  # fmt: skip
    return ReviewPart(tuple(decisions))


# --- choices ---


def _review_round(choosing: _Choosing, net: Net, effort: Effort, seed: int) -> ReviewPart:
    """Reviews all choices of a round together."""
    state = choosing.state
    setup, record = encode_setup(state), encode(state)
    laid = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    for seat, (_, choose) in choosing.choices.items():
        laid[seat] = encode_choice(state, seat, choose)
    last = max(turn for turn, _ in choosing.choices.values())
    judged = review_choices(setup, record, laid, net, effort, new_rng(seed + last))
    rounds = draw_rounds(setup, judged.predicted, random.Random(seed + last))
    decisions = []
    for seat, (turn, choose) in choosing.choices.items():
        found = judged.by_seat[seat]
        better = decode_choice(state, seat, found.best)
        gap = found.best_value - found.value
        reasons = explain_choice(choose, better, gap, found.share)
        if gap >= SMALL:
            reasons += explain_outcome(state, setup, record, seat, laid[seat], found.best, rounds)
        decision = _decision(
            (turn, state.round, seat), choose, better, (found.value, found.best_value),
            options=int(choice_count(setup, record, seat)),
            reasons=reasons,
        )  # fmt: skip
        mixture = tuple(
            Alternative(decode_choice(state, seat, choice).to_json(), share, value)
            for choice, share, value in found.mixture
        )
        outcome = choosing.outcome(seat, choose)
        decisions.append(replace(decision, alternatives=mixture, outcome=outcome))
    return ReviewPart(tuple(decisions))


# --- placements and bonuses ---


def _review_answers(answers: list[_Answer], net: Net, effort: Effort, seed: int) -> ReviewPart:
    """Reviews the placements and bonuses of a round."""
    return ReviewPart(tuple(_review_answer(answer, net, effort, seed) for answer in answers))


def _review_answer(answer: _Answer, net: Net, effort: Effort, seed: int) -> ReviewedDecision:
    turn, seat, action, state = answer
    setup, record = encode_setup(state), encode(state)
    worth = evaluate_answers(setup, record, net, effort, new_rng(seed + turn), LEAD)
    options = answer_options(setup, record, state)
    best = len(worth) - 1 - int(np.argmax(worth[::-1]))
    if isinstance(action, PlaceBonus):
        chosen = options.index(decode_bonus(state, encode_bonus(state, action)))
    else:
        chosen = options.index(action)
    gap = float(worth[best] - worth[chosen])
    decision = _decision(
        (turn, state.round, seat), action, options[best],
        (float(worth[chosen]), float(worth[best])),
        options=len(options),
        reasons=explain_answer(state, setup, record, seat, (chosen, best), gap),
    )  # fmt: skip
    others = np.delete(worth, best)
    found = len(others) >= MANY and gap <= 0 and worth[best] - others.max() >= FIND
    ranked = np.argsort(-worth, kind="stable")[:SHOWN]
    alternatives = tuple(
        Alternative(options[index].to_json(), None, float(worth[index])) for index in ranked
    )
    return replace(decision, alternatives=alternatives, mark="!" if found else decision.mark)


def answer_options(
    setup: SetupRecord, record: StateRecord, state: State
) -> list[Place | PlaceBonus]:
    """All answers, in the order of `search_answers`."""
    if state.phase is ZoffPhase.PLACE:
        mask = int(placements(record)) | 1
        return [Place(cows) for cows in range(8) if mask >> cows & 1]
    room = bonus_room(setup, record)
    return [decode_bonus(state, nth_bonus(room, index)) for index in range(bonus_count(room))]


def _decision(
    where: tuple[int, int, Seat],
    chosen: ZoffAction,
    best: ZoffAction,
    worth: tuple[float, float],
    *,
    options: int,
    reasons: tuple[Remark, ...],
) -> ReviewedDecision:
    turn, number, seat = where
    value, best_value = worth
    loss = best_value - value
    mark: Mark = "??" if loss >= BLUNDER else "?" if loss >= MISTAKE else ""
    return ReviewedDecision(
        turn=turn,
        round=number,
        seat=seat,
        chosen=chosen.to_json(),
        best=(best if loss > 0 else chosen).to_json(),
        value=value,
        best_value=best_value,
        unit="cows",
        options=options,
        reasons=reasons,
        mark=mark,
        summary=describe_action(chosen),
    )
