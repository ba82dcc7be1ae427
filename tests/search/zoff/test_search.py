"""Zoff's search: exact where it says so, repeatable, and without regret."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stampede.core.errors import InputError
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import greedy
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import decode, encode, encode_setup
from stampede.kernels.zoff.greedy import draw_good_choice, score_pairs
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.kernels.zoff.resolve import count_cows, reveal, run_on
from stampede.lab.zoff.strength import measure_exploitability
from stampede.search.zoff.candidates import choice_code, draw_pools
from stampede.search.zoff.matrix_game import exploitability, last_round_payoffs, solve_matrix
from stampede.search.zoff.max_n import apply_option
from stampede.search.zoff.strategy import BALANCED, Effort, evaluate_answers, find_strategy
from stampede.search.zoff.utilities import play_outs, playout_utilities, utilities
from stampede.search.zoff.value import expected_cows, fill_win_chances, load_net, plain_net
from stampede.zoff import State, ZoffGame, ZoffRules
from tests.kernels.zoff.side_by_side import opened

GAME = ZoffGame()
LEAD = (0.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def played_to(rules: ZoffRules, rounds: int, seed: int) -> tuple[State, SetupRecord, StateRecord]:
    """A greedy game, at the beginning of this round; the next seed's when it ended before."""
    for attempt in range(seed, seed + 50):
        state = opened(rules, random.Random(attempt))
        setup, record = encode_setup(state), encode(state)
        rng = new_rng(attempt)
        while record.phase == at.CHOOSE and record.round_number < rounds:
            reveal(setup, record, greedy_choices(setup, record, rng))
            finish_round(setup, record)
        if record.phase == at.CHOOSE:
            return decode(record, state), setup, record
    raise AssertionError("expected a game that lasts so long")


def greedy_choices(setup: SetupRecord, record: StateRecord, rng: np.ndarray) -> np.ndarray:
    scores = np.empty((2, 12, 12), dtype=np.float32)
    choices = np.zeros((6, 4), dtype=np.int16)
    for seat in range(setup.players):
        score_pairs(setup, record, seat, scores)
        draw_good_choice(setup, record, seat, scores, 0.7, rng, choices[seat])
    return choices


def exact_by_the_rules(state: State, seat: int) -> int:
    """The lead of seat 0 with best play of both, by the readable rules alone."""
    if state.ending is not None:
        return state.ending.placed[0] - state.ending.placed[1]
    actor = GAME.to_act(state)[0]
    leads = [
        exact_by_the_rules(GAME.apply(state, actor, action).state, seat)
        for action in GAME.legal(state, actor)
    ]
    return max(leads) if actor == 0 else min(leads)


def test_cells_of_the_last_round_are_those_of_the_readable_rules() -> None:
    """Z4, Z5, Z7, Z10: minimax over the whole continuation, once with kernels and once without."""
    state, setup, record = played_to(ZoffRules(players=2), 6, 1)
    matrix, _ = last_round_payoffs(setup, record)
    assert matrix.shape == (len(GAME.legal(state, 0)), len(GAME.legal(state, 1)))
    rng = random.Random(4)
    choices = np.zeros((6, 4), dtype=np.int16)
    for _ in range(6):
        row, column = rng.randrange(matrix.shape[0]), rng.randrange(matrix.shape[1])
        nth_choice(setup, record, 0, row, choices[0])
        nth_choice(setup, record, 1, column, choices[1])
        after = record.copy()
        reveal(setup, after, choices)
        run_on(setup, after)
        if after.phase == at.OVER:
            lead = count_cows(setup, after, 0) - count_cows(setup, after, 1)
        else:
            lead = exact_by_the_rules(decode(after, state), 0)
        assert matrix[row, column] == lead


def test_a_long_last_round_ends_by_its_budget() -> None:
    """A last round may take minutes to the end; what the budget doesn't reach is ended by the quick player."""
    _, setup, record = played_to(ZoffRules(players=2), 6, 1)
    exact, needed = last_round_payoffs(setup, record)
    enough, _ = last_round_payoffs(setup, record, budget=20 * needed)
    assert (enough == exact).all()
    short, spent = last_round_payoffs(setup, record, budget=needed // 20)
    assert spent < needed
    assert (short != exact).any()
    again, _ = last_round_payoffs(setup, record, budget=needed // 20)
    assert (again == short).all()


def test_a_solved_matrix_cannot_be_exploited() -> None:
    matrix = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    solution = solve_matrix(matrix)
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    assert exploitability(matrix, solution.row, solution.column) == pytest.approx((0, 0), abs=1e-9)
    even = np.ones(3) / 3
    assert max(exploitability(matrix, even, even)) > 0.3


def test_the_last_round_of_the_top_level_can_hardly_be_exploited() -> None:
    """Where its nodes suffice, neither in cows nor in the utility that it maximises."""
    _, setup, record = played_to(ZoffRules(players=2), 6, 4)
    effort, hasty = Effort(exact=True), Effort(pool=8, samples=1, keep=1, rounds=0)
    for win, most in ((0.0, 0.1), (BALANCED[0] / 2, 0.04)):
        assert max(measure_exploitability(setup, record, effort, 1, win=win)[:2]) < most
        assert min(measure_exploitability(setup, record, hasty, 1, win=win)[:2]) > 0.5


def test_the_matrix_is_for_two_players_and_the_last_round_only() -> None:
    _, setup, record = played_to(ZoffRules(players=2), 3, 1)
    with pytest.raises(ValueError, match="last round"):
        last_round_payoffs(setup, record)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_candidates_are_different_legal_choices(players: int) -> None:
    """Z3.1, Z3.2, Z10.4."""
    _, setup, record = played_to(ZoffRules(players=players), 4, 3)
    pool, sizes = np.zeros((6, 20, 4), dtype=np.int16), np.zeros(6, dtype=np.int64)
    draw_pools(setup, record, 1.0, 0, new_rng(1), pool, sizes)
    one = np.zeros(4, dtype=np.int16)
    for seat in range(players):
        legal = set()
        for index in range(choice_count(setup, record, seat)):
            nth_choice(setup, record, seat, index, one)
            legal.add(choice_code(one))
        found = [choice_code(choice) for choice in pool[seat, : sizes[seat]]]
        assert len(set(found)) == len(found) > 1
        assert set(found) <= legal


def test_where_choices_are_few_all_of_them_are_candidates() -> None:
    """Two players' last round: what the solution needs must not be missing."""
    _, setup, record = played_to(ZoffRules(players=2), 6, 2)
    pool, sizes = np.zeros((6, 96, 4), dtype=np.int16), np.zeros(6, dtype=np.int64)
    draw_pools(setup, record, 1.0, 0, new_rng(1), pool, sizes)
    for seat in range(2):
        assert sizes[seat] == choice_count(setup, record, seat)
        assert len({choice_code(choice) for choice in pool[seat, : sizes[seat]]}) == sizes[seat]


def test_looking_down_the_line_comes_nearer_the_exact_outcome_than_greed() -> None:
    """The quick player that ends rounds for the search, in two players' last rounds with all pairs of choices."""
    choices = np.zeros((6, 4), dtype=np.int16)
    errors = np.zeros(2)
    for seed in range(1, 9):
        _, setup, record = played_to(ZoffRules(players=2), 6, seed)
        matrix, _ = last_round_payoffs(setup, record)
        for row, column in np.ndindex(matrix.shape):
            nth_choice(setup, record, 0, row, choices[0])
            nth_choice(setup, record, 1, column, choices[1])
            for which, finish in enumerate((finish_round, greedy.finish_round)):
                after = record.copy()
                reveal(setup, after, choices)
                finish(setup, after)
                lead = count_cows(setup, after, 0) - count_cows(setup, after, 1)
                errors[which] += abs(lead - matrix[row, column]) / matrix.size
    assert errors[0] < 0.8 * errors[1]


def test_games_played_out_can_be_repeated_and_leave_the_state_alone() -> None:
    """Z8.1: the shares of victories add up, and all cows fit on the pastures."""
    _, setup, record = played_to(ZoffRules(players=4), 3, 3)
    before = record.copy()
    cows, wins, again = np.zeros(6), np.zeros(6), np.zeros(6)
    play_outs(setup, record, 40, new_rng(3), cows, wins)
    assert record.tobytes() == before.tobytes()
    assert wins[:4].sum() == pytest.approx(1.0)
    assert cows.sum() <= setup.capacity.sum()
    play_outs(setup, record, 40, new_rng(3), again, wins)
    assert (cows == again).all()


def test_mixtures_are_probabilities_and_repeatable() -> None:
    _, setup, record = played_to(ZoffRules(players=4), 3, 3)
    effort = Effort(pool=16, samples=3, keep=6, rounds=4_000)
    mixtures = [find_strategy(setup, record, 1, load_net(4), effort, new_rng(5)) for _ in range(2)]
    assert mixtures[0].weights.sum() == pytest.approx(1.0)
    assert (mixtures[0].weights == mixtures[1].weights).all()
    assert (mixtures[0].choices == mixtures[1].choices).all()
    budget = 16 * 3 * 4 + effort.rounds
    assert mixtures[0].spent <= budget


def test_what_is_mixed_is_about_as_good_as_the_best() -> None:
    """No candidate promises much more than those that are played: that is what no regret means."""
    _, setup, record = played_to(ZoffRules(players=3), 3, 5)
    effort = Effort(pool=16, samples=3, keep=8, rounds=40_000)
    mixture = find_strategy(setup, record, 0, load_net(3), effort, new_rng(5))
    assert mixture.gains.max() - mixture.gains @ mixture.weights < 0.5


def test_look_ahead_to_the_end_finds_the_exact_answer() -> None:
    """Z4.3: two players, last round, by cows alone; the look-ahead sees the end and agrees with minimax."""
    state, setup, record = played_to(ZoffRules(players=2), 6, 7)
    reveal(setup, record, greedy_choices(setup, record, new_rng(2)))
    run_on(setup, record)
    assert record.phase == at.PLACE
    seat = GAME.to_act(decode(record, state))[0]
    effort = Effort(leaves=10_000_000)
    worth = evaluate_answers(setup, record, plain_net(), effort, new_rng(1), LEAD)
    for index, value in enumerate(worth):
        after = record.copy()
        apply_option(setup, after, index)
        if after.phase == at.OVER:
            lead = count_cows(setup, after, 0) - count_cows(setup, after, 1)
        else:
            lead = exact_by_the_rules(decode(after, state), 0)
        assert value == pytest.approx(lead if seat == 0 else -lead)


def test_answers_are_weighed_again_by_games_played_out_and_repeatable() -> None:
    _, setup, record = played_to(ZoffRules(players=3), 3, 7)
    reveal(setup, record, greedy_choices(setup, record, new_rng(2)))
    run_on(setup, record)
    plain = evaluate_answers(setup, record, load_net(3), Effort(leaves=200), new_rng(1))
    effort = Effort(leaves=200, answer_playouts=20)
    played, again = (
        evaluate_answers(setup, record, load_net(3), effort, new_rng(1)) for _ in range(2)
    )
    assert (played == again).all()
    assert (played != plain).any()


def test_the_value_of_a_finished_game_is_its_result() -> None:
    """Z8.1: cows as counted, and the victory for the winners."""
    state = opened(ZoffRules(players=5), random.Random(3))
    setup, record = encode_setup(state), encode(state)
    rng = new_rng(3)
    while record.phase != at.OVER:
        reveal(setup, record, greedy_choices(setup, record, rng))
        finish_round(setup, record)
    cows, wins = np.zeros(6), np.zeros(6)
    expected_cows(setup, record, load_net(5), cows)
    fill_win_chances(setup, record, load_net(5), cows, wins)
    assert [count_cows(setup, record, seat) for seat in range(5)] == cows[:5].tolist()
    assert wins[:5].sum() == pytest.approx(1.0)
    assert {seat for seat in range(5) if wins[seat]} == {
        seat for seat in range(5) if record.winners >> seat & 1
    }


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_learned_value_is_for_every_player_count_and_sane(players: int) -> None:
    """All cows together are less than all spaces, and chances add up to one."""
    _, setup, record = played_to(ZoffRules(players=players), 3, 1)
    cows, wins = np.zeros(6), np.zeros(6)
    expected_cows(setup, record, load_net(players), cows)
    fill_win_chances(setup, record, load_net(players), cows, wins)
    spaces = int(setup.capacity.sum())
    assert 0.6 * spaces < cows[:players].sum() < 1.1 * spaces
    assert wins[:players].sum() == pytest.approx(1.0)


def test_without_budget_or_out_of_time_there_is_a_clear_error() -> None:
    with pytest.raises(InputError, match=r"effort\.leaves: expected at least 1, got 0"):
        Effort(leaves=0)
    with pytest.raises(InputError, match=r"effort\.rounds: expected at least 0, got -1"):
        Effort(rounds=-1)
    with pytest.raises(InputError, match=r"effort\.answer_playouts: expected at least 0, got -1"):
        Effort(answer_playouts=-1)
    with pytest.raises(InputError, match=r"effort\.halving_samples: expected at least 0, got -1"):
        Effort(halving_samples=-1)
    _, setup, record = played_to(ZoffRules(players=3), 2, 1)
    with pytest.raises(InputError, match="outdated"):
        evaluate_answers(setup, record, plain_net(), Effort(), new_rng(1))
    record.phase = at.PLACE
    with pytest.raises(InputError, match="outdated"):
        find_strategy(setup, record, 0, plain_net(), Effort(), new_rng(1))
    with pytest.raises(InputError, match="expected weights for 9 players"):
        load_net(9)


@pytest.mark.parametrize("players", [2, 4])
def test_a_taste_for_herds_is_added_to_the_utility(players: int) -> None:
    """By the value function and by playouts alike; the other preferences count as before."""
    state, setup, record = played_to(ZoffRules(players=players), 3, 3)
    plain, tasteful = np.zeros((2, 6)), np.zeros((2, 6))
    for taste, found in (((0.0, 0.0), plain), ((0.5, -0.3), tasteful)):
        wanted = np.array((*BALANCED[:4], *taste))
        utilities(setup, record, load_net(players), wanted, found[0])
        playout_utilities(setup, record, wanted, 20, new_rng(1), found[1])
    for seat in range(players):
        colours = state.setup.groups[state.owners.index(seat)].colours
        sizes = [row[colour] for row in state.herds for colour in colours]
        liked = 0.5 * sum(size > 0 for size in sizes) - 0.3 * max(sizes)
        assert tasteful[:, seat] == pytest.approx(plain[:, seat] + liked)
