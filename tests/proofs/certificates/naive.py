"""Certificates of small positions, made by plain search with the readable rules: nothing is shared with the check."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stampede.buffalo import Move, Position, Side
from stampede.buffalo.geometry import STEPS
from stampede.proofs.certificates import (
    CertificateClaim,
    CertificateHeader,
    Recogniser,
    write_certificate,
)
from stampede.proofs.certificates.board import key_of
from stampede.proofs.certificates.format import wide_position


@dataclass
class Solver:
    """Who wins on a board of some columns, remembered."""

    width: int
    values: dict[Position, Move | None] = field(default_factory=dict)

    def moves(self, position: Position) -> Iterator[Move]:
        found = [m for m in position.legal_moves if m.to_square.file < self.width]
        # Captures and steps far ahead first: they decide soonest.
        yield from sorted(found, key=lambda m: (not position.is_capture(m), m.to_square.rank))

    def winning_move(self, position: Position, side: Side) -> Move | None:
        """A move after which `side`, who is to move, wins; None when there is none."""
        if position not in self.values:
            moves = self.moves(position)
            self.values[position] = next(
                (m for m in moves if self.holds(position.after(m), side)), None
            )
        return self.values[position]

    def holds(self, position: Position, side: Side) -> bool:
        """Whether `side` wins with the other side to move."""
        if (winner := position.winner) is not None:
            return winner is side
        return all(
            (after := position.after(m)).winner is None
            and self.winning_move(after, side) is not None
            for m in self.moves(position)
        )

    def winner(self, position: Position) -> Side:
        """Who wins."""
        if (winner := position.winner) is not None:
            return winner
        side = position.turn
        return side if self.winning_move(position, side) is not None else side.other


def wins_at_once(position: Position) -> bool:
    """Buffalo side to move: one crosses, or steps to rank 2 out of the chief's reach."""
    ends = [move.to_square for move in position.legal_moves]
    return any(e.rank == 1 or (e.rank == 2 and e not in STEPS[position.chief]) for e in ends)


def answers(solver: Solver, root: Position, side: Side) -> dict[Position, Move]:
    """The winner's answer for each position that the loser can reach."""
    found: dict[Position, Move] = {}
    todo = [root]
    while todo:
        position = todo.pop()
        if position.winner is not None:
            continue
        if position.turn is side:
            if position in found or (side is Side.BUFFALO and wins_at_once(position)):
                continue
            move = solver.winning_move(position, side)
            assert move is not None
            found[position] = move
            todo.append(position.after(move))
        else:
            todo += [position.after(m) for m in solver.moves(position)]
    return found


def write(
    path: Path,
    width: int,
    winner: Side,
    claims: list[CertificateClaim],
    entries: dict[Position, Move],
    *,
    tablebases: tuple[str, ...] = (),
    recognisers: tuple[Recogniser, ...] = (),
    by: dict[Position, int] | None = None,
) -> CertificateHeader:
    """A certificate of these answers."""
    words = [key_of(position) for position in entries]
    moves = [move.from_square | move.to_square << 7 for move in entries.values()]
    return write_certificate(
        path,
        title="a test",
        width=width,
        winner=winner,
        claims=claims,
        keys=np.array(words, dtype=np.int64),
        moves=np.array(moves, dtype=np.int64),
        tablebases=tablebases,
        recognisers=recognisers,
        by=np.array([(by or {}).get(position, 0) for position in entries], dtype=np.int64),
    )


def solved(path: Path, text: str, width: int) -> tuple[Side, dict[Position, Move]]:
    """Solves a position and writes its certificate; returns the winner and the answers."""
    root = wide_position(text, width)
    solver = Solver(width)
    winner = solver.winner(root)
    entries = answers(solver, root, winner)
    write(path, width, winner, [CertificateClaim(root)], entries)
    return winner, entries
