"""Plays `ZoffVec` and the readable rules side by side and compares all that the environment shows, at every step."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.atoms.zoff import ZoffTable
from stampede.lab.atoms.zoff_observation import observe_private, observe_public
from stampede.lab.vector import ZoffVec
from stampede.lab.vector.base import AUTORESETS, REWARDS
from stampede.lab.vector.zoff import MEMORIES, read_variant
from stampede.lab.vector.zoff_parts import name_parts
from stampede.zoff import State, ZoffRules
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.rules import HOUSE_RULES, PLAYERS

__all__ = ["draw_rules", "play_both", "rewards_of"]

PRIVATE_PARTS = ("hand", "own_pair", "own_bonus", "own_dealt")
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

    Games that the environment deals in their places meanwhile are compared, too.

    Args:
        rules: The rule set.
        rng: Chooses atoms, and the environment's options.
        games: How many games.
        start: Where to start instead of at the deal.
    """
    env = draw_environment(rules, rng, games)
    tables = [ZoffTable(rules, env.deal_of(index)) for index in range(games)]
    for index, state in enumerate(start or ()):
        env.load(index, state)
        tables[index].start(state)
    atoms, unfinished = 0, set(range(games))
    while unfinished:
        actions = np.full((games, rules.players), at.NOTHING, dtype=np.int16)
        running = [bool(table.acting) for table in tables]
        for index, table in enumerate(tables):
            legal = assert_same(env, index, table)
            chosen = {seat: _draw(legal[seat], rng) for seat in table.acting}
            if chosen:
                table.step(chosen)
            for seat, atom in chosen.items():
                actions[index, seat] = atom
            atoms += len(chosen)
        env.step(actions)
        for index, table in enumerate(tables):
            over = table.state.ending is not None
            ended = running[index] and over
            expected = rewards_of(env.reward_name, table.state) if ended else [0] * rules.players
            assert np.allclose(env.reward[index], expected, atol=1e-3)
            if ended:
                unfinished.discard(index)
            if over and env.autoreset == ("same_step" if ended else "next_step"):
                assert bool(env.terminated[index]) == ended
                if ended:
                    assert_final(env, index, table)
                tables[index] = ZoffTable(rules, env.deal_of(index))
            else:
                assert bool(env.terminated[index]) == over
    for index, table in enumerate(tables):
        assert_same(env, index, table)
    env.close()
    return atoms


def draw_environment(rules: ZoffRules, rng: random.Random, games: int) -> ZoffVec:
    """An environment with any options."""
    rotate = rng.random() < 0.5
    return ZoffVec(
        games,
        rules.players,
        rules,
        seed=rng.getrandbits(40),
        autoreset=rng.choice(AUTORESETS),
        threads=rng.randint(1, 2),
        memory=rng.choice(MEMORIES),
        rotate=rotate,
        viewer=rng.randrange(rules.players) if rotate and rng.random() < 0.5 else None,
        reward=rng.choice(REWARDS),
    )


def _draw(legal: list[int], rng: random.Random) -> int:
    placing = any(at.COWS <= atom < at.STOP for atom in legal)
    return max(set(legal) - {at.STOP}) if placing and rng.random() < GREEDY else rng.choice(legal)


def assert_same(env: ZoffVec, index: int, table: ZoffTable) -> list[list[int]]:
    """The mask, the observation and the score of one game are those of its readable twin; returns what is legal."""
    players = range(env.players)
    asked = [int(seat in table.acting) for seat in players]
    assert env.acting[index].tolist() == asked
    legal = [table.legal(seat) for seat in players]
    for seat in players:
        assert np.flatnonzero(env.action_mask[index, seat]).tolist() == sorted(legal[seat])
    public, private = env.flat_observation
    for seat in players:
        shown, own = observations(env, table, seat)
        if env.viewer in (None, seat):
            row = seat if env.rotate and env.viewer is None else 0
            assert public[index, row].tolist() == shown.tolist()
        assert private[index, seat].tolist() == own.tolist()
        assert round(float(env.score[index, seat]) * BID_UNIT) == score_of(table, seat)
    return legal


def assert_final(env: ZoffVec, index: int, table: ZoffTable) -> None:
    """What was kept of a game whose place another one has taken is what its readable twin shows."""
    found = env.final_observation
    for seat in range(env.players):
        shown, own = observations(env, table, seat)
        rotated = env.rotate and env.viewer is None
        for name, part in name_parts(shown[None, None], own[None, None]).items():
            if name in PRIVATE_PARTS:
                assert (found[name][index, seat] == part[0, 0]).all(), name
            elif env.viewer in (None, seat):
                assert (found[name][(index, seat) if rotated else index] == part[0]).all(), name
        assert round(float(env.final_score[index, seat]) * BID_UNIT) == score_of(table, seat)


def observations(
    env: ZoffVec, table: ZoffTable, seat: Seat
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """The public and the private part of what a seat observes, by its view."""
    view = table.view(seat)
    shown = observe_public(
        view,
        half=int(any(table.given) and table.state.phase.value == "choose"),
        played=table.played if env.memory == "perfect" else None,
        rotate=env.rotate,
    )
    return shown, observe_private(view, table.given[seat])


def score_of(table: ZoffTable, seat: Seat) -> int:
    """A seat's score as it stands, in units of bids: a bid counts from the first round on."""
    bid = table.state.bids[seat] if table.state.round else None
    return table.view(seat).seats[seat].placed * BID_UNIT - (bid.units if bid else 0)


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
