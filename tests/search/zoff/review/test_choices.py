"""Choices that were laid, judged: by what everybody may do, not by what happened; and what is called better is so."""

from __future__ import annotations

import numpy as np
import pytest

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import Choices, SetupRecord, StateRecord
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.search.zoff.candidates import choice_code
from stampede.search.zoff.review.choices import ReviewedChoice, review_choices
from stampede.search.zoff.review.remarks import explain_choice
from stampede.search.zoff.strategy import Effort
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffRules
from stampede.zoff.actions import Choose, Pair
from stampede.zoff.edition import CowCard
from tests.search.zoff.test_search import played_to

EFFORT = Effort(pool=32, samples=4, keep=8, rounds=2_000)


def any_choices(setup: SetupRecord, record: StateRecord, seed: int) -> Choices:
    """A choice for everybody, drawn from all."""
    rng = np.random.default_rng(seed)
    laid = np.zeros((at.MAX_COLOURS, 4), dtype=np.int16)
    for seat in range(setup.players):
        index = int(rng.integers(choice_count(setup, record, seat)))
        nth_choice(setup, record, seat, index, laid[seat])
    return laid


def judged(
    setup: SetupRecord, record: StateRecord, laid: Choices, seed: int
) -> list[ReviewedChoice]:
    net = load_net(int(setup.players))
    return list(review_choices(setup, record, laid, net, EFFORT, new_rng(seed)).by_seat)


def regret(found: list[ReviewedChoice]) -> float:
    """The mean over the seats."""
    return float(np.mean([one.best_value - one.value for one in found]))


@pytest.mark.parametrize(("players", "round_"), [(2, 2), (4, 2), (4, 5), (6, 3)])
def test_what_is_called_better_is_better_when_it_is_judged_itself(
    players: int, round_: int
) -> None:
    """Z3: most of what choices at random give away isn't given away by those that are named instead."""
    before, after = 0.0, 0.0
    for seed in range(1, 4):
        _, setup, record = played_to(ZoffRules(players=players), round_, seed)
        laid = any_choices(setup, record, seed)
        first = judged(setup, record, laid, 2 * seed)
        assert all(one.best_value >= one.value for one in first)
        for seat, one in enumerate(first):
            laid[seat] = one.best
        before += regret(first)
        after += regret(judged(setup, record, laid, 2 * seed + 1))
    assert before > 1
    assert after < before / 3


@pytest.mark.parametrize("players", [3, 5])
def test_what_the_others_happened_to_lay_does_not_count(players: int) -> None:
    """Z3.4: a seat's choice is worth the same whatever came of the others', to the last digit."""
    _, setup, record = played_to(ZoffRules(players=players), 2, 3)
    laid, others = any_choices(setup, record, 1), any_choices(setup, record, 2)
    others[1] = laid[1]
    assert choice_code(others[0]) != choice_code(laid[0])
    one, two = (judged(setup, record, choices, 5)[1] for choices in (laid, others))
    assert (one.value, one.best_value) == (two.value, two.best_value)
    assert (one.best == two.best).all()


def test_a_choice_is_the_same_whichever_pair_is_named_first() -> None:
    """Z3.1: with more than two players pairs have no order."""
    _, setup, record = played_to(ZoffRules(players=3), 1, 2)
    laid = any_choices(setup, record, 3)
    swapped = laid[:, [2, 3, 0, 1]].copy()
    assert regret(judged(setup, record, laid, 1)) == regret(judged(setup, record, swapped, 1))


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ("3D", "lower_card"),
        ("5D", "higher_card"),
        ("4A", "earlier_letter"),
        ("4Z", "later_letter"),
    ],
)
def test_remarks_name_what_is_better_about_a_card(card: str, code: str) -> None:
    """Z4.2: values first, then letters, since both decide who goes first; and nothing is better by next to nothing."""
    laid, better = (
        Choose((Pair("Lucky-Lake", CowCard.parse(one)), Pair("Fire-Fields", CowCard.parse("2B"))))
        for one in ("4M", card)
    )
    gap, card_remark = explain_choice(laid, better, 1.26, None)
    assert (gap.code, gap.values) == ("choice_better", {"cows": "1.3"})
    assert (card_remark.code, card_remark.values) == (code, {"pasture": "Lucky-Lake"})
    assert [one.code for one in explain_choice(laid, better, 0.05, None)] == ["choice_even"]
    assert explain_choice(laid, better, 1.26, 0.01)[-1].code == "rare"


@pytest.mark.parametrize("players", [2, 4])
def test_a_mixture_is_recommended_beside_the_best_choice(players: int) -> None:
    """Z3.4: choices are secret, so a strong player mixes: shares are a distribution, rare ones left out."""
    _, setup, record = played_to(ZoffRules(players=players), 1, 3)
    for one in judged(setup, record, any_choices(setup, record, 1), 4):
        shares = [share for _, share, _ in one.mixture]
        assert shares
        assert shares == sorted(shares, reverse=True)
        assert all(share >= 0.05 for share in shares)
        assert sum(shares) <= 1 + 1e-9
