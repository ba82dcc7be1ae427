"""B3: how a game ends, and that it always does."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import PRAIRIE, STEPS, Square
from tests.buffalo.arranged import arranged_positions, positions, random_line


def test_a_buffalo_on_the_far_bank_wins_at_once() -> None:
    """B3.1: the hunter isn't asked any more."""
    position = Position.from_fen("11/11/11/11/11/b2DDCDD3/11 b - - 0 20")
    assert (position.outcome(), position.winner) == (None, None)
    after = position.play("a2a1")
    outcome = after.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.reason, after.winner) == ((0,), "crossed", Side.BUFFALO)
    assert after.is_over
    assert len(after.legal_moves) == 0


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("b10/11/1D9/11/11/4DCDD3/11 w - - 0 1", "b5a6"),
        ("11/11/11/11/4b6/3DDCDD3/11 w - - 0 1", "f2e3"),
        ("b10/11/D10/11/4b6/4DCDD3/11 w - - 0 1", "a5a6"),
    ],
    ids=["all blocked", "all captured", "e3 blocked by the dog on e2"],
)
def test_the_hunter_wins_when_no_buffalo_can_move(fen: str, move: str) -> None:
    """B3.2: captured or blocked, when the buffalo side is to move."""
    after = Position.from_fen(fen).play(move)
    outcome = after.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.reason, after.winner) == ((1,), "no_move", Side.HUNTER)


def test_blocked_buffaloes_aren_t_lost_while_the_hunter_has_to_move() -> None:
    """B3.2: tested in the buffalo side's turn only; the hunter's move may set one free."""
    blocked = Position.from_fen("b10/D10/11/11/11/4DCDD3/11 w - - 0 1")
    assert not blocked.is_over
    assert blocked.with_turn(Side.BUFFALO).winner is Side.HUNTER
    assert not blocked.play("a6a5").is_over
    assert blocked.play("f2f3").winner is Side.HUNTER


@given(positions())
def test_a_game_is_over_exactly_when_there_is_no_legal_move(position: Position) -> None:
    """B3.1, B3.2, B3.3."""
    assert position.is_over == (len(position.legal_moves) == 0)
    assert (position.winner is None) == (not position.is_over)


@given(arranged_positions(turn=Side.HUNTER))
def test_the_hunter_always_has_a_move(position: Position) -> None:
    """B3.3: wherever the pieces stand."""
    assert len(position.legal_moves) > 0


def test_why_the_hunter_always_has_a_move() -> None:
    """B3.3, proved: only dogs hinder the chief, and four can shut it in only in a corner. Then the dog diagonally next
    to it has, on some file, more neighbours free of hunters than the one that a single buffalo can cover.
    """
    corners = [square for square in PRAIRIE if len(STEPS[square]) <= 4]
    assert [str(square) for square in corners] == ["a2", "k2", "a6", "k6"]
    for chief in corners:
        (inner,) = (s for s in STEPS[chief] if s.file != chief.file and s.rank != chief.rank)
        for fourth in set(PRAIRIE) - {chief, *STEPS[chief]}:
            hunters = {chief, fourth, *STEPS[chief]}
            assert most_on_a_file(set(STEPS[inner]) - hunters) >= 2


def most_on_a_file(squares: set[Square]) -> int:
    files = [square.file for square in squares]
    return max(files.count(file) for file in files)


@given(st.integers(0, 2**32), st.sets(st.sampled_from("abcdefghijk"), max_size=10))
def test_a_game_ends_after_at_most_66_buffalo_turns(seed: int, removed: set[str]) -> None:
    """B3.3: every buffalo turn uses up one of at most 66 steps, and buffaloes only get fewer."""
    line = random_line(random.Random(seed), "".join(removed))
    steps = [sum(square.rank - 1 for square in position.buffaloes) for position in line]
    for (before, after), (left_before, left_after) in zip(
        pairwise(line), pairwise(steps), strict=True
    ):
        if before.turn is Side.BUFFALO:
            assert left_after == left_before - 1
        assert left_after <= left_before
        assert set(after.files) <= set(before.files)
    assert steps[0] <= 66
    assert sum(position.turn is Side.BUFFALO for position in line[:-1]) <= 66
    assert line[-1].winner is not None
