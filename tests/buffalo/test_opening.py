"""B4.3: the opening turn of several steps."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import (
    BuffaloEnded,
    BuffaloRules,
    Moved,
    Opening,
    OpeningEnded,
    Position,
    Side,
)
from stampede.buffalo.reasons import BuffaloReason
from stampede.core.errors import IllegalAction, NotToAct, RuleSetError
from tests.buffalo.arranged import GAME, Played, random_game, rule_sets, with_moves

THREE = BuffaloRules(opening_moves=3)


def legal(played: Played) -> str:
    seats = GAME.to_act(played.state)
    return " ".join(str(move) for move in GAME.legal(played.state, seats[0]))


def test_several_different_buffaloes_step_before_the_hunter_moves() -> None:
    """B4.3: one step each, in any order, as one turn."""
    played = with_moves(THREE, "k7k6 a7a6")
    assert GAME.to_act(played.state) == (0,)
    assert played.state.opening == Opening(left=1, stepped=("k", "a"))
    assert legal(played) == "b7b6 c7c6 d7d6 e7e6 f7f6 g7g6 h7h6 i7i6 j7j6"
    assert len(GAME.legal(played.state, 1)) == 0
    played = with_moves(THREE, "k7k6 a7a6 f7f6")
    assert GAME.to_act(played.state) == (1,)
    assert played.state.opening is None
    assert played.events[-1] == OpeningEnded(3, BuffaloReason("all_stepped", "B4.3"))
    assert GAME.to_act(with_moves(THREE, "k7k6 a7a6 f7f6 d2d3 k6k5").state) == (1,)


def test_a_buffalo_steps_only_once_in_an_opening_turn() -> None:
    """B4.3: the second step of the same buffalo is refused by this clause."""
    with pytest.raises(IllegalAction, match=r"the buffalo of file a has stepped .*\(B4.3\)"):
        with_moves(THREE, "a7a6 a6a5")


def test_the_hunter_has_to_wait_for_the_whole_opening_turn() -> None:
    """B2.1, B4.3."""
    played = with_moves(THREE, "a7a6 b7b6")
    with pytest.raises(NotToAct, match="expected a move of seat 0, the buffalo side, got seat 1"):
        played.play(1, GAME.legal(with_moves(BuffaloRules(), "a7a6").state, 1)[0])


def test_an_opening_turn_ends_when_no_other_buffalo_can_step() -> None:
    """B4.3: in a position of its own a record may ask for more steps than there are."""
    start = "bb9/D10/11/11/11/4DCDD3/11 b - - 0 1"
    played = with_moves(THREE, "b7b6", start)
    assert GAME.to_act(played.state) == (1,)
    assert played.events[-1] == OpeningEnded(1, BuffaloReason("no_other_buffalo", "B4.3"))


def test_a_buffalo_that_crosses_in_the_opening_turn_wins_at_once() -> None:
    """B3.1, B4.3: the other steps aren't made."""
    played = with_moves(THREE, "a7a6 b2b1", "b1b8/11/11/11/11/1b1DDCDD3/11 b - - 0 1")
    assert played.outcome is not None
    assert (played.outcome.winners, played.outcome.reason) == ((0,), "crossed")
    assert [type(event) for event in played.events] == [Moved, Moved, BuffaloEnded]
    assert GAME.to_act(played.state) == ()


def test_a_start_without_any_step_is_lost_as_ever() -> None:
    """B3.2, B4.3."""
    played = with_moves(THREE, "", "b10/D10/11/11/11/4DCDD3/11 b - - 0 1")
    assert played.outcome is not None
    assert played.outcome.reason == "no_move"
    assert GAME.to_act(played.state) == ()
    assert len(GAME.legal(played.state, 0)) == 0


def test_an_opening_turn_needs_a_start_with_the_buffalo_side_to_move() -> None:
    """B4.3: before the hunter's first move."""
    with pytest.raises(RuleSetError, match=r"expected the buffalo side to move .*got the hunter"):
        with_moves(THREE, "", Position.start().with_turn(Side.HUNTER).fen())


@given(st.integers(0, 2**32), rule_sets())
def test_with_k_opening_moves_the_first_k_moves_are_those_of_k_buffaloes(
    seed: int, rules: BuffaloRules
) -> None:
    """B4.2, B4.3: whatever the handicap; then the sides alternate (B2.1)."""
    played = random_game(random.Random(seed), rules)
    seats = [turn.seat for turn in played.turns]
    steps = rules.opening_moves
    first = [turn.action.from_square for turn in played.turns[:steps]]
    assert seats[:steps] == [0] * steps
    assert len({square.file for square in first}) == steps
    assert {square.rank for square in first} == {7}
    assert not {square.file_name for square in first} & set(rules.removed)
    assert seats[steps:] == [(index + 1) % 2 for index in range(len(seats) - steps)]
