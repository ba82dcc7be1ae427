"""The search: depth-first proof-number search (df-pn) over exact keys (compiled).

Positions never repeat, so what is proven of a position holds however it was reached. Both sides are proven at once: the
hunter wins where the proof number is 0, the buffalo side where the disproof number is. A node at which all children
must be shown takes the largest of their numbers, plus one for each other open child, instead of their sum: many lines
lead to the same positions, and a sum would count them again and again.

The recursion of the textbook is a loop over an explicit stack here, for Numba's sake (see `stampede.kernels.jit`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from stampede.kernels.buffalo.generate import ahead, generate_buffalo, generate_hunter
from stampede.kernels.buffalo.keys import canonical_key, unpack
from stampede.kernels.buffalo.layout import (
    BANK,
    BOARD_WORDS,
    CHIEF,
    CROSSED,
    DOGS,
    KEY,
    MAX_MOVES,
    PRAIRIE,
    TO,
)
from stampede.kernels.buffalo.lookups import CHIEF_STEPS, LAST_RANK, WIDTH, Words
from stampede.kernels.buffalo.make import make_buffalo, make_hunter, unmake
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.search.transposition import (
    INFINITE,
    NUMBER_BITS,
    TranspositionTable,
    find_entry,
    store_entry,
)
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.threats import is_lost_next
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace as new_engine_workspace
from stampede.tablebase.endgames.recognise import EndgameRecogniser, recognise_endgame
from stampede.tablebase.windows import Recognisers, find_window

__all__ = [
    "DEPTH",
    "SearchStack",
    "canonical_key_on",
    "expand",
    "initial_numbers",
    "new_stack",
    "search",
    "winner_at_sight",
]

DEPTH: Final = 140
"""More plies than any game has."""
_NO_WINDOW: Final = 15
"""The penalty of a position that no tablebase window covers, against one with the chief on a wrong square."""
_SPAN: Final = 1_000
"""Evaluations beyond this count as this."""
_DOUBLING: Final = 100
"""Hundredths of the evaluation that double one number and halve the other."""
_EVEN: Final = 8
"""Both numbers where the evaluation is even."""
# The columns of `SearchStack.frames`: the node's key, its thresholds, the number of its children, the node counter
# when it was entered, and the child that is being searched.
_KEY, _PROOF, _DISPROOF, _COUNT, _NODES, _CHOSEN = range(6)


class SearchStack(NamedTuple):
    """The memory of one thread's search: the board, and by depth a frame, moves, and the children's keys and numbers.

    `values` is a workspace of the engine, whose evaluation gives new positions their first numbers.
    """

    board: Words
    frames: Words
    moves: Words
    keys: Words
    proofs: Words
    disproofs: Words
    counters: Words
    values: Words


def new_stack() -> SearchStack:
    """An empty stack; each thread needs its own."""
    lists = [np.zeros((DEPTH, MAX_MOVES), dtype=np.int64) for _ in range(4)]
    return SearchStack(
        np.zeros(BOARD_WORDS, dtype=np.int64),
        np.zeros((DEPTH, 6), dtype=np.int64),
        lists[0],
        lists[1],
        lists[2],
        lists[3],
        np.zeros(4, dtype=np.int64),
        new_engine_workspace(shipped_weights().sums),
    )


@inlined
def canonical_key_on(key: int, width: int) -> int:
    """The same key for a position and its mirror image; narrow boards aren't mirrored. int64, int64 → int64."""
    return canonical_key(key) if width == WIDTH else key


@kernel
def winner_at_sight(board: Words) -> int:
    """The winner if it is clear without a search: 1 the buffalo side, -1 the hunter, else 0. int64[6] → int64."""
    prairie, dogs, chief = board[PRAIRIE], board[DOGS], board[CHIEF]
    if board[CROSSED] != 0:
        return 1
    far = prairie & LAST_RANK
    if board[KEY] < 0:
        return 1 if far & ~CHIEF_STEPS[chief] or far & (far - 1) else 0
    if is_lost_next(prairie, dogs, chief):
        return 1
    if ahead(prairie, board[BANK]) & ~(prairie | dogs | (1 << chief)) == 0:
        return -1
    return 0


@inlined
def _guess_numbers(value: int, more: int) -> int:
    """Numbers from an evaluation, which is from the buffalo side's point of view and in hundredths."""
    power = min(max(value, -_SPAN), _SPAN) / _DOUBLING
    proof = int(_EVEN * 2.0**power) + 1 + more
    disproof = int(_EVEN * 2.0**-power) + 1
    return proof | (disproof << NUMBER_BITS)


@kernel
def initial_numbers(
    board: Words, recognisers: Recognisers, endgame: EndgameRecogniser, file: int, values: Words
) -> int:
    """The numbers of a new position: proof | disproof << NUMBER_BITS.

    int64[6], Recognisers, EndgameRecogniser, int64, int64[…] → int64. Exact where the rules or a tablebase decide it,
    else a guess at the remaining work from the engine's evaluation. `file` as for `recognise_endgame`.
    """
    fact = winner_at_sight(board)
    if fact > 0:
        return INFINITE
    if fact < 0:
        return INFINITE << NUMBER_BITS
    if board[KEY] < 0:
        if recognise_endgame(board, endgame, file):
            return INFINITE
        return _guess_numbers(-evaluate(values, board[KEY]), 0)
    _, distance = find_window(board, recognisers)
    if distance == 0:
        return INFINITE << NUMBER_BITS
    return _guess_numbers(evaluate(values, board[KEY]), min(3 * distance, _NO_WINDOW))


@kernel
def expand(
    stack: SearchStack,
    depth: int,
    recognisers: Recognisers,
    endgame: EndgameRecogniser,
    tt: TranspositionTable,
    width: int,
) -> None:
    """Lists the children of the board's position with their numbers, up to the first that decides it."""
    board, moves = stack.board, stack.moves[depth]
    hunter = board[KEY] < 0
    count = generate_hunter(board, moves, 0) if hunter else generate_buffalo(board, moves, 0)
    kept = 0
    for index in range(count):
        move = moves[index]
        if hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_hunter(board, move) if hunter else make_buffalo(board, move)
        key = canonical_key_on(board[KEY], width)
        value = find_entry(tt, key)
        if value < 0:
            file = (move >> TO) % WIDTH
            value = initial_numbers(board, recognisers, endgame, file, stack.values)
            stack.counters[0] += 1
        unmake(board, move, before)
        moves[kept] = move
        stack.keys[depth, kept] = key
        stack.proofs[depth, kept] = value & INFINITE
        stack.disproofs[depth, kept] = (value >> NUMBER_BITS) & INFINITE
        kept += 1
        if (hunter and value & INFINITE == 0) or (
            not hunter and (value >> NUMBER_BITS) & INFINITE == 0
        ):
            break
    stack.frames[depth, _COUNT] = kept
    stack.frames[depth, _KEY] = board[KEY]


@inlined
def _combine(mine: Words, theirs: Words, count: int) -> tuple[int, int, int, int]:
    """The mover's smallest and second smallest number, the child with the smallest, and the other side's number."""
    least, second, chosen = INFINITE, INFINITE, 0
    most, open_children = 0, 0
    for index in range(count):
        if mine[index] < least or (mine[index] == least and theirs[index] > theirs[chosen]):
            second, least, chosen = least, mine[index], index
        elif mine[index] < second:
            second = mine[index]
        if theirs[index] > 0:
            open_children += 1
            most = max(most, theirs[index])
    refute = most
    if most < INFINITE and open_children > 1:
        refute = min(most + open_children - 1, INFINITE - 1)
    return least, second, chosen, refute


@kernel
def search(
    key: int,
    stack: SearchStack,
    recognisers: Recognisers,
    endgame: EndgameRecogniser,
    tt: TranspositionTable,
    width: int,
    budget: int,
    salt: int,
) -> int:
    """Searches until the position is decided or about `budget` new positions were visited.

    `salt` makes the threads search differently. Returns proof | disproof << NUMBER_BITS; the transposition table keeps
    everything that was found.
    """
    frames, board = stack.frames, stack.board
    unpack(key, board)
    stack.counters[0] = 0
    first_value = initial_numbers(board, recognisers, endgame, -1, stack.values)
    if first_value & INFINITE == 0 or (first_value >> NUMBER_BITS) & INFINITE == 0:
        return first_value
    depth = 0
    frames[0, _PROOF] = INFINITE
    frames[0, _DISPROOF] = INFINITE
    frames[0, _NODES] = 0
    expand(stack, 0, recognisers, endgame, tt, width)
    while True:
        # 1. The node's numbers follow from its children's. `mine` are the numbers of the side to move.
        hunter = frames[depth, _KEY] < 0
        count = frames[depth, _COUNT]
        mine = stack.proofs[depth] if hunter else stack.disproofs[depth]
        theirs = stack.disproofs[depth] if hunter else stack.proofs[depth]
        least, second, chosen, refute = _combine(mine, theirs, count)
        mine_limit = frames[depth, _PROOF] if hunter else frames[depth, _DISPROOF]
        theirs_limit = frames[depth, _DISPROOF] if hunter else frames[depth, _PROOF]
        spent = stack.counters[0] - frames[depth, _NODES]
        # 2. Decided, beyond a threshold, or out of budget: store the numbers and return to the parent.
        if (
            least >= mine_limit
            or refute >= theirs_limit
            or least == 0
            or refute == 0
            or stack.counters[0] >= budget
        ):
            proof, disproof = (least, refute) if hunter else (refute, least)
            store_entry(tt, canonical_key_on(frames[depth, _KEY], width), proof, disproof, spent)
            if depth == 0:
                return proof | (disproof << NUMBER_BITS)
            depth -= 1
            at = frames[depth, _CHOSEN]
            stack.proofs[depth, at] = proof
            stack.disproofs[depth, at] = disproof
            before = frames[depth, _KEY]
            unmake(board, stack.moves[depth, at], before)
            continue
        # 3. Else descend to the best child until it is no longer the best, or this node is refuted. The margin of a
        #    quarter keeps the search from jumping back and forth between two children of nearly equal numbers.
        open_others = 0
        for index in range(count):
            if theirs[index] > 0:
                open_others += 1
        child_mine = min(mine_limit, second + 1 + (second >> 2) + (salt & 1))
        child_theirs = min(theirs_limit - max(open_others - 1, 0), INFINITE)
        frames[depth, _CHOSEN] = chosen
        move = stack.moves[depth, chosen]
        if hunter:
            make_hunter(board, move)
        else:
            make_buffalo(board, move)
        depth += 1
        frames[depth, _PROOF] = child_mine if hunter else child_theirs
        frames[depth, _DISPROOF] = child_theirs if hunter else child_mine
        frames[depth, _NODES] = stack.counters[0]
        expand(stack, depth, recognisers, endgame, tt, width)
