"""Measures Zoff's bots: ``python -m stampede.lab.zoff_strength duel|exploit``; rows for docs/strength-zoff.md.

``duel N A B GAMES`` seats one bot of level A among others of level B, each deal once for each seat of A.
``exploit`` plays two-player games to the last round, solves it exactly and tells how far the sampled strategies are
from the solution.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stampede.bots.zoff import ZoffBot, zoff_bot
from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_table
from stampede.kernels.zoff.layout import State as Words
from stampede.kernels.zoff.layout import Table
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.search.zoff.candidates import choice_code
from stampede.search.zoff.matrix import last_round_matrix, solve_matrix
from stampede.search.zoff.think import BALANCED, Effort, Mixture, Tastes, mix_choices
from stampede.search.zoff.value import load_net
from stampede.zoff import Action, Deal, Phase, State, ZoffGame, ZoffRules

__all__ = ["Duel", "duel", "exploited", "main", "play", "start_game"]

GAME = ZoffGame()
Game = Playthrough[ZoffRules, State, Action, Deal]
LEAD: Tastes = (0.0, 1.0, 1.0, 0.0)


def start_game(rules: ZoffRules, seed: str) -> Game:
    """A game dealt by this seed."""
    return Playthrough(GAME, rules, GAME.draw(rules, random.Random(f"{seed}/deal")))


def play(played: Game, bots: list[ZoffBot], seed: str, last_round: int = 99) -> Game:
    """Lets bots that remember play on, to the end or to the choices of a round."""
    streams = [random.Random(f"{seed}/{seat}") for seat in range(len(bots))]
    while awaited := GAME.to_act(played.state):
        state, seat = played.state, awaited[0]
        if state.phase is Phase.CHOOSE and state.round >= last_round:
            break
        bot = bots[seat].remembering(played.events)
        played.play(seat, bot.choose(GAME.view(state, seat), streams[seat]))
    return played


@dataclass(frozen=True, slots=True)
class Duel:
    """How one bot did among others of another kind.

    Attributes:
        games: How many.
        wins: The share of victories.
        lead: Own cows less the others' mean.
    """

    games: int
    wins: float
    lead: float

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of the share."""
        return 1.96 * math.sqrt(max(self.wins * (1 - self.wins), 0.01) / self.games)


def duel(rules: ZoffRules, one: ZoffBot, others: ZoffBot, games: int, seed: str = "duel") -> Duel:
    """Plays games with one bot among others; the same deal comes once for each seat of the one."""
    players = rules.players
    wins, lead = 0.0, 0.0
    for index in range(games):
        seat: Seat = index % players
        bots = [others] * players
        bots[seat] = one
        name = f"{seed}/{players}/{index // players}"
        ending = play(start_game(rules, name), bots, name).state.ending
        assert ending is not None, "played to the end"
        wins += (seat in ending.winners) / len(ending.winners)
        rest = (sum(ending.placed) - ending.placed[seat]) / (players - 1)
        lead += ending.placed[seat] - rest
    return Duel(games, wins / games, lead / games)


def exploited(
    table: Table, state: Words, effort: Effort, seed: int, tastes: Tastes = LEAD
) -> tuple[float, float, float]:
    """By how many cows each seat's mixture falls short in the last round, and the value of the round."""
    matrix, _ = last_round_matrix(table, state)
    solution = solve_matrix(matrix)
    net = load_net(2)
    row, column = (
        _spread(
            table,
            state,
            seat,
            mix_choices(table, state, seat, net, effort, new_rng(seed + seat), tastes),
        )
        for seat in range(2)
    )
    worst_row = solution.value - float((row @ matrix).min())
    worst_column = float((matrix @ column).max()) - solution.value
    return worst_row, worst_column, solution.value


def _spread(table: Table, state: Words, seat: Seat, mixture: Mixture) -> npt.NDArray[np.float64]:
    """A mixture over candidates as one over all choices, as it is drawn from."""
    by_code = {
        choice_code(choice): weight
        for choice, weight in zip(mixture.choices, mixture.played(), strict=True)
    }
    choice = np.zeros(4, dtype=np.int16)
    spread = np.zeros(int(choice_count(table, state, seat)))
    for index in range(len(spread)):
        nth_choice(table, state, seat, index, choice)
        spread[index] = by_code.get(choice_code(choice), 0.0)
    return spread


def last_rounds(count: int, level: int, seed: str) -> list[tuple[Table, Words]]:
    """States of two-player games before the last round, reached by bots of this level."""
    found: list[tuple[Table, Words]] = []
    index = 0
    bots = [zoff_bot(level)] * 2
    while len(found) < count:
        name = f"{seed}/{index}"
        state = play(start_game(ZoffRules(players=2), name), bots, name, last_round=6).state
        if state.phase is Phase.CHOOSE:
            found.append((encode_table(state), encode(state)))
        index += 1
    return found


def _exploit(count: int, level: int, efforts: list[int]) -> None:
    states = last_rounds(count, level, "exploit")
    sizes = [int(choice_count(table, state, 0)) for table, state in states]
    print(f"{count} states, {np.mean(sizes):.0f} choices a seat on average")  # noqa: T201
    for rounds in efforts:
        top = zoff_bot(6).level.effort
        assert top is not None, "the top level thinks"
        exact = rounds == 0  # what the top level plays: cows and victory count
        effort = replace(top, rounds=max(1, rounds), exact=exact)
        tastes = BALANCED if exact else LEAD
        gaps = [
            gap
            for index, (table, state) in enumerate(states)
            for gap in exploited(table, state, effort, 1000 + index, tastes)[:2]
        ]
        name = "exact" if exact else f"{rounds} rounds"
        numbers = f"mean {np.mean(gaps):.3f}, median {np.median(gaps):.3f}, most {np.max(gaps):.2f}"
        print(f"{name}: {numbers} cows", flush=True)  # noqa: T201


def main(arguments: list[str] | None = None) -> None:
    """Measures what is asked for and prints it."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    pair = what.add_parser("duel")
    pair.add_argument("players", type=int)
    pair.add_argument("one", help="a level, or level and temperament: 6-spoiler")
    pair.add_argument("others")
    pair.add_argument("games", type=int)
    pair.add_argument("--fair", action="store_true")
    last = what.add_parser("exploit")
    last.add_argument("--states", type=int, default=200)
    last.add_argument("--level", type=int, default=4)
    last.add_argument("--rounds", type=int, nargs="+", default=[6_000, 60_000, 0])
    chosen = parser.parse_args(arguments)
    if chosen.what == "exploit":
        _exploit(chosen.states, chosen.level, chosen.rounds)
        return
    rules = ZoffRules(players=chosen.players, fair=chosen.fair)
    found = duel(rules, _bot(chosen.one), _bot(chosen.others), chosen.games)
    print(  # noqa: T201
        f"{chosen.players} players, {chosen.one} among {chosen.others}: wins {found.wins:.1%} ± {found.margin:.1%} "
        f"of {found.games} (fair {1 / chosen.players:.0%}), {found.lead:+.2f} cows",
        flush=True,
    )


def _bot(text: str) -> ZoffBot:
    level, _, temperament = text.partition("-")
    return zoff_bot(int(level), temperament or "balanced")


if __name__ == "__main__":
    main()
