"""How well Zoff's top level predicts others: ``python -m stampede.lab.zoff.prediction PLAYERS ROUND STATES``.

States are reached by level 3. In each of them every seat chooses as MCTS would (`stampede.lab.zoff.uct`), and we
look up whether that was held possible: by the strategies of regret matching (level 5), and by the quantal responses of
the top level. Choices that differ by letters of cards alone count as the same.

Example:
  python -m stampede.lab.zoff.prediction 4 2 40
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.bots.zoff.levels import level_of
from stampede.bots.zoff.player import zoff_bot
from stampede.core.errors import InputError
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.lab.zoff.mcts import UCT
from stampede.lab.zoff.openspiel import Turns
from stampede.lab.zoff.progress import show_progress
from stampede.lab.zoff.strength import play, start_game
from stampede.lab.zoff.uct import Uct
from stampede.search.zoff.candidates import find_candidates
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.strategy import BALANCED, predict, preferences_by_seat
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffPhase, ZoffRules

__all__ = ["Prediction", "main", "measure_prediction"]

SIMULATIONS = 4_000
POSSIBLE = 0.001
"""A choice that is held rarer than this counts as impossible."""

Key = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Prediction:
    """How likely choices were held before they were made, in the order in which they were made.

    Attributes:
        by_regret: By the strategies of regret matching, level 5.
        by_quantal_response: By the quantal responses of the top level.
    """

    by_regret: tuple[float, ...]
    by_quantal_response: tuple[float, ...]


def _key(setup: at.SetupRecord, seat: int, choice: npt.NDArray[np.int16]) -> Key:
    """Pastures and values of cards; the two pairs have no order."""
    pairs = sorted(
        (int(pasture), int(setup.card_values[seat, card]) if card >= 0 else 0)
        for pasture, card in choice.reshape(2, 2)
    )
    return (*pairs[0], *pairs[1])


def _chosen(
    setup: at.SetupRecord, record: at.StateRecord, seat: int, seed: int
) -> npt.NDArray[np.int16]:
    """What MCTS chooses."""
    turns, bot = Turns(setup, record, seat), Uct(SIMULATIONS, UCT, new_rng(seed))
    for _ in range(turns.pairs_each()):
        turns.apply_action(bot.step(turns))
    return turns.laid(seat)


def _chances(
    setup: at.SetupRecord, record: at.StateRecord, players: int, seed: int, *, quantal: bool
) -> list[dict[Key, float]]:
    """For each seat: choices and how likely they are held."""
    effort = level_of(6 if quantal else 5).effort
    assert effort is not None, "both levels think"
    net, preferences = load_net(players), preferences_by_seat(BALANCED, 0)
    rng = new_rng(seed)
    if quantal:
        predicted = predict(setup, record, net, effort, preferences, rng)
        pool, sizes, weights = predicted.pool, predicted.sizes, predicted.weights
    else:
        pool = np.zeros((at.MAX_COLOURS, effort.pool, 4), dtype=np.int16)
        sizes, weights = np.zeros(at.MAX_COLOURS, dtype=np.int64), np.zeros(pool.shape[:2])
        find_candidates(
            setup, record, net, preferences, rng, pool, effort.samples, effort.keep, sizes
        )
        gains = np.zeros(pool.shape[:2])
        match_regrets(
            setup, record, net, preferences, rng, pool, sizes, effort.rounds, weights, gains
        )
    found: list[dict[Key, float]] = [{} for _ in range(players)]
    for seat, chances in enumerate(found):
        for index in range(int(sizes[seat])):
            key = _key(setup, seat, pool[seat, index])
            chances[key] = chances.get(key, 0.0) + float(weights[seat, index])
    return found


def measure_prediction(players: int, number: int, states: int, seed: str = "foresee") -> Prediction:
    """Looks at so many states before a round.

    Raises:
        InputError: There is no such round, nothing to look at, or two players: there the top level mixes by regrets.
    """
    if players < 3:
        raise InputError(f"players: expected 3 to 6, got {players}")
    if states < 1:
        raise InputError(f"states: expected at least 1, got {states}")
    rules = ZoffRules(players=players)
    if not 1 <= number <= rules.rounds:
        raise InputError(f"round: expected 1 to {rules.rounds}, got {number}")
    by_regret: list[float] = []
    by_quantal_response: list[float] = []
    for index in show_progress(range(states), f"{players} players, round {number}"):
        name = f"{seed}/{players}/{index}"
        state = play(start_game(rules, name), [zoff_bot(3)] * players, name, number).state
        if state.phase is not ZoffPhase.CHOOSE:
            continue  # all pastures were full before
        setup, record = encode_setup(state), encode(state)
        regret = _chances(setup, record, players, index, quantal=False)
        quantal = _chances(setup, record, players, index, quantal=True)
        for seat in range(players):
            key = _key(setup, seat, _chosen(setup, record, seat, index * players + seat))
            by_regret.append(regret[seat].get(key, 0.0))
            by_quantal_response.append(quantal[seat].get(key, 0.0))
    return Prediction(tuple(by_regret), tuple(by_quantal_response))


def main(arguments: list[str] | None = None) -> None:
    """Prints how many choices were held possible."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", type=int)
    parser.add_argument("round", type=int)
    parser.add_argument("states", type=int)
    chosen = parser.parse_args(arguments)
    found = measure_prediction(chosen.players, chosen.round, chosen.states)
    for name, chances in (
        ("regret matching", found.by_regret),
        ("quantal response", found.by_quantal_response),
    ):
        possible = np.mean(np.array(chances) >= POSSIBLE)
        print(f"{name}: {possible:.0%} of {len(chances)} choices held possible", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
