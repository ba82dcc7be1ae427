"""Trains Zoff's value function by self-play: ``python -m stampede.lab.zoff.train``.

The look-ahead policy, which uses no value function, plays games with itself at various temperatures. Each state where a
round begins is then played out many times, and the networks are fitted to the mean of the outcomes: a single game has
more variance than most states differ. Errors go into a report. The same seed and settings give the same games and the
same weights.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.resolve import count_cows
from stampede.lab.zoff.fit import Examples, Floats, fit, fit_tau, fit_tau_at, level_first_tau
from stampede.lab.zoff.searched import examples_with, search_games
from stampede.lab.zoff.selfplay import fill_features, sample_game
from stampede.search.zoff.features import PASTURE_FEATURES, SEAT_FEATURES
from stampede.search.zoff.value import (
    FILE,
    MAX_ROUNDS,
    NET_SIZE,
    TAU,
    Net,
    load_net,
    read_net,
)
from stampede.zoff import State, ZoffGame, ZoffPhase, ZoffRules

__all__ = ["TrainingSettings", "main", "train", "train_next"]

FAIR_SHARE = 0.25
TEMPERATURES = (0.3, 1.0)
"""The range of temperatures, so that unusual states occur, too."""
Track = Callable[[range], Iterable[int]]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to train one player count.

    Attributes:
        games: Games whose states are looked at.
        outs: How often each state is played out.
        epochs: Passes over the examples.
        seed: What everything is derived from.
    """

    games: int = 2_000
    outs: int = 24
    epochs: int = 200
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What was learned.

    Attributes:
        players: Of how many players.
        settings: How.
        examples: From how many examples.
        spread: The standard deviation of the cows to come: the error of a function that always says the mean.
        curve: After each pass the errors (root mean square, in cows) seen and held back.
        by_left: By rounds left, the error held back at the end.
        tau: By rounds left, how many cows of lead make a win e times likelier.
    """

    players: int
    settings: TrainingSettings
    examples: int
    spread: float
    curve: list[tuple[float, float]]
    by_left: list[float]
    tau: list[float]


def first_round(game: ZoffGame, rules: ZoffRules, rng: random.Random) -> State:
    """A drawn game at its first round; two players settle at random."""
    state = game.initial(rules, game.draw(rules, rng))
    while state.phase is not ZoffPhase.CHOOSE:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return state


def empty_net() -> Net:
    """A value function that knows nothing but the cows on the board."""
    net = np.zeros(NET_SIZE, dtype=np.float32)
    net[TAU:] = 4.0
    return net


def self_play(players: int, settings: TrainingSettings, follow: Track = iter) -> Examples:
    """Plays games and gathers one example for each seat and round."""
    seed = f"{settings.seed}/{players}"
    rng, words = random.Random(seed), new_rng(random.Random(seed).getrandbits(64))
    game = ZoffGame()
    kept = np.zeros(MAX_ROUNDS + 1, dtype=at.STATE)
    results = np.zeros((MAX_ROUNDS + 1, 2, at.MAX_COLOURS))
    size = settings.games * players * (6 if players == 2 else 5)
    rows = 2 * at.MAX_PASTURES if players == 2 else at.MAX_PASTURES
    examples = Examples.empty(size, rows, PASTURE_FEATURES, SEAT_FEATURES)
    count = 0
    for _ in follow(range(settings.games)):
        rules = ZoffRules(players=players, fair=rng.random() < FAIR_SHARE)
        start = first_round(game, rules, rng)
        setup, state = encode_setup(start), encode(start)
        temperature = rng.uniform(*TEMPERATURES)
        rounds = sample_game(setup, state, temperature, words, settings.outs, kept, results)
        for index in range(rounds):
            for seat in range(players):
                fill_features(
                    setup, kept[index], seat, examples.pastures[count], examples.cards[count]
                )
                examples.placed[count] = count_cows(setup, kept[index], seat)
                examples.cows[count] = results[index, 0, seat]
                examples.won[count] = results[index, 1, seat]
                examples.left[count] = rules.rounds - int(kept[index].round_number) + 1
                count += 1
    return examples.first(count)


def train(
    players: int, settings: TrainingSettings, follow: Track = iter
) -> tuple[Net, TrainingReport]:
    """Trains the value function of one player count."""
    net = empty_net()
    examples = self_play(players, settings, follow)
    curve, by_left = fit(net, examples, settings.epochs, seed=settings.seed)
    fit_tau(net, examples, players)
    to_come = examples.cows - examples.placed
    return net, _report(players, settings, net, to_come, np.array(curve), by_left)


def _report(
    players: int,
    settings: TrainingSettings,
    net: Net,
    to_come: Floats,
    curve: npt.NDArray[np.float64],
    by_left: list[float],
) -> TrainingReport:
    return TrainingReport(
        players,
        settings,
        examples=len(to_come),
        spread=round(float(np.std(to_come)), 3),
        curve=[(round(float(seen), 3), round(float(held), 3)) for seen, held in curve],
        by_left=[round(error, 3) for error in by_left],
        tau=[round(float(tau), 2) for tau in net[TAU + 1 :]],
    )


def train_next(
    players: int, settings: TrainingSettings, teacher: Net, follow: Track = iter
) -> tuple[Net, TrainingReport]:
    """Trains the generation after a teacher's, from the last round back; ``settings.outs`` draws judge a state."""
    rng = random.Random(f"{settings.seed}/{players}/next")
    game, games = ZoffGame(), []
    for _ in follow(range(settings.games)):
        rules = ZoffRules(players=players, fair=rng.random() < FAIR_SHARE)
        start = first_round(game, rules, rng), rng.uniform(*TEMPERATURES)
        games += search_games([start], teacher, settings.outs, rng)
    net = empty_net()
    squares, by_left = np.zeros((settings.epochs, 2)), list[float]()
    to_come: list[Floats] = []
    for left in range(1, MAX_ROUNDS + 1):
        examples = examples_with(games, left, net)
        if len(examples.cows) == 0:
            continue
        stage_curve, errors = fit(net, examples, settings.epochs, seed=settings.seed)
        fit_tau_at(net, examples, players, left)
        squares += len(examples.cows) * np.square(stage_curve)
        by_left += errors
        to_come.append(examples.cows - examples.placed)
    level_first_tau(net, len(to_come))
    together = np.concatenate(to_come)
    curve = np.sqrt(squares / len(together))
    return net, _report(players, settings, net, together, curve, by_left)


def _teacher(name: str, players: int) -> Net:
    if name == "shipped":
        return load_net(players)
    with Path(name).open("rb") as file:
        return read_net(file, players)


def main(arguments: list[str] | None = None) -> None:
    """Trains the player counts that are asked for and writes weights and report; counts trained before are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--games", type=int, default=TrainingSettings().games)
    parser.add_argument("--outs", type=int, default=TrainingSettings().outs)
    parser.add_argument("--epochs", type=int, default=TrainingSettings().epochs)
    parser.add_argument("--seed", type=int, default=TrainingSettings().seed)
    parser.add_argument("--into", type=Path, default=Path("build/zoff-value"))
    parser.add_argument(
        "--from",
        dest="teacher",
        metavar="WEIGHTS",
        help="learn from players who search with these: a file, or shipped",
    )
    chosen = parser.parse_args(arguments)
    settings = TrainingSettings(chosen.games, chosen.outs, chosen.epochs, chosen.seed)
    chosen.into.mkdir(parents=True, exist_ok=True)
    for players in chosen.players:
        follow = partial(track, description=f"{players} players", console=Console(stderr=True))
        if chosen.teacher is None:
            net, report = train(players, settings, follow)
        else:
            net, report = train_next(players, settings, _teacher(chosen.teacher, players), follow)
        np.save(chosen.into / f"players_{players}.npy", net)
        text = json.dumps(asdict(report), indent=1)
        (chosen.into / f"players_{players}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{players} players: error {report.curve[-1][1]} of {report.spread}", flush=True)  # noqa: T201
    parts = sorted(chosen.into.glob("players_*.npy"))
    nets: dict[str, Net] = {path.stem: np.load(path) for path in parts}
    np.savez(chosen.into / FILE, allow_pickle=False, **nets)


if __name__ == "__main__":
    main()
