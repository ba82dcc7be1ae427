"""The check's own boards, moves and windows against the readable rules and plain search."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import PRAIRIE
from stampede.proofs.certificates import CertificateClaim, CertificateHeader, Recogniser, WindowSpec
from stampede.proofs.certificates.board import (
    BOARD,
    cannot_be_stopped,
    canonical,
    from_file_order,
    hunter_can,
    is_position,
    key_of,
    mirrored,
    move_hunter,
    pack,
    position_of,
    take_back,
    to_file_order,
    unpack,
    wins_at_once,
)
from stampede.proofs.certificates.check import check_buffalo, check_hunter, recognise
from stampede.proofs.certificates.reference import NotProven, question_of
from stampede.proofs.certificates.window_solver import solve_window
from tests.proofs.certificates import naive

FIRST = 11


def some_position(rng: random.Random, width: int, side: Side, least_rank: int = 2) -> Position:
    """Pieces thrown onto the first columns."""
    hunters = rng.sample([square for square in PRAIRIE if square.file < width], 5)
    ranks = [rng.choice([None, *range(least_rank, 8)]) for _ in range(width)]
    buffaloes = [Square.at(file, rank) for file, rank in enumerate(ranks) if rank is not None]
    apart = tuple(square for square in buffaloes if square not in hunters)
    chief, *dogs = hunters
    occupied = sum(1 << square for square in (*apart, *hunters))
    return Position(apart, chief, tuple(sorted(dogs)), side, occupied, 1)


def board_of(position: Position) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    board = np.zeros(BOARD, dtype=np.int64)
    unpack(key_of(position), board)
    return board


positions = st.builds(
    lambda seed, width: (some_position(random.Random(seed), width, Side.HUNTER), width),
    st.integers(0, 2**32),
    st.integers(5, 11),
)


@given(positions)
def test_the_hunters_moves_are_those_of_the_readable_rules(given_one: tuple[Position, int]) -> None:
    """B2.3, B2.4: on narrow boards without those that end beyond the last column."""
    position, width = given_one
    board = board_of(position)
    found = {
        Move(start, end)
        for start in PRAIRIE
        for end in PRAIRIE
        if hunter_can(board, start - FIRST, end - FIRST, width)
    }
    assert found == {m for m in position.legal_moves if m.to_square.file < width}
    for move in found:
        before = board.copy()
        captured = move_hunter(board, move.from_square - FIRST, move.to_square - FIRST)
        assert pack(board) == key_of(position.after(move))
        unpack(pack(board), again := np.zeros(BOARD, dtype=np.int64))
        assert again[-1] == board[-1]
        take_back(board, move.from_square - FIRST, move.to_square - FIRST, captured)
        assert sorted(board) == sorted(before)


@given(positions)
def test_keys_stand_for_positions_and_mirror_images(given_one: tuple[Position, int]) -> None:
    position, width = given_one
    key = key_of(position)
    board = np.zeros(BOARD, dtype=np.int64)
    assert is_position(key, width, board)
    assert pack(board) == key
    assert position_of(key, hunter_to_move=True) == position
    assert mirrored(mirrored(key, width), width) == key
    assert mirrored(key, 11) == key_of(position.mirror())
    for winner in (0, 1):
        assert from_file_order(to_file_order(key, winner), winner) == key
        assert canonical(key, width, winner) == canonical(mirrored(key, width), width, winner)


@given(positions, st.integers(0, 62))
def test_other_words_are_no_positions(given_one: tuple[Position, int], bit: int) -> None:
    """One bit flipped: still a position, the same as its text says, or refused."""
    position, width = given_one
    key = key_of(position) ^ 1 << bit
    board = np.zeros(BOARD, dtype=np.int64)
    if is_position(key, width, board):
        assert key_of(position_of(key, hunter_to_move=True)) == key
        assert all(s.file < width for s in position_of(key, hunter_to_move=True).pieces)
    else:
        try:
            other = position_of(key, hunter_to_move=True)
        except ValueError:
            return
        outside = any(square.file >= width for square in other.pieces)
        assert outside or other.winner is Side.BUFFALO or key_of(other) != key


@given(positions)
def test_what_wins_at_once_wins_by_the_readable_rules(given_one: tuple[Position, int]) -> None:
    position, _ = given_one
    board = board_of(position)
    assert wins_at_once(board) == naive.wins_at_once(position.with_turn(Side.BUFFALO))
    if cannot_be_stopped(board):
        for move in position.legal_moves:
            steps = position.after(move).legal_moves
            assert any(step.to_square.rank == 1 for step in steps)


SPECS = (
    "3/abc/2/2abc+3abc/2",
    "4/abcd/2/2abcd/2",
    "3/ab/1/2abc/1",
    "4/abcd/3/2abcd+3bc/1",
    "4/abd/1/2abcd+3ad/1/3c",
    "5/abde/2/2abcde+3ae/2/4c",
    "5/ace/1/2abcde+3ace/1/3b+5d",
)
STEPS_LEFT = 11
"""Plain search in Python looks at positions with no more steps before the buffaloes."""


def window_position(
    rng: random.Random, spec: WindowSpec, width: int
) -> tuple[Position, Recogniser]:
    """Dogs on squares of a table's window, others outside, few buffaloes; most guards are in front of theirs."""
    seen = Recogniser(0, rng.randrange(width - spec.columns + 1), rng.random() < 0.5)
    inside = [s for s in PRAIRIE if seen.column <= s.file < seen.column + spec.columns]
    outside = [s for s in PRAIRIE if s.file < width and s not in inside]

    def square_of(cell: int, *, mirrored: bool) -> Square:
        at = cell % spec.columns
        at = spec.columns - 1 - at if mirrored else at
        return Square.at(seen.column + at, 6 - cell // spec.columns)

    cells = [square_of(cell, mirrored=False) for cell in spec.cells]
    turned = seen.mirrored if rng.random() < 0.9 else not seen.mirrored
    guards = [square_of(cell, mirrored=turned) for cell in spec.guards]
    spare = 4 - spec.dogs - len(guards)
    moving = rng.sample([cell for cell in cells if cell not in guards], spec.dogs)
    dogs = [*moving, *guards, *rng.sample(outside, spare)]
    chief = rng.choice([square for square in inside if square not in dogs])
    ranks = [rng.choice([None, None, 3, 4, 5, 6, 7]) for _ in range(width)]
    for guard in guards:
        ranks[guard.file] = rng.choice([guard.rank + 1] * 9 + [None])
    spread = [Square.at(file, rank) for file, rank in enumerate(ranks) if rank is not None]
    buffaloes = tuple(square for square in spread if square not in (chief, *dogs))
    occupied = sum(1 << square for square in (chief, *dogs, *buffaloes))
    return Position(buffaloes, chief, tuple(sorted(dogs)), Side.BUFFALO, occupied, 1), seen


@pytest.mark.parametrize("text", SPECS)
def test_windows_ask_as_the_readable_rules_do_and_never_contradict_plain_search(text: str) -> None:
    """Guards included: whatever a window calls won for the hunter is won on the whole board."""
    spec, width = WindowSpec.parse(text), 6
    rng = random.Random(text)
    asked: list[tuple[int, int, int]] = []
    where: list[Position] = []
    for _ in range(3000):
        position, seen = window_position(rng, spec, width)
        header = CertificateHeader(
            "", width, Side.HUNTER, (CertificateClaim(position),), (spec,), (seen,), 0, 0, ""
        )
        live = sum(1 << column for column in spec.live)
        window = np.array(
            [
                *(0, seen.column, int(seen.mirrored), spec.columns, spec.dogs, live),
                sum(1 << cell for cell in spec.guards),
            ]
        )
        question = np.zeros(5, dtype=np.int64)
        code = recognise(board_of(position), width, window, question)
        try:
            expected = question_of(position, header, seen)
        except NotProven:
            assert code
            continue
        assert code == 0
        assert question[:4].tolist() == [0, expected.state, expected.dogs, expected.chief]
        asked.append((expected.state, expected.dogs, expected.chief))
        where.append(position)
    found = solve_window(spec, np.array(asked, dtype=np.int64), workers=1)
    won = [position for position, right in zip(where, found.right, strict=True) if right]
    short = [p for p in won if 0 < sum(b.rank - 1 for b in p.buffaloes) <= STEPS_LEFT]
    solver = naive.Solver(width)
    assert len(short) >= 20
    for position in short[:60]:
        assert solver.holds(position, Side.HUNTER), position.fen()


def test_a_block_of_nonsense_does_no_harm() -> None:
    """Any words at all are refused, not followed out of bounds."""
    rng = np.random.default_rng(1)
    keys = np.sort(rng.integers(0, 1 << 62, 2000))
    nothing = np.zeros(0, dtype=np.int64)
    starts = np.zeros(1, dtype=np.int64)
    for key in keys:
        block, moves = np.array([key]), rng.integers(0, 1 << 16, 1)
        fault = np.zeros(2, dtype=np.int64)
        questions = np.zeros((1, 5), dtype=np.int64)
        windows = np.zeros((0, 7), dtype=np.int64)
        check_hunter(block, moves, moves, 11, windows, nothing, nothing, starts, questions, fault)
        assert fault[1]
        for most in (0, 3):
            fault[:] = 0
            check_buffalo(block, moves, moves, 11, most, nothing, nothing, starts, questions, fault)
            assert fault[1]
