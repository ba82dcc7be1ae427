"""The check: each position's answer is legal and leaves the loser nothing that isn't answered, too.

**Why this is a proof.** Every step of a buffalo, and every buffalo that is left out, lowers the number of steps that
the buffaloes still have before them. So no game repeats a position or goes on for ever, and it is enough to check one
position at a time. If the hunter wins: after the answer each move of the buffalo side leads to a position of the
file, or a recogniser says that the hunter wins. If the buffalo side wins: after its answer each move of the hunter
does so. By induction over the remaining steps the winner wins every position of the file.

The winner wins with the moves that the file names, so the winner's other moves don't matter. Only the loser's moves
must be complete. Positions and their mirror images are the same.

**Recognisers** are tablebases laid over part of the board. A tablebase covers a game on some adjacent columns, a
window, against a hunter who keeps to some squares. Let the buffalo side be to move, let the chief and n dogs be in
the window, and let every buffalo of another column be held by a dog of its own column. Then the hunter answers moves
in the window there, and each other move with the dog that holds that buffalo: one answer to one move. Neither leaves
its columns, so neither is in the other's way, and the tablebase's result holds for the whole board. When no buffalo
of the window can move any more, those outside run out of moves, too. Guards of the window never move, nor do the
buffaloes right behind them; the tablebase's game has both in the way of everything else.

**Endgames.** If the buffalo side wins, an answer may name one to three files instead of leaving replies to the file:
after it the buffaloes of these files win by themselves, so all do. `endgame_solver` decides whether that is true.

Beside these only facts of the rules are used: `wins_at_once`, `cannot_be_stopped`, and the two endings of B3.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.jit import kernel
from stampede.proofs.certificates.board import (
    BOARD,
    BUFFALO,
    CHIEF,
    DOGS,
    FIRST,
    OCCUPIED,
    WIDTH,
    Words,
    cannot_be_stopped,
    canonical,
    from_file_order,
    hunter_can,
    is_free,
    is_position,
    mirrored,
    move_hunter,
    pack,
    take_back,
    wins_at_once,
)

__all__ = [
    "FAULTS",
    "HELD",
    "NOT_HELD",
    "NOT_LIVE",
    "NO_CHIEF",
    "OTHER_DOGS",
    "RANK_TWO",
    "check_buffalo",
    "check_hunter",
    "find",
    "recognise",
    "replies_missing",
]

APPLIES: Final = 0
NO_CHIEF, OTHER_DOGS, RANK_TWO, NOT_HELD, NOT_LIVE = range(7, 12)
"""Why a recogniser doesn't apply; FAULTS has the messages."""


def _holds(row: int, dog: int, last: int) -> bool:
    """Whether a dog on row `dog`, ahead of a buffalo on `row`, holds it with moves on rows up to `last`.

    Rows count from the near bank, 0, to the prairie's last, 5. Directly ahead the dog blocks. Otherwise the buffalo
    steps and the dog must move, as passing isn't allowed; it may go anywhere ahead of the buffalo.
    """
    if dog == row + 1:
        return True
    return any(_holds(row + 1, to, last) for to in range(row + 2, last + 1) if to != dog)


HELD: Final = np.array(
    [
        [[row < dog <= last and _holds(row, dog, last) for last in range(6)] for dog in range(6)]
        for row in range(6)
    ]
)
"""By the buffalo's row, its dog's row and the last row that is free for the dog: whether it is held. bool[6, 6, 6]."""


@kernel
def recognise(board: Words, width: int, window: Words, question: Words) -> int:
    """Turns a position with the buffalo side to move into a question to a tablebase; returns APPLIES or a fault.

    window int64[7]: tablebase, first column, mirrored, columns, dogs, live columns as a set, guards as a set of cells.
    question int64[4]: tablebase, state, dogs as a set of cells, the chief's cell; see `window_solver`.
    """
    first, columns = window[1], window[3]
    flip = window[2] * (columns - 1)
    turn = 1 - 2 * window[2]
    dogs, guarded, count = 0, 0, 0
    for piece in range(CHIEF, DOGS + 4):
        column = board[piece] % WIDTH - first
        inside = 0 <= column < columns
        cell = (4 - board[piece] // WIDTH) * columns + flip + turn * column
        if piece == CHIEF:
            if not inside:
                return NO_CHIEF
            question[3] = cell
        elif inside and window[6] >> cell & 1:
            guarded |= 1 << cell
            behind = board[piece] // WIDTH + 3  # a rank; the guard's is one lower
            if board[board[piece] % WIDTH] != behind:
                return NOT_SEALED
        elif inside:
            dogs |= 1 << cell
            count += 1
    if guarded != window[6]:
        return NOT_SEALED
    if count != window[4]:
        return OTHER_DOGS
    for file in range(width):
        if board[file] == 2:
            return RANK_TWO
        if board[file] != 0 and not first <= file < first + columns and not _is_held(board, file):
            return NOT_HELD
    state, power = 0, 1
    for column in range(columns):
        rank = board[first + flip + turn * column]
        if window[5] >> column & 1:
            state += power * (7 - rank if rank else 5)
            power *= 6
        elif rank and not _is_sealed(window[6], columns, column):
            return NOT_LIVE
    question[0], question[1], question[2] = window[0], state, dogs
    return APPLIES


@kernel
def _is_sealed(guards: int, columns: int, column: int) -> bool:
    """Whether a column of the window has a guard."""
    for row in range(5):
        if guards >> row * columns + column & 1:
            return True
    return False


@kernel
def _is_held(board: Words, file: int) -> bool:
    """Whether a dog of the same column holds the file's buffalo, whatever happens elsewhere."""
    row = 7 - board[file]
    nearest, next_one = 6, 6
    for dog in range(DOGS, DOGS + 4):
        if board[dog] % WIDTH == file:
            ahead = 5 - board[dog] // WIDTH
            if row < ahead < nearest:
                next_one = nearest
                nearest = ahead
            elif row < ahead < next_one:
                next_one = ahead
    return nearest < 6 and HELD[row, nearest, next_one - 1]


FAULTS: Final = (
    "",
    "this is no position of the game",
    "expected the smaller of the position and its mirror image",
    "the answer breaks the rules",
    "after the answer a buffalo crosses the river",
    "a reply to the answer is missing in the file",
    "there is no recogniser of this number",
    "the recogniser doesn't apply: the chief is outside its window",
    "the recogniser doesn't apply: another number of dogs stands in its window",
    "the recogniser doesn't apply: a buffalo stands on rank 2",
    "the recogniser doesn't apply: a buffalo outside the window isn't held by a dog",
    "the recogniser doesn't apply: a buffalo stands in a column where its tablebase has none",
    "the position without this buffalo is missing in the file",
    "expected an endgame of a few buffaloes on ranks 3 to 7 after the answer, got other files",
    "the recogniser doesn't apply: a guard, or the buffalo right behind it, isn't on its square",
)
"""The messages of faults, by the code that the check returns."""
NONE, NO_POSITION, NOT_CANONICAL, ILLEGAL, CROSSES, MISSING, NO_RECOGNISER = range(7)
NOT_LEFT_OUT, NO_ENDGAME, NOT_SEALED = 12, 13, 14

FILE_STEP: Final = (0, 1, 1, 1, 0, -1, -1, -1)
RANK_STEP: Final = (1, 1, 0, -1, -1, -1, 0, 1)


# --- looking up a position in the file ---


@kernel
def find(keys: Words, groups: Words, starts: Words, shift: int, key: int) -> bool:
    """Whether a key is among the file's ascending keys.

    Groups are the different values of key >> shift, in order, and `starts` says where each begins: all replies to
    one answer fall into few groups, so that the second search is short and the memory that it reads is warm.
    """
    low, high = 0, len(groups)
    group = key >> shift
    while low < high:
        middle = (low + high) >> 1
        if groups[middle] < group:
            low = middle + 1
        else:
            high = middle
    if low == len(groups) or groups[low] != group:
        return False
    low, high = starts[low], starts[low + 1]
    end = high
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and keys[low] == key)


# --- the hunter wins ---


@kernel
def replies_missing(board: Words, width: int, keys: Words, groups: Words, starts: Words) -> int:
    """Buffalo side to move: NONE when each of its moves leads to a position of the file, else a fault."""
    key = pack(board)
    mirror = mirrored(key, width)
    for file in range(width):
        if board[file] == 2:
            return CROSSES
        if board[file] != 0 and is_free(board, file):
            reply = min(key - (1 << 3 * file), mirror - (1 << 3 * (width - 1 - file)))
            if not find(keys, groups, starts, 33, reply):
                return MISSING
    return NONE


@kernel
def check_hunter(
    block: Words,
    moves: Words,
    by: Words,
    width: int,
    windows: Words,
    keys: Words,
    groups: Words,
    starts: Words,
    questions: Words,
    fault: Words,
) -> int:
    """Checks a block of positions with the hunter to move; returns the number of questions to tablebases that remain.

    questions int64[≥ len(block), 5]: as in `recognise`, then the position's index in the block.
    fault int64[2]: index and code of the first fault; the code stays 0 when there is none.
    """
    board = np.zeros(BOARD, dtype=np.int64)
    count = 0
    for index in range(len(block)):
        key = block[index]
        code = NONE
        start, end = (moves[index] & 127) - FIRST, (moves[index] >> 7) - FIRST
        if not is_position(key, width, board):
            code = NO_POSITION
        elif key > mirrored(key, width):
            code = NOT_CANONICAL
        elif not hunter_can(board, start, end, width):
            code = ILLEGAL
        elif by[index] > len(windows):
            code = NO_RECOGNISER
        else:
            move_hunter(board, start, end)
            if by[index] == 0:
                code = replies_missing(board, width, keys, groups, starts)
            else:
                code = recognise(board, width, windows[by[index] - 1], questions[count])
                questions[count, 4] = index
                count += 1
        if code != NONE:
            fault[0], fault[1] = index, code
            break
    return count


# --- the buffalo side wins ---


@kernel
def hunter_escapes(board: Words, width: int, keys: Words, groups: Words, starts: Words) -> bool:
    """Hunter to move: whether some move leads to a position that is neither decided nor in the file."""
    if cannot_be_stopped(board):
        return False
    for piece in range(CHIEF, DOGS + 4):
        start = board[piece]
        for direction in range(8):
            for count in range(1, 2 if piece == CHIEF else WIDTH):
                file = start % WIDTH + count * FILE_STEP[direction]
                row = start // WIDTH + count * RANK_STEP[direction]
                end = row * WIDTH + file
                if not (0 <= file < width and 0 <= row < 5) or not hunter_can(
                    board, start, end, width
                ):
                    break
                captured = move_hunter(board, start, end)
                known = wins_at_once(board) or find(
                    keys, groups, starts, 30, canonical(pack(board), width, BUFFALO)
                )
                take_back(board, start, end, captured)
                if not known:
                    return True
    return False


@kernel
def ask_endgame(board: Words, width: int, files: int, most: int, question: Words) -> bool:
    """Turns a position with the hunter to move into a question about the buffaloes of some files.

    Returns False when these aren't one to `most` buffaloes on ranks 3 to 7. question int64[4]: 0, the buffaloes' ranks,
    the dogs as a set, the chief's square; see `endgame_solver`.
    """
    count, ranks, dogs = 0, 0, 0
    for file in range(WIDTH):
        if files >> file & 1:
            if board[file] < 3:
                return False
            ranks |= board[file] << 3 * file
            count += 1
    for dog in range(DOGS, DOGS + 4):
        dogs |= 1 << board[dog] // WIDTH * width + board[dog] % WIDTH
    question[0], question[1], question[2] = 0, ranks, dogs
    question[3] = board[CHIEF] // WIDTH * width + board[CHIEF] % WIDTH
    return 1 <= count <= most and files >> WIDTH == 0


@kernel
def check_buffalo(
    block: Words,
    moves: Words,
    by: Words,
    width: int,
    most: int,
    keys: Words,
    groups: Words,
    starts: Words,
    questions: Words,
    fault: Words,
) -> int:
    """Checks a block of positions with the buffalo side to move; returns the number of questions that remain.

    `most` is the maximum number of files that an answer may name. `questions` as in `ask_endgame`, then the position's
    index in the block; `fault` as in `check_hunter`.
    """
    board = np.zeros(BOARD, dtype=np.int64)
    count = 0
    for index in range(len(block)):
        key = from_file_order(block[index], BUFFALO)
        start, end = moves[index] & 127, moves[index] >> 7
        file, rank = start % WIDTH, start // WIDTH + 1
        code = NONE
        if not is_position(key, width, board):
            code = NO_POSITION
        elif block[index] != canonical(key, width, BUFFALO):
            code = NOT_CANONICAL
        elif rank != board[file] or rank < 2 or (end != start and end != start - WIDTH):
            code = ILLEGAL
        elif by[index] != 0 and most == 0:
            code = NO_RECOGNISER
        elif by[index] != 0 and (end == start or rank == 2):
            code = NO_ENDGAME
        elif end == start:
            board[file] = 0
            if rank < 7:
                board[OCCUPIED] &= ~(1 << (start - FIRST))
            key = canonical(pack(board), width, BUFFALO)
            if not wins_at_once(board) and not find(keys, groups, starts, 30, key):
                code = NOT_LEFT_OUT
        elif rank > 2:
            if not is_free(board, file):
                code = ILLEGAL
            else:
                board[file] = rank - 1
                board[OCCUPIED] |= 1 << (end - FIRST)
                if rank < 7:
                    board[OCCUPIED] &= ~(1 << (start - FIRST))
                if by[index] != 0:
                    if not ask_endgame(board, width, by[index], most, questions[count]):
                        code = NO_ENDGAME
                    questions[count, 4] = index
                    count += 1
                elif hunter_escapes(board, width, keys, groups, starts):
                    code = MISSING
        if code != NONE:
            fault[0], fault[1] = index, code
            break
    return count
