"""JSON names the sides in one way, ``buffalo`` and ``hunter``, wherever it names them."""

import json

from stampede.buffalo import Side
from stampede.games import BUFFALO
from stampede.lab.arena.games import GameReport
from stampede.proofs.puzzles.puzzle import shipped_puzzles
from tests.cli.helpers import invoke


def test_the_registry_names_the_sides_as_json_does() -> None:
    assert BUFFALO.sides == tuple(side.word for side in Side) == ("buffalo", "hunter")


def test_matches_puzzles_and_analyses_name_them_alike() -> None:
    report = GameReport(1, "", Side.HUNTER, (), Side.BUFFALO, "crossed", fault=False)
    assert report.to_json()["a_side"] == "hunter"
    puzzles = shipped_puzzles()
    assert {puzzle.to_json()["turn"] for puzzle in puzzles} == {"buffalo", "hunter"}
    analysis = json.loads(invoke("analyse", "--nodes", 200, "--json").stdout)
    assert analysis["turn"] == "buffalo"
