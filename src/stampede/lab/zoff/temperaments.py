"""Measures temperaments of Zoff's bots: ``python -m stampede.lab.zoff.temperaments play|differ``.

``play PLAYERS LEVEL GAMES`` seats one bot of each temperament among balanced ones of its level, each deal once for each
of its seats, and tells how it does and how it looks: victories, its lead, its herds and the largest of them at the end.
Games are added to a file of JSON lines, and those that are there aren't played again. ``differ`` lets balanced bots
play and asks every temperament for each decision, too, with the same random numbers.

Examples:
  python -m stampede.lab.zoff.temperaments play 4 4 200 --into build/temperaments.jsonl
  python -m stampede.lab.zoff.temperaments differ 4 4 12
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from stampede.bots import BALANCED, temperaments_of
from stampede.bots.zoff.player import zoff_bot
from stampede.core.game import Seat
from stampede.lab.zoff.progress import show_progress
from stampede.lab.zoff.strength import GAME, play, start_game
from stampede.zoff import State, ZoffPhase, ZoffRules

__all__ = ["HerdSizes", "Shown", "count_differences", "look_at", "main", "play_among_balanced"]


@dataclass(frozen=True, slots=True)
class HerdSizes:
    """How a seat stands at the end of a game.

    Attributes:
        herds: On how many pastures it has a herd; with two players, for each of its colours.
        largest: The cows of its largest herd.
    """

    herds: int
    largest: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A game of one bot with a temperament among balanced ones.

    Attributes:
        share: Its share of the victory.
        lead: Its cows less the others' mean.
        herds: Its herds at the end.
        largest: The cows of its largest herd.
        others_herds: The others' mean.
        others_largest: The others' mean.
    """

    share: float
    lead: float
    herds: float
    largest: float
    others_herds: float
    others_largest: float


def look_at(state: State, seat: Seat) -> HerdSizes:
    """How a seat stands."""
    group = state.setup.groups[state.owners.index(seat)]
    sizes = [row[colour] for row in state.herds for colour in group.colours]
    return HerdSizes(sum(size > 0 for size in sizes), max(sizes))


def play_among_balanced(
    players: int, level: int, temperament: str, index: int, seed: str = "temperament"
) -> Shown:
    """Plays the game with this number: one bot with a temperament among balanced ones."""
    seat: Seat = index % players
    bots = [zoff_bot(level)] * players
    bots[seat] = zoff_bot(level, temperament)
    name = f"{seed}/{players}/{index // players}"
    state = play(start_game(ZoffRules(players=players), name), bots, name).state
    ending = state.ending
    assert ending is not None, "played to the end"
    others = [look_at(state, other) for other in range(players) if other != seat]
    own, rest = look_at(state, seat), sum(ending.placed) - ending.placed[seat]
    return Shown(
        share=(seat in ending.winners) / len(ending.winners),
        lead=ending.placed[seat] - rest / (players - 1),
        herds=own.herds,
        largest=own.largest,
        others_herds=float(np.mean([look.herds for look in others])),
        others_largest=float(np.mean([look.largest for look in others])),
    )


def count_differences(
    players: int, level: int, games: int, seed: str = "differ"
) -> tuple[Counter[ZoffPhase], Counter[tuple[ZoffPhase, str]]]:
    """Counts a balanced game's decisions by phase, and those that each temperament makes otherwise."""
    asked: Counter[ZoffPhase] = Counter()
    otherwise: Counter[tuple[ZoffPhase, str]] = Counter()
    tastes = [name for name in temperaments_of(f"zoff-{level}") if name != BALANCED]
    for number in show_progress(range(games), f"level {level}"):
        played = start_game(ZoffRules(players=players), f"{seed}/{number}")
        turn = 0
        while awaited := GAME.to_act(played.state):
            seat, phase, turn = awaited[0], played.state.phase, turn + 1
            view = GAME.view(played.state, seat)
            answers = {
                name: zoff_bot(level, name)
                .with_memory(played.events)
                .decide(view, random.Random(f"{seed}/{number}/{turn}"))
                for name in (BALANCED, *tastes)
            }
            asked[phase] += 1
            for name in tastes:
                otherwise[phase, name] += answers[name] != answers[BALANCED]
            played.play(seat, answers[BALANCED])
    return asked, otherwise


def _play(
    players: int, level: int, games: int, names: Sequence[str], seed: str, into: Path
) -> None:
    done: dict[tuple[str, int], Shown] = {}
    key = {"players": players, "level": level, "seed": seed}
    if into.exists():
        for line in into.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if all(row[name] == value for name, value in key.items()):
                done[row["temperament"], row["index"]] = Shown(**row["shown"])
    into.parent.mkdir(parents=True, exist_ok=True)
    for temperament in names:
        for index in show_progress(range(games), temperament):
            if (temperament, index) in done:
                continue
            shown = play_among_balanced(players, level, temperament, index, seed)
            done[temperament, index] = shown
            row = key | {"temperament": temperament, "index": index, "shown": asdict(shown)}
            with into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        _print([done[temperament, index] for index in range(games)], players, level, temperament)


def _print(rows: Sequence[Shown], players: int, level: int, temperament: str) -> None:
    wins = float(np.mean([row.share for row in rows]))
    margin = 1.96 * math.sqrt(max(wins * (1 - wins), 0.01) / len(rows))
    parts = []
    for title, values in (
        ("lead", [row.lead for row in rows]),
        ("herds more than the others", [row.herds - row.others_herds for row in rows]),
        ("cows more in the largest", [row.largest - row.others_largest for row in rows]),
    ):
        spread = 1.96 * float(np.std(values)) / math.sqrt(len(rows))
        parts.append(f"{title} {np.mean(values):+.2f} ± {spread:.2f}")
    print(  # noqa: T201
        f"{players} players, level {level}, {temperament}: wins {wins:.1%} ± {margin:.1%} of {len(rows)}, "
        f"{', '.join(parts)}; herds {np.mean([row.herds for row in rows]):.2f}, "
        f"others {np.mean([row.others_herds for row in rows]):.2f}; "
        f"largest {np.mean([row.largest for row in rows]):.2f}, "
        f"others {np.mean([row.others_largest for row in rows]):.2f}",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    """Measures what is asked for and prints it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    for name in ("play", "differ"):
        part = what.add_parser(name)
        part.add_argument("players", type=int)
        part.add_argument("level", type=int)
        part.add_argument("games", type=int)
    what.choices["play"].add_argument("--only", nargs="+", default=None, help="these temperaments")
    what.choices["play"].add_argument("--seed", default="temperament", help="whose deals and draws")
    what.choices["play"].add_argument("--into", type=Path, default=Path("build/temperaments.jsonl"))
    told = parser.parse_args(arguments)
    if told.what == "play":
        known = [name for name in temperaments_of(f"zoff-{told.level}") if name != BALANCED]
        _play(told.players, told.level, told.games, told.only or known, told.seed, told.into)
        return
    asked, otherwise = count_differences(told.players, told.level, told.games)
    for (phase, name), count in otherwise.items():
        print(f"{name}, {phase.value}: {count / asked[phase]:.1%} of {asked[phase]}")  # noqa: T201


if __name__ == "__main__":
    main()
