"""Games to prove reviews with: both games in all sizes, with variants, house rules and handicaps.

Weak and strong levels sit at the same table, so that there are mistakes to review.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from stampede.bots import bot_named
from stampede.buffalo import BuffaloGame, BuffaloRules
from stampede.core.record import GameRecord
from stampede.games import game_named
from stampede.lab.simulate import SimulationPlan, play_one
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["SampleGame", "play_sample", "sample_games"]

_ZOFF_RULES: Final[tuple[tuple[str, ZoffRules], ...]] = (
    ("plain", ZoffRules()),
    ("fair", ZoffRules(fair=True, open_discards=True)),
    ("auction", ZoffRules(auction=True, rebid_among_tied=True)),
    ("auction, fair", ZoffRules(auction=True, fair=True)),
    ("house rules", ZoffRules(must_place=True, last_cow_counts=True, one_last_card=True)),
)
_ZOFF_BOTS: Final = ("zoff-1", "zoff-3", "zoff-5", "zoff-2", "zoff-4", "random")
_BUFFALO_RULES: Final[tuple[tuple[str, BuffaloRules], ...]] = (
    ("start", BuffaloRules()),
    ("10 buffaloes", BuffaloRules(("c",))),
    ("9 buffaloes", BuffaloRules(("d", "h"))),
    ("8 buffaloes", BuffaloRules(("d", "e", "f"))),
    ("opening of 2", BuffaloRules(opening_moves=2)),
)
_BUFFALO_BOTS: Final = (
    ("buffalo-1", "buffalo-2"),
    ("buffalo-4", "buffalo-3"),
    ("buffalo-5", "buffalo-4"),
    ("buffalo-6", "buffalo-6"),
    ("random", "buffalo-3"),
)


@dataclass(frozen=True, slots=True)
class SampleGame:
    """One of the games: its kind (`zoff, 3 players`), its rules by name, and how it is simulated."""

    kind: str
    rules: str
    simulation: SimulationPlan


def sample_games(seed: int = 0) -> Iterator[SampleGame]:
    """25 games of each kind, the sizes and rules in turn, so that the first few of them have many."""
    zoff, buffalo = _zoff_games(seed), _buffalo_games(seed)
    for pair in zip(zoff, buffalo, strict=True):
        yield from pair


def play_sample(sample: SampleGame) -> GameRecord:
    """Plays a game of the sample; its record names the seed."""
    return play_one(sample.simulation, 0).record


def _zoff_games(seed: int) -> Iterator[SampleGame]:
    game = game_named(ZoffGame.name).game
    for turn, shift in product(range(5), range(5)):
        players = 2 + turn
        name, switches = _ZOFF_RULES[(turn + shift) % 5]
        rules = replace(switches, players=players)
        names = [_ZOFF_BOTS[(seat + shift) % len(_ZOFF_BOTS)] for seat in range(players)]
        bots = tuple(map(bot_named, names))
        simulation = SimulationPlan(game, rules.to_json(), bots, 1, f"review/{seed}/{turn}/{shift}")
        yield SampleGame(f"zoff, {players} players", name, simulation)


def _buffalo_games(seed: int) -> Iterator[SampleGame]:
    game = game_named(BuffaloGame.name).game
    for turn, shift in product(range(5), range(5)):
        name, rules = _BUFFALO_RULES[(turn + shift) % 5]
        bots = tuple(map(bot_named, _BUFFALO_BOTS[shift]))
        simulation = SimulationPlan(game, rules.to_json(), bots, 1, f"review/{seed}/{turn}/{shift}")
        yield SampleGame("buffalo", name, simulation)
