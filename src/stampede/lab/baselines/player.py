"""A learned network as a player: a bot by the contract of `stampede.core.bot`, and its results against others."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stampede.buffalo import BuffaloRules
from stampede.buffalo.view import BuffaloView
from stampede.core.bot import Bot
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.games import game_named
from stampede.kernels.zoff.layout import MAX_PASTURES, MAX_RANKS
from stampede.lab.arena.stats import Score
from stampede.lab.atoms import buffalo as buffalo_atoms
from stampede.lab.atoms import zoff as zoff_atoms
from stampede.lab.atoms.zoff_observation import observe
from stampede.lab.baselines.games import new_games
from stampede.lab.baselines.inputs import buffalo_inputs, zoff_inputs
from stampede.lab.baselines.network import Floats, forward
from stampede.lab.baselines.ppo import log_policy
from stampede.lab.baselines.training import Learned, draw_atoms
from stampede.lab.simulate import SimulationPlan, Summary, play_one
from stampede.zoff import ZoffRules
from stampede.zoff.actions import PlaceBonus, ZoffAction
from stampede.zoff.view import ZoffView

__all__ = ["LearnedBot", "Reached", "measure", "measure_slowly"]


@dataclass(frozen=True, slots=True)
class LearnedBot:
    """Plays by a network, from a seat's view; the likeliest atom, or with a generator's draw.

    Attributes:
        learned: The network.
        name: Its name in records.
        draws: Whether it draws from its policy; else it takes what is likeliest.
    """

    learned: Learned
    name: str = "learned"
    draws: bool = True

    def choose(self, view: Any, rng: random.Random) -> Any:
        """One of the view's legal actions, atom by atom."""
        chance = np.random.default_rng(rng.getrandbits(64)) if self.draws else None
        match view:
            case BuffaloView():
                inputs = buffalo_inputs(buffalo_atoms.observe(view)[None])
                atom = self._draw(inputs, buffalo_atoms.legal_atoms(view), 287, chance)
                return buffalo_atoms.move_of(view.position, atom)
            case ZoffView():
                given: tuple[int, ...] = ()
                while True:
                    atom = self._draw(
                        _see(view, given), zoff_atoms.legal_atoms(view, given), 240, chance
                    )
                    given = (*given, atom)
                    answer = zoff_atoms.answer_of(view, given)
                    if answer is not None:
                        return _as_listed(view, answer)
            case _:
                raise InputError(f"expected a view of Buffalo or Zoff, got {type(view).__name__}")

    def _draw(
        self, inputs: Floats, legal: list[int], atoms: int, chance: np.random.Generator | None
    ) -> int:
        mask = np.zeros((1, atoms), np.bool_)
        mask[0, legal] = True
        logs = log_policy(forward(self.learned.parameters, inputs).logits, mask)
        return int(draw_atoms(logs, chance)[0])


def _as_listed(view: ZoffView, answer: ZoffAction) -> ZoffAction:
    """The same answer as the view lists it: atoms give the cows of a bonus in any order."""
    if not isinstance(answer, PlaceBonus):
        return answer
    wanted = sorted(answer.on)
    ways = (way for way in view.legal if isinstance(way, PlaceBonus))
    return next(way for way in ways if sorted(way.on) == wanted)


def _see(view: ZoffView, given: tuple[int, ...]) -> Floats:
    bonus = np.zeros((MAX_PASTURES, MAX_RANKS), np.int8)
    for number, pasture in enumerate(view.pastures):
        bonus[number, : len(pasture.bonus)] = pasture.bonus
    return zoff_inputs(observe(view, given)[None], bonus)


@dataclass(frozen=True, slots=True)
class Reached:
    """What a network reached against a bot.

    Attributes:
        against: The bot.
        seat: The seat that it had; None for all in turn.
        games: How many games.
        wins: Shares of victories.
        lead: The mean lead, in cows; 0 in Buffalo.
    """

    against: str
    seat: int | None
    games: int
    wins: float
    lead: float

    @property
    def share(self) -> Score:
        """The wins as a share, with its interval."""
        return Score(round(self.wins), self.games)

    def to_json(self) -> JsonObject:
        """The result as JSON."""
        return {
            "against": self.against,
            "seat": self.seat,
            "games": self.games,
            "wins": round(self.wins, 4),
            "share": round(self.share.share, 4),
            "interval_95": [round(end, 4) for end in self.share.interval],
            "lead": round(self.lead, 2),
        }


def measure(
    learned: Learned, against: str, games: int, seed: int, *, draws: bool = True
) -> list[Reached]:
    """Plays so many games against a bot that the vector environment has, a seat after the other.

    Returns:
        A result for each seat.
    """
    plan = learned.plan
    rounds = -(-games // plan.players)
    arena = new_games(plan.game, against, plan.players * rounds, plan.players)
    arena.seed(seed)
    rng = np.random.default_rng(seed) if draws else None
    open_games = np.ones(arena.games.num_envs, np.bool_)
    wins = np.zeros(arena.own.shape)
    leads: npt.NDArray[np.float32] = np.zeros(arena.own.shape, np.float32)
    while open_games.any():
        where = arena.asked
        logs = log_policy(
            forward(learned.parameters, arena.observe(where)).logits, arena.masks(where)
        )
        _, ended = arena.step(where, draw_atoms(logs, rng))
        first = ended & open_games
        score = arena.games.score[first]
        leads[first] = arena.standing()[first]
        best = score == score.max(axis=1, keepdims=True)
        wins[first] = best / best.sum(axis=1, keepdims=True)
        open_games &= ~ended
    found = []
    for seat in range(plan.players):
        own = np.arange(arena.games.num_envs) % plan.players == seat
        lead = 10 * float(leads[own, seat].mean()) if plan.game == "zoff" else 0.0
        found.append(Reached(against, seat, int(own.sum()), float(wins[own, seat].sum()), lead))
    return found


def measure_slowly(own: LearnedBot, other: Bot, games: int, seed: int) -> list[Reached]:
    """Plays so many games against a bot of any kind by the readable rules, a seat after the other."""
    plan = own.learned.plan
    game = game_named(plan.game).game
    zoff = plan.game == "zoff"
    rules = (ZoffRules(players=plan.players) if zoff else BuffaloRules()).to_json()
    found = []
    for seat in range(plan.players):
        bots = tuple(own if one == seat else other for one in range(plan.players))
        plan_of_seat = SimulationPlan(
            game, rules, bots, -(-games // plan.players), f"{seed}/{seat}"
        )
        summary = Summary(plan.players)
        for index in range(plan_of_seat.games):
            summary.add(play_one(plan_of_seat, index))
        scores = summary.mean_scores
        lead = scores[seat] - (sum(scores) - scores[seat]) / (plan.players - 1) if scores else 0.0
        found.append(Reached(other.name, seat, summary.games, summary.wins[seat], lead))
    return found
