"""Measures Zoff's bots: ``python -m stampede.lab.zoff.strength duel|exploit``; rows for docs/strength-zoff.md.

``duel N A B GAMES`` seats one bot of level A among others of level B, each deal once for each seat of A, with the same
random numbers. With ``--into FILE`` each game is added to a file of JSON lines, and games that are there aren't played
again; with ``--first`` a second process plays later games. ``exploit`` plays two-player games to the last round, solves
it exactly and tells how far what the bots mix is from the solution.

Examples:
  python -m stampede.lab.zoff.strength duel 5 6 2 100 --into build/duels.jsonl
  python -m stampede.lab.zoff.strength exploit
"""

from __future__ import annotations

import argparse
import json
import math
import random
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stampede.bots.zoff.levels import preferences_of
from stampede.bots.zoff.player import ZoffBot, zoff_bot
from stampede.bots.zoff.search import Searcher
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.lab.arena.stats import Score
from stampede.lab.zoff.progress import show_progress
from stampede.search.zoff.candidates import choice_code
from stampede.search.zoff.matrix_game import exploitability, last_round_payoffs, solve_matrix
from stampede.search.zoff.strategy import (
    BALANCED,
    Effort,
    MixedStrategy,
    Preferences,
    find_strategy,
)
from stampede.search.zoff.value import Net, load_net, read_net
from stampede.zoff import Deal, State, ZoffAction, ZoffGame, ZoffPhase, ZoffRules
from stampede.zoff.view import ZoffView

__all__ = ["Duel", "bot_of", "duel", "main", "measure_exploitability", "play", "start_game"]

GAME = ZoffGame()
_REFERENCE_NODES = 150_000_000
"""Nodes for the matrix that strategies are compared with: none of the 200 states of `exploit` needs more."""
Game = Playthrough[ZoffRules, State, ZoffAction, Deal]


def start_game(rules: ZoffRules, seed: str) -> Game:
    """A game dealt by this seed."""
    return Playthrough(GAME, rules, GAME.draw(rules, random.Random(f"{seed}/deal")))


def play(played: Game, bots: list[ZoffBot], seed: str, last_round: int = 99) -> Game:
    """Lets bots that remember play on, to the end or to the choices of a round."""
    streams = [random.Random(f"{seed}/{seat}") for seat in range(len(bots))]
    while awaited := GAME.to_act(played.state):
        state, seat = played.state, awaited[0]
        if state.phase is ZoffPhase.CHOOSE and state.round >= last_round:
            break
        bot = bots[seat].with_memory(played.events)
        played.play(seat, bot.choose(GAME.view(state, seat), streams[seat]))
    return played


@dataclass(frozen=True, slots=True)
class Duel:
    """How one bot did among others of another kind.

    Attributes:
        shares: Its share of each game's victory.
        leads: Its cows less the others' mean, game by game.
    """

    shares: tuple[float, ...]
    leads: tuple[float, ...]

    @property
    def games(self) -> int:
        """How many."""
        return len(self.shares)

    @property
    def wins(self) -> float:
        """The share of victories."""
        return float(np.mean(self.shares))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share, by Wilson's formula."""
        return Score(round(self.wins * self.games), self.games).interval

    @property
    def lead(self) -> float:
        """The mean lead."""
        return float(np.mean(self.leads))

    @property
    def lead_margin(self) -> float:
        """Half of its 95 % interval."""
        return float(1.96 * np.std(self.leads) / math.sqrt(self.games))


def duel_game(
    rules: ZoffRules, one: ZoffBot, others: ZoffBot, index: int, seed: str
) -> tuple[float, float]:
    """The share of the victory and the lead of the one, in the game with this number."""
    players = rules.players
    seat: Seat = index % players
    bots = [others] * players
    bots[seat] = one
    name = f"{seed}/{players}/{index // players}"
    ending = play(start_game(rules, name), bots, name).state.ending
    assert ending is not None, "played to the end"
    rest = (sum(ending.placed) - ending.placed[seat]) / (players - 1)
    share = (seat in ending.winners) / len(ending.winners)
    return share, ending.placed[seat] - rest


def duel(
    rules: ZoffRules,
    one: ZoffBot,
    others: ZoffBot,
    numbers: range,
    seed: str = "duel",
    into: Path | None = None,
) -> Duel:
    """Plays games with one bot among others; the same deal comes once for each seat of the one.

    With a file, games that stand there under the same names aren't played again, and new ones are added. Several
    processes may add different games to one file.
    """
    key = {"players": rules.players, "fair": rules.fair, "one": one.name, "others": others.name}
    done: dict[int, tuple[float, float]] = {}
    if into is not None and into.exists():
        for line in into.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if all(row[name] == value for name, value in (key | {"seed": seed}).items()):
                done[row["index"]] = (row["share"], row["lead"])
    title = f"{one.name} among {others.name}"
    for index in show_progress(numbers, title):
        if index in done:
            continue
        done[index] = duel_game(rules, one, others, index, seed)
        if into is not None:
            share, lead = done[index]
            row = key | {"seed": seed, "index": index, "share": share, "lead": lead}
            into.parent.mkdir(parents=True, exist_ok=True)
            with into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    rows = [done[index] for index in numbers]
    return Duel(tuple(share for share, _ in rows), tuple(lead for _, lead in rows))


def measure_exploitability(
    setup: SetupRecord,
    state: StateRecord,
    effort: Effort,
    seed: int,
    preferences: Preferences = BALANCED,
    win: float = 0.0,
) -> tuple[float, float, float]:
    """The exploitability of each seat's strategy in the last round, and the value of the round, in cows.

    A victory counts as `win` cows: nothing by default, so that cows alone count.
    """
    matrix, _ = last_round_payoffs(setup, state, win, _REFERENCE_NODES)
    net = load_net(2)
    row, column = (
        _spread(
            setup,
            state,
            seat,
            find_strategy(setup, state, seat, net, effort, new_rng(seed + seat), preferences),
        )
        for seat in range(2)
    )
    return *exploitability(matrix, row, column), solve_matrix(matrix).value


def _spread(
    setup: SetupRecord, state: StateRecord, seat: Seat, strategy: MixedStrategy
) -> npt.NDArray[np.float64]:
    """A strategy over candidates as one over all choices, with the probabilities of sampling."""
    by_code = {
        choice_code(choice): weight
        for choice, weight in zip(strategy.choices, strategy.probabilities(), strict=True)
    }
    choice = np.zeros(4, dtype=np.int16)
    spread = np.zeros(int(choice_count(setup, state, seat)))
    for index in range(len(spread)):
        nth_choice(setup, state, seat, index, choice)
        spread[index] = by_code.get(choice_code(choice), 0.0)
    return spread


def last_rounds(count: int, level: int, seed: str) -> list[tuple[SetupRecord, StateRecord]]:
    """States of two-player games before the last round, reached by bots of this level.

    They think as with more players: budgets for two may change with the steps between levels, these states should not.
    """
    found: list[tuple[SetupRecord, StateRecord]] = []
    bot = zoff_bot(level)
    bots = [replace(bot, level=replace(bot.level, duel=None))] * 2
    # Most games last; a few end early, when all pastures are full.
    for index in show_progress(range(2 * count), "games"):
        if len(found) == count:
            break
        name = f"{seed}/{index}"
        state = play(start_game(ZoffRules(players=2), name), bots, name, last_round=6).state
        if state.phase is ZoffPhase.CHOOSE:
            found.append((encode_setup(state), encode(state)))
    return found


def _exploit(count: int, by: int, levels: list[int]) -> None:
    states = last_rounds(count, by, "exploit")
    sizes = [int(choice_count(setup, state, 0)) for setup, state in states]
    print(f"{count} states, {np.mean(sizes):.0f} choices a seat on average, {max(sizes)} at most")  # noqa: T201
    for level in levels:
        bot = zoff_bot(level)
        effort = bot.level.effort_for(2)
        if not bot.needs_compiled_code:
            raise InputError(f"level: expected one that thinks, got {level}")
        # In cows alone, and in the utility that the bots maximise: see `find_strategy`.
        for win, unit in ((0.0, "cows"), (BALANCED[0] / 2, "cows and victories")):
            gaps = [
                gap
                for index, (setup, state) in enumerate(show_progress(states, f"level {level}"))
                for gap in measure_exploitability(setup, state, effort, 1000 + index, win=win)[:2]
            ]
            numbers = (
                f"mean {np.mean(gaps):.3f}, median {np.median(gaps):.3f}, most {np.max(gaps):.2f}"
            )
            print(f"level {level}, {unit}: {numbers}", flush=True)  # noqa: T201


def main(arguments: list[str] | None = None) -> None:
    """Measures what is asked for and prints it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    pair = what.add_parser("duel")
    pair.add_argument("players", type=int)
    pair.add_argument("one", help="a level, with a temperament (6-spoiler) or weights (5@FILE)")
    pair.add_argument("others")
    pair.add_argument("games", type=int)
    pair.add_argument("--seed", default="duel", help="whose deals and draws: duel, if not said")
    pair.add_argument("--first", type=int, default=0, help="the number of the first game")
    pair.add_argument("--fair", action="store_true", help="play with the fair bonus (Z11.2)")
    pair.add_argument("--into", type=Path, default=None, help="a file of JSON lines to go on with")
    last = what.add_parser("exploit")
    last.add_argument("--states", type=int, default=200)
    last.add_argument("--by", type=int, default=3, help="the level that plays up to the last round")
    last.add_argument("--levels", type=int, nargs="+", default=[6], help="whose mixtures are tried")
    chosen = parser.parse_args(arguments)
    if chosen.what == "exploit":
        _exploit(chosen.states, chosen.by, chosen.levels)
        return
    rules = ZoffRules(players=chosen.players, fair=chosen.fair)
    one, others = bot_of(chosen.one), bot_of(chosen.others)
    numbers = range(chosen.first, chosen.first + chosen.games)
    found = duel(rules, one, others, numbers, chosen.seed, chosen.into)
    low, high = found.interval
    print(  # noqa: T201
        f"{chosen.players} players, {chosen.one} among {chosen.others}: "
        f"wins {found.wins:.1%} ({low:.1%} to {high:.1%}) of {found.games} (fair {1 / chosen.players:.0%}), "
        f"lead {found.lead:+.2f} ± {found.lead_margin:.2f} cows",
        flush=True,
    )


@dataclass(frozen=True, slots=True)
class WeighingBot(ZoffBot):
    """A level with a value function from a file.

    Attributes:
        weights: The file.
    """

    weights: Path = Path()

    @property
    def name(self) -> str:
        """The level's name and the file's folder: files have the same name."""
        return f"zoff-{self.level.number}@{self.weights.parent.name}"

    def decide(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        """The answer to what the viewer is asked."""
        net = _read_weights(self.weights, view.rules.players)
        preferences = preferences_of(self.temperament)
        return Searcher(self.level, preferences, self.memory, net).decide(view, rng)


@cache
def _read_weights(path: Path, players: int) -> Net:
    with path.open("rb") as file:
        return read_net(file, players)


def bot_of(text: str) -> ZoffBot:
    """The bot of a level (5), a level and a temperament (5-farmer), or a level and a file of weights (5@FILE)."""
    name, _, weights = text.partition("@")
    level, _, temperament = name.partition("-")
    bot = zoff_bot(int(level), temperament or "balanced")
    return WeighingBot(bot.level, bot.temperament, weights=Path(weights)) if weights else bot


if __name__ == "__main__":
    main()
