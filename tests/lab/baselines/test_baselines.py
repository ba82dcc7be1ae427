"""The baselines: the gradient is right, advantages are what the definition says, and a run can be repeated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stampede.core.errors import InputError
from stampede.front import new_game
from stampede.lab.baselines import LearnedBot, Trainer, TrainingPlan, measure, read_learned
from stampede.lab.baselines.games import new_games
from stampede.lab.baselines.inputs import zoff_input_count, zoff_inputs
from stampede.lab.baselines.network import new_parameters
from stampede.lab.baselines.player import _see
from stampede.lab.baselines.ppo import LossSettings, Rollout, estimate_advantages, loss_and_gradient
from stampede.lab.vector import ZoffVec
from tests.cli.helpers import invoke

TINY = TrainingPlan("zoff", players=3, games=8, steps=16, batch=64, hidden=16, rounds=4, epochs=2)


def draw_batch(rng: np.random.Generator, count: int, inputs: int, atoms: int) -> Rollout:
    mask = rng.random((count, atoms)) < 0.6
    chosen = rng.integers(atoms, size=count)
    mask[np.arange(count), chosen] = True
    return Rollout(
        rng.standard_normal((count, inputs)),
        mask,
        chosen,
        np.log(rng.uniform(0.05, 0.6, count)),
        rng.standard_normal(count),
        rng.standard_normal(count),
    )


def test_the_gradient_is_that_of_finite_differences() -> None:
    """Every parameter, with clipped and unclipped decisions, entropy and the value's error."""
    rng = np.random.default_rng(3)
    own = new_parameters(5, 7, 6, rng, np.float64)
    own["wp"] *= 60  # away from the even policy
    batch = draw_batch(rng, 40, 5, 6)
    settings = LossSettings(clip=0.3, entropy=0.1, value=0.7)
    _, gradient = loss_and_gradient(own, batch, settings)
    step, compared = 1e-6, 0
    for name, part in own.items():
        for place in np.ndindex(part.shape):
            kept = part[place]
            part[place] = kept + step
            above, _ = loss_and_gradient(own, batch, settings)
            part[place] = kept - step
            below, _ = loss_and_gradient(own, batch, settings)
            part[place] = kept
            expected = (above - below) / (2 * step)
            assert gradient[name][place] == pytest.approx(expected, rel=1e-4, abs=1e-7)
            compared += abs(expected) > 1e-4
    assert compared > 80


def test_advantages_are_sums_over_a_seats_own_decisions() -> None:
    """λ = 1: what a seat earns from a decision on, to the end of its game or of the rollout, less its value."""
    rng = np.random.default_rng(1)
    shape = (30, 4, 3)
    acting = rng.random(shape) < 0.4
    values, rewards = rng.standard_normal(shape), rng.standard_normal(shape)
    ended, last = rng.random(shape[:2]) < 0.15, rng.standard_normal(shape[1:])
    found = estimate_advantages(acting, values, rewards, ended, last, discount=1.0, smoothing=1.0)
    for step, game, seat in zip(*np.nonzero(acting), strict=True):
        expected, later = -values[step, game, seat], int(step)
        while True:
            expected += rewards[later, game, seat]
            if ended[later, game]:
                break
            later += 1
            if later == shape[0]:
                expected += last[game, seat]
                break
        assert found[step, game, seat] == pytest.approx(expected)
    assert not found[~acting].any()


@pytest.mark.parametrize(
    "plan",
    [
        TINY,
        TrainingPlan(
            "buffalo",
            against=("self", "buffalo-1"),
            fewest=2,
            games=4,
            steps=16,
            batch=64,
            hidden=8,
            rounds=4,
        ),
    ],
)
def test_a_run_is_repeatable_and_resumes_exactly(plan: TrainingPlan, tmp_path: Path) -> None:
    whole = Trainer(plan)
    progress = list(whole.run())
    stopped, halves = Trainer(plan), []
    for one in stopped.run():
        halves.append(one)
        if one.round == 2:
            break
    stopped.save(tmp_path / "half.npz")
    resumed = Trainer.resume(tmp_path / "half.npz")
    halves += list(resumed.run())
    assert halves == progress
    for name, part in whole.learned.parameters.items():
        assert (part == resumed.learned.parameters[name]).all()
        assert not (part == Trainer(plan).learned.parameters[name]).all()


def test_it_learns_to_beat_random_play_within_seconds() -> None:
    plan = TrainingPlan("zoff", players=3, rounds=6, seed=2, games=32, hidden=48, rate=3e-3)
    trainer = Trainer(plan)
    before = sum(result.wins for result in measure(trainer.learned, "random", 90, 1))
    for _ in trainer.run():
        pass
    after = sum(result.wins for result in measure(trainer.learned, "random", 90, 1))
    assert before < 45
    assert after > 75


def test_a_network_sees_the_same_in_an_environment_and_in_a_view() -> None:
    """So that what it learned with kernels it plays as a bot; and its answers are legal."""
    env = ZoffVec(1, 3, rotate=True)
    game = new_game("zoff", seed=4, players=3)
    env.load(0, game.state)
    for seat in range(3):
        seen = zoff_inputs(env.seat_observation(0, seat)[None], env.bonus)
        assert (seen == _see(game.view(seat), ())).all()
    nobody = env.seat_observation(0, 0)[None][:0]
    assert zoff_inputs(nobody, env.bonus).shape == (0, zoff_input_count())
    bot, rng = LearnedBot(Trainer(TINY).learned), random.Random(1)
    # Enough games for bonuses whose cows it gives in another order than the rules list them.
    for seed in range(6):
        game = new_game("zoff", seed=seed, players=3)
        while game.outcome is None:
            game.play_bot(bot, rng, game.to_act[0])
    hunters = LearnedBot(Trainer(TrainingPlan("buffalo", hidden=8)).learned, draws=False)
    other = new_game("buffalo")
    while other.outcome is None:
        other.play_bot(hunters, rng, other.to_act[0])


def test_the_potential_of_buffalo_falls_with_what_is_captured_and_rises_with_what_is_held() -> None:
    arena: Any = new_games("buffalo", "self", 64, 2, 3)
    start = arena.standing()
    assert start[:, 1] == pytest.approx((0.2 * 5 - 0.7 * 11) / 11)
    assert (start[:, 0] == -start[:, 1]).all()
    arena.vary_starts(np.random.default_rng(1))
    left = (arena.games.observation["board"] == 1).sum(axis=1)
    assert set(left.tolist()) == set(range(3, 12))
    assert (np.diff(arena.standing()[np.argsort(left), 1]) < 0.1).all()


def test_the_commands_train_resume_and_rate(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["lab", "train", "buffalo", "--rounds", "2", "--games", "4", "--hidden", "8"]
    words += ["--judges", "random", "--points", "1", "--out", str(out)]
    told = invoke(*words).output
    assert "random" in told
    assert "lead" not in told, "Buffalo has no cows"
    assert (out / "curve.svg").read_text().startswith("<svg")
    refused = invoke(*words)
    assert refused.exit_code == 2
    assert "expected a folder without a run, or --resume" in refused.output
    assert invoke(*words, "--resume").exit_code == 0
    file = out / "checkpoint.npz"
    rate = ("lab", "rate", str(file), "--against", "random,one-move", "--games", "4", "--json")
    assert invoke(*rate).output.count('"against"') == 6
    other = invoke("lab", "train", "buffalo", "--rounds", "3", "--out", str(out), "--resume")
    assert other.exit_code == 2
    assert "expected a run of" in other.output
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"PK no")
    with pytest.raises(InputError, match="got another or a damaged file"):
        read_learned(broken)
