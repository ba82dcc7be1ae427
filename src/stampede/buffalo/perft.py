"""Perft: counting the lines of a given length, the test that every move generator has to pass."""

from __future__ import annotations

from stampede.buffalo.actions import Move
from stampede.buffalo.position import Position

__all__ = ["divide", "perft"]


def perft(position: Position, depth: int) -> int:
    """How many lines of this many moves there are; lines that end earlier don't count."""
    if depth < 0:
        raise ValueError(f"expected a depth from 0, got {depth}")
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.after(move), depth - 1) for move in position.legal_moves)


def divide(position: Position, depth: int) -> dict[Move, int]:
    """`perft`, split by the first move: compare two of these to find where generators differ."""
    if depth < 1:
        raise ValueError(f"expected a depth from 1, got {depth}")
    return {move: perft(position.after(move), depth - 1) for move in position.legal_moves}
