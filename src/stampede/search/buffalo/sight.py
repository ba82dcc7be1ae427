"""Players at first sight on kernels: the low levels of Buffalo (`stampede.bots.buffalo.sight`) for many games at once.

A second copy, for environments: it takes microseconds for a move where the readable one takes milliseconds. A test
compares their judgements. Positions are keys (`stampede.kernels.buffalo.layout`), as the evaluation reads them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first
from stampede.kernels.buffalo.keys import pack_dogs, unpack
from stampede.kernels.buffalo.layout import (
    CHIEF_AT,
    CROSSED,
    DOGS_AT,
    FILE_BITS,
    KEY,
    SQUARE_BITS,
    TO,
)
from stampede.kernels.buffalo.lookups import FIRST, PLACES, WIDTH, Words
from stampede.kernels.buffalo.make import make
from stampede.kernels.buffalo.vector.layout import CHIEF_TO, OVER
from stampede.kernels.buffalo.vector.step import hunter_targets, movable_files
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.search.buffalo.evaluate import evaluate

__all__ = ["BLUR", "FAVOURS", "IDEAS", "OVERLOOKS", "judge_key", "sight_moves"]

BLUR: Final = 0
OVERLOOKS: Final = 1
FAVOURS: Final = 2
IDEAS: Final = 3
"""Where a taste holds what: float64[4], the attributes of `stampede.bots.buffalo.sight.Sight`."""

_WIN: Final = 20_000.0
_THREAT: Final = 2_000.0
_RANK = (1 << FILE_BITS) - 1
_SQUARE = (1 << SQUARE_BITS) - 1
_ALL_DOGS = ((1 << (4 * SQUARE_BITS)) - 1) << DOGS_AT
_TOP_RANK = PLACES - WIDTH
"""The first square of rank 6."""
_FRACTION = 2.0**-53
_TO_FRACTION = np.uint64(11)


@kernel
def judge_key(space: Words, key: int) -> float:
    """How good a position looks for the buffalo side, in hundredths. The search's memory, int64 → float64."""
    chief = (key >> CHIEF_AT) & _SQUARE
    hunter_moves = key < 0
    is_deep = chief // WIDTH <= 1
    threats = 0
    for file in range(WIDTH):
        rank = (key >> (FILE_BITS * file)) & _RANK
        if rank == 1:
            return _WIN
    for file in range(WIDTH):
        rank = (key >> (FILE_BITS * file)) & _RANK
        if rank not in (2, 3):
            continue
        is_near = is_deep and abs(file - chief % WIDTH) <= 1
        if rank == 2 and not (hunter_moves and is_near):
            return _WIN - 1
        if rank == 3 and not is_near and not _stands_on(key, file):
            threats += 1
    worth = float(evaluate(space, key))
    if hunter_moves:
        worth = -worth
    return worth + _THREAT if threats > (1 if hunter_moves else 0) else worth


@kernel
def _stands_on(key: int, square: int) -> bool:
    """Whether the chief or a dog stands on a square of rank 2. int64 × 2 → bool."""
    for number in range(5):
        if (key >> (CHIEF_AT + SQUARE_BITS * number)) & _SQUARE == square:
            return True
    return False


@kernel
def _gauss(rng: RngState) -> float:
    """A draw from the normal distribution, by the method of Box and Muller. uint64[1], changed → float64."""
    one = (float(draw(rng) >> _TO_FRACTION) + 0.5) * _FRACTION
    other = float(draw(rng) >> _TO_FRACTION) * _FRACTION
    distance: float = np.sqrt(-2.0 * np.log(one)) * np.cos(2.0 * np.pi * other)
    return distance


@kernel
def _list_atoms(board: Words, atoms: npt.NDArray[np.int16]) -> int:
    """Lists the legal moves of a board as atoms. int64[12], int16[96], filled → int64, how many."""
    count = 0
    if board[KEY] >= 0:
        files = movable_files(board)
        while files:
            atoms[count] = first(files)
            files &= files - 1
            count += 1
        return count
    for piece in range(5):
        targets = hunter_targets(board, piece)
        while targets:
            atoms[count] = CHIEF_TO + PLACES * piece + first(targets)
            targets &= targets - 1
            count += 1
    return count


@kernel
def _after(board: Words, atom: int, after: Words) -> None:
    """Makes a move on a copy of a board. int64[12], int64, int64[12], filled."""
    for word in range(len(board)):
        after[word] = board[word]
    key = board[KEY]
    if key >= 0:
        start = WIDTH * (((key >> (FILE_BITS * atom)) & _RANK) - 1) + atom
        end = start - WIDTH
    else:
        piece, target = (atom - CHIEF_TO) // PLACES, (atom - CHIEF_TO) % PLACES
        # The key lists the chief, then the dogs by their squares, as atoms number them.
        start = FIRST + ((key >> (CHIEF_AT + SQUARE_BITS * piece)) & _SQUARE)
        end = FIRST + target
    make(after, start | end << TO)


@kernel
def _overlook(key: int, start: int, end: int) -> int:
    """The position without the other side's piece that is farthest from both files of a move: a key.

    int64 × 3 → int64.
    """
    far, most = -1, -1
    if key < 0:
        # A dog that isn't seen might as well stand behind every buffalo that has set out.
        for number in range(4):
            dog = (key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE
            distance = min(abs(dog % WIDTH - start), abs(dog % WIDTH - end))
            if distance > most:
                far, most = number, distance
        unseen = (key >> (DOGS_AT + SQUARE_BITS * far)) & _SQUARE
        dogs = 0
        for number in range(4):
            if number != far:
                dogs |= 1 << ((key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE)
        away = _TOP_RANK + unseen % WIDTH
        dogs |= 1 << (unseen if (dogs >> away) & 1 else away)
        return (key & ~_ALL_DOGS) | pack_dogs(dogs)
    left = 0
    for file in range(WIDTH):
        if (key >> (FILE_BITS * file)) & _RANK:
            left += 1
            distance = min(abs(file - start), abs(file - end))
            if distance > most:
                far, most = file, distance
    return key if left < 2 else key & ~(_RANK << (FILE_BITS * far))


@kernel
def _leading_rank(key: int) -> int:
    """The rank of the leading buffalo whose way no dog blocks; more than any rank if there is none. int64 → int64."""
    leader = _RANK + 1
    for file in range(WIDTH):
        rank = (key >> (FILE_BITS * file)) & _RANK
        is_free = rank > 0
        for number in range(4):
            dog = (key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE
            if dog % WIDTH == file and dog // WIDTH + 2 < rank:
                is_free = False
        if is_free:
            leader = min(leader, rank)
    return leader


@kernel
def _nearest(key: int, place: int) -> int:
    """The steps from a square of the prairie to the nearest buffalo elsewhere. int64 × 2 → int64."""
    least = 0
    for file in range(WIDTH):
        rank = (key >> (FILE_BITS * file)) & _RANK
        if rank:
            steps = max(abs(file - place % WIDTH), abs(rank - 2 - place // WIDTH))
            if steps and (steps < least or not least):
                least = steps
    return least


@kernel
def _think_through(
    space: Words, key: int, side: int, boards: Words, atoms: npt.NDArray[np.int16]
) -> float:
    """What a move is worth to its side after the answer that looks best and its own next move.

    The search's memory, a key, 1 or -1 for the hunter, int64[4, 12] and int16[3, 96] to work in → float64.
    """
    before, answered, after = boards[1], boards[2], boards[3]
    before[:] = 0
    unpack(key, before)
    best, reply = -3 * _WIN, -1
    for number in range(_list_atoms(before, atoms[1])):
        _after(before, atoms[1, number], after)
        worth = -side * judge_key(space, after[KEY])
        if worth > best:
            best, reply = worth, int(atoms[1, number])
    if reply < 0:
        return side * judge_key(space, key)
    _after(before, reply, answered)
    best = -3 * _WIN
    if not answered[CROSSED]:
        for number in range(_list_atoms(answered, atoms[2])):
            _after(answered, atoms[2, number], after)
            best = max(best, side * judge_key(space, after[KEY]))
    return best if best > -3 * _WIN else side * judge_key(space, answered[KEY])


@kernel
def _choose(
    space: Words,
    table: Words,
    taste: npt.NDArray[np.float64],
    rng: RngState,
    boards: Words,
    atoms: npt.NDArray[np.int16],
    worths: npt.NDArray[np.float64],
    keys: Words,
) -> int:
    """The atom that looks best; one that wins at once is never missed. … → int64."""
    side = 1 if table[KEY] >= 0 else -1
    careless = (draw(rng) >> _TO_FRACTION) * _FRACTION < taste[OVERLOOKS]
    count = _list_atoms(table, atoms[0])
    leader = _leading_rank(table[KEY])
    for number in range(count):
        atom, after = int(atoms[0, number]), boards[0]
        _after(table, atom, after)
        if after[CROSSED] or (side < 0 and movable_files(after) == 0):
            return atom
        start, end = atom, atom
        favourite = (table[KEY] >> (FILE_BITS * (atom % WIDTH))) & _RANK == leader
        if side < 0:
            piece, end = (atom - CHIEF_TO) // PLACES, (atom - CHIEF_TO) % PLACES
            start = (table[KEY] >> (CHIEF_AT + SQUARE_BITS * piece)) & _SQUARE
            favourite = piece == 0 and _nearest(table[KEY], end) < _nearest(table[KEY], start)
        seen = _overlook(after[KEY], start % WIDTH, end % WIDTH) if careless else after[KEY]
        keys[number] = seen
        worths[number] = side * judge_key(space, seen) + taste[BLUR] * _gauss(rng)
        worths[number] += taste[FAVOURS] if favourite else 0.0
    ideas = int(taste[IDEAS])
    if ideas == 0:
        return int(atoms[0, np.argmax(worths[:count])])
    best, chosen = -3 * _WIN, 0
    for _ in range(min(ideas, count)):
        idea = np.argmax(worths[:count])
        worths[idea] = -4 * _WIN
        thought = _think_through(space, keys[idea], side, boards, atoms)
        thought += taste[BLUR] * _gauss(rng)
        if thought > best:
            best, chosen = thought, int(atoms[0, idea])
    return chosen


@kernel
def sight_moves(
    space: Words,
    tables: Words,
    seat: int,
    taste: npt.NDArray[np.float64],
    rng: RngState,
    actions: npt.NDArray[np.int16],
) -> None:
    """Writes a seat's atom in all games in which it is to move.

    The search's memory, int64[n, 12], int64, float64[4], uint64[1], changed, int16[n, 2], filled.
    """
    boards = np.zeros((4, tables.shape[1]), dtype=np.int64)
    atoms = np.zeros((3, 96), dtype=np.int16)
    worths, keys = np.zeros(96), np.zeros(96, dtype=np.int64)
    for index in range(len(tables)):
        table = tables[index]
        if not table[OVER] and (table[KEY] < 0) == (seat == 1):
            actions[index, seat] = _choose(space, table, taste, rng, boards, atoms, worths, keys)
