import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import Move, Position
from stampede.buffalo.geometry import SQUARES
from stampede.kernels.buffalo.bridge import (
    decode,
    decode_move,
    encode,
    encode_move,
    new_board,
    signed,
)
from stampede.kernels.buffalo.keys import canonical_key, mirror_key, mirror_move, unpack
from stampede.kernels.buffalo.layout import BOARD_WORDS, CHIEF_AT, DOGS_AT, KEY
from tests.buffalo.arranged import positions

WON = Position.from_fen("11/11/11/4C6/3DD6/5DD4/b10 w - - 0 25")

moves = st.builds(Move, st.sampled_from(SQUARES), st.sampled_from(SQUARES))


@given(positions())
def test_a_key_gives_its_position_back(position: Position) -> None:
    key = encode(position)
    assert isinstance(key, np.uint64)
    assert decode(key) == decode(signed(key)) == position
    assert decode(key).occupied == position.occupied


@given(positions(), positions())
def test_equal_keys_are_equal_positions(one: Position, other: Position) -> None:
    assert (encode(one) == encode(other)) == (one == other)


def test_the_number_of_the_move_is_not_in_the_key() -> None:
    later = Position.from_fen("bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 9")
    assert encode(later) == encode(Position.start())


def test_a_finished_game_has_a_key_too() -> None:
    """B3.1: the buffalo on the far bank."""
    assert decode(encode(WON)) == WON


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (0, "pieces apart"),
        (63 << CHIEF_AT, "squares from 0 to 54, got 63"),
        (int(encode(Position.start())) ^ (0b101011 << DOGS_AT), "dogs in order"),
    ],
)
def test_a_word_that_is_no_position_is_refused(key: int, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        decode(key)


@given(positions())
def test_a_board_holds_the_key_and_what_it_means(position: Position) -> None:
    board = new_board(position)
    other = np.full(BOARD_WORDS, -1, dtype=np.int64)
    unpack(board[KEY], other)
    assert np.array_equal(board, other)


@given(moves)
def test_a_move_gives_its_text_back(move: Move) -> None:
    """B1.5"""
    assert decode_move(encode_move(move)) == move
    assert encode_move(move) < 1 << 14


@given(moves)
def test_moves_are_mirrored_as_the_rules_do_it(move: Move) -> None:
    assert decode_move(mirror_move(encode_move(move))) == move.mirror()


@given(positions())
def test_mirroring_twice_changes_nothing(position: Position) -> None:
    key = signed(encode(position))
    assert mirror_key(mirror_key(key)) == key
    assert canonical_key(key) == canonical_key(mirror_key(key)) in (key, mirror_key(key))
