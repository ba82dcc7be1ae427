"""Perft: counting the lines of a given length.

Two ways that check each other. `lines_by_moves` walks with generate, make and unmake and counts only the last move
without making it, as most programs do: it tests these. `perft` and `divide`, the public functions, count the last two
moves together in `_leaves`, without making either.
"""

from __future__ import annotations

from stampede.buffalo import Move, Position
from stampede.kernels.bits import first, popcount
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.generate import ahead, count_moves, dog_targets, generate
from stampede.kernels.buffalo.layout import BANK, CHIEF, CROSSED, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.lookups import CHIEF_STEPS, LAST_RANK, NEAR_SHIFT, WIDTH, Words
from stampede.kernels.buffalo.make import make, unmake
from stampede.kernels.jit import kernel

__all__ = ["divide", "lines", "lines_by_moves", "perft"]


def perft(position: Position | str, depth: int) -> int:
    """How many lines of this many moves there are; lines that end earlier don't count.

    Args:
        position: A position or its FEN.
        depth: The number of moves, at most 66 + 66 before every game has ended.

    Raises:
        ValueError: The depth is below 0, or the FEN can't be read (then a ParseError).
    """
    if depth < 0:
        raise ValueError(f"expected a depth from 0, got {depth}")
    return int(lines(new_board(_position(position)), depth))


def divide(position: Position | str, depth: int) -> dict[Move, int]:
    """`perft`, split by the first move, in the order of the readable rules."""
    if depth < 1:
        raise ValueError(f"expected a depth from 1, got {depth}")
    place = _position(position)
    return {move: perft(place.after(move), depth - 1) for move in place.legal_moves}


def _position(position: Position | str) -> Position:
    return Position.from_fen(position) if isinstance(position, str) else position


@kernel
def lines(board: Words, depth: int) -> int:
    """How many lines of `depth` moves there are. int64[6], int64 → int64."""
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(board)
    prairie, bank, dogs, chief = board[PRAIRIE], board[BANK], board[DOGS], board[CHIEF]
    if board[KEY] < 0:
        return 0 if board[CROSSED] != 0 else _hunter_lines(prairie, bank, dogs, chief, depth)
    total = 0
    steps = ahead(prairie, bank) & ~(prairie | dogs | (1 << chief))
    while steps:
        end = steps & -steps
        steps ^= end
        after = (prairie | end) & ~(end << WIDTH)
        total += _hunter_lines(after, bank & ~(end >> NEAR_SHIFT), dogs, chief, depth - 1)
    return total


@kernel
def _hunter_lines(prairie: int, bank: int, dogs: int, chief: int, depth: int) -> int:
    """`lines` with the hunter to move and no buffalo across: sets int64 × 3, the chief's square int64, depth from 1.

    Two moves at a time, so that it calls only itself. A step across ends a line too early to count.
    """
    if depth == 1:
        return _replies(prairie, dogs, chief)
    if depth == 2:
        return _leaves(prairie, bank, dogs, chief)
    total = 0
    leader = 1 << chief
    occupied = prairie | dogs | leader
    leader_targets = CHIEF_STEPS[chief] & ~dogs
    movers = dogs | leader
    while movers:
        mover = movers & -movers
        movers ^= mover
        targets = leader_targets if mover == leader else dog_targets(first(mover), occupied)
        while targets:
            target = targets & -targets
            targets ^= target
            if mover == leader:
                rest, pack, head = prairie & ~target, dogs, first(target)
            else:
                rest, pack, head = prairie, dogs ^ mover ^ target, chief
            steps = ahead(rest, bank) & ~(rest | pack | (1 << head))
            while steps:
                end = steps & -steps
                steps ^= end
                after = (rest | end) & ~(end << WIDTH)
                total += _hunter_lines(after, bank & ~(end >> NEAR_SHIFT), pack, head, depth - 2)
    return total


@kernel
def _replies(prairie: int, dogs: int, chief: int) -> int:
    """How many moves the hunter has."""
    occupied = prairie | dogs | (1 << chief)
    count = popcount(CHIEF_STEPS[chief] & ~dogs)
    movers = dogs
    while movers:
        count += popcount(dog_targets(first(movers), occupied))
        movers &= movers - 1
    return count


@kernel
def _leaves(prairie: int, bank: int, dogs: int, chief: int) -> int:
    """How many pairs there are of a hunter's move and the buffalo side's answer.

    With the mover lifted from the board a number of steps are free. Each of its moves leaves them all, but for the
    one onto its new square. Only a capture changes more; those are few and counted one by one.
    """
    front = ahead(prairie, bank)
    crossing = popcount(prairie & LAST_RANK)
    leader = 1 << chief
    occupied = prairie | dogs | leader
    total = 0
    movers = dogs
    while movers:
        mover = movers & -movers
        movers ^= mover
        targets = dog_targets(first(mover), occupied)
        free = popcount(front & ~(occupied ^ mover)) + crossing
        total += popcount(targets) * free - popcount(targets & front)
    targets = CHIEF_STEPS[chief] & ~dogs
    captures = targets & prairie
    targets ^= captures
    blocked = prairie | dogs
    free = popcount(front & ~blocked) + crossing
    total += popcount(targets) * free - popcount(targets & front)
    while captures:
        target = captures & -captures
        captures ^= target
        rest = prairie ^ target
        total += popcount(ahead(rest, bank) & ~blocked) + popcount(rest & LAST_RANK)
    return total


@kernel
def lines_by_moves(board: Words, depth: int, moves: Words, at: int) -> int:
    """`lines` by generating, making and taking back all moves but the last.

    int64[6], int64, int64[≥ at + depth * MAX_MOVES] as room for moves, int64 → int64. The board is left as it was.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(board)
    total = 0
    end = generate(board, moves, at)
    if depth == 2:
        # Unrolled: it saves a call at the level with the most nodes.
        for index in range(at, end):
            before = make(board, moves[index])
            total += count_moves(board)
            unmake(board, moves[index], before)
        return total
    for index in range(at, end):
        before = make(board, moves[index])
        total += lines_by_moves(board, depth - 1, moves, end)
        unmake(board, moves[index], before)
    return total
