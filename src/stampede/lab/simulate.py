"""Simulation: complete games between bots, each repeatable from a seed and its index alone.

Chance is split into streams. Game ``i`` of a simulation with seed ``S`` is dealt by ``random.Random("S/i/deal")``, and
the bot in seat ``s`` draws from ``random.Random("S/i/s")``. So a game depends neither on the games before it nor on the
number of processes, and two simulations with the same seed and different bots play the same deals.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from stampede.bots import Bot, find_bot
from stampede.core.game import AnyGame, Outcome
from stampede.core.json import JsonObject, expect_int, expect_list, expect_object, expect_str
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.games import game_named
from stampede.lab.shards import ItemMaker, Job

__all__ = [
    "SimulatedGame",
    "SimulationPlan",
    "Summary",
    "plan_of",
    "read_game",
    "seed_for",
    "simulate",
    "simulation_job",
]

Seed: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is simulated.

    Attributes:
        game: The rules.
        rules: The rule set as in a record (``rules``).
        bots: The player in each seat.
        games: How many games.
        seed: What all of them are derived from.
    """

    game: AnyGame
    rules: JsonObject
    bots: tuple[Bot, ...]
    games: int
    seed: Seed = 0


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """One game of a simulation.

    Attributes:
        index: Its number, from 0.
        record: The game, complete.
        outcome: How it ended.
        decisions: How many decisions the bots made.
    """

    index: int
    record: GameRecord
    outcome: Outcome
    decisions: int


def seed_for(seed: Seed, index: int, stream: int | str) -> str:
    """The seed of one stream of chance: ``"deal"``, or the number of a seat."""
    return f"{seed}/{index}/{stream}"


def simulate(simulation: SimulationPlan, start: int = 0) -> Iterator[SimulatedGame]:
    """Plays the games one after another, from index ``start`` on."""
    for index in range(start, simulation.games):
        yield play_one(simulation, index)


def play_one(simulation: SimulationPlan, index: int) -> SimulatedGame:
    """Plays the game of this index; it is the same whenever and wherever it is played."""
    game, seed, bots = simulation.game, simulation.seed, simulation.bots
    rules = game.read_rules(simulation.rules)
    deal = game.draw(rules, random.Random(seed_for(seed, index, "deal")))
    played = Playthrough(game, rules, deal)
    streams = [random.Random(seed_for(seed, index, seat)) for seat in range(len(bots))]
    while awaited := played.to_act:
        seat = awaited[0]
        played.play_bot(bots[seat], streams[seat], seat)
    outcome = played.outcome
    assert outcome is not None, "nobody is to act, so the game is over"
    seats = tuple(SeatInfo(f"{bot.name} {seat}", "bot", bot.name) for seat, bot in enumerate(bots))
    decisions = len(played.turns)
    meta: JsonObject = {"seed": seed, "index": index, "decisions": decisions}
    return SimulatedGame(index, played.record(seats, meta), outcome, decisions)


def simulation_job(
    game: str, rules: JsonObject, bots: Sequence[str], games: int, seed: Seed
) -> Job:
    """Describes a simulation as a job for `stampede.lab.shards`: item ``i`` is the record of game ``i``.

    Args:
        game: The game's name.
        rules: The rule set; the data of an edition included.
        bots: The name of the bot in each seat.
        games: How many games.
        seed: What all of them are derived from.
    """
    parameters: JsonObject = {"game": game, "rules": rules, "bots": tuple(bots)}
    return Job("simulation", "stampede.lab.simulate:open_simulation", games, seed, parameters)


def plan_of(job: Job) -> SimulationPlan:
    """Returns the simulation that a job describes; InputError if there is no such game or bot."""
    name = expect_str(job.parameters.get("game"), "game")
    rules = expect_object(job.parameters.get("rules"), "rules")
    bots = [expect_str(bot, "bot") for bot in expect_list(job.parameters.get("bots"), "bots")]
    made = {bot: find_bot(bot, name) for bot in dict.fromkeys(bots)}
    players = tuple(made[bot] for bot in bots)
    return SimulationPlan(game_named(name).game, rules, players, job.items, job.seed)


def open_simulation(job: Job) -> ItemMaker:
    """Prepares a simulation in a worker."""
    plan = plan_of(job)
    return lambda index: play_one(plan, index).record.to_json()


def read_game(record: GameRecord) -> SimulatedGame:
    """Reads a game of a simulation from its record, which is trusted: `stampede.core.replay` checks one."""
    result = expect_object(record.result, "result")
    winners = result["winners"] if "winners" in result else [result.get("winner")]
    seats = tuple(expect_int(seat, "winners") for seat in expect_list(winners, "winners"))
    outcome = Outcome(seats, expect_str(result.get("reason"), "reason"))
    index = expect_int(record.meta.get("index"), "index")
    return SimulatedGame(
        index, record, outcome, expect_int(record.meta.get("decisions"), "decisions")
    )


@dataclass(slots=True)
class Summary:
    """What the games of a simulation have in common, gathered game by game.

    A shared victory counts for each winner as a share of one game.

    Attributes:
        seats: How many seats play.
        games: How many games were added.
        shared: How many of them had several winners.
        wins: By seat.
        scores: By seat, all scores added up; empty for a game without scores.
        lengths: How many games had so many decisions.
        reasons: How many games ended for which reason.
        colour_wins: By colour, for games with colours.
    """

    seats: int
    games: int = 0
    shared: int = 0
    wins: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    colour_wins: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wins = [0.0] * self.seats

    def add(self, played: SimulatedGame) -> None:
        """Takes one more game in."""
        winners = played.outcome.winners
        self.games += 1
        self.shared += len(winners) > 1
        self.lengths[played.decisions] += 1
        self.reasons[played.outcome.reason] += 1
        for seat in winners:
            self.wins[seat] += 1 / len(winners)
        self._add_scores(played.record.result or {})
        self._add_colours(played.record.setup, winners)

    def _add_scores(self, result: Mapping[str, object]) -> None:
        scores = result.get("scores")
        if isinstance(scores, list):
            before = self.scores or [0.0] * self.seats
            self.scores = [total + score for total, score in zip(before, scores, strict=True)]

    def _add_colours(self, setup: Mapping[str, object], winners: tuple[int, ...]) -> None:
        colours = setup.get("colours")
        if isinstance(colours, list):
            for seat in winners:
                name = colour_name(colours[seat])
                self.colour_wins[name] = self.colour_wins.get(name, 0) + 1 / len(winners)

    @property
    def mean_scores(self) -> list[float]:
        """By seat; empty for a game without scores."""
        return [total / max(self.games, 1) for total in self.scores]

    @property
    def mean_length(self) -> float:
        """The mean number of decisions."""
        return sum(self.lengths.elements()) / max(self.games, 1)

    def to_json(self) -> JsonObject:
        """The summary as JSON; all but the speed, which isn't repeatable."""
        return {
            "games": self.games,
            "wins": [round(wins, 6) for wins in self.wins],
            "shared": self.shared,
            "mean_scores": [round(score, 4) for score in self.mean_scores],
            "decisions": {
                "mean": round(self.mean_length, 4),
                "least": min(self.lengths, default=0),
                "most": max(self.lengths, default=0),
            },
            "reasons": dict(sorted(self.reasons.items())),
            "wins_by_colour": {
                colour: round(wins, 6) for colour, wins in sorted(self.colour_wins.items())
            },
        }


def colour_name(colours: object) -> str:
    """A seat's colour, or its two colours, as one text."""
    return " and ".join(map(str, colours)) if isinstance(colours, list) else str(colours)
