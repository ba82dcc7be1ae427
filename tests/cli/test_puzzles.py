"""`stampede puzzles`: shown without the solution, solved by typing, and the same day everywhere."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from stampede.cli.main import build
from stampede.proofs.puzzles.puzzle import puzzle_numbered


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(build("puzzles"), ["puzzles", *words], input=typed)


def test_a_puzzle_is_shown_without_its_solution_unless_asked() -> None:
    puzzle = puzzle_numbered(1)
    assert str(puzzle.solution) not in run("show", "1").output
    assert str(puzzle.solution) in run("show", "1", "--solution").output
    told = json.loads(run("show", "1", "--solution", "--json").stdout)
    assert told["solution"] == str(puzzle.solution)


def test_a_day_s_puzzle_is_the_same_every_time_and_a_wrong_day_is_refused() -> None:
    first, second = (run("daily", "--date", "2026-12-24", "--json") for _ in range(2))
    assert first.stdout == second.stdout
    wrong = run("daily", "--date", "tomorrow")
    assert wrong.exit_code == 2
    assert "expected a day" in wrong.output


def test_solving_goes_on_until_the_move_is_right() -> None:
    puzzle = puzzle_numbered(2)
    wrong = next(move for move in puzzle.position.legal_moves if move != puzzle.solution)
    done = run("solve", "2", typed=f"{wrong}\nhint\nnonsense\n{puzzle.solution}\n")
    assert done.exit_code == 0
    assert f"{wrong} loses" in done.output
    assert f"{puzzle.solution} is right" in done.output


@pytest.mark.parametrize("typed", ["", "\n"])
def test_giving_up_tells_the_solution_and_says_so_by_the_exit_code(typed: str) -> None:
    done = run("solve", "3", typed=typed)
    assert done.exit_code == 1
    assert str(puzzle_numbered(3).solution) in done.output


def test_a_single_move_is_checked() -> None:
    puzzle = puzzle_numbered(4)
    wrong = next(move for move in puzzle.position.legal_moves if move != puzzle.solution)
    assert run("solve", "4", str(puzzle.solution)).exit_code == 0
    done = run("solve", "4", str(wrong))
    assert done.exit_code == 1
    assert str(puzzle.solution) not in done.output


def test_making_continues_with_its_folder_of_parts_and_refuses_that_of_another_seed(
    tmp_path: Path,
) -> None:
    parts, out, again = tmp_path / "parts", tmp_path / "one.jsonl", tmp_path / "again.jsonl"
    make = ("make", "--count", "1", "--parts", str(parts))
    assert run(*make, "--seed", "a", "--out", str(out)).exit_code == 0
    kept = {path: path.read_bytes() for path in parts.iterdir()}
    assert run(*make, "--seed", "a", "--out", str(again)).exit_code == 0
    assert out.read_bytes() == again.read_bytes() != b""
    refused = run(*make, "--seed", "b", "--out", str(again))
    assert refused.exit_code == 2
    assert 'got seed "a" (this job: "b")' in refused.stderr
    assert again.read_bytes() == out.read_bytes()
    assert {path: path.read_bytes() for path in parts.iterdir()} == kept


def test_making_puzzles_of_zoff_continues_with_its_folder_and_they_are_proven(
    tmp_path: Path,
) -> None:
    """A part is an item of a job, as for Buffalo, whose folder is refused."""
    one, two, parts = tmp_path / "one.jsonl", tmp_path / "two.jsonl", tmp_path / "parts"
    make = ("make-zoff", "--count", "1", "--seed", "b", "--parts", str(parts))
    assert run(*make, "--out", str(one)).exit_code == 0
    kept = {path: path.read_bytes() for path in parts.iterdir()}
    assert run(*make, "--out", str(two)).exit_code == 0
    assert one.read_bytes() == two.read_bytes()
    assert {path: path.read_bytes() for path in parts.iterdir()} == kept
    assert "1 of 1 puzzles are proven" in run("verify-zoff", str(one)).output
    refused = run("make", "--count", "2", "--parts", str(parts), "--out", str(two))
    assert refused.exit_code == 2
    assert "zoff-puzzles" in refused.stderr
