"""Zoff in the laboratory: training can be repeated and learns, measuring adds up, turns are the rules turn by turn."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from stampede.bots.zoff.player import zoff_bot
from stampede.core.errors import InputError
from stampede.kernels.rng import RngState, new_rng
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.options import choice_count
from stampede.lab.zoff.mcts import MctsPlayer, match_game
from stampede.lab.zoff.openspiel import KernelRollouts, Turns, ZoffTurns
from stampede.lab.zoff.prediction import POSSIBLE, measure_prediction
from stampede.lab.zoff.progress import show_progress
from stampede.lab.zoff.strength import bot_of, duel
from stampede.lab.zoff.temperaments import count_differences, look_at, main, play_among_balanced
from stampede.lab.zoff.train import TrainingSettings, train, train_next
from stampede.lab.zoff.uct import Uct
from stampede.search.zoff.rivals.random_tree import search_tree, shuffle
from stampede.search.zoff.rivals.turns import MAX_ACTIONS
from stampede.search.zoff.value import FILE, NET_SIZE, load_net
from stampede.zoff import ZoffRules
from tests.kernels.zoff.side_by_side import opened

LITTLE = TrainingSettings(games=40, outs=4, epochs=8)


def test_training_learns_and_can_be_repeated() -> None:
    """The error on games held back falls, and the same seed gives the same weights."""
    net, report = train(3, LITTLE)
    again, _ = train(3, LITTLE)
    assert net.shape == (NET_SIZE,)
    assert (net == again).all()
    assert report.curve[-1][1] < report.curve[0][1]
    assert len(report.by_left) == 5


def test_the_next_generation_is_learned_from_searchers_and_plays(tmp_path: Path) -> None:
    """The last round's targets are results, not opinions: of a teacher's weights nothing is left but what it chose."""
    settings = TrainingSettings(games=2, outs=4, epochs=6)
    net, report = train_next(3, settings, load_net(3))
    again, _ = train_next(3, settings, load_net(3))
    assert (net == again).all()
    assert report.curve[-1][1] < report.curve[0][1]
    assert report.examples == 2 * 3 * 5
    file = tmp_path / "mine" / FILE
    file.parent.mkdir()
    np.savez(file, players_3=net)
    bot = bot_of(f"4@{file}")
    assert bot.name == "zoff-4@mine"
    assert duel(ZoffRules(players=3), bot, zoff_bot(2), range(1)).games == 1
    with pytest.raises(InputError, match="expected weights for 4 players"):
        duel(ZoffRules(players=4), bot, zoff_bot(2), range(1))


def test_a_duel_gives_every_seat_its_turn_and_a_bot_against_itself_is_even() -> None:
    rules = ZoffRules(players=3)
    found = duel(rules, zoff_bot(2), zoff_bot(2), range(6))
    assert found.games == 6
    assert 0 <= found.wins <= 1
    # The one has every seat of the same two games, which are the same games: its leads cancel out.
    assert found.lead == pytest.approx(0.0)


def test_the_top_level_holds_more_of_what_others_choose_possible_than_regret_matching() -> None:
    """And every chance is one."""
    found = measure_prediction(4, 3, 3)
    assert len(found.by_quantal_response) == len(found.by_regret) == 12
    assert all(0 <= chance <= 1 + 1e-9 for chance in (*found.by_quantal_response, *found.by_regret))
    possible = [
        sum(chance >= POSSIBLE for chance in chances)
        for chances in (found.by_regret, found.by_quantal_response)
    ]
    assert possible[1] > possible[0]
    with pytest.raises(InputError, match=r"round: expected 1 to 5, got 6"):
        measure_prediction(4, 6, 1)
    with pytest.raises(InputError, match=r"players: expected 3 to 6, got 2"):
        measure_prediction(2, 1, 1)
    with pytest.raises(InputError, match=r"states: expected at least 1, got 0"):
        measure_prediction(4, 1, 0)


def test_games_of_a_duel_that_are_written_down_are_not_played_again(tmp_path: Path) -> None:
    rules, file = ZoffRules(players=2), tmp_path / "duels.jsonl"
    later = duel(rules, zoff_bot(2), zoff_bot(1), range(2, 4), into=file)
    kept = file.read_text(encoding="utf-8")
    more = duel(rules, zoff_bot(2), zoff_bot(1), range(4), into=file)
    assert more.shares[2:] == later.shares
    assert file.read_text(encoding="utf-8").startswith(kept)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 4


def test_temperaments_are_seen_in_herds_and_in_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A settler has more herds than a farmer on the same deals; games that are written down aren't played again."""
    settlers, farmers = (
        [play_among_balanced(3, 3, name, index) for index in range(12)]
        for name in ("settler", "farmer")
    )
    assert sum(game.herds for game in settlers) > sum(game.herds for game in farmers)
    asked, otherwise = count_differences(3, 3, 1)
    assert all(0 <= count <= asked[phase] for (phase, _), count in otherwise.items())
    state = opened(ZoffRules(players=2), random.Random(1))
    assert look_at(state, 0).herds == sum(
        row[colour] > 0
        for row in state.herds
        for colour in state.setup.groups[state.owners.index(0)].colours
    )
    file = tmp_path / "games.jsonl"
    command = ["play", "3", "3", "2", "--only", "settler", "--into", str(file)]
    main(command)
    kept = file.read_text(encoding="utf-8")
    main(command)
    assert file.read_text(encoding="utf-8") == kept
    main(["differ", "3", "3", "1"])
    printed = capsys.readouterr().out
    assert "level 3, settler: wins" in printed
    assert "farmer, choose: " in printed


@pytest.mark.parametrize("players", [2, 3])
def test_turns_offer_every_choice_pair_by_pair(players: int) -> None:
    """Z3.1, Z10.4: first pairs × second pairs are twice the choices, or exactly them with two players."""
    state = opened(ZoffRules(players=players), random.Random(2))
    setup, words = encode_setup(state), encode(state)
    turns = Turns(setup, words, 1)
    assert turns.current_player() == 1
    ways = 0
    for action in turns.legal_actions():
        after = turns.clone()
        after.apply_action(action)
        assert after.current_player() == 1
        ways += len(after.legal_actions())
    assert ways == choice_count(setup, words, 1) * (1 if players == 2 else 2)
    assert turns.record.pair_count == 0


def test_turns_play_whole_games() -> None:
    state = opened(ZoffRules(players=4), random.Random(5))
    turns = Turns(encode_setup(state), encode(state), 2)
    rng = random.Random(1)
    seats = set()
    while not turns.is_terminal():
        seats.add(turns.current_player())
        turns.apply_action(rng.choice(turns.legal_actions()))
    assert seats == {0, 1, 2, 3}
    assert turns.returns().sum() == pytest.approx(0.0, abs=1e-9)
    assert np.argmax(turns.returns()) in [
        seat for seat in range(4) if turns.record.state.winners >> seat & 1
    ]


def test_rollouts_leave_the_state_alone() -> None:
    state = opened(ZoffRules(players=3), random.Random(5))
    turns = Turns(encode_setup(state), encode(state), 0)
    turns.apply_action(turns.legal_actions()[0])
    before = turns.record.tobytes()
    returns = KernelRollouts(new_rng(1)).evaluate(turns)
    assert turns.record.tobytes() == before
    assert turns.record.pair_count == 1
    assert abs(returns).max() < 1


def test_rollouts_by_kernels_are_those_of_openspiel() -> None:
    """The same games in law: means of many agree, so that one may stand for the other."""
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    state = opened(ZoffRules(players=2), random.Random(5))
    turns = Turns(encode_setup(state), encode(state), 0)
    turns.apply_action(turns.legal_actions()[0])
    own = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    fast = KernelRollouts(new_rng(1))
    ours = np.array([fast.evaluate(turns) for _ in range(1_500)])
    theirs = np.array([own.evaluate(turns) for _ in range(1_500)])
    error = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / 1_500)
    assert (abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * error).all()


def test_mcts_answers_every_question_of_a_game() -> None:
    pytest.importorskip("open_spiel.python.algorithms.mcts")
    for kind in ("kernels", "twin"):
        row = match_game(ZoffRules(players=3), 1, MctsPlayer((4,), kind), "test", zoff_bot(2))
        placed = row["placed"]
        assert isinstance(placed, list)
        assert len(placed) == 3


class _Shuffler:
    """Stands for NumPy's random numbers in OpenSpiel's bot: shuffles by the same words as the twin."""

    def __init__(self, words: RngState) -> None:
        self.words = words

    def shuffle(self, items: list[object]) -> None:
        order = np.arange(len(items))
        shuffle(order, len(items), self.words)
        items[:] = [items[index] for index in order]


@pytest.mark.parametrize("players", [2, 4])
def test_the_compiled_search_is_that_of_openspiel_node_by_node(players: int) -> None:
    """With equal random numbers both visit every action of the root equally often, from the first turn to the last."""
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    state = opened(ZoffRules(players=players), random.Random(5))
    turns = Turns(encode_setup(state), encode(state), 1)
    rng, steps = random.Random(1), 0
    while not turns.is_terminal():
        if steps % 4 == 0 or turns.record.state.round_number == turns.setup.rounds:
            words, again = new_rng(steps), new_rng(steps)
            bot = mcts.MCTSBot(
                ZoffTurns(),
                0.3,
                300,
                KernelRollouts(words),
                solve=False,
                random_state=_Shuffler(words),
            )
            root = bot.mcts_search(turns.clone())
            found = np.zeros((MAX_ACTIONS, 2), dtype=np.int32)
            action = search_tree(turns.setup, turns.record, 300, 0.3, again, found)
            theirs = [(child.action, child.explore_count) for child in root.children]
            assert found[: len(theirs)].tolist() == [list(pair) for pair in theirs]
            assert action == root.best_child().action
        turns.apply_action(rng.choice(turns.legal_actions()))
        steps += 1
    assert steps > 30


def test_a_search_without_a_budget_is_refused() -> None:
    with pytest.raises(InputError, match="simulations: expected at least 2, got 0"):
        Uct(0, 0.3, new_rng(1))


def test_progress_shows_in_a_log_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(show_progress([1, 2, 3], "games", every=0.0)) == [1, 2, 3]
    assert capsys.readouterr().err.splitlines()[-1] == "games: 3 of 3"
