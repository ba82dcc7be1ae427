"""Puzzles: each has one winning move, and all others lose; the collection is varied and holds nothing twice."""

import json
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

import pytest

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.lab.puzzle_maker import (
    PART_SIZE,
    divide_collection,
    make_part,
    make_puzzles,
    merge_parts,
    mirrored_key,
)
from stampede.proofs.puzzles.prove import only_win, why_no_puzzle
from stampede.proofs.puzzles.puzzle import (
    THEMES,
    Puzzle,
    daily,
    puzzle_numbered,
    read_puzzles,
    shipped_puzzles,
)
from tests.search.buffalo.plain import wins_within

NODES = 300_000
FEWEST = {
    **dict.fromkeys(("diversion", "block", "race", "chase"), 300),
    "capture": 100,
    "retreat": 100,
    "sacrifice": 50,
    "push": 30,
    "guard": 10,
}
"""By theme: how many puzzles there are at least; the last ones are rare in play."""
SAMPLE = 40
"""One in so many puzzles is proven anew: all of them take minutes."""


def test_every_solution_wins_and_every_other_legal_move_loses() -> None:
    """A sample of the collection, move by move; `stampede puzzles verify` proves all of it."""
    for puzzle in shipped_puzzles()[3::SAMPLE]:
        assert why_no_puzzle(puzzle, NODES) is None, puzzle.number


def test_what_is_no_puzzle_is_found_out() -> None:
    puzzle = shipped_puzzles()[0]
    other = next(move for move in puzzle.position.legal_moves if move != puzzle.solution)
    wrong = replace(puzzle, line=(other, *puzzle.line[1:]))
    assert "wins" in str(why_no_puzzle(wrong, NODES))
    assert "expected a line" in str(why_no_puzzle(replace(puzzle, line=puzzle.line[:-1]), NODES))
    theme = next(name for name in THEMES if name not in (puzzle.theme, "zugzwang"))
    assert "expected the theme" in str(why_no_puzzle(replace(puzzle, theme=theme), NODES))


def test_what_a_table_knows_must_agree_with_the_search() -> None:
    puzzle = shipped_puzzles()[0]
    asked: list[Position] = []

    def silent(position: Position) -> Side | None:
        asked.append(position)
        return None

    assert why_no_puzzle(puzzle, NODES, silent) is None
    after = [puzzle.position.play(move) for move in puzzle.position.legal_moves]
    assert asked == [position for position in after if not position.is_over]
    told = why_no_puzzle(puzzle, NODES, lambda position: position.turn)  # wrong after the solution
    assert f"{puzzle.solution}: a search says that {puzzle.position.turn}, a table" in str(told)


def test_short_solutions_win_by_plain_search_on_the_readable_rules_too() -> None:
    short = [p for p in shipped_puzzles() if p.plies == 5 and p.position.turn is Side.BUFFALO]
    assert len(short) >= 3
    for puzzle in short[:3]:
        after = puzzle.position.play(puzzle.solution)
        assert wins_within(after, puzzle.position.turn, 4), puzzle.position.fen()


def test_every_line_is_legal_and_wins_in_the_end() -> None:
    for puzzle in shipped_puzzles():
        position = puzzle.position
        for move in puzzle.line:
            position = position.play(move)
        assert position.winner is puzzle.position.turn
        assert len(puzzle.line) <= puzzle.plies


def test_the_collection_is_large_varied_and_without_twins() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) >= 2000
    assert len({mirrored_key(puzzle.position) for puzzle in puzzles}) == len(puzzles)
    assert [puzzle.number for puzzle in puzzles] == list(range(1, len(puzzles) + 1))
    sides = Counter(puzzle.position.turn for puzzle in puzzles)
    assert min(sides.values()) > 0.4 * len(puzzles)
    themes = Counter(puzzle.theme for puzzle in puzzles)
    assert themes.keys() == THEMES.keys() - {"zugzwang"}
    assert max(themes.values()) < 0.3 * len(puzzles)
    assert {name: themes[name] for name in FEWEST if themes[name] < FEWEST[name]} == {}
    grades = Counter(puzzle.grade for puzzle in puzzles)
    assert grades.keys() <= set(range(1, 9))
    assert len(grades) >= 6
    assert grades[1] <= len(puzzles) / 2


def test_a_day_has_one_puzzle_and_the_next_day_another() -> None:
    first = date(2026, 12, 24)
    days = [daily(first + timedelta(days=count)) for count in range(len(shipped_puzzles()))]
    assert len({puzzle.number for puzzle in days}) == len(days)
    assert daily(first) == days[0]
    assert daily(date(1999, 1, 1)).number >= 1


def test_an_unsolved_puzzle_does_not_tell_its_solution() -> None:
    puzzle = puzzle_numbered(1)
    told = json.dumps(puzzle.to_json(solved=False))
    assert str(puzzle.solution) not in told
    assert "line" not in told


@pytest.mark.parametrize("number", [0, -1, 100_000])
def test_a_number_that_no_puzzle_has_is_refused(number: int) -> None:
    with pytest.raises(InputError, match="expected 1 to"):
        puzzle_numbered(number)


@pytest.mark.parametrize(
    "line", ["", "{}", "[1]", '{"fen":"x","line":"a7a6","plies":1,"missed":[],"theme":"race"}']
)
def test_a_file_that_holds_something_else_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="puzzles:2"):
        read_puzzles(f"{shipped_puzzles()[0].to_line()}\n{line}\n")


def test_what_is_made_is_the_same_for_a_seed_and_is_proven() -> None:
    made, again = (next(make_puzzles("test", quick=True)) for _ in range(2))
    assert made == again
    assert read_puzzles(made.to_line() + "\n") == (made,)
    found = only_win(made.position, NODES)
    assert found is not None
    assert found.move == made.solution
    assert why_no_puzzle(made, NODES) is None
    twin = Puzzle(9, made.position.mirror(), made.line, made.plies, (), made.theme)
    assert len(merge_parts([[made], [twin]], "seed")) == 1


def test_the_shipped_collection_is_what_its_seed_makes() -> None:
    """The first puzzles of a part; docs/puzzles.md has the command for all of them."""
    shipped = {puzzle.to_line() for puzzle in shipped_puzzles()}
    part = next(part for part in divide_collection("stampede", len(shipped)) if part.quick)
    for puzzle in islice(make_part(part), 2):
        assert puzzle.to_line() in shipped


def test_a_collection_has_its_parts_and_a_larger_one_has_the_same_first_ones() -> None:
    parts = divide_collection("any", 2 * PART_SIZE + 7)
    assert [part.count for part in parts] == [PART_SIZE, PART_SIZE, 7]
    more = divide_collection("any", 50 * PART_SIZE)
    assert more[:2] == parts[:2]
    assert not all(part.quick for part in more)


def test_a_quiet_start_is_no_puzzle() -> None:
    assert only_win(Position.start(), 2_000) is None
