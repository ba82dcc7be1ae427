"""The readable rules and the kernels side by side, on games that begin anywhere.

Also a program, so that a test can run it without JIT: ``python -m tests.kernels.buffalo.side_by_side GAMES SEED``
prints the number of positions that were compared, and `counts`.
"""

import random
import sys
from collections.abc import Iterator

import numpy as np

from stampede.buffalo import Move, Piece, Position, Side
from stampede.buffalo.fen import Placement, write_fen
from stampede.buffalo.geometry import FILES, PRAIRIE, Square
from stampede.kernels.buffalo.bridge import decode, encode, encode_move, new_board, signed
from stampede.kernels.buffalo.generate import count_moves, generate, winner
from stampede.kernels.buffalo.keys import canonical_key, mirror_key, mirror_move
from stampede.kernels.buffalo.layout import KEY, MAX_MOVES
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.buffalo.make import make, unmake
from stampede.kernels.buffalo.perft import lines, lines_by_moves
from stampede.kernels.buffalo.playouts import playouts, playouts_of
from stampede.kernels.rng import new_rng

RANKS = (0, 2, 3, 4, 5, 6, 7)


def starts(rng: random.Random) -> Iterator[Position]:
    """Where games begin: at the start, with fewer buffaloes (B4.2), and with all pieces anywhere."""
    while True:
        yield Position.start(rng.sample(FILES, rng.randrange(11)))
        yield anywhere(rng)


def anywhere(rng: random.Random) -> Position:
    """A position with the pieces on any squares where they may stand."""
    chief, *dogs = rng.sample(PRAIRIE, 5)
    weights = [rng.random() for _ in RANKS]
    ranks = rng.choices(RANKS, weights, k=len(FILES))
    pieces = {Square.at(f, rank): Piece.BUFFALO for f, rank in enumerate(ranks) if rank}
    pieces |= dict.fromkeys(dogs, Piece.DOG) | {chief: Piece.CHIEF}
    return Position.from_fen(write_fen(Placement(pieces, rng.choice(list(Side)), 1)))


def compare(position: Position, board: Words, moves: Words) -> list[Move]:
    """Compares one position with the board that has come along by `make` alone; returns its legal moves."""
    legal = {encode_move(move): move for move in position.legal_moves}
    end = generate(board, moves, 0)
    assert sorted(moves[:end].tolist()) == sorted(legal), position.fen()
    assert count_moves(board) == len(legal), position.fen()
    assert board[KEY] == signed(encode(position)), position.fen()
    won = position.winner
    assert winner(board) == (-1 if won is None else won), position.fen()
    return list(legal.values())


def compare_successors(position: Position, board: Words, legal: list[Move]) -> None:
    """Compares every successor word for word, and the board after taking the move back."""
    before = board.copy()
    for move in legal:
        key = make(board, encode_move(move))
        after = position.after(move)
        assert np.array_equal(board, new_board(after)), f"{position.fen()} {move}"
        assert decode(board[KEY]) == after
        unmake(board, encode_move(move), key)
        assert np.array_equal(board, before), f"{position.fen()} {move}"


def compare_mirrors(position: Position, board: Words) -> None:
    """Compares the mirror image."""
    mirrored = signed(encode(position.mirror()))
    assert mirror_key(board[KEY]) == mirrored
    assert canonical_key(board[KEY]) == canonical_key(mirrored)


def play(games: int, seed: int, thoroughly: int) -> int:
    """Plays random games in both and compares everything on the way.

    Returns the number of positions. One in `thoroughly` is compared with all its successors and its mirror image.
    """
    rng = random.Random(seed)
    moves = np.zeros(MAX_MOVES, dtype=np.int64)
    compared = 0
    for _, start in zip(range(games), starts(rng), strict=False):
        position, board = start, new_board(start)
        while legal := compare(position, board, moves):
            if rng.randrange(thoroughly) == 0:
                compare_successors(position, board, legal)
                compare_mirrors(position, board)
            move = rng.choice(legal)
            position = position.after(move)
            make(board, encode_move(move))
            compared += 1
    return compared


def counts() -> list[int]:
    """Numbers that come out the same, compiled or not: lines both ways, random games of one seed, keys."""
    board = new_board(Position.start())
    room = np.zeros(3 * MAX_MOVES, dtype=np.int64)
    found = [lines(board, 3), lines_by_moves(board, 3, room, 0), *playouts(board, 20, new_rng(5))]
    results = np.zeros((1, 2), dtype=np.int64)
    playouts_of(board[:1].copy(), 5, new_rng(6), results)
    return [int(number) for number in (*found, *results[0], mirror_move(int(room[0])))]


if __name__ == "__main__":
    compared = play(int(sys.argv[1]), int(sys.argv[2]), thoroughly=20)
    sys.stdout.write(" ".join(map(str, [compared, *counts()])))
