"""Extracts a proof from the transposition table: the winner's answer to everything the loser can do (compiled).

Where a tablebase decides what follows, the proof ends: it names the window, or the files of an endgame.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.generate import generate_buffalo, generate_hunter
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import KEY, TO
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.buffalo.make import make_buffalo, make_hunter, unmake
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.search.dfpn import (
    SearchStack,
    canonical_key_on,
    initial_numbers,
    winner_at_sight,
)
from stampede.proofs.search.transposition import (
    INFINITE,
    NUMBER_BITS,
    TranspositionTable,
    find_entry,
)
from stampede.tablebase.endgames.recognise import EndgameRecogniser, recognise_endgame
from stampede.tablebase.windows import Recognisers, recognise

__all__ = ["DONE", "FULL", "ProofBuilder", "collect", "find_decider", "new_proof_builder"]

DONE: Final = 0
FULL: Final = 1
MISSING: Final = 2
_BY_ENDGAME: Final = 1 << 19
"""The cost of an answer that an endgame wins: more than a win at sight, less than a searched one."""
_WORK_SHIFT: Final = 2 * NUMBER_BITS
_HASH_FACTOR: Final = 0x1E3779B97F4A7C15

_WAITING_ROOM: Final = 1 << 13
"""Space for 66 levels with all moves of the hunter in each."""
_COUNT, _WAITING, _MISSING = range(3)


class ProofBuilder(NamedTuple):
    """A proof under construction: its entries, the positions that still need one, and the set of those seen.

    Attributes:
        keys: Positions with the winner to move.
        moves: The winner's answer in each.
        by: The number of the window that recognises the position after it; for the buffalo side the set of files whose
            buffaloes win by themselves; or 0.
        waiting: Positions that need an entry; last in, first out.
        seen: A hash set of keys, with linear probing; 0 is free.
        counts: The number of entries, the number of waiting positions, and the position whose proof the transposition
            table has lost.
    """

    keys: Words
    moves: Words
    by: Words
    waiting: Words
    seen: Words
    counts: Words


def new_proof_builder(capacity: int) -> ProofBuilder:
    """An empty proof with space for so many entries."""
    # Depth first, few positions wait at a time. The hash set always has a free slot, else a search in it wouldn't end.
    waiting = capacity + _WAITING_ROOM
    slots = 1 << (2 * capacity + waiting).bit_length()
    lists: list[npt.NDArray[np.int64]] = [np.zeros(capacity, dtype=np.int64) for _ in range(3)]
    return ProofBuilder(
        lists[0],
        lists[1],
        lists[2],
        np.zeros(waiting, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


@inlined
def _is_new(proof: ProofBuilder, key: int) -> bool:
    """Adds a key to the set of those seen; returns whether it is new."""
    mask = len(proof.seen) - 1
    at = ((key ^ (key >> 29)) * _HASH_FACTOR >> 20) & mask
    while proof.seen[at] != 0:
        if proof.seen[at] == key:
            return False
        at = (at + 1) & mask
    proof.seen[at] = key
    return True


@kernel
def _queue(proof: ProofBuilder, key: int) -> bool:
    """Queues a position that needs an entry; False when there is no space left."""
    if proof.counts[_WAITING] >= len(proof.waiting):
        return False
    if _is_new(proof, key):
        proof.waiting[proof.counts[_WAITING]] = key
        proof.counts[_WAITING] += 1
    return True


@kernel
def _choose_answer(
    stack: SearchStack,
    recognisers: Recognisers,
    endgame: EndgameRecogniser,
    tt: TranspositionTable,
    width: int,
    hunter: int,
) -> int:
    """The mover's best proven move in the board's position: one that ends the proof, else the cheapest; 0 for none."""
    board, moves = stack.board, stack.moves[0]
    count = generate_hunter(board, moves, 0) if hunter else generate_buffalo(board, moves, 0)
    best, least = 0, 1 << 60
    shift = 0 if hunter else NUMBER_BITS
    for index in range(count):
        move = moves[index]
        if hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_hunter(board, move) if hunter else make_buffalo(board, move)
        file = (move >> TO) % WIDTH
        value = initial_numbers(board, recognisers, endgame, file, stack.values)
        cost = 1 << 60
        if (value >> shift) & INFINITE == 0:
            cost = 0
            if hunter:
                cost = recognise(board, recognisers)
            elif winner_at_sight(board) == 0:
                cost = _BY_ENDGAME
        else:
            value = find_entry(tt, canonical_key_on(board[KEY], width))
            if value >= 0 and (value >> shift) & INFINITE == 0:
                cost = (1 << 20) + (value >> _WORK_SHIFT)
        unmake(board, move, before)
        if cost < least:
            best, least = move, cost
    return best


@kernel
def find_decider(
    board: Words, recognisers: Recognisers, endgame: EndgameRecogniser, file: int, hunter: int
) -> int:
    """What decides a position with the loser to move: a window's number, or a set of files; 0 when nothing does."""
    if hunter:
        return recognise(board, recognisers)
    return recognise_endgame(board, endgame, file) if winner_at_sight(board) == 0 else 0


@kernel
def _queue_replies(stack: SearchStack, width: int, proof: ProofBuilder, hunter: int) -> bool:
    """Queues what the loser can do in the board's position, unless it is decided at sight; False without space."""
    board, moves = stack.board, stack.moves[1]
    count = generate_buffalo(board, moves, 0) if hunter else generate_hunter(board, moves, 0)
    for index in range(count):
        move = moves[index]
        if not hunter and (move >> TO) % WIDTH >= width:
            continue
        before = make_buffalo(board, move) if hunter else make_hunter(board, move)
        needed = hunter or winner_at_sight(board) <= 0
        key = canonical_key_on(board[KEY], width)
        unmake(board, move, before)
        if needed and not _queue(proof, key):
            return False
    return True


@kernel
def collect(
    key: int,
    stack: SearchStack,
    recognisers: Recognisers,
    endgame: EndgameRecogniser,
    tt: TranspositionTable,
    width: int,
    hunter: int,
    proof: ProofBuilder,
) -> int:
    """Adds the proof of a position, or continues when the key is 0.

    `hunter` is 1 if the hunter is the winner, else 0. Returns DONE; FULL when there is no space left; or MISSING,
    when the transposition table has lost the proof of position `counts[2]`, which must be searched again.
    """
    board = stack.board
    if key != 0:
        unpack(key, board)
        if (board[KEY] < 0) == (hunter != 0):
            if not _queue(proof, canonical_key_on(key, width)):
                return FULL
        elif find_decider(board, recognisers, endgame, -1, hunter) == 0 and not _queue_replies(
            stack, width, proof, hunter
        ):
            return FULL
    while proof.counts[_WAITING] > 0:
        if proof.counts[_COUNT] >= len(proof.keys):
            return FULL
        position = proof.waiting[proof.counts[_WAITING] - 1]
        unpack(position, board)
        move = _choose_answer(stack, recognisers, endgame, tt, width, hunter)
        if move == 0:
            proof.counts[_MISSING] = position
            return MISSING
        proof.counts[_WAITING] -= 1
        if hunter:
            make_hunter(board, move)
        else:
            make_buffalo(board, move)
        by = find_decider(board, recognisers, endgame, (move >> TO) % WIDTH, hunter)
        at = proof.counts[_COUNT]
        proof.keys[at], proof.moves[at], proof.by[at] = position, move, by
        proof.counts[_COUNT] += 1
        decided = by != 0 or winner_at_sight(board) == (-1 if hunter else 1)
        if not decided and not _queue_replies(stack, width, proof, hunter):
            return FULL
    return DONE
