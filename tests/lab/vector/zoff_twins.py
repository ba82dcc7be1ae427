"""Plays `ZoffVec` and the readable rules side by side and compares all that the environment shows, at every step."""

from __future__ import annotations

import random

import numpy as np

from stampede.kernels.zoff.vector import layout as at
from stampede.lab.atoms.zoff import ZoffTable
from stampede.lab.atoms.zoff_observation import observe_private, observe_public
from stampede.lab.vector import ZoffVec
from stampede.lab.vector.base import REWARDS
from stampede.lab.vector.zoff import read_variant
from stampede.zoff import State, ZoffRules
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.rules import HOUSE_RULES, PLAYERS

__all__ = ["draw_rules", "play_both", "rewards_of"]

GREEDY = 0.4
"""How often a seat fills pastures instead of playing at random: random play seldom does."""


def draw_rules(rng: random.Random, players: int | None = None) -> ZoffRules:
    """Any number of players with any variants and house rules, each as likely on as off."""
    names = ("auction", "fair", "open_discards", *HOUSE_RULES)
    switches = [name for name in names if rng.random() < 0.5]
    return read_variant(players or rng.choice(PLAYERS), switches)


def play_both(
    rules: ZoffRules, rng: random.Random, games: int, start: list[State] | None = None
) -> int:
    """Plays so many games to their end in both; returns the number of atoms that were compared.

    Args:
        rules: The rule set.
        rng: Chooses atoms, and the environment's options.
        games: How many games.
        start: Where to start instead of at the deal.
    """
    rotate = rng.random() < 0.5
    env = ZoffVec(
        games,
        rules.players,
        rules,
        seed=rng.getrandbits(40),
        autoreset="disabled",
        memory="perfect" if rng.random() < 0.5 else "view",
        rotate=rotate,
        reward=rng.choice(REWARDS),
    )
    tables = [ZoffTable(rules, env.deal_of(index)) for index in range(games)]
    for index, state in enumerate(start or ()):
        env.load(index, state)
        tables[index].start(state)
    atoms = 0
    while not env.terminated.all():
        actions = np.full((games, rules.players), at.NOTHING, dtype=np.int16)
        for index, table in enumerate(tables):
            legal = assert_same(env, index, table)
            chosen = {seat: _draw(legal[seat], rng) for seat in table.acting}
            if chosen:
                table.step(chosen)
            for seat, atom in chosen.items():
                actions[index, seat] = atom
            atoms += len(chosen)
        running = ~env.terminated
        env.step(actions)
        for index, table in enumerate(tables):
            ended = running[index] and table.state.ending is not None
            expected = rewards_of(env.reward_name, table.state) if ended else [0] * rules.players
            assert np.allclose(env.reward[index], expected, atol=1e-3)
    for index, table in enumerate(tables):
        assert_same(env, index, table)
    return atoms


def _draw(legal: list[int], rng: random.Random) -> int:
    placing = any(at.COWS <= atom < at.STOP for atom in legal)
    return max(set(legal) - {at.STOP}) if placing and rng.random() < GREEDY else rng.choice(legal)


def assert_same(env: ZoffVec, index: int, table: ZoffTable) -> list[list[int]]:
    """The mask, the observation and the score of one game are those of its readable twin; returns what is legal."""
    state = table.state
    players = range(state.setup.rules.players)
    views = [table.view(seat) for seat in players]
    asked = [int(seat in table.acting) for seat in players]
    assert env.acting[index].tolist() == asked
    legal = [table.legal(seat) for seat in players]
    for seat in players:
        assert np.flatnonzero(env.action_mask[index, seat]).tolist() == sorted(legal[seat])
    public, private = env.flat_observation
    half = int(any(table.given) and state.phase.value == "choose")
    for seat in players:
        seen = public[index, seat if env.rotate else 0]
        shown = observe_public(
            views[seat],
            half=half,
            played=table.played if env.memory == "perfect" else None,
            rotate=env.rotate,
        )
        assert seen.tolist() == shown.tolist()
        own = observe_private(views[seat], table.given[seat])
        assert private[index, seat].tolist() == own.tolist()
        # A bid counts from the first round on.
        bid = state.bids[seat] if state.round else None
        score = views[seat].seats[seat].placed * BID_UNIT - (bid.units if bid else 0)
        assert round(float(env.score[index, seat]) * BID_UNIT) == score
    assert bool(env.terminated[index]) == (state.ending is not None)
    return legal


def rewards_of(name: str, state: State) -> list[float]:
    """The rewards of a game of the readable rules that has ended."""
    ending = state.ending
    assert ending is not None
    scores = [units / BID_UNIT for units in ending.scores]
    if name == "score":
        return scores
    if name == "lead":
        others = len(scores) - 1
        return [score - (sum(scores) - score) / others for score in scores]
    winners = ending.winners
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))]
