"""The top level of Zoff's bots against OpenSpiel's MCTS: ``python -m stampede.lab.zoff.mcts calibrate|match|table``.

``calibrate`` counts how many simulations a move MCTS makes in a given time, round by round; rollouts get shorter as a
game goes on. ``match`` plays games with these counts, so that the load of the machine changes nothing, and adds each
game to a file of JSON lines; games that are there already aren't played again. ``table`` sums such files up.

Three kinds of MCTS: ``own`` is OpenSpiel's `MCTSBot` with its own `RandomRolloutEvaluator`; ``kernels`` has random
rollouts by our kernels instead, and takes a fifth of the time; ``twin`` has the tree compiled, too
(`stampede.lab.zoff.uct`), and takes far less. With equal numbers of simulations all three play alike.

Examples:
  python -m stampede.lab.zoff.mcts calibrate 4
  python -m stampede.lab.zoff.mcts match 4 --kind twin --simulations 2800 3500 4900 7500 14000 --games 40
  python -m stampede.lab.zoff.mcts table build/zoff-mcts.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from stampede.bots.zoff.determinization import determinize
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.player import ZoffBot, zoff_bot
from stampede.core.game import Seat
from stampede.core.json import JsonObject
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_bonus, decode_choice, encode, encode_setup
from stampede.kernels.zoff.options import bonus_room, nth_bonus, placements
from stampede.lab.zoff.openspiel import KernelRollouts, Turns, ZoffTurns
from stampede.lab.zoff.progress import show_progress
from stampede.lab.zoff.strength import GAME, play, start_game
from stampede.lab.zoff.uct import Uct
from stampede.zoff import ZoffRules
from stampede.zoff.actions import Place, ZoffAction
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import ZoffView, view_of

__all__ = ["MctsPlayer", "calibrate", "main", "match_game"]

Kind = Literal["own", "kernels", "twin"]
UCT = 0.3
"""How much MCTS explores; returns differ by about as much from game to game."""


@dataclass(frozen=True, slots=True)
class MctsPlayer:
    """OpenSpiel's MCTS bot at our table: a seat's view in, an action out. It remembers all cards.

    Attributes:
        simulations: How many a move, by round from the first on; the last one counts for later rounds, too.
            Placements and bonuses get as many as the next round's choices.
        kind: Whose rollouts.
        uct: How much it explores.
    """

    simulations: tuple[int, ...]
    kind: Kind = "own"
    uct: float = UCT

    def searcher(self, rounds: int, rng: random.Random) -> Any:
        """OpenSpiel's bot for a move of this round, or its twin."""
        record = new_rng(rng.getrandbits(64))
        count = self.simulations[min(rounds, len(self.simulations)) - 1]
        if self.kind == "twin":
            return Uct(count, self.uct, record)
        from open_spiel.python.algorithms import mcts  # noqa: PLC0415 - only where it is installed

        numbers = np.random.RandomState(rng.getrandbits(32))
        evaluator = (
            mcts.RandomRolloutEvaluator(1, numbers)
            if self.kind == "own"
            else KernelRollouts(record)
        )
        return mcts.MCTSBot(
            ZoffTurns(), self.uct, count, evaluator, solve=False, random_state=numbers
        )

    def decide(self, view: ZoffView, memory: Memory, rng: random.Random) -> ZoffAction:
        """Searches anew for each pair of a choice, and for each answer; what comes before the rounds is drawn."""
        assert view.viewer is not None, "a player's view"
        if view.phase in (ZoffPhase.SETTLE, ZoffPhase.BID, ZoffPhase.PICK):
            return view.legal.sample(rng)
        state = determinize(view, memory, rng)
        turns = Turns(encode_setup(state), encode(state), view.viewer)
        choosing = view.phase is ZoffPhase.CHOOSE
        # Rollouts from within a round are shorter than from its start, but never than from the next one's.
        bot = self.searcher(view.round if choosing else view.round + 1, rng)
        if not choosing:
            answer = bot.step(turns)
            if view.phase is ZoffPhase.PLACE:
                mask = int(placements(turns.record.state)) | 1
                return Place([cows for cows in range(8) if mask >> cows & 1][answer])
            return decode_bonus(
                state, nth_bonus(bonus_room(turns.setup, turns.record.state), answer)
            )
        for _ in range(turns.pairs_each()):
            turns.apply_action(bot.step(turns))
        return decode_choice(state, view.viewer, turns.laid(view.viewer))


def calibrate(players: int, kind: Kind, seconds: float, deals: int = 3) -> tuple[int, ...]:
    """How many simulations of a choice's first pair take this much processor time, by round: the most of some deals."""
    rules = ZoffRules(players=players)
    bots = [zoff_bot(2)] * players
    steps = [(deal, number) for deal in range(deals) for number in range(1, rules.rounds + 1)]
    counts = [0] * rules.rounds
    for deal, number in show_progress(steps, f"calibrate {kind}, {players} players"):
        name = f"calibrate/{players}/{deal}"
        state = play(start_game(rules, name), bots, name, last_round=number).state
        if state.phase is not ZoffPhase.CHOOSE:
            continue
        turns = Turns(encode_setup(state), encode(state), 0)
        tries = 100
        # First a guess, then a search of the full length: a large tree costs more for each simulation.
        for attempt in range(2):
            bot = MctsPlayer((tries,), kind).searcher(1, random.Random(attempt))
            begin = time.process_time()
            bot.step(turns)
            tries = max(2, round(tries * seconds / (time.process_time() - begin)))
        counts[number - 1] = max(counts[number - 1], tries)
    return tuple(count for count in counts if count)


def match_game(
    rules: ZoffRules, seat: Seat, theirs: MctsPlayer, seed: str, ours: ZoffBot
) -> JsonObject:
    """Plays our bot in this seat among MCTS bots; the result and how long decisions took, processor time."""
    played = start_game(rules, seed)
    streams = [random.Random(f"{seed}/{player}") for player in range(rules.players)]
    spent: dict[bool, list[float]] = {True: [], False: []}
    while awaited := GAME.to_act(played.state):
        player = awaited[0]
        view = view_of(played.state, player)
        begin = time.process_time()
        if player == seat:
            action = ours.with_memory(played.events).decide(view, streams[player])
        else:
            action = theirs.decide(view, Memory.of(played.events), streams[player])
        moves = 2 if view.phase is ZoffPhase.CHOOSE and player != seat else 1
        spent[player == seat].append((time.process_time() - begin) / moves)
        played.play(player, action)
    ending = played.state.ending
    assert ending is not None, "played to the end"
    return {
        "seat": seat,
        "placed": list(ending.placed),
        "winners": list(ending.winners),
        "our_mean_seconds": round(float(np.mean(spent[True])), 3),
        "our_most_seconds": round(max(spent[True]), 3),
        "their_mean_seconds": round(float(np.mean(spent[False])), 3),
    }


def _match(players: int, theirs: MctsPlayer, games: range, into: Path) -> None:
    setting = {
        "players": players,
        "kind": theirs.kind,
        "simulations": list(theirs.simulations),
        "uct": theirs.uct,
    }
    done = {
        (row["players"], row["kind"], row["index"])
        for row in (_rows(into) if into.exists() else [])
        if row["simulations"] == setting["simulations"] and row["uct"] == theirs.uct
    }
    for index in show_progress(games, f"{theirs.kind}, {players} players"):
        if (players, theirs.kind, index) in done:
            continue
        name = f"mcts/{players}/{index // players}"
        row = match_game(ZoffRules(players=players), index % players, theirs, name, zoff_bot(6))
        with into.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**setting, "index": index, **row}) + "\n")
    print(_summary(_rows(into)), flush=True)  # noqa: T201


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _summary(rows: list[dict[str, Any]]) -> str:
    """One line for each player count and kind: victories and leads, with 95 % intervals."""
    lines = []
    for key in sorted({(row["players"], row["kind"]) for row in rows}):
        few = [row for row in rows if (row["players"], row["kind"]) == key]
        players = key[0]
        wins = [(row["seat"] in row["winners"]) / len(row["winners"]) for row in few]
        leads = [
            (row["placed"][row["seat"]] * players - sum(row["placed"])) / (players - 1)
            for row in few
        ]
        root = np.sqrt(max(1, len(few)))
        lines.append(
            f"{players} players, {key[1]}: {len(few)} games, "
            f"wins {np.mean(wins):.1%} ± {1.96 * np.std(wins) / root:.1%} (fair {1 / players:.0%}), "
            f"lead {np.mean(leads):+.2f} ± {1.96 * np.std(leads) / root:.2f} cows, seconds a decision: "
            f"ours {np.mean([row['our_mean_seconds'] for row in few]):.2f} "
            f"(most {max(row['our_most_seconds'] for row in few):.2f}), "
            f"theirs {np.mean([row['their_mean_seconds'] for row in few]):.2f}"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Calibrates, plays or sums up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    count = what.add_parser("calibrate", help="simulations in the time of a move, by round")
    game = what.add_parser("match", help="play games, or go on with them")
    for part in (count, game):
        part.add_argument("players", type=int)
        part.add_argument("--kind", choices=["own", "kernels", "twin"], default="own")
    count.add_argument("--seconds", type=float, default=2.0)
    game.add_argument("--simulations", type=int, nargs="+", required=True, help="by round")
    game.add_argument("--uct", type=float, default=UCT)
    game.add_argument("--first", type=int, default=0, help="the number of the first game")
    game.add_argument("--games", type=int, default=20)
    game.add_argument("--into", type=Path, default=Path("build/zoff-mcts.jsonl"))
    sums = what.add_parser("table", help="sum up what was played")
    sums.add_argument("files", type=Path, nargs="+")
    chosen = parser.parse_args(arguments)
    match chosen.what:
        case "calibrate":
            print(*calibrate(chosen.players, chosen.kind, chosen.seconds))  # noqa: T201
        case "match":
            chosen.into.parent.mkdir(parents=True, exist_ok=True)
            theirs = MctsPlayer(tuple(chosen.simulations), chosen.kind, chosen.uct)
            games = range(chosen.first, chosen.first + chosen.games)
            _match(chosen.players, theirs, games, chosen.into)
        case _:
            print(_summary([row for path in chosen.files for row in _rows(path)]))  # noqa: T201


if __name__ == "__main__":
    main()
