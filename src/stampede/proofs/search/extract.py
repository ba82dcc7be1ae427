"""Reading a proof out of the memory: the winner's answer to everything that the loser can do (compiled)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.generate import generate_buffalo, generate_hunter
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import KEY, TO
from stampede.kernels.buffalo.make import make_buffalo, make_hunter, unmake
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.search.dfpn import Workspace, facts, judge, same_key
from stampede.proofs.search.transposition import BITS, NEVER, TranspositionTable, recall
from stampede.tablebase.windows import Recognisers, recognise

__all__ = ["DONE", "FULL", "Found", "collect", "new_found"]

DONE: Final = 0
FULL: Final = 1
MISSING: Final = 2
_WORK: Final = 2 * BITS
_FACTOR: Final = 0x1E3779B97F4A7C15

_COUNT, _WAITING, _MISSING = range(3)


class Found(NamedTuple):
    """A proof that grows: its entries, the positions that still need one, and a set of those that were seen.

    Attributes:
        keys: Positions with the winner to move.
        moves: His answer.
        by: The number of the window that recognises the position after it, or 0.
        waiting: Positions that need an entry, a stack.
        seen: A hash set of keys.
        counts: How many entries there are and how many wait; the position whose proof the memory has lost.
    """

    keys: Words
    moves: Words
    by: Words
    waiting: Words
    seen: Words
    counts: Words


def new_found(room_for: int) -> Found:
    """An empty proof with room for so many entries."""
    size = 1 << (2 * room_for).bit_length()
    lists: list[npt.NDArray[np.int64]] = [np.zeros(room_for, dtype=np.int64) for _ in range(3)]
    return Found(
        lists[0],
        lists[1],
        lists[2],
        np.zeros(4 * room_for + 1024, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


@inlined
def _is_new(found: Found, key: int) -> bool:
    """Adds a key to those that were seen; whether it wasn't among them."""
    mask = len(found.seen) - 1
    at = ((key ^ (key >> 29)) * _FACTOR >> 20) & mask
    while found.seen[at] != 0:
        if found.seen[at] == key:
            return False
        at = (at + 1) & mask
    found.seen[at] = key
    return True


@kernel
def _wait(found: Found, key: int) -> bool:
    """Notes a position that needs an entry; False when there is no room for it."""
    if found.counts[_WAITING] >= len(found.waiting):
        return False
    if _is_new(found, key):
        found.waiting[found.counts[_WAITING]] = key
        found.counts[_WAITING] += 1
    return True


@kernel
def _answer(
    room: Workspace, known: Recognisers, memory: TranspositionTable, width: int, hunter: int
) -> int:
    """The mover's best proven move in the board's position, or 0: one that ends the proof, else the cheapest."""
    board, moves = room.board, room.moves[0]
    count = generate_hunter(board, moves, 0) if hunter else generate_buffalo(board, moves, 0)
    best, least = 0, 1 << 60
    shift = 0 if hunter else BITS
    for index in range(count):
        move = moves[index]
        if hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_hunter(board, move) if hunter else make_buffalo(board, move)
        value = judge(board, known, room.values)
        cost = 1 << 60
        if (value >> shift) & NEVER == 0:
            cost = 0
            if hunter:
                cost = recognise(board, known)
        else:
            value = recall(memory, same_key(board[KEY], width))
            if value >= 0 and (value >> shift) & NEVER == 0:
                cost = (1 << 20) + (value >> _WORK)
        unmake(board, move, before)
        if cost < least:
            best, least = move, cost
    return best


@kernel
def _replies(room: Workspace, width: int, found: Found, hunter: int) -> bool:
    """Notes what the loser can do in the board's position, unless it is decided at sight; False without room."""
    board, moves = room.board, room.moves[1]
    count = generate_buffalo(board, moves, 0) if hunter else generate_hunter(board, moves, 0)
    for index in range(count):
        move = moves[index]
        if not hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_buffalo(board, move) if hunter else make_hunter(board, move)
        needed = hunter or facts(board) <= 0
        key = same_key(board[KEY], width)
        unmake(board, move, before)
        if needed and not _wait(found, key):
            return False
    return True


@kernel
def collect(
    key: int,
    room: Workspace,
    known: Recognisers,
    memory: TranspositionTable,
    width: int,
    hunter: int,
    found: Found,
) -> int:
    """Adds the proof of a position to those found, or goes on with it when the key is 0.

    `hunter`: 1 when he is the winner, else 0. Returns DONE, FULL when there is no room, or MISSING: found.counts[2]
    is a position whose proof must be searched again.
    """
    board = room.board
    if key != 0:
        unpack(key, board)
        if (board[KEY] < 0) == (hunter != 0):
            if not _wait(found, same_key(key, width)):
                return FULL
        elif not (hunter and recognise(board, known)) and not _replies(room, width, found, hunter):
            return FULL
    while found.counts[_WAITING] > 0:
        if found.counts[_COUNT] >= len(found.keys):
            return FULL
        position = found.waiting[found.counts[_WAITING] - 1]
        unpack(position, board)
        move = _answer(room, known, memory, width, hunter)
        if move == 0:
            found.counts[_MISSING] = position
            return MISSING
        found.counts[_WAITING] -= 1
        if hunter:
            make_hunter(board, move)
        else:
            make_buffalo(board, move)
        by = recognise(board, known) if hunter else 0
        at = found.counts[_COUNT]
        found.keys[at], found.moves[at], found.by[at] = position, move, by
        found.counts[_COUNT] += 1
        decided = by != 0 or facts(board) == (-1 if hunter else 1)
        if not decided and not _replies(room, width, found, hunter):
            return FULL
    return DONE
