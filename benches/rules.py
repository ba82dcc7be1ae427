"""How fast the readable rules are: complete random games a second, beside a fixed loop of plain Python.

A number of games a second says little without the machine. So every slice of a run measures everything once, the fixed
loop included: whatever else the machine does hits all of them alike, and the ratio stays. Seconds are those in which
this process had a core (`time.process_time`), so that waiting for one doesn't count. Every slice plays the same games
in every run (the seed is the slice's number), and the median over slices is reported.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from stampede.bots import RandomBot
from stampede.buffalo import BuffaloGame, BuffaloRules, Position
from stampede.core.game import AnyGame
from stampede.core.json import JsonObject
from stampede.games import game_named
from stampede.lab import SimulationPlan, simulate
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["Rate", "Report", "measure", "slices"]

LOOP_STEPS = 1_000_000
SLICE_SECONDS = 0.6
"""About what a slice takes on the machine where this was written; it only turns --seconds into a number."""
ZOFF_GAMES = 40
VIEWED_GAMES = 12
BUFFALO_GAMES = 120
POSITION_GAMES = 200


@dataclass(slots=True)
class Rate:
    """How many things a second, by slice."""

    name: str
    unit: str
    expected: float | None
    speeds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """The median over slices."""
        return statistics.median(self.speeds)

    @property
    def per_loop(self) -> float:
        """How many fit into the time of one fixed loop: the median of the slices' own ratios."""
        return statistics.median(self.ratios)


@dataclass(slots=True)
class Report:
    """All measurements of one run."""

    loop_seconds: float
    slices: int
    rates: list[Rate]

    def to_json(self) -> JsonObject:
        """The report as JSON."""
        return {
            "loop": {"steps": LOOP_STEPS, "seconds": round(self.loop_seconds, 6)},
            "slices": self.slices,
            "rates": [
                {
                    "name": rate.name,
                    "unit": rate.unit,
                    "per_second": round(rate.per_second, 1),
                    "per_loop": round(rate.per_loop, 3),
                    "expected": rate.expected,
                }
                for rate in self.rates
            ],
        }


def fixed_loop() -> int:
    """A million steps of a linear congruential generator: integers, a loop, nothing else. Never change it."""
    value = 1
    for _ in range(LOOP_STEPS):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
    return value


def random_games(game: AnyGame, rules: object, seed: int, games: int) -> int:
    """Plays random games through the contract, on states: what rules cost without views and records."""
    for index in range(games):
        rng = random.Random(f"{seed}/{index}")
        state = game.initial(rules, game.draw(rules, rng))
        while awaited := game.to_act(state):
            seat = awaited[0]
            state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
        assert game.outcome(state) is not None
    return games


def random_positions(seed: int, games: int) -> int:
    """Plays random games of Buffalo on positions alone, as a student of the game would."""
    for index in range(games):
        rng = random.Random(f"{seed}/{index}")
        position = Position.start()
        while moves := position.legal_moves:
            position = position.play(moves.sample(rng))
        assert position.is_over
    return games


def viewed_games(seed: int, games: int) -> int:
    """Plays games as `stampede simulate` does: bots see views, and every game gives a record."""
    spec = game_named("zoff")
    plan = SimulationPlan(spec.game, ZoffRules(5).to_json(), (RandomBot(),) * 5, games, seed)
    return sum(1 for _ in simulate(plan))


def slices(seconds: float) -> int:
    """How many slices a run of about so many seconds has."""
    return max(1, round(seconds / SLICE_SECONDS))


def measure(slices: int, track: Callable[[range], Iterable[int]] = iter) -> Report:
    """Measures everything once a slice, in turn."""
    zoff, buffalo = ZoffGame(), BuffaloGame()
    tasks: list[tuple[Rate, Callable[[int], int]]] = [
        (
            Rate("Zoff, 5 players, by the contract", "games", 300),
            lambda seed: random_games(zoff, ZoffRules(5), seed, ZOFF_GAMES),
        ),
        (
            Rate("Zoff, 5 players, with views and records", "games", None),
            lambda seed: viewed_games(seed, VIEWED_GAMES),
        ),
        (
            Rate("Buffalo, by the contract", "games", 1000),
            lambda seed: random_games(buffalo, BuffaloRules(), seed, BUFFALO_GAMES),
        ),
        (
            Rate("Buffalo, on positions", "games", None),
            lambda seed: random_positions(seed, POSITION_GAMES),
        ),
    ]
    loops = []
    for seed in track(range(slices)):
        loop = _timed(fixed_loop)
        loops.append(loop)
        for rate, task in tasks:
            begin = time.process_time()
            done = task(seed)
            seconds = time.process_time() - begin
            rate.speeds.append(done / seconds)
            rate.ratios.append(done / seconds * loop)
    return Report(statistics.median(loops), slices, [rate for rate, _ in tasks])


def _timed(task: Callable[[], object]) -> float:
    begin = time.process_time()
    task()
    return time.process_time() - begin
