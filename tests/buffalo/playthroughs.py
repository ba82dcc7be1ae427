"""Whole games as readable text. Made anew by ``python -m tests.buffalo.playthroughs`` after a change that is meant."""

import random
from pathlib import Path

from stampede.buffalo import BuffaloRules
from stampede.buffalo.describe import describe
from stampede.core.json import canonical
from tests.buffalo.arranged import GAME, Played, random_game

FOLDER = Path(__file__).with_name("playthroughs")

GAMES = {
    "ordinary": (1, BuffaloRules()),
    "five_opening_moves": (3, BuffaloRules(opening_moves=5)),
    "eight_removed": (13, BuffaloRules(removed=tuple("abcehijk"))),
}


def transcript(name: str) -> str:
    """The game of that name, every decision with its alternatives and all that followed."""
    seed, rules = GAMES[name]
    played = random_game(random.Random(seed), rules)
    lines = [f"rules {canonical(GAME.write_rules(rules))}", "", str(played.start.position), ""]
    for number, turn in enumerate(played.turns, start=1):
        before = played.turns[number - 2].state if number > 1 else played.start
        legal = " ".join(str(move) for move in GAME.legal(before, turn.seat))
        lines += [f"{number}. seat {turn.seat} plays {turn.action} of {legal}"]
        lines += [f"   {describe(event)}" for event in turn.events]
        lines += [f"   {turn.state.position.fen()}"]
    return "\n".join([*lines, "", str(played.state.position), result(played), ""])


def result(played: Played) -> str:
    """The result as in the record."""
    assert played.outcome is not None
    return f"result {canonical(GAME.write_result(played.state, played.outcome))}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        (FOLDER / f"{game}.txt").write_text(transcript(game), encoding="utf-8")
