"""Learns Zoff's value function by self-play, from nothing: ``python -m stampede.lab.train_zoff``.

Generation 0 plays quick greedy games without a value function. Each later one plays with the function of the one
before, choosing among the candidates of a round. After each generation the networks are fitted to how its games ended,
and the errors go into a report. The same seed and settings give the same games and the same weights.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_table
from stampede.lab.fit_zoff import Examples, fit, fit_tau
from stampede.search.zoff.inputs import PASTURE_INPUTS, SEAT_INPUTS
from stampede.search.zoff.selfplay import fill_inputs, play_game
from stampede.search.zoff.value import FILE, MAX_ROUNDS, NET_SIZE, TAU, Net
from stampede.zoff import Phase, State, ZoffGame, ZoffRules

__all__ = ["Settings", "main", "train"]

FAIR_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train one player count.

    Attributes:
        games: Games of generation 0; later ones play a `later` share of them.
        later: That share.
        generations: How many after generation 0.
        pool: Candidates of a seat in later generations.
        samples: Samples of the others' choices that these are tried against.
        epochs: Passes over the examples of a generation.
        seed: What everything is derived from.
    """

    games: int = 10_000
    later: float = 0.12
    generations: int = 2
    pool: int = 16
    samples: int = 6
    epochs: int = 6
    seed: int = 1


@dataclass(slots=True)
class Report:
    """What was learned, generation by generation."""

    players: int
    settings: Settings
    generations: list[dict[str, object]] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """The report as JSON."""
        return {
            "players": self.players,
            "settings": asdict(self.settings),
            "generations": self.generations,
        }


def first_round(game: ZoffGame, rules: ZoffRules, rng: random.Random) -> State:
    """A drawn game at its first round; two players settle at random."""
    state = game.initial(rules, game.draw(rules, rng))
    while state.phase is not Phase.CHOOSE:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return state


def empty_net() -> Net:
    """A value function that knows nothing but the cows on the board."""
    net = np.zeros(NET_SIZE, dtype=np.float32)
    net[TAU:] = 4.0
    return net


def self_play(players: int, net: Net, games: int, settings: Settings, generation: int) -> Examples:
    """Plays games and gathers one example for each seat and round."""
    seed = f"{settings.seed}/{players}/{generation}"
    rng, words = random.Random(seed), new_rng(random.Random(seed).getrandbits(64))
    game = ZoffGame()
    tastes = np.tile(np.array([8.0, 1.0, 1.0, 0.0]), (at.MAX_COLOURS, 1))
    pool = np.zeros((at.MAX_COLOURS, settings.pool, 4), dtype=np.int16)
    kept = np.zeros((MAX_ROUNDS + 1, at.STATE_SIZE), dtype=np.int16)
    results = np.zeros((2, at.MAX_COLOURS))
    size = games * players * (6 if players == 2 else 5)
    rows = 2 * at.MAX_PASTURES if players == 2 else at.MAX_PASTURES
    examples = Examples.empty(size, rows, PASTURE_INPUTS, SEAT_INPUTS)
    count = 0
    for _ in range(games):
        rules = ZoffRules(players=players, fair=rng.random() < FAIR_SHARE)
        start = first_round(game, rules, rng)
        table, state = encode_table(start), encode(start)
        samples = settings.samples if generation else 0
        rounds = play_game(table, state, net, tastes, words, pool, samples, kept, results)
        for index in range(rounds):
            left = rules.rounds - int(kept[index, at.ROUND]) + 1
            for seat in range(players):
                fill_inputs(
                    table, kept[index], seat, examples.pastures[count], examples.cards[count]
                )
                examples.placed[count] = _placed(table, kept[index], seat)
                examples.cows[count] = results[0, seat]
                examples.won[count] = results[1, seat]
                examples.left[count] = left
                count += 1
    return examples.first(count)


def _placed(table: at.Table, state: at.State, seat: int) -> int:
    herds = state[at.HERDS : at.FREE].reshape(at.MAX_PASTURES, at.MAX_COLOURS)
    own = {int(table[at.OWN + 2 * seat]), int(table[at.OWN + 2 * seat + 1])}
    return int(sum(herds[:, colour].sum() for colour in own))


def train(players: int, settings: Settings, *, tell: bool = True) -> tuple[Net, Report]:
    """Trains the value function of one player count."""
    report = Report(players, settings)
    net = empty_net()
    for generation in range(settings.generations + 1):
        games = settings.games if generation == 0 else round(settings.games * settings.later)
        began = time.perf_counter()
        examples = self_play(players, net, games, settings, generation)
        played = time.perf_counter()
        curve = fit(net, examples, settings.epochs, seed=settings.seed, fresh=generation == 0)
        fit_tau(net, examples, players)
        row: dict[str, object] = {
            "generation": generation,
            "games": games,
            "examples": len(examples.cows),
            "spread_of_cows": round(float(np.std(examples.cows)), 3),
            "curve": [[round(a, 3), round(b, 3)] for a, b in curve],
            "tau": [round(float(tau), 2) for tau in net[TAU + 1 :]],
        }
        report.generations.append(row)
        if tell:
            seconds = f"{played - began:.0f} s of play, {time.perf_counter() - played:.0f} s of fit"
            print(f"{players} players: {json.dumps(row)}  ({seconds})", flush=True)  # noqa: T201
    return net, report


def main(arguments: list[str] | None = None) -> None:
    """Trains the player counts that are asked for and writes weights and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--games", type=int, default=Settings().games)
    parser.add_argument("--generations", type=int, default=Settings().generations)
    parser.add_argument("--seed", type=int, default=Settings().seed)
    parser.add_argument("--into", type=Path, default=Path("build/zoff-value"))
    chosen = parser.parse_args(arguments)
    settings = Settings(games=chosen.games, generations=chosen.generations, seed=chosen.seed)
    chosen.into.mkdir(parents=True, exist_ok=True)
    nets: dict[str, npt.NDArray[np.float32]] = {}
    reports: list[dict[str, object]] = []
    for players in chosen.players:
        net, report = train(players, settings)
        nets[f"players_{players}"] = net
        reports.append(report.to_json())
        np.savez(chosen.into / FILE, allow_pickle=False, **nets)
        text = json.dumps(reports, indent=1)
        (chosen.into / "report.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
