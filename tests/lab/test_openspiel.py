"""The games of OpenSpiel keep its promises, and hide what the rules hide. Runs where OpenSpiel is installed."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from stampede.buffalo import Position, Side
from stampede.kernels.zoff.vector import layout as at
from tests.golden.openspiel_playthroughs import FOLDER, GAMES, playthrough
from tests.lab.vector.other_secrets import change_secrets

SIMULATIONS = 2
LATE = "11/11/11/11/2b3b4/2DD1C1D2D/11 b - - 0 9"
"""A position of Buffalo with some 1,400 games left."""

pyspiel = pytest.importorskip("pyspiel")
ALGORITHMS = "open_spiel.python.algorithms"
mcts = importlib.import_module(f"{ALGORITHMS}.mcts")
mccfr = importlib.import_module(f"{ALGORITHMS}.outcome_sampling_mccfr")
cfr = importlib.import_module(f"{ALGORITHMS}.cfr")
exploitability = importlib.import_module(f"{ALGORITHMS}.exploitability")
best_response = importlib.import_module(f"{ALGORITHMS}.best_response")
minimax = importlib.import_module(f"{ALGORITHMS}.minimax")
policies = importlib.import_module("open_spiel.python.policy")
importlib.import_module("stampede.lab.openspiel").register_all()


@pytest.mark.parametrize(
    "name",
    [
        "stampede_zoff(players=2,variant=auction fair)",
        "stampede_zoff(players=3,variant=must_place)",
        "stampede_zoff(players=5)",
        "stampede_zoff(players=6)",
        "stampede_zoff(players=4,simultaneous=True)",
        "stampede_buffalo",
        "stampede_buffalo(removed=cf,opening_moves=2)",
    ],
)
def test_random_games_pass_the_official_simulation(name: str) -> None:
    """Legal actions, serialisation, clones, returns that add up to nothing."""
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=SIMULATIONS, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_the_stored_one(name: str) -> None:
    """OpenSpiel's playthrough asks a state for everything that it offers, to the end of a game."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert "IsTerminal() = True" in text
    assert playthrough(GAMES[name]) == text, "python -m tests.golden.openspiel_playthroughs"


def test_a_playthrough_of_simultaneous_moves_repeats() -> None:
    name = "stampede_zoff(players=2,simultaneous=True)"
    text = playthrough(name)
    assert "IsTerminal() = True" in text
    assert playthrough(name) == text


def test_counterfactual_regret_is_minimised_by_sampling() -> None:
    solver = mccfr.OutcomeSamplingSolver(pyspiel.load_game("stampede_zoff(players=2)"))
    for _ in range(3):
        solver.iteration()
    assert len(solver._infostates) > 20


def _dealt(name: str) -> Any:
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def test_a_seat_does_not_know_the_answers_of_the_others() -> None:
    """Z3.4: after other first pairs, and other second ones until all are in, its information state is the same."""
    texts = set()
    for other in (0, 5):
        state = _dealt("stampede_zoff(players=3)")
        state.apply_action(state.legal_actions()[other])
        state.apply_action(3)
        state.apply_action(4)
        assert state.current_player() == 0
        state.apply_action(state.legal_actions()[0])
        assert state.current_player() == 1
        texts.add((state.information_state_string(1), state.observation_string(1)))
    assert len(texts) == 1


def test_two_players_know_their_own_pastures_until_both_have_settled() -> None:
    """Z10.2."""
    state = _dealt("stampede_zoff(players=2)")
    assert "(0, 1, 2)" in state.information_state_string(0)
    assert "(3, 4, 5)" in state.information_state_string(1)
    state.apply_action(169)
    state.apply_action(169)
    assert "(0, 1, 2, 3, 4, 5)" in state.information_state_string(1)


def test_its_search_plays_buffalo() -> None:
    """MCTS of OpenSpiel plays a whole game."""
    game = pyspiel.load_game("stampede_buffalo(removed=abcdefghij,opening_moves=1)")
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 20, evaluator, random_state=np.random.RandomState(2))
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sorted(state.returns()) == [-1, 1]


def _value(position: Position) -> float:
    """The exact value for the buffalo side, by the readable rules."""
    outcome = position.outcome()
    if outcome is not None:
        return 1.0 if outcome.winners == (int(Side.BUFFALO),) else -1.0
    values = [_value(position.after(move)) for move in position.legal_moves]
    return max(values) if position.turn is Side.BUFFALO else min(values)


def test_a_late_start_is_solved_exactly() -> None:
    """Whole-tree algorithms: alpha-beta, best response, exploitability, counterfactual regret minimisation."""
    game = pyspiel.load_game("stampede_buffalo", {"start": LATE})
    exact = _value(Position.from_fen(LATE))
    assert minimax.alpha_beta_search(game, maximizing_player_id=0)[0] == exact == -1
    uniform = policies.UniformRandomPolicy(game)
    answer = best_response.BestResponsePolicy(game, int(Side.HUNTER), uniform)
    assert answer.value(game.new_initial_state()) == -exact
    solver = cfr.CFRSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    gap = exploitability.nash_conv(game, solver.average_policy())
    assert 0 <= gap < exploitability.nash_conv(game, uniform) / 2
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_agents_of_its_environment_play_zoff() -> None:
    """`rl_environment` gives the information state, which is as long as an observation."""
    rl_environment = importlib.import_module("open_spiel.python.rl_environment")
    env = rl_environment.Environment("stampede_zoff(players=3)")
    time_step, rng = env.reset(), np.random.default_rng(1)
    while not time_step.last():
        player = time_step.observations["current_player"]
        assert len(time_step.observations["info_state"][player]) == 281
        time_step = env.step([rng.choice(time_step.observations["legal_actions"][player])])
    assert sum(time_step.rewards) == pytest.approx(0)


def test_information_states_remember_every_card_that_was_revealed() -> None:
    """Z6.1: a perfect memory knows more than the observation shows, once a round is over; and Deep CFR can learn."""
    state, rng = _dealt("stampede_zoff(players=3)"), random.Random(1)
    later = 0
    while not state.is_terminal():
        seat = state.current_player()
        shown, known = state.observation_tensor(seat), state.information_state_tensor(seat)
        assert all(one == other or one < other for one, other in zip(shown, known, strict=True))
        later += sum(known) - sum(shown) >= 3 * 2
        state.apply_action(rng.choice(state.legal_actions()))
    assert later > 20
    buffalo = pyspiel.load_game("stampede_buffalo").new_initial_state()
    assert buffalo.information_state_tensor(0) == buffalo.observation_tensor(0)


@pytest.mark.parametrize(
    ("players", "variant"), [(2, "auction fair"), (3, ""), (6, "auction must_place")]
)
@pytest.mark.parametrize("simultaneous", [False, True])
def test_no_secret_reaches_another_seat(players: int, variant: str, simultaneous: bool) -> None:
    """Z3.4, Z6.1, Z10.2: hands, answers, first pairs, deals and ties of others, exchanged in every state of a game."""
    options = {"players": players, "variant": variant, "simultaneous": simultaneous}
    game = pyspiel.load_game("stampede_zoff", options)
    rng, changed, state = random.Random(players), Counter[str](), game.new_initial_state()
    while not state.is_terminal():
        for viewer in range(players) if not state.is_chance_node() else ():
            for hands in (False, True):
                other = state.clone()
                changed += _with_other_secrets(other, viewer, rng, hands=hands)
                assert _seen_by(other, viewer, hands) == _seen_by(state, viewer, hands)
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(players)])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    dealt = {"dealt"} if players == 2 else set()
    ties = {"ties"} if variant else set()
    given = set() if simultaneous else {"given"}
    assert {"hands", "pairs", *dealt, *ties, *given} <= set(changed)


def _seen_by(state: Any, seat: int, hands: bool) -> tuple[object, ...]:
    """All that OpenSpiel can ask about a seat; its memory only if others' hands are what they were."""
    return (
        *([] if hands else state.information_state_tensor(seat)),
        state.information_state_string(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
        state.legal_actions(seat),
    )


def _with_other_secrets(
    state: Any, viewer: int, rng: random.Random, *, hands: bool
) -> Counter[str]:
    """Changes what a state hides from a viewer: in the position, in what chance drew, in what others have given."""
    positions = state._positions
    positions._look(state._position)
    changed = change_secrets(positions.games, 0, viewer, rng, hands=hands)
    table = positions.games.records[2][0]
    if table.stage == at.SETTLE:
        cards = table.dealt[:2].reshape(-1).tolist()
        state._drawn = (*cards, *state._drawn[len(cards) :])
    if changed["ties"]:
        order = table.tie_order[: positions.games.players].tolist()
        state._drawn = (*state._drawn[: -len(order)], *order)
    state._position = positions._keep()
    if state._hidden:
        state._hidden = tuple(
            pair if seat == viewer else rng.randrange(at.COWS)
            for seat, pair in enumerate(state._hidden)
        )
    given = tuple(
        atom if seat == viewer else rng.randrange(at.COWS)
        for seat, atom in zip(state._asked, state._given, strict=False)
    )
    changed["given"] += given != state._given
    state._given = given
    return changed
