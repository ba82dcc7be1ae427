"""Recognising wins of the buffalo side (compiled): some few of its buffaloes win, so all of them do.

**An extra buffalo never hurts its side.** Take buffaloes that win, and add one in another column. The buffalo side
steps as before and ignores it: a step is blocked by dogs and the chief only, and those stand where they would. The
hunter gets no move that it didn't have: the extra buffalo only closes lines of the dogs, and a chief that captures it
goes where it could have gone without it. So every game that the hunter can play is one that it could play without the
extra buffalo, and loses. (The hunter always has a move, B3.3.)
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.bits import first
from stampede.kernels.buffalo.layout import CHIEF, DOGS, FILE_BITS, KEY
from stampede.kernels.buffalo.lookups import PLACES, WIDTH, Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.endgames.endgame import Endgame
from stampede.tablebase.endgames.placements import number_placement
from stampede.tablebase.endgames.rows import BLOCK, Bytes, row_set
from stampede.tablebase.endgames.spec import LOWEST_RANK, RANKS

__all__ = ["EndgameRecogniser", "make_endgame_recogniser", "recognise_endgame"]

_RANK: Final = (1 << FILE_BITS) - 1
_HALF: Final = (1 << 32) - 1


class EndgameRecogniser(NamedTuple):
    """An endgame tablebase as kernels take it, or none.

    Attributes:
        buffaloes: The maximum number of buffaloes; 0 when there is no tablebase.
        blocks: The number of blocks of a row.
        where: By state: 1 + the word at which its row begins, or 0. int64[states].
        rows: The rows. uint8[bytes].
        states: By size and number of a set of columns: its first state, or that of its mirror image if that is stored,
            then negative and one less. int64[4, sets].
        binomials: By k and n: C(n, k). int64[6, squares + 1].
        squares: By prairie square of the kernels: the tablebase's square, and its mirror image's. int64[2, 55].
    """

    buffaloes: int
    blocks: int
    where: Words
    rows: Bytes
    states: Words
    binomials: Words
    squares: Words


def make_endgame_recogniser(endgame: Endgame | None, width: int = WIDTH) -> EndgameRecogniser:
    """Prepares an endgame tablebase, or none, for a board of this width.

    Raises:
        InputError: The tablebase is for another board.
    """
    if endgame is None:
        nothing = np.zeros(1, dtype=np.int64)
        square = np.zeros((1, 1), dtype=np.int64)
        return EndgameRecogniser(0, 0, nothing, nothing.view(np.uint8), square, square, square)
    spec = endgame.spec
    if (spec.columns, spec.dogs) != (width, 4):
        raise InputError(f"expected an endgame tablebase of {width} columns and 4 dogs, got {spec}")
    sets = len(spec.numbered_sets(spec.buffaloes))
    states = np.zeros((4, max(sets, *(len(spec.numbered_sets(n)) for n in range(1, 4)))), np.int64)
    for count in range(1, spec.buffaloes + 1):
        for number, columns in enumerate(spec.numbered_sets(count)):
            stored = spec.stored_set(columns)
            begin = spec.first_state(stored)
            states[count, number] = begin if stored == columns else -1 - begin
    squares = np.zeros((2, PLACES), dtype=np.int64)
    for square_number in range(PLACES):
        rank, file = divmod(square_number, WIDTH)
        if file < width:
            squares[0, square_number] = rank * width + file
            squares[1, square_number] = rank * width + width - 1 - file
    return EndgameRecogniser(
        spec.buffaloes,
        -(-spec.placements // BLOCK),
        endgame.where,
        endgame.rows,
        states,
        endgame.prairie.binomials,
        squares,
    )


@inlined
def _placement(endgame: EndgameRecogniser, dogs: int, turned: int) -> int:
    """The number of the dogs' placement, as it is or in the mirror."""
    squares, rest = 0, dogs
    while rest:
        squares |= 1 << endgame.squares[turned, first(rest)]
        rest &= rest - 1
    return number_placement(endgame.binomials, squares)


@kernel
def _is_won(
    endgame: EndgameRecogniser,
    first_state: int,
    digits: int,
    reverse: int,
    places: int,
    chiefs: int,
) -> bool:
    """Whether a state wins; of a set that isn't stored, the mirrored one.

    `digits` is the state's number within its set, `reverse` that of its mirror image. `places` and `chiefs` hold the
    numbers of the dogs' placement and the chief's square in their low half, and those in the mirror in the high half.
    """
    if first_state < 0:
        first_state, digits = -1 - first_state, reverse
        places >>= 32
        chiefs >>= 32
    base = endgame.where[first_state + digits]
    if base == 0:
        return False
    squares = row_set(endgame.rows, 8 * (base - 1), endgame.blocks, places & _HALF)
    return (squares >> (chiefs & _HALF)) & 1 != 0


@kernel
def recognise_endgame(board: Words, endgame: EndgameRecogniser, file: int) -> int:
    """The set of files whose buffaloes win by themselves, as bits; 0 when none of them is known to.

    int64[6], EndgameRecogniser, int64 → int64. The hunter must be to move. With a file from 0 on, only sets with it are
    tried: after a step of its buffalo another set wins only if one of its own steps had won, as there is no zugzwang.
    """
    if endgame.buffaloes == 0:
        return 0
    key = board[KEY]
    known, count = 0, 0
    for at in range(WIDTH):
        if (key >> (FILE_BITS * at)) & _RANK >= LOWEST_RANK:
            known |= 1 << at
            count += 1
    size = min(count, endgame.buffaloes)
    if size == 0 or (file >= 0 and (known >> file) & 1 == 0):
        return 0
    wanted = known if file < 0 else 1 << file
    dogs, chief = board[DOGS], board[CHIEF]
    places = _placement(endgame, dogs, 0) | (_placement(endgame, dogs, 1) << 32)
    chiefs = endgame.squares[0, chief] | (endgame.squares[1, chief] << 32)
    # All sets of as many buffaloes as the tablebase has: a smaller set wins only if every larger one with it does.
    binomials, states = endgame.binomials, endgame.states[size]
    thirds = known
    while thirds:
        third = first(thirds)
        thirds &= thirds - 1
        z = ((key >> (FILE_BITS * third)) & _RANK) - LOWEST_RANK
        if size == 1:
            if (wanted >> third) & 1 and _is_won(endgame, states[third], z, z, places, chiefs):
                return 1 << third
            continue
        seconds = known & ((1 << third) - 1)
        while seconds:
            second = first(seconds)
            seconds &= seconds - 1
            y = ((key >> (FILE_BITS * second)) & _RANK) - LOWEST_RANK
            two = (1 << third) | (1 << second)
            if size == 2:
                state = states[second + binomials[2, third]]
                if two & wanted and _is_won(
                    endgame, state, y + RANKS * z, z + RANKS * y, places, chiefs
                ):
                    return two
                continue
            firsts = known & ((1 << second) - 1)
            if two & wanted == 0:
                firsts &= wanted
            while firsts:
                least = first(firsts)
                firsts &= firsts - 1
                x = ((key >> (FILE_BITS * least)) & _RANK) - LOWEST_RANK
                state = states[least + binomials[2, second] + binomials[3, third]]
                digits, reverse = x + RANKS * (y + RANKS * z), z + RANKS * (y + RANKS * x)
                if _is_won(endgame, state, digits, reverse, places, chiefs):
                    return two | (1 << least)
    return 0
