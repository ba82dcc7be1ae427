import random

import numpy as np
import pytest

from stampede.buffalo import Position
from stampede.buffalo.geometry import PRAIRIE, RAYS, STEPS, Square
from stampede.kernels.buffalo.bridge import decode_move, new_board
from stampede.kernels.buffalo.generate import dog_targets, generate
from stampede.kernels.buffalo.layout import MAX_MOVES
from stampede.kernels.buffalo.lookups import FIRST


def word(squares: list[Square]) -> int:
    return sum(1 << (square - FIRST) for square in squares)


def reached(start: Square, occupied: set[Square]) -> list[Square]:
    """Where a dog can go, by walking along the rays (B2.3)."""
    found = []
    for ray in RAYS[start]:
        for square in ray:
            if square in occupied:
                break
            found.append(square)
    return found


@pytest.mark.parametrize("start", PRAIRIE, ids=str)
def test_dogs_run_until_something_is_in_the_way(start: Square) -> None:
    """B2.3: from each square, with the prairie from empty to crowded."""
    rng = random.Random(int(start))
    for _ in range(400):
        occupied = rng.sample(PRAIRIE, rng.randrange(30))
        expected = word(reached(start, set(occupied)))
        assert dog_targets(start - FIRST, word(occupied)) == expected
        with_itself = word([*set(occupied) | {start}])
        assert dog_targets(start - FIRST, with_itself) == expected


def test_no_position_has_more_moves_than_there_is_room_for() -> None:
    """B2.3, B2.4"""
    dog = max(sum(len(ray) for ray in RAYS[square]) for square in PRAIRIE)
    chief = max(len(STEPS[square]) for square in PRAIRIE)
    assert 4 * dog + chief == MAX_MOVES


def test_moves_are_written_behind_each_other() -> None:
    """One array serves a whole search, so nothing before the given index may change."""
    moves = np.full(3 * MAX_MOVES, -1, dtype=np.int64)
    first = generate(new_board(Position.start()), moves, 5)
    second = generate(new_board(Position.start().play("f7f6")), moves, first)
    assert (first, second) == (16, 71)
    assert set(moves[:5]) == {-1}
    assert str(decode_move(moves[5])) == "a7a6"
    assert str(decode_move(moves[first])) == "f2e3"
    assert set(moves[second:]) == {-1}


def test_those_who_cross_come_first_and_captures_before_steps() -> None:
    """B2.4, B3.1: the order is part of the contract, as searches and their signatures build on it."""
    moves = np.zeros(MAX_MOVES, dtype=np.int64)
    runners = Position.from_fen("b10/11/1b9/11/11/2bC2DDDD1/11 b - - 0 1")
    end = generate(new_board(runners), moves, 0)
    assert [str(decode_move(move)) for move in moves[:end]] == ["c2c1", "b5b4", "a7a6"]
    hunter = runners.play("a7a6")
    generate(new_board(hunter), moves, 0)
    assert str(decode_move(moves[0])) == "d2c2"
    assert str(decode_move(moves[1])) == "d2e2"
