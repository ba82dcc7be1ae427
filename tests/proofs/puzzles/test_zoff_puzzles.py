"""Puzzles of Zoff: by the rules, one choice is clearly best; and the solver agrees with a plain enumeration."""

from dataclasses import replace

import pytest

from stampede.core.errors import InputError
from stampede.proofs.puzzles.zoff_puzzle import (
    explain,
    is_asked,
    read_zoff_puzzles,
    shipped_zoff_puzzles,
    why_no_zoff_puzzle,
    zoff_puzzle_numbered,
)
from stampede.proofs.puzzles.zoff_solver import Choice, TooLarge, solve
from stampede.zoff import State, ZoffGame

GAME = ZoffGame()
SAMPLE = 6
SMALL = 60
"""States of a tree that a plain enumeration without memory can walk through."""


def test_every_puzzle_is_a_legal_game_up_to_a_placement_of_the_last_round() -> None:
    puzzles = shipped_zoff_puzzles()
    assert len(puzzles) >= 36
    assert {len(puzzle.record.seats) for puzzle in puzzles} >= {2, 3}
    assert len({puzzle.to_line() for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        state = puzzle.state()
        (seat,) = GAME.to_act(state)
        assert is_asked(state), puzzle.number
        assert GAME.read_action(state, puzzle.solution) in list(GAME.legal(state, seat))


def test_a_sample_has_one_best_choice_and_another_choice_is_found_out() -> None:
    for puzzle in shipped_zoff_puzzles()[::SAMPLE]:
        assert why_no_zoff_puzzle(puzzle) is None, puzzle.number
    puzzle = shipped_zoff_puzzles()[0]
    state = puzzle.state()
    (seat,) = GAME.to_act(state)
    other = next(
        action
        for action in (GAME.write_action(one) for one in GAME.legal(state, seat))
        if action != puzzle.solution
    )
    assert "one best choice" in str(why_no_zoff_puzzle(replace(puzzle, solution=other)))
    told = explain(state, solve(state))
    assert "win" in told or "lose" in told


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
        if len(puzzle.record.seats) != 2 or checked == 3:
            continue
        state = puzzle.state()
        try:
            found: list[Choice] = solve(state, SMALL)
        except TooLarge:
            continue
        checked += 1
        (seat,) = GAME.to_act(state)
        for choice in found:
            share, lead = plain(GAME.apply(state, seat, choice.action).state, 2)
            mine = (share, lead) if seat == 0 else (1 - share, -lead)
            assert choice.end.values[seat] == pytest.approx(mine)
    assert checked == 3


def test_numbers_and_files_that_hold_no_puzzle_are_refused() -> None:
    for number in (0, 100_000):
        with pytest.raises(InputError, match="expected 1 to"):
            zoff_puzzle_numbered(number)
    with pytest.raises(InputError, match="puzzles:1"):
        read_zoff_puzzles("{}\n")
