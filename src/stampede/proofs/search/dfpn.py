"""The search itself (compiled): depth-first proof-number search over exact keys.

Positions form no cycle, so what is proven of a position holds however it was reached. Both sides are proven at
once: the hunter wins where the proof number is 0, the buffalo side where the disproof number is. Where all children
must be shown, the numbers are not added but the largest is taken, plus one for each other open child: many lines
lead to the same positions, and sums would count them again and again.
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
from stampede.kernels.buffalo.make import make_buffalo, make_hunter, unmake
from stampede.kernels.buffalo.tables import CHIEF_STEPS, LAST_RANK, WIDTH, Words
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.search.transposition import BITS, NEVER, TranspositionTable, recall, remember
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.threats import is_lost_next
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace as new_engine_workspace
from stampede.tablebase.windows import Recognisers, look

__all__ = [
    "DEPTH",
    "OPEN",
    "Workspace",
    "expand",
    "facts",
    "judge",
    "new_workspace",
    "same_key",
    "search",
]

DEPTH: Final = 140
"""More moves than any game has."""
OPEN: Final = -1
_NOWHERE: Final = 15
"""What a position that no table knows counts more than one in which the chief only stands on a wrong square."""
_SPAN: Final = 1_000
_DOUBLE: Final = 100
"""Hundredths of the engine's value that make one number twice and the other half as large."""
_EVEN: Final = 8
"""Both numbers where the engine sees no side ahead."""
_KEY, _PROOF, _DISPROOF, _COUNT, _NODES, _CHOSEN = range(6)


class Workspace(NamedTuple):
    """Where a search works: the board, and by depth its numbers, moves, children's keys and numbers.

    `values` is the engine's memory with its tables of values, for guesses only.
    """

    board: Words
    levels: Words
    moves: Words
    keys: Words
    proofs: Words
    disproofs: Words
    counters: Words
    values: Words


def new_workspace() -> Workspace:
    """Workspace for one search; each thread needs its own."""
    lists = [np.zeros((DEPTH, MAX_MOVES), dtype=np.int64) for _ in range(4)]
    return Workspace(
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
def same_key(key: int, width: int) -> int:
    """One key for a position and its mirror image; narrow boards aren't mirrored. int64, int64 → int64."""
    return canonical_key(key) if width == WIDTH else key


@kernel
def facts(board: Words) -> int:
    """Who wins without search or table: 1 the buffalo side, -1 the hunter, 0 can't be seen. int64[6] → int64."""
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
def _guess(value: int, more: int) -> int:
    """Numbers by the engine's judgement of a position, from the buffalo side's point of view, in hundredths."""
    power = min(max(value, -_SPAN), _SPAN) / _DOUBLE
    proof = int(_EVEN * 2.0**power) + 1 + more
    disproof = int(_EVEN * 2.0**-power) + 1
    return proof | (disproof << BITS)


@kernel
def judge(board: Words, known: Recognisers, values: Words) -> int:
    """What a position looks like at first sight: proof | disproof << BITS. int64[6], Recognisers, int64[…] → int64.

    Decided: facts that need no search, and what a table says. Else a guess at the work that is left, by the engine's
    tables of values.
    """
    fact = facts(board)
    if fact > 0:
        return NEVER
    if fact < 0:
        return NEVER << BITS
    if board[KEY] < 0:
        return _guess(-evaluate(values, board[KEY]), 0)
    _, distance = look(board, known)
    if distance == 0:
        return NEVER << BITS
    return _guess(evaluate(values, board[KEY]), min(3 * distance, _NOWHERE))


@kernel
def expand(
    room: Workspace, depth: int, known: Recognisers, memory: TranspositionTable, width: int
) -> None:
    """Lists the children of the board's position with their numbers in room[depth], up to the first that decides it."""
    board, moves = room.board, room.moves[depth]
    hunter = board[KEY] < 0
    count = generate_hunter(board, moves, 0) if hunter else generate_buffalo(board, moves, 0)
    kept = 0
    for index in range(count):
        move = moves[index]
        if hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_hunter(board, move) if hunter else make_buffalo(board, move)
        key = same_key(board[KEY], width)
        value = recall(memory, key)
        if value < 0:
            value = judge(board, known, room.values)
            room.counters[0] += 1
        unmake(board, move, before)
        moves[kept] = move
        room.keys[depth, kept] = key
        room.proofs[depth, kept] = value & NEVER
        room.disproofs[depth, kept] = (value >> BITS) & NEVER
        kept += 1
        if (hunter and value & NEVER == 0) or (not hunter and (value >> BITS) & NEVER == 0):
            break
    room.levels[depth, _COUNT] = kept
    room.levels[depth, _KEY] = board[KEY]


@inlined
def _totals(mine: Words, theirs: Words, count: int) -> tuple[int, int, int, int]:
    """The mover's numbers: his least one and its child, the runner-up, and what must be shown to refute him."""
    least, second, chosen = NEVER, NEVER, 0
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
    if most < NEVER and open_children > 1:
        refute = min(most + open_children - 1, NEVER - 1)
    return least, second, chosen, refute


@kernel
def search(
    key: int,
    room: Workspace,
    known: Recognisers,
    memory: TranspositionTable,
    width: int,
    budget: int,
    salt: int,
) -> int:
    """Searches until the position is decided or about `budget` positions were looked at.

    Key; working room; recognisers; the memory, which keeps what was found; the board's width; a number that makes
    threads differ. Returns proof | disproof << BITS.
    """
    levels, board = room.levels, room.board
    unpack(key, board)
    room.counters[0] = 0
    first_value = judge(board, known, room.values)
    if first_value & NEVER == 0 or (first_value >> BITS) & NEVER == 0:
        return first_value
    depth = 0
    levels[0, _PROOF] = NEVER
    levels[0, _DISPROOF] = NEVER
    levels[0, _NODES] = 0
    expand(room, 0, known, memory, width)
    result = OPEN
    while True:
        hunter = levels[depth, _KEY] < 0
        count = levels[depth, _COUNT]
        mine = room.proofs[depth] if hunter else room.disproofs[depth]
        theirs = room.disproofs[depth] if hunter else room.proofs[depth]
        least, second, chosen, refute = _totals(mine, theirs, count)
        mine_limit = levels[depth, _PROOF] if hunter else levels[depth, _DISPROOF]
        theirs_limit = levels[depth, _DISPROOF] if hunter else levels[depth, _PROOF]
        spent = room.counters[0] - levels[depth, _NODES]
        if (
            least >= mine_limit
            or refute >= theirs_limit
            or least == 0
            or refute == 0
            or room.counters[0] >= budget
        ):
            proof, disproof = (least, refute) if hunter else (refute, least)
            remember(memory, same_key(levels[depth, _KEY], width), proof, disproof, spent)
            if depth == 0:
                result = proof | (disproof << BITS)
                break
            depth -= 1
            at = levels[depth, _CHOSEN]
            room.proofs[depth, at] = proof
            room.disproofs[depth, at] = disproof
            before = levels[depth, _KEY]
            unmake(board, room.moves[depth, at], before)
            continue
        # The child may use what its siblings leave: until it is no longer the best, or the position is refuted.
        open_others = 0
        for index in range(count):
            if theirs[index] > 0:
                open_others += 1
        child_mine = min(mine_limit, second + 1 + (second >> 2) + (salt & 1))
        child_theirs = min(theirs_limit - max(open_others - 1, 0), NEVER)
        levels[depth, _CHOSEN] = chosen
        move = room.moves[depth, chosen]
        if hunter:
            make_hunter(board, move)
        else:
            make_buffalo(board, move)
        depth += 1
        levels[depth, _PROOF] = child_mine if hunter else child_theirs
        levels[depth, _DISPROOF] = child_theirs if hunter else child_mine
        levels[depth, _NODES] = room.counters[0]
        expand(room, depth, known, memory, width)
    return result
