"""Steps of many games of Buffalo: moves, new games, rewards, observations and masks.

Each function works on the games from `begin` to `end`, so that threads can share the work. Flat arrays hold a game's
part at its number times the size of one. Observations and masks are changed only where a move changes them. Targets
are what the side to move can do, as sets that only kernels see: the files that can step, then four empty sets; or the
squares of the chief and of each dog. They are found once, for the masks, and serve draws and checks, too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, nth
from stampede.kernels.buffalo.generate import ahead, dog_targets
from stampede.kernels.buffalo.layout import (
    BANK,
    CHIEF,
    CROSSED,
    DOGS,
    FILE_BITS,
    HUNTER_TO_MOVE,
    KEY,
    NEAR,
    PRAIRIE,
    TO,
)
from stampede.kernels.buffalo.lookups import CHIEF_STEPS, FIRST, PLACES, WIDTH, Words
from stampede.kernels.buffalo.make import make_buffalo, make_hunter
from stampede.kernels.buffalo.vector.layout import (
    ATOMS,
    BUFFALO_CELL,
    CHIEF_CELL,
    CHIEF_TO,
    DOG_CELL,
    DOG_TO,
    LEFT,
    MOVE_NUMBER,
    NOTHING,
    NUMBER,
    OPENING_LEFT,
    OPENING_STEPPED,
    OVER,
    PIECES,
    PUBLIC,
    SQUARES,
    STEPPED,
    TURN,
    WINNER,
)
from stampede.kernels.jit import bare, inlined
from stampede.kernels.put import Bytes, put_set, put_wide

__all__ = ["check_range", "reset_range", "show_range", "step_range"]

Floats = npt.NDArray[np.float32]
Actions = npt.NDArray[np.int16]

_FILES = (1 << WIDTH) - 1
_RANK = (1 << FILE_BITS) - 1
_NEXT_STEP = 1
_SAME_STEP = 2
_LEAD = 1
_ILLEGAL = -2
"""As a winner: the hunter has moved illegally; -3 the buffalo side."""


@inlined
def movable_files(board: Words) -> int:
    """The files whose buffaloes can step, as a set; in an opening turn only those that haven't. int64[12] → int64."""
    prairie = board[PRAIRIE]
    steps = ahead(prairie, board[BANK]) & ~(prairie | board[DOGS] | (1 << board[CHIEF]))
    steps |= steps >> WIDTH
    steps |= steps >> (2 * WIDTH)
    steps |= steps >> WIDTH  # five ranks in all
    # A buffalo on the last rank of the prairie has the far bank in front of it, which is always empty.
    files: int = (steps | prairie) & _FILES & ~board[STEPPED]
    return files


@inlined
def hunter_targets(board: Words, piece: int) -> int:
    """Where the chief (0) or a dog (1 to 4) can go, as a set. int64[12], int64 → int64."""
    if piece == 0:
        steps: int = CHIEF_STEPS[board[CHIEF]] & ~board[DOGS]
        return steps
    occupied = board[PRAIRIE] | board[DOGS] | (1 << board[CHIEF])
    return dog_targets(nth(board[DOGS], piece - 1), occupied)


@inlined
def is_legal(board: Words, targets: Words, index: int, atom: int) -> bool:
    """Whether the side to move may make this move. int64[12], int64[n, 5], int64, int64 → bool."""
    # Without a branch for the side to move, which is any in a batch.
    hunts = board[KEY] < 0
    place = atom - (CHIEF_TO if hunts else 0)
    if place < 0 or place >= (NOTHING - CHIEF_TO if hunts else CHIEF_TO):
        return False
    bit: int = (targets[index, place // PLACES] >> (place % PLACES)) & 1
    return bit == 1


@bare
def check_range(tables: Words, targets: Words, actions: Actions, begin: int, end: int) -> int:
    """The first illegal action, as game × 8 + seat; -1 if all are legal.

    int64[n, 12], int64[n, 5], int16[n, 2], int64 × 2 → int64.
    """
    for index in range(begin, end):
        board = tables[index]
        if board[OVER]:
            continue
        seat = 1 if board[KEY] < 0 else 0
        if not is_legal(board, targets, index, int(actions[index, seat])):
            return 8 * index + seat
        if actions[index, 1 - seat] != NOTHING:
            return 8 * index + 1 - seat
    return -1


@inlined
def _move(board: Words, atom: int, public: Bytes, at: int) -> None:
    """Makes a legal move on the board and on the squares of the observation. int64[12], int64, int8[n], int64."""
    if board[KEY] >= 0:
        rank = (board[KEY] >> (FILE_BITS * atom)) & _RANK
        start = WIDTH * (rank - 1) + atom
        end = start - WIDTH
        make_buffalo(board, start | end << TO)
        public[at + end] = BUFFALO_CELL
        board[NUMBER] += 1
        if board[LEFT]:
            _open(board, atom)
    else:
        piece, target = (atom - CHIEF_TO) // PLACES, (atom - CHIEF_TO) % PLACES
        start = FIRST + (int(board[CHIEF]) if piece == 0 else nth(board[DOGS], piece - 1))
        end = FIRST + target
        make_hunter(board, start | end << TO)
        public[at + end] = CHIEF_CELL if piece == 0 else DOG_CELL
    public[at + start] = 0


@bare
def _open(board: Words, file: int) -> None:
    """An opening turn goes on while steps and fresh buffaloes are left (B4.3). int64[12], int64."""
    if board[CROSSED]:
        board[LEFT] = 0
        board[STEPPED] = 0
        return
    board[LEFT] -= 1
    board[STEPPED] |= 1 << file
    if board[LEFT] and movable_files(board):
        board[KEY] ^= HUNTER_TO_MOVE
    else:
        board[LEFT] = 0
        board[STEPPED] = 0


@bare
def _show_board(board: Words, public: Bytes, at: int) -> None:
    """Writes all squares. int64[12], int8[n], int64."""
    for square in range(SQUARES):
        public[at + square] = 0
    for file in range(WIDTH):
        rank = (board[KEY] >> (FILE_BITS * file)) & _RANK
        if rank:
            public[at + WIDTH * (rank - 1) + file] = BUFFALO_CELL
    dogs = board[DOGS]
    while dogs:
        public[at + FIRST + first(dogs)] = DOG_CELL
        dogs &= dogs - 1
    public[at + FIRST + board[CHIEF]] = CHIEF_CELL


@inlined
def _show_turn(board: Words, public: Bytes, at: int) -> None:
    public[at + TURN] = board[KEY] < 0
    public[at + MOVE_NUMBER] = board[NUMBER]
    if board[LEFT] or public[at + OPENING_LEFT]:  # else no file has stepped, now or before
        _show_opening(board, public, at)


@inlined
def _show_opening(board: Words, public: Bytes, at: int) -> None:
    public[at + OPENING_LEFT] = board[LEFT]
    for file in range(WIDTH):
        public[at + OPENING_STEPPED + file] = (board[STEPPED] >> file) & 1


@inlined
def _show_targets(board: Words, targets: Words, index: int, mask: Bytes, at: int) -> None:
    """Writes the squares of the chief, then of each dog. int64[12], int64[n, 5], filled, int64, int8[n], filled, int64.

    A piece's 55 squares are written as 64 bytes, and the next piece overwrites the rest. The last one's are written as
    56: a zero for the atom for nothing follows them.
    """
    dogs = board[DOGS]
    occupied = board[PRAIRIE] | dogs | (1 << board[CHIEF])
    places = CHIEF_STEPS[board[CHIEF]] & ~dogs
    for piece in range(4):
        targets[index, piece] = places
        put_wide(mask, at, places)
        put_wide(mask, at + 32, places >> 32)
        places = dog_targets(first(dogs), occupied)
        dogs &= dogs - 1
        at += PLACES
    targets[index, 4] = places
    put_wide(mask, at, places)
    for word in range(4, 7):
        put_set(mask, at + 8 * word, places >> (8 * word))


@inlined
def _show_masks(board: Words, targets: Words, mask: Bytes, acting: Bytes, index: int) -> None:
    """Writes the masks of both seats, and the targets of the side to move. int64[12], int64[n, 5], …, filled."""
    at = 2 * ATOMS * index
    hunter = at + ATOMS
    buffalo_moves = board[OVER] == 0 and board[KEY] >= 0
    hunter_moves = board[OVER] == 0 and board[KEY] < 0
    acting[2 * index] = buffalo_moves
    acting[2 * index + 1] = hunter_moves
    # 1. The buffalo side. Two words: eleven files, and five zeros.
    files = movable_files(board) if buffalo_moves else 0
    put_set(mask, at, files)
    put_set(mask, at + 8, files >> 8)
    mask[at + NOTHING] = not buffalo_moves
    # 2. The hunter.
    if hunter_moves:
        _show_targets(board, targets, index, mask, hunter + CHIEF_TO)
    else:
        targets[index, 0] = files
        for piece in range(1, PIECES):
            targets[index, piece] = 0
        for part in range(8):
            put_wide(mask, hunter + CHIEF_TO + 32 * part, 0)
        put_wide(mask, hunter + NOTHING - 32, 0)
        mask[hunter + NOTHING] = 1


@bare
def show_range(
    tables: Words,
    targets: Words,
    public: Bytes,
    mask: Bytes,
    acting: Bytes,
    score: Floats,
    begin: int,
    end: int,
) -> None:
    """Writes all that is seen anew. int64[n, 12], int64[n, 5], int8[n] × 3, float32[n, 2], filled, int64 × 2."""
    for index in range(begin, end):
        board = tables[index]
        _show_board(board, public, PUBLIC * index)
        _show_turn(board, public, PUBLIC * index)
        _show_opening(board, public, PUBLIC * index)
        for atom in range(2 * ATOMS):
            mask[2 * ATOMS * index + atom] = 0
        _show_masks(board, targets, mask, acting, index)
        for seat in range(2):
            score[index, seat] = board[WINNER] == seat


@bare
def reset_range(tables: Words, start: Words, chosen: Bytes, begin: int, end: int) -> None:
    """Sets the chosen games to the start. int64[n, 12], filled, int64[12], int8[n], int64 × 2."""
    for index in range(begin, end):
        if chosen[index]:
            for word in range(len(start)):
                tables[index, word] = start[word]


@inlined
def _begin(board: Words, start: Words, public: Bytes, at: int) -> None:
    for word in range(len(start)):
        board[word] = start[word]
    _show_board(board, public, at)


@bare
def _end(board: Words, winner: int, kind: int, reward: Floats, index: int, illegal: Bytes) -> None:
    """Writes the rewards of a game that has just ended; the seat of an illegal move gets -1."""
    board[OVER] = 1
    board[WINNER] = winner
    for seat in range(2):
        if winner <= _ILLEGAL:
            illegal[index] = 3 + winner
            reward[index, seat] = -1.0 if seat == 3 + winner else 0.0
        else:
            lost = -1.0 if kind == _LEAD else 0.0
            reward[index, seat] = 1.0 if seat == winner else lost


@inlined
def _play(
    board: Words,
    targets: Words,
    actions: Actions,
    index: int,
    check: int,
    public: Bytes,
    at: int,
) -> int:
    """Makes the move of the seat to move; returns the winner, -1 for none, less for an illegal move. … → int64."""
    seat = 1 if board[KEY] < 0 else 0
    atom = int(actions[index, seat])
    if check and not is_legal(board, targets, index, atom):
        return _ILLEGAL - (1 - seat)
    if check and actions[index, 1 - seat] != NOTHING:
        return _ILLEGAL - seat
    _move(board, atom, public, at)
    if board[CROSSED] != 0:
        return 0
    return 1 if board[KEY] >= 0 and movable_files(board) == 0 else -1


@bare
def step_range(
    tables: Words,
    targets: Words,
    start: Words,
    actions: Actions,
    public: Bytes,
    mask: Bytes,
    acting: Bytes,
    reward: Floats,
    score: Floats,
    terminated: Bytes,
    illegal: Bytes,
    last_public: Bytes,
    last_score: Floats,
    kind: int,
    autoreset: int,
    check: int,
    begin: int,
    end: int,
) -> None:
    """Plays one step of each game. See `stampede.lab.vector` for what the arrays mean.

    int64[n, 12], int64[n, 5], int64[12], int16[n, 2], int8[n] × 3, float32[n, 2] × 2, int8[n] × 3, float32[n, 2], then
    int64: the kind of reward, the mode of autoreset, whether an illegal action ends a game, and the range.
    """
    for index in range(begin, end):
        board = tables[index]
        at = PUBLIC * index
        if terminated[index]:
            reward[index, 0] = 0.0
            reward[index, 1] = 0.0
        illegal[index] = -1
        if board[OVER]:
            if autoreset != _NEXT_STEP:
                continue
            _begin(board, start, public, at)
            score[index, 0] = 0.0
            score[index, 1] = 0.0
            terminated[index] = 0
        else:
            terminated[index] = 0
            winner = _play(board, targets, actions, index, check, public, at)
            if winner != -1:
                terminated[index] = 1
                _end(board, winner, kind, reward, index, illegal)
                score[index, 0] = winner == 0
                score[index, 1] = winner == 1
                if autoreset == _SAME_STEP:
                    _show_turn(board, public, at)
                    for part in range(PUBLIC):
                        last_public[at + part] = public[at + part]
                    for side in range(2):
                        last_score[index, side] = score[index, side]
                        score[index, side] = 0.0
                    _begin(board, start, public, at)
        _show_turn(board, public, at)
        _show_masks(board, targets, mask, acting, index)


assert NEAR == FIRST + PLACES
assert DOG_TO == CHIEF_TO + PLACES
