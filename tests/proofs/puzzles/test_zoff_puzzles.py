"""Puzzles of Zoff: by the rules, one choice is clearly best; and the solver agrees with a plain enumeration."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest

from stampede.core.errors import InputError, StampedeError
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.lab.zoff.puzzle_maker import ZoffPart, divide_zoff_collection, make_zoff_part
from stampede.lab.zoff.puzzle_screen import MOST_ENDS, may_be_puzzle
from stampede.proofs.puzzles.zoff_notation import read_game, read_word, write_game, write_word
from stampede.proofs.puzzles.zoff_puzzle import (
    ZoffPuzzleKind,
    best_choice,
    daily_zoff,
    kind_asked,
    read_zoff_puzzles,
    shipped_zoff_puzzles,
    why_no_zoff_puzzle,
    zoff_puzzle_numbered,
)
from stampede.proofs.puzzles.zoff_reasons import difference, explain, tempting_choice
from stampede.proofs.puzzles.zoff_solver import TooLarge, solve
from stampede.zoff import State, ZoffGame

GAME = ZoffGame()
SAMPLE = 80
SMALL = 60
"""States of a tree that a plain enumeration without memory can walk through."""


def wanted_of(count: int) -> Counter[tuple[int, ZoffPuzzleKind]]:
    """How many puzzles a collection of so many has with so many players, of each kind."""
    wanted: Counter[tuple[int, ZoffPuzzleKind]] = Counter()
    for part in divide_zoff_collection("any", count):
        wanted.update({(part.players, kind): some for kind, some in part.wanted.items()})
    return wanted


def test_every_puzzle_is_a_legal_game_up_to_a_decision_of_the_last_round() -> None:
    puzzles = shipped_zoff_puzzles()
    assert len({puzzle.game for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        state = puzzle.state()
        seat = GAME.to_act(state)[0]
        assert kind_asked(state) == puzzle.kind, puzzle.number
        assert state.setup.rules.players == puzzle.players
        assert read_word(state, seat, puzzle.solution) in list(GAME.legal(state, seat))


def test_all_kinds_have_puzzles_and_most_need_thought() -> None:
    puzzles = shipped_zoff_puzzles()
    found = Counter((puzzle.players, puzzle.kind) for puzzle in puzzles)
    wanted = wanted_of(len(puzzles))
    assert found == {cell: count for cell, count in wanted.items() if count}
    asked: set[tuple[int, ZoffPuzzleKind]] = {(2, "choose")}
    for players in range(2, 7):
        asked |= {(players, "place"), (players, "bonus")}
    assert found.keys() == asked
    assert len(puzzles) >= 200
    assert min(found.values()) >= 15
    grades = Counter(puzzle.grade for puzzle in puzzles)
    assert len(grades) >= 5
    assert max(grades.values()) * 5 < len(puzzles) * 2, "of many grades"
    assert grades[1] * 3 < len(puzzles), "not too many that every level solves"


def test_placing_the_most_cows_solves_no_placement() -> None:
    for puzzle in shipped_zoff_puzzles():
        if puzzle.kind == "place":
            state = puzzle.state()
            legal = (write_word(state, 0, one) for one in GAME.legal(state, GAME.to_act(state)[0]))
            assert int(puzzle.solution) < max(map(int, legal)), puzzle.number


def test_days_count_through_the_collection() -> None:
    first = date(2026, 1, 1)
    count = len(shipped_zoff_puzzles())
    assert [daily_zoff(first + timedelta(days)).number for days in (0, 1, count)] == [1, 2, 1]


def test_a_sample_has_one_best_choice_and_another_choice_is_found_out() -> None:
    for puzzle in shipped_zoff_puzzles()[::SAMPLE]:
        assert why_no_zoff_puzzle(puzzle) is None, puzzle.number
    puzzle = shipped_zoff_puzzles()[0]
    state = puzzle.state()
    seat = GAME.to_act(state)[0]
    words = (write_word(state, seat, one) for one in GAME.legal(state, seat))
    other = next(word for word in words if word != puzzle.solution)
    assert "one best choice" in str(why_no_zoff_puzzle(replace(puzzle, solution=other)))
    assert "decision of the last round" in str(why_no_zoff_puzzle(replace(puzzle, players=1)))


def test_the_reason_names_cows_that_the_tempting_choice_would_not_bring() -> None:
    for puzzle in shipped_zoff_puzzles()[2::SAMPLE]:
        state = puzzle.state()
        solved = solve(state)
        told = explain(state, solved)
        assert "win" in told or "lose" in told
        found = difference(state, solved)
        assert found is not None, "better by something"
        assert (found.cows > found.instead) == (found.seat == solved.seat)
        assert found.pasture in told
        assert tempting_choice(solved) in solved.choices[1:]


def test_a_secret_choice_of_two_is_the_best_against_every_answer() -> None:
    puzzle = next(one for one in shipped_zoff_puzzles() if one.kind == "choose")
    state = puzzle.state()
    solved = solve(state)
    seat, other = solved.seat, 1 - solved.seat
    best = best_choice(solved)
    assert best is not None
    assert solved.pure
    sealed = GAME.apply(state, seat, best.action).state
    ends = [
        solve_or_end(GAME.apply(sealed, other, reply).state, seat)
        for reply in GAME.legal(sealed, other)
    ]
    assert min(ends) == best.worst
    assert all(choice.worst < best.worst for choice in solved.choices[1:])


def solve_or_end(state: State, seat: int) -> tuple[float, int]:
    """The value of a state for a seat."""
    solved = solve(state)
    return solved.choices[0].end.values[seat]


def test_every_line_ends_as_it_says() -> None:
    for puzzle in shipped_zoff_puzzles()[1::SAMPLE]:
        state = puzzle.state()
        for choice in solve(state).choices:
            after = state
            for seat, action in choice.line:
                after = GAME.apply(after, seat, action).state
            assert after.ending is not None
            assert after.ending.placed == choice.end.cows, puzzle.number
            assert after.ending.winners == choice.end.winners


def plain(state: State, seats: int) -> tuple[float, ...]:
    """What two players get, by walking through everything: the first one's share of the win, and the lead in cows."""
    if state.ending is not None:
        first, second = state.ending.scores
        share = (0 in state.ending.winners) / len(state.ending.winners)
        return (share, (first - second) / 10_000)
    (seat,) = GAME.to_act(state)
    ends = [plain(GAME.apply(state, seat, a).state, seats) for a in GAME.legal(state, seat)]
    return max(ends) if seat == 0 else min(ends)


def test_the_solver_agrees_with_a_plain_enumeration() -> None:
    checked = 0
    for puzzle in shipped_zoff_puzzles():
        if puzzle.players != 2 or puzzle.kind == "choose" or checked == 3:
            continue
        state = puzzle.state()
        try:
            solved = solve(state, SMALL)
        except TooLarge:
            continue
        checked += 1
        for choice in solved.choices:
            share, lead = plain(GAME.apply(state, solved.seat, choice.action).state, 2)
            mine = (share, lead) if solved.seat == 0 else (1 - share, -lead)
            assert choice.end.values[solved.seat] == pytest.approx(mine)
    assert checked == 3


def test_the_short_text_of_a_game_is_read_as_it_was_written() -> None:
    for puzzle in shipped_zoff_puzzles()[::SAMPLE]:
        played = read_game(puzzle.game)
        assert write_game(played) == puzzle.game
        assert len(puzzle.game) * 5 < len(puzzle.record().dumps())


NO_GAMES = (
    "",
    "blue=abc",
    "blue pink | 3",
    "blue=abz pink=def | ",
    "blue=abc pink=def | ?",
    "orange=abc pink=def green=ghi | a",
)


@pytest.mark.parametrize("text", NO_GAMES)
def test_other_texts_are_no_games(text: str) -> None:
    with pytest.raises(StampedeError):
        read_game(text)


def test_a_larger_collection_has_more_of_every_kind() -> None:
    for small, large in pairwise((29, 58, 100, 264)):
        less, more = wanted_of(small), wanted_of(large)
        assert all(less[cell] <= more[cell] for cell in less)
    assert wanted_of(100).total() == 100
    parts = divide_zoff_collection("x", 264)
    assert max(sum(part.wanted.values()) for part in parts) <= 18, (
        "so that little is lost by a stop"
    )
    assert len({part.seed for part in parts}) == len(parts)


def test_numbers_and_files_that_hold_no_puzzle_are_refused() -> None:
    for number in (0, 100_000):
        with pytest.raises(InputError, match="expected 1 to"):
            zoff_puzzle_numbered(number)
    with pytest.raises(InputError, match="puzzles:1"):
        read_zoff_puzzles("{}\n")
    first = shipped_zoff_puzzles()[0]
    line, harder = first.to_line(), replace(first, grade=9).to_line()
    with pytest.raises(InputError, match="puzzles:2"):
        read_zoff_puzzles(f"{line}\n{harder}\n")


def screened(state: State) -> bool:
    """Whether the compiled screen takes a decision for a puzzle."""
    return bool(may_be_puzzle(encode_setup(state), encode(state), MOST_ENDS))


def test_a_part_comes_out_the_same_by_its_seed_and_is_proven() -> None:
    part = ZoffPart("test", 3, {"choose": 0, "place": 1, "bonus": 0})
    (made,) = make_zoff_part(part)
    assert (made.kind, made.players) == ("place", 3)
    assert [made] == list(make_zoff_part(part))
    assert why_no_zoff_puzzle(made) is None


def test_the_quick_screen_lets_every_puzzle_pass_and_agrees_with_the_solver() -> None:
    """With two players nobody's ties matter, so that both say the same of every decision."""
    for puzzle in shipped_zoff_puzzles():
        if puzzle.kind != "choose":
            assert screened(puzzle.state()), puzzle.number
    refused = 0
    for puzzle in shipped_zoff_puzzles():
        for turn in reversed(puzzle.play().turns[-4:] if puzzle.players == 2 else []):
            if kind_asked(turn.state) not in ("place", "bonus") or refused == 4:
                continue
            try:
                found = best_choice(solve(turn.state, SMALL))
            except TooLarge:
                continue
            assert screened(turn.state) == (found is not None), puzzle.number
            refused += found is None
    assert refused == 4
