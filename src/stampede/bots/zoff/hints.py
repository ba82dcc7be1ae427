"""Hints for a player of Zoff: what a coach would consider with this seat's view, and why.

A hint is made as a bot's decision is: the view is determinized and searched. Its chance comes from the view as well, so
that it can't depend on anything else; two states that differ only in secrets give the same hint.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, cast

import numpy as np

from stampede.bots.zoff.determinization import determinize
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.openings import choose_settling, worth_of_colours
from stampede.core.errors import NotToAct
from stampede.core.events import Event
from stampede.core.game import Seat
from stampede.core.json import JsonObject, canonical
from stampede.core.remark import Remark
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_choice, encode, encode_setup
from stampede.kernels.zoff.layout import PASTURE_1, PASTURE_2, Choice, SetupRecord, StateRecord
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.resolve import count_cows
from stampede.search.zoff.auction import highest_bid
from stampede.search.zoff.max_n import apply_option
from stampede.search.zoff.review.choices import LEAD
from stampede.search.zoff.review.foresight import (
    TO_THE_PLAYER,
    draw_rounds,
    play_out,
    say_mostly,
)
from stampede.search.zoff.review.game import answer_options
from stampede.search.zoff.review.remarks import PHRASES, explain_answer, explain_choice
from stampede.search.zoff.strategy import (
    Effort,
    evaluate_answers,
    find_strategy,
    predict,
    preferences_by_seat,
)
from stampede.search.zoff.value import Net, load_net
from stampede.zoff.actions import BID_UNIT, Bid, Pick, Settle, ZoffAction
from stampede.zoff.state import State, ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["Candidate", "find_hint"]

_EFFORT: Final = Effort(
    pool=96, samples=8, leaves=2_000, halving_samples=60, answer_playouts=0, keep=10, rounds=6_000
)
_DUEL: Final = Effort(pool=48, samples=6, leaves=2_000, keep=10, rounds=6_000)
"""How much a coach thinks, and with two players, where regret matching is better."""
CANDIDATES: Final = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a coach would consider.

    Attributes:
        action: The answer.
        cows: How many cows it brings until the end of the round, on average; None before the first round.
        reasons: What speaks for it, or how far it is behind the first candidate.
    """

    action: ZoffAction
    cows: float | None
    reasons: tuple[Remark, ...]

    def to_json(self) -> JsonObject:
        """The candidate as JSON."""
        return {
            "action": self.action.to_json(),
            "cows": None if self.cows is None else round(self.cows, 1),
            "reasons": [reason.to_json() for reason in self.reasons],
        }


def find_hint(view: ZoffView, events: Sequence[Event] = ()) -> tuple[Candidate, ...]:
    """One or two answers worth considering, the best first.

    Args:
        view: What the asking seat may know.
        events: What everyone at the table saw when it happened.

    Raises:
        NotToAct: The viewer isn't asked for anything.
    """
    if view.viewer is None or view.viewer not in view.to_act:
        raise NotToAct(f"expected a view of seat {view.to_act}, got seat {view.viewer}")
    rng = _chance_of(view, view.viewer)
    if view.phase in (ZoffPhase.SETTLE, ZoffPhase.BID, ZoffPhase.PICK):
        return (_before_the_rounds(view, rng),)
    state = determinize(view, Memory.of(events), rng)
    if view.phase is ZoffPhase.CHOOSE:
        return _Choosing(state, view.viewer, rng).candidates()
    return tuple(_answers(state, view.viewer, rng))


def _chance_of(view: ZoffView, viewer: Seat) -> random.Random:
    """The hint's chance: from all that the viewer sees, but for who else has answered, so that it stays meanwhile."""
    same = replace(
        view, to_act=(viewer,), seats=tuple(replace(seat, answered=False) for seat in view.seats)
    )
    digest = hashlib.sha256(canonical(same.to_json()).encode()).digest()
    return random.Random(int.from_bytes(digest, "big"))


# --- before the first round ---


def _before_the_rounds(view: ZoffView, rng: random.Random) -> Candidate:
    net = load_net(view.rules.players)
    if view.phase is ZoffPhase.SETTLE:
        ways = [way for way in view.legal if isinstance(way, Settle)]
        code = "settle_auction" if view.rules.auction else "settle_best"
        return Candidate(choose_settling(view, ways, net, rng), None, (PHRASES.remark(code),))
    worth = worth_of_colours(view, net, rng)
    ranked = sorted(worth, key=lambda name: -worth[name])
    if view.phase is ZoffPhase.PICK:
        free = [pick for pick in view.legal if isinstance(pick, Pick)]
        best = max(free, key=lambda pick: worth[pick.colour])
        return Candidate(best, None, (PHRASES.remark("pick_best"),))
    most = highest_bid(list(worth.values()))
    least = Bid(view.seats[cast("int", view.viewer)].bid or "0").units
    reason = PHRASES.remark(
        "bid_even",
        first=ranked[0],
        last=ranked[-1],
        cows=f"{worth[ranked[0]] - worth[ranked[-1]]:.1f}",
        most=f"{most:.1f}",
    )
    return Candidate(
        Bid.of_units(max(round(round(most / 2, 1) * BID_UNIT), least + 1)), None, (reason,)
    )


# --- choices ---


class _Choosing:
    """A seat chooses: the likely choices of the others, and what comes of the own ones."""

    def __init__(self, state: State, seat: Seat, rng: random.Random) -> None:
        self._state, self._seat, self._rng = state, seat, rng
        self._setup: SetupRecord = encode_setup(state)
        self._record: StateRecord = encode(state)
        self._net: Net = load_net(state.setup.rules.players)

    def candidates(self) -> tuple[Candidate, ...]:
        """The choices that the search likes best, with what mostly comes of them."""
        setup, record = self._setup, self._record
        effort = _DUEL if setup.players == 2 else _EFFORT
        numbers = new_rng(self._rng.getrandbits(64))
        strategy = find_strategy(setup, record, self._seat, self._net, effort, numbers, LEAD)
        by_seat = preferences_by_seat(LEAD, self._seat, LEAD)
        predicted = predict(setup, record, self._net, effort, by_seat, numbers)
        rounds = draw_rounds(setup, predicted, self._rng)
        order = np.argsort(-strategy.gains, kind="stable")[:CANDIDATES]
        actions = [decode_choice(self._state, self._seat, strategy.choices[at]) for at in order]
        found: list[Candidate] = []
        for at, action in zip(order, actions, strict=True):
            cows, reasons = self._outcome(strategy.choices[at], rounds)
            if found:
                gap = float(strategy.gains[order[0]] - strategy.gains[at])
                reasons = (*explain_choice(action, actions[0], gap, None)[:1], *reasons)
            found.append(Candidate(action, cows, reasons))
        return tuple(found)

    def _outcome(
        self, choice: Choice, rounds: list[list[Choice]]
    ) -> tuple[float, tuple[Remark, ...]]:
        """The cows that a choice brings on average until the end of the round, and what mostly happens."""
        setup, seat = self._setup, self._seat
        ends = play_out(setup, self._record, seat, choice, rounds)
        cows = sum(int(count_cows(setup, end, seat)) for end in ends) / len(ends)
        remarks: list[Remark] = []
        for pasture in dict.fromkeys(int(choice[at]) for at in (PASTURE_1, PASTURE_2)):
            if pasture >= 0:
                said = say_mostly(self._state, setup, seat, pasture, ends, rounds, TO_THE_PLAYER)
                remarks.extend(islice(said, 2))
        return cows - int(count_cows(setup, self._record, seat)), tuple(remarks)


# --- placements and bonuses ---


def _answers(state: State, seat: Seat, rng: random.Random) -> Iterator[Candidate]:
    """The best placement or bonus and the next best, with the cows that each brings until the end of the round."""
    setup, record = encode_setup(state), encode(state)
    net = load_net(state.setup.rules.players)
    worth = evaluate_answers(setup, record, net, _EFFORT, new_rng(rng.getrandbits(64)), LEAD)
    options = answer_options(setup, record, state)
    # Of equal answers the one with the most cows.
    order = sorted(range(len(options)), key=lambda at: (-worth[at], -at))[:CANDIDATES]
    gap = float(worth[order[0]] - worth[order[-1]])
    for place, at in enumerate(order):
        after = record.copy()
        apply_option(setup, after, at)
        finish_round(setup, after)
        cows = float(count_cows(setup, after, seat) - count_cows(setup, record, seat))
        if place == 0:
            reasons = explain_answer(state, setup, record, seat, (order[-1], at), gap)
            reasons = reasons[1:] or reasons
        else:
            reasons = explain_answer(state, setup, record, seat, (at, order[0]), gap)[:1]
        yield Candidate(options[at], cows, reasons)
