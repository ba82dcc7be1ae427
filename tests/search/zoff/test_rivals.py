"""Models of rivals: earlier rounds are found again, losses tell who errs, and the response gains where it should."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from stampede.bots.zoff.determinization import determinize
from stampede.bots.zoff.levels import level_of
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.player import ZoffBot, zoff_bot
from stampede.bots.zoff.rivals import earlier_rounds, find_trust
from stampede.core.game import Seat
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.lab.zoff.strength import start_game
from stampede.search.zoff.candidates import find_candidates, screen
from stampede.search.zoff.effort import BALANCED, Effort
from stampede.search.zoff.regret import match_regrets, match_regrets_with_model
from stampede.search.zoff.rivals.evidence import MOST_TRUST, PRIOR, loss_of_choice, trust_in_errors
from stampede.search.zoff.rivals.random_tree import sample_choices
from stampede.search.zoff.strategy import MixedStrategy, find_strategy
from stampede.search.zoff.value import load_net
from stampede.zoff import State, ZoffGame, ZoffPhase, ZoffRules
from stampede.zoff.edition import CowCard

GAME = ZoffGame()
OWN = np.array(BALANCED)


def starts_of_rounds(
    rules: ZoffRules, bots: list[ZoffBot], seed: str, rounds: int
) -> tuple[list[State], Memory]:
    """The states in which all choose, up to this round, and what was seen before it."""
    played = start_game(rules, seed)
    streams = [random.Random(f"{seed}/{seat}") for seat in range(len(bots))]
    starts: list[State] = []
    while awaited := GAME.to_act(played.state):
        state, seat = played.state, awaited[0]
        if state.phase is ZoffPhase.CHOOSE and len(awaited) == len(bots):
            starts.append(state)
            if state.round == rounds:
                break
        bot = bots[seat].with_memory(played.events)
        played.play(seat, bot.choose(GAME.view(state, seat), streams[seat]))
    return starts, Memory.of(played.events)


def hands_by_seat(state: State) -> dict[Seat | None, set[CowCard]]:
    """Groups may stand in another order after a determinization."""
    return {owner: set(hand) for owner, hand in zip(state.owners, state.hands, strict=True)}


@pytest.mark.parametrize("rules", [ZoffRules(players=2), ZoffRules(players=4, fair=True)])
def test_earlier_rounds_are_found_again(rules: ZoffRules) -> None:
    bots = [zoff_bot(2)] * rules.players
    starts, memory = starts_of_rounds(rules, bots, "earlier", 5)
    now = determinize(GAME.view(starts[-1], 1), memory, random.Random(1))
    found = [before for before, _ in earlier_rounds(now, memory)]
    assert [state.round for state in found] == [4, 3, 2, 1]
    for before, wanted in zip(found, reversed(starts[:-1]), strict=True):
        for part in ("herds", "free", "reserves", "phase"):
            assert getattr(before, part) == getattr(wanted, part), part
        assert hands_by_seat(before) == hands_by_seat(wanted)


def test_losses_tell_who_errs() -> None:
    assert trust_in_errors([], 2) == PRIOR
    assert trust_in_errors([0.2, 0.4, 0.0], 2) < 0.1
    assert PRIOR < trust_in_errors([2.0], 2) < trust_in_errors([2.0, 2.5], 2) < MOST_TRUST
    assert trust_in_errors([1000.0], 2) == MOST_TRUST
    assert trust_in_errors([6.0] + [0.0] * 4, 2) < PRIOR, "careful choices outweigh a blunder"
    assert trust_in_errors([1.5], 4) > trust_in_errors([1.5], 2)


def test_the_first_good_choice_loses_less_than_the_worst() -> None:
    starts, _ = starts_of_rounds(ZoffRules(players=2), [zoff_bot(2)] * 2, "loss", 2)
    setup, record, net = encode_setup(starts[-1]), encode(starts[-1]), load_net(2)
    strategy = find_strategy(setup, record, 0, net, Effort(32, 4, 4, 400), new_rng(1))
    good = loss_of_choice(setup, record, 0, strategy.choices[0], net, OWN, new_rng(2))
    losses = []
    choice = np.zeros(4, dtype=np.int16)
    for index in range(0, int(choice_count(setup, record, 0)), 50):
        nth_choice(setup, record, 0, index, choice)
        losses.append(loss_of_choice(setup, record, 0, choice, net, OWN, new_rng(2)))
    assert 0 <= good < np.quantile(losses, 0.2)


def test_trust_in_errors_is_large_for_a_bot_that_errs_only() -> None:
    """Seat 1 doesn't search, seat 2 does; seat 0 watches both, in five games."""
    careful = replace(level_of(5), effort=Effort(32, 4, 4, 400))
    bots = [zoff_bot(2), zoff_bot(2), ZoffBot(careful)]
    found = []
    for seed in ("watch", "a", "b", "c", "d"):
        starts, memory = starts_of_rounds(ZoffRules(players=3), bots, seed, 4)
        found.append(find_trust(starts[-1], 0, memory, load_net(3), new_rng(1)))
        assert not find_trust(starts[0], 0, Memory(), load_net(3), new_rng(1)).any()
    trust = np.mean(found, axis=0)
    assert trust[0] == 0.0
    assert trust[1] > 0.5 > trust[2]


def worth(state: State, strategy: MixedStrategy, samples: npt.NDArray[np.int16]) -> float:
    """What seat 0's strategy gets against samples of seat 1's choices."""
    others = np.zeros((len(samples), MAX_COLOURS, 4), dtype=np.int16)
    others[:, 1] = samples
    values = np.zeros(len(strategy.choices))
    setup, record, net = encode_setup(state), encode(state), load_net(2)
    screen(setup, record, net, OWN, 0, strategy.choices, len(values), others, values)
    return float(values @ strategy.probabilities())


def test_a_response_to_a_rival_who_errs_gains_against_one() -> None:
    """Judged by other samples than those that it responds to."""
    starts = [
        state
        for seed in ("a", "b", "c")
        for state in starts_of_rounds(ZoffRules(players=2), [zoff_bot(2)] * 2, seed, 3)[0]
    ]
    effort = Effort(96, 12, 10, 2_000, model_samples=24)
    trust = np.array([0.0, MOST_TRUST, 0.0, 0.0, 0.0, 0.0])
    gains = []
    for state in starts:
        setup, record, net = encode_setup(state), encode(state), load_net(2)
        samples = np.zeros((24, 4), dtype=np.int16)
        sample_choices(setup, record, 1, 1_500, 0.3, new_rng(9), samples)
        plain, response = (
            find_strategy(setup, record, 0, net, effort, new_rng(1), BALANCED, given)
            for given in (None, trust)
        )
        gains.append(worth(state, response, samples) - worth(state, plain, samples))
    assert np.mean(gains) > 0.5


def test_regret_matching_trusts_a_model_as_far_as_it_is_told() -> None:
    """Not at all: the same as without one. Entirely: the best candidate against the model, and no other."""
    starts, _ = starts_of_rounds(ZoffRules(players=2), [zoff_bot(2)] * 2, "trust", 2)
    setup, record, net = encode_setup(starts[-1]), encode(starts[-1]), load_net(2)
    pool = np.zeros((MAX_COLOURS, 24, 4), dtype=np.int16)
    counts = np.zeros(MAX_COLOURS, dtype=np.int64)
    preferences = np.tile(OWN, (MAX_COLOURS, 1))
    find_candidates(setup, record, net, preferences, new_rng(1), pool, 4, 6, counts)
    pool = np.ascontiguousarray(pool[:, :6])
    expected = np.zeros((MAX_COLOURS, 6))
    expected[0, 4] = 1.0
    means = []
    for trust in (0.0, 1.0):
        mean, gains = np.zeros((MAX_COLOURS, 6)), np.zeros((MAX_COLOURS, 6))
        rng, by_seat = new_rng(2), np.array([trust, 0.0, 0.0, 0.0, 0.0, 0.0])
        match_regrets_with_model(
            setup, record, net, preferences, rng, pool, counts, 600, expected, by_seat, mean, gains
        )
        means.append(mean)
    plain, gains = np.zeros((MAX_COLOURS, 6)), np.zeros((MAX_COLOURS, 6))
    match_regrets(setup, record, net, preferences, new_rng(2), pool, counts, 600, plain, gains)
    assert np.array_equal(means[0], plain)
    assert means[1][0, 4] > 0.99 > plain[0, 4]


def test_several_rivals_who_err_are_predicted_by_the_model_too() -> None:
    starts, _ = starts_of_rounds(ZoffRules(players=3), [zoff_bot(2)] * 3, "several", 2)
    setup, record, net = encode_setup(starts[-1]), encode(starts[-1]), load_net(3)
    effort = Effort(pool=16, samples=2, halving_samples=4, model_samples=2)
    trust = np.array([0.0, 0.8, 0.0, 0.0, 0.0, 0.0])
    plain = find_strategy(setup, record, 0, net, effort, new_rng(1))
    one, two = (
        find_strategy(setup, record, 0, net, effort, new_rng(1), BALANCED, trust) for _ in range(2)
    )
    assert one.spent == plain.spent + 2 * 2 * 1_500
    assert np.array_equal(one.choices, two.choices)
    assert np.array_equal(one.gains, two.gains)
