"""What to compile of Buffalo's kernels ahead of time."""

from __future__ import annotations

import numpy as np

from stampede.buffalo import Move, Position
from stampede.kernels.buffalo.bridge import encode, encode_move, new_board, signed
from stampede.kernels.buffalo.generate import count_moves, generate, winner
from stampede.kernels.buffalo.keys import canonical_key, mirror_move
from stampede.kernels.buffalo.layout import KEY, MAX_MOVES
from stampede.kernels.buffalo.make import make, unmake
from stampede.kernels.buffalo.perft import lines, lines_by_moves
from stampede.kernels.buffalo.playouts import playout, playouts, playouts_of
from stampede.kernels.rng import new_rng
from stampede.kernels.warmup import Task

__all__ = ["buffalo_tasks"]


def buffalo_tasks() -> tuple[Task, ...]:
    """Compiles every kernel that is called from Python; those that they call come along."""
    return (
        Task("Buffalo: positions", _positions, winner),
        Task("Buffalo: moves", _moves, unmake),
        Task("Buffalo: perft", _perft, lines_by_moves),
        Task("Buffalo: random games", _playouts, playouts_of),
    )


def _positions() -> None:
    board = new_board(Position.start())
    canonical_key(board[KEY])
    mirror_move(encode_move(Move.parse("a7a6")))
    count_moves(board)
    winner(board)


def _moves() -> None:
    board = new_board(Position.start())
    moves = np.zeros(MAX_MOVES, dtype=np.int64)
    generate(board, moves, 0)
    unmake(board, moves[0], make(board, moves[0]))


def _perft() -> None:
    board = new_board(Position.start())
    lines(board, 2)
    lines_by_moves(board, 2, np.zeros(2 * MAX_MOVES, dtype=np.int64), 0)


def _playouts() -> None:
    board, rng = new_board(Position.start()), new_rng(1)
    playout(board, rng)
    playouts(board, 1, rng)
    keys = np.array([signed(encode(Position.start()))], dtype=np.int64)
    playouts_of(keys, 1, rng, np.zeros((1, 2), dtype=np.int64))
