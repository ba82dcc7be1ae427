"""Converts positions and moves between the readable rules and the kernels. Nothing else knows both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import BIT, FILES
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import (
    BOARD_WORDS,
    CHIEF_AT,
    DOGS_AT,
    FILE_BITS,
    NEAR,
    SQUARE_BITS,
    TO,
)
from stampede.kernels.buffalo.lookups import FIRST, PLACES, WIDTH, Words

__all__ = ["decode", "decode_move", "encode", "encode_move", "new_board", "signed"]

_SIDE_AT = 63


def encode(position: Position) -> np.uint64:
    """The position as one word: see `stampede.kernels.buffalo.layout`. The move's number isn't in it."""
    key = sum(square.rank << (FILE_BITS * square.file) for square in position.buffaloes)
    key |= (position.chief - FIRST) << CHIEF_AT
    for index, dog in enumerate(sorted(position.dogs)):
        key |= (dog - FIRST) << (DOGS_AT + index * SQUARE_BITS)
    return np.uint64(key | int(position.turn) << _SIDE_AT)


def decode(key: np.uint64 | int) -> Position:
    """The position of a key, as uint64 or int64, with move number 1.

    Raises:
        ValueError: No position has this key.
    """
    word = int(key) % (1 << 64)
    chief, *dogs = (_square(word, CHIEF_AT + index * SQUARE_BITS) for index in range(5))
    buffaloes = tuple(_buffaloes(word))
    pieces = {chief, *dogs, *buffaloes}
    if len(pieces) != 5 + len(buffaloes) or dogs != sorted(dogs):
        raise ValueError(f"expected a key with its pieces apart and dogs in order, got {word:#x}")
    occupied = sum(BIT[square] for square in pieces)
    return Position(buffaloes, chief, tuple(dogs), Side(word >> _SIDE_AT), occupied, 1)


def _square(word: int, at: int) -> Square:
    place = (word >> at) % (1 << SQUARE_BITS)
    if place >= PLACES:
        raise ValueError(f"expected a key with squares from 0 to {PLACES - 1}, got {place}")
    return Square(place + FIRST)


def _buffaloes(word: int) -> Iterator[Square]:
    for file in range(len(FILES)):
        rank = (word >> (FILE_BITS * file)) % (1 << FILE_BITS)
        if rank:
            yield Square.at(file, rank)


def signed(key: np.uint64 | int) -> int:
    """A key as the kernels take it: the same 64 bits as int64."""
    word = int(key) % (1 << 64)
    return word - (1 << 64) if word >> _SIDE_AT else word


def new_board(position: Position) -> Words:
    """A fresh board, int64[6], with this position on it."""
    board = np.zeros(BOARD_WORDS, dtype=np.int64)
    unpack(signed(encode(position)), board)
    return board


def encode_move(move: Move) -> int:
    """A move as the kernels write it."""
    return move.from_square | move.to_square << TO


def decode_move(move: int) -> Move:
    """A move of the kernels; its text form is that of B1.5."""
    return Move(Square(int(move) & ((1 << TO) - 1)), Square(int(move) >> TO))


assert len(BIT) == NEAR + WIDTH
