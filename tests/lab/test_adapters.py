"""The adapters keep their interfaces' promises: the official suites, our own seed tests, and nothing but views."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stampede.bots import RandomBot
from stampede.core.errors import IllegalAction, InputError, NotToAct
from stampede.kernels.zoff.layout import MAX_CARDS
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.text import TextTable

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("zoff_v0", {"players": 2, "variant": "auction, one_last_card"}),
    ("zoff_v0", {"players": 5, "variant": "fair", "memory": "perfect"}),
    ("buffalo_v0", {}),
]


@pytest.fixture(params=GAMES, ids=lambda game: f"{game[0]}-{len(game[1])}")
def made(request: pytest.FixtureRequest) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Makes an AEC environment and a parallel one of the same game."""
    pytest.importorskip("pettingzoo")
    name, options = request.param
    module = importlib.import_module(f"stampede.lab.pettingzoo.{name}")
    return lambda: module.env(**options), lambda: module.parallel_env(**options)


# Its advice: a Box rather than a Dict, and a picture.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning", "ignore:Environment:UserWarning")
def test_the_official_suites_of_pettingzoo_pass(
    made: tuple[Callable[[], Any], Callable[[], Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    suites = pytest.importorskip("pettingzoo.test")
    aec, parallel = made
    suites.api_test(aec(), num_cycles=300)
    suites.parallel_api_test(parallel(), num_cycles=300)
    suites.seed_test(aec, num_cycles=100)
    suites.parallel_seed_test(parallel, num_cycles=100)
    assert "Passed" in capsys.readouterr().out


def _play(env: Any, seed: int | None) -> tuple[list[bytes], dict[str, float]]:
    """A game of the parallel interface with masked draws; returns what was seen, and the rewards."""
    rng = np.random.default_rng(5)
    seen, _ = env.reset(seed=seed)
    shown, rewards = [], {}
    while env.agents:
        actions = {a: int(rng.choice(np.flatnonzero(seen[a]["action_mask"]))) for a in env.agents}
        seen, rewards, _, _, _ = env.step(actions)
        shown.append(b"".join(part.tobytes() for one in seen.values() for part in one.values()))
    return shown, rewards


def test_a_seed_repeats_a_whole_game_and_the_next_one_differs(
    made: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    """PettingZoo's own test draws unmasked and stops after a step or two."""
    _, parallel = made
    env = parallel()
    first, rewards = _play(env, 7)
    assert len(first) > 20
    assert sum(rewards.values()) == pytest.approx(1)
    again = env.games.players == 2 and "board" in env.games.observation  # Buffalo has no chance
    assert (_play(env, None)[0] == first) == again
    assert _play(env, 7) == (first, rewards)
    assert _play(parallel(), 7) == (first, rewards)


def test_a_game_is_rendered_as_text_from_the_deal_to_the_end(
    made: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    silent, env = made[1](), _rendering(made[1]())
    silent.reset(seed=7)
    assert silent.render() is None
    env.reset(seed=7)
    pictures = [env.render()]
    rng = np.random.default_rng(5)
    seen, _ = env.reset(seed=7)
    assert env.render() == pictures[0]
    while env.agents:
        actions = {a: int(rng.choice(np.flatnonzero(seen[a]["action_mask"]))) for a in env.agents}
        seen, *_ = env.step(actions)
        pictures.append(env.render())
    assert len(set(pictures)) > len(pictures) / 2
    assert "over" in pictures[-1].splitlines()[0] or "has won" in pictures[-1].splitlines()[-1]


def _rendering(env: Any) -> Any:
    env.render_mode = "ansi"
    return env


def test_zoff_as_text_has_the_numbers_of_its_atoms() -> None:
    zoff_v0 = pytest.importorskip("stampede.lab.pettingzoo.zoff_v0")
    env = zoff_v0.parallel_env(players=3, render_mode="ansi")
    env.reset(seed=1)
    lines = env.render().splitlines()
    for seat in range(3):
        told = next(line for line in lines if line.startswith(f"seat {seat}, "))
        cards = {int(part.split()[0]) for part in told.split("cards ")[1].split(", ")}
        pairs = np.flatnonzero(env.games.action_mask[0, seat, : at.COWS])
        assert cards == {int(atom) % MAX_CARDS for atom in pairs}
    with pytest.raises(InputError, match="render_mode: expected one of ansi, got 'human'"):
        zoff_v0.env(render_mode="human")


def test_agents_in_turn_see_the_same_game_as_all_at_once(
    made: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    """Nobody sees an answer before all are in: observations are those of the parallel interface."""
    aec, parallel = made[0](), made[1]()
    aec.reset(seed=3)
    seen, _ = parallel.reset(seed=3)
    rng, rewards = np.random.default_rng(2), {}
    while parallel.agents:
        actions = {}
        for agent in parallel.agents:
            for name, part in aec.observe(agent).items():
                assert (part == seen[agent][name]).all()
            actions[agent] = int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
        while not any(aec.terminations.values()):
            agent = aec.agent_selection
            last = not aec._awaited
            aec.step(actions[agent])
            if last:
                break
        seen, rewards, _, _, _ = parallel.step(actions)
    assert aec.rewards == rewards


def test_the_state_holds_what_all_agents_see(
    made: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    """For critics that are trained centrally: the public part once, and every agent's own."""
    for make in made:
        env = make()
        env.reset(seed=3)
        state = env.state()
        assert env.state_space.contains(state)
        seen = [env.games.seat_observation(0, seat) for seat in range(env.games.players)]
        public = len(seen[0]) if "board" in env.games.observation else 260
        own = [part[public:] for part in seen]
        assert state.tolist() == np.concatenate([seen[0][:public], *own]).tolist()


def test_an_illegal_atom_ends_the_game_or_is_refused() -> None:
    pytest.importorskip("pettingzoo")
    zoff_v0 = importlib.import_module("stampede.lab.pettingzoo.zoff_v0")
    env = zoff_v0.env(players=3)
    env.reset(seed=1)
    env.step(239)
    assert env.rewards == {"seat_0": -1.0, "seat_1": 0.0, "seat_2": 0.0}
    assert all(env.terminations.values())
    env = zoff_v0.env(players=3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"seat_0: expected .*239 \(nothing"):
        env.step(239)
    with pytest.raises(InputError, match="seat_0: expected an atom, got None"):
        env.step(None)
    with pytest.raises(InputError, match=r"agent: expected one of .* got 'seat_9'"):
        env.observe("seat_9")
    for wrong in (0.5, "abc"):
        with pytest.raises(InputError, match=f"seat_0: expected a whole number, got {wrong!r}"):
            env.step(wrong)
    parallel = zoff_v0.parallel_env(players=3)
    for fresh in (zoff_v0.env(players=3), parallel):
        with pytest.raises(InputError, match=r"expected reset\(\) before a step"):
            fresh.step({} if fresh is parallel else 0)
    with pytest.raises(InputError, match="agent: expected one of"):
        zoff_v0.env(players=3).last()
    parallel.reset(seed=1)
    with pytest.raises(InputError, match=r"seat_1: expected a whole number, got 0\.5"):
        parallel.step({"seat_0": 0, "seat_1": 0.5, "seat_2": 0})
    _, rewards, *_ = parallel.step({"seat_0": 0, "seat_1": 1 << 40, "seat_2": 0})
    assert rewards == {"seat_0": 0.0, "seat_1": -1.0, "seat_2": 0.0}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Stampede/Zoff-v0", {"players": 3, "variant": "fair", "seat": 1}),
        ("Stampede/Buffalo-v0", {"seat": 1, "bots": "buffalo-1"}),
    ],
)
def test_gymnasium_finds_the_games_and_its_checker_passes(
    name: str, options: dict[str, Any]
) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    checker = importlib.import_module("gymnasium.utils.env_checker")
    importlib.import_module("stampede.lab.gymnasium").register_all()
    env = gymnasium.make(name, **options)
    checker.check_env(env.unwrapped, skip_render_check=True)
    seen, _ = env.reset(seed=4)
    rng, steps, reward, over = np.random.default_rng(1), 0, 0.0, False
    while not over:
        atom = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        seen, reward, over, _, _ = env.step(atom)
        steps += 1
    assert steps > 5
    assert 0 <= reward <= 1
    several = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", **options)
    shown, _ = several.reset(seed=4)
    assert shown["action_mask"].shape == (2, env.action_space.n)
    several.close()


def test_the_seat_of_gymnasium_sees_what_the_vector_environment_shows() -> None:
    """The same kind of observation: one learned with kernels plays on against bots."""
    pytest.importorskip("gymnasium")
    seat = importlib.import_module("stampede.lab.gymnasium.seat")
    env = seat.ZoffSeat(4, seat=2)
    seen, _ = env.reset(seed=1)
    vector = importlib.import_module("stampede.lab.vector").ZoffVec(1, 4, rotate=True)
    vector.load(0, env.game.start)
    assert (vector.seat_observation(0, 2) == seen["observation"]).all()
    assert (vector.action_mask[0, 2] == seen["action_mask"]).all()
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"bots": ["random"]}, "bots: expected 3, got 1"),
        ({"seat": 4}, "seat: expected 0 to 3, got 4"),
        ({"reward": "gold"}, "reward: expected one of win_share"),
        ({"illegal": "ignore"}, "illegal: expected one of raise"),
    )
    for options, message in wrong:
        with pytest.raises(InputError, match=message):
            seat.ZoffSeat(4, **options)


def test_a_seat_of_gymnasium_refuses_steps_before_reset_and_after_the_end() -> None:
    pytest.importorskip("gymnasium")
    env = importlib.import_module("stampede.lab.gymnasium.seat").BuffaloSeat()
    with pytest.raises(InputError, match=r"expected reset\(\) before the first step"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(InputError, match=r"action: expected a whole number, got 0\.5"):
        env.step(0.5)
    _, reward, over, _, info = env.step(286)
    assert (reward, over, info) == (-1.0, True, {"illegal": 286})
    with pytest.raises(InputError, match=r"expected reset\(\) after the end"):
        env.step(0)


@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("Stampede/Zoff-v0", "random"),
        ("Stampede/Zoff-v0", ("zoff-1", "zoff-2", "random")),
        ("Stampede/Buffalo-v0", "buffalo-2"),
    ],
)
def test_make_vec_plays_one_seat_of_many_games(name: str, bots: str | tuple[str, ...]) -> None:
    """The seat's own rows, the same again after the same seed, and a game after the game."""
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("stampede.lab.gymnasium")
    runs = []
    for _ in range(2):
        env = gymnasium.make_vec(name, num_envs=16, seat=1, bots=bots)
        seen, _ = env.reset(seed=3)
        rng, ended, shown = np.random.default_rng(1), 0, []
        for _ in range(150):
            actions = [int(rng.choice(np.flatnonzero(row))) for row in seen["action_mask"]]
            seen, reward, terminated, _, _ = env.step(np.array(actions))
            ended += int(terminated.sum())
            assert not reward[~terminated].any()
            assert env.observation_space["observation"].contains(seen["observation"])
            own = env.unwrapped.games.seat_observation(5, 1)
            assert (seen["observation"][5] == own).all()
            shown.append(seen["observation"].tobytes())
        assert ended > 16
        runs.append(shown)
    assert runs[0] == runs[1]
    with pytest.raises(InputError, match="bot: expected random"):
        gymnasium.make_vec(name, num_envs=2, bots="random-2")
    with pytest.raises(InputError, match="autoreset: expected next_step, got same_step"):
        gymnasium.make_vec(name, num_envs=2, autoreset="same_step")
    env = gymnasium.make_vec(name, num_envs=2)
    env.reset(seed=1)
    with pytest.raises(InputError, match="actions: expected whole numbers, got float64"):
        env.step(np.zeros(2))
    _, reward, terminated, _, _ = env.step(np.array([1 << 20, -(1 << 20)]))
    assert (reward.tolist(), terminated.tolist()) == ([-1, -1], [True, True])


def test_make_vec_takes_bots_that_search_and_a_seed_for_each_game() -> None:
    """Bots without kernels play one game after another; the same options as with `make`."""
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("stampede.lab.gymnasium")
    env = gymnasium.make_vec(
        "Stampede/Zoff-v0", num_envs=2, players=3, bots=("greedy", "random"), memory="perfect"
    )
    seen, _ = env.reset(seed=[5, 5])
    assert seen["action_mask"].shape == (2, 240)
    assert (seen["observation"][0] == seen["observation"][1]).all()
    seen, *_ = env.step(np.array([int(np.flatnonzero(row)[0]) for row in seen["action_mask"]]))
    assert env.observation_space["observation"].contains(seen["observation"])
    with pytest.raises(InputError, match="threads: expected no such option with bots that don't"):
        gymnasium.make_vec("Stampede/Zoff-v0", num_envs=2, bots="zoff-6", threads=2)
    many = gymnasium.make_vec("Stampede/Zoff-v0", num_envs=3, players=3, bots="zoff-1")
    runs = []
    for _ in range(2):
        seen, _ = many.reset(seed=[5, 6, 5])
        assert (seen["observation"][0] == seen["observation"][2]).all()
        assert (seen["observation"][0] != seen["observation"][1]).any()
        for _ in range(20):
            drawn = [int(np.flatnonzero(row)[-1]) for row in seen["action_mask"]]
            seen, *_ = many.step(np.array(drawn))
        runs.append(seen["observation"].tobytes())
    assert runs[0] == runs[1]


def test_one_seat_has_the_options_of_the_vector_environments() -> None:
    """A start in Buffalo; in Zoff the memory, which shows cards that the rules hide (Z6.1)."""
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("stampede.lab.gymnasium")
    late = "11/11/11/11/2b3b4/2DD1C1D2D/11 b - - 0 9"
    env = gymnasium.make("Stampede/Buffalo-v0", start=late)
    seen, _ = env.reset(seed=1)
    vector = importlib.import_module("stampede.lab.vector")
    assert (seen["observation"] == vector.BuffaloVec(1, start=late).flat_observation[0]).all()
    shown = {}
    for memory in ("view", "perfect"):
        env = gymnasium.make("Stampede/Zoff-v0", players=3, memory=memory)
        seen, _ = env.reset(seed=1)
        over = False
        while not over and env.unwrapped.game.state.round < 3:
            action = int(np.flatnonzero(seen["action_mask"])[0])
            seen, _, over, _, _ = env.step(action)
        shown[memory] = int(seen["observation"].astype(int).sum())
    assert shown["perfect"] > shown["view"]
    with pytest.raises(InputError, match="memory: expected one of view, perfect, got 'none'"):
        gymnasium.make("Stampede/Zoff-v0", memory="none")


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_text_plays_a_whole_game_and_names_what_is_legal(game: str) -> None:
    """Z3.4: what a seat has laid shows in its own text alone."""
    table, rng, lines = TextTable(game, seed=1), random.Random(1), 0
    while table.to_act:
        seat = rng.choice(table.to_act)
        others = [s for s in range(2) if s != seat]
        before = [table.observation(other) for other in others]
        actions = table.actions(seat)
        assert all(f"- {action}" in table.observation(seat) for action in actions)
        if lines == 10:
            table.play_bot(seat, RandomBot(), rng)
        else:
            table.play(seat, rng.choice(actions))
        if table._given.get(seat):
            assert [table.observation(other) for other in others] == before
            assert "Laid so far" in table.observation(seat)
        lines += 1
    assert table.outcome is not None
    with pytest.raises(NotToAct):
        table.play(0, "anything")
    with pytest.raises(IllegalAction, match="expected one of"):
        TextTable(game, seed=1).play(0, "anything")


def test_gymnasium_imports_the_module_that_a_name_begins_with() -> None:
    pytest.importorskip("gymnasium")
    code = (
        "import gymnasium\n"
        "print(gymnasium.make('stampede.lab.gymnasium:Stampede/Buffalo-v0').action_space)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Discrete(287)\n"
