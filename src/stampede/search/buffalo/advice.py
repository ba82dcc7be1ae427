"""What tables and certificates say about the moves of one position, beside what a search finds."""

from __future__ import annotations

from dataclasses import replace

from stampede.buffalo import Move, Position
from stampede.search.buffalo.known import Known
from stampede.search.buffalo.lines import Line
from stampede.search.buffalo.memory import WIN
from stampede.search.buffalo.proofs import Answer

__all__ = ["Advice"]


class Advice:
    """What is known about a position and about those after its moves; each is looked up once.

    Attributes:
        known: What there is to look into.
        answer: Who wins the position, if that is known.
    """

    def __init__(self, known: Known, position: Position) -> None:
        self.known = known
        self.answer: Answer | None = known.look(position)
        self._position = position
        self._after: dict[Move, Answer | None] = {}

    @property
    def move(self) -> Move | None:
        """The move that is known to win, if the side to move is known to win."""
        return None if self.answer is None else self.answer.move

    def improved(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Lines with proven scores where they are known, best first.

        The move that is known to win is among them, in place of the last one if need be.
        """
        told = [self._told(line) for line in lines]
        if self.answer is not None and self.answer.move is not None:
            best = Line((self.answer.move,), WIN - self.answer.plies, 1)
            same = [line for line in told if line.move == best.move]
            if not same and max(line.score for line in told) < best.score:
                told = [best, *told[:-1]]
            elif same and same[0].score < best.score:
                told = [best if line is same[0] else line for line in told]
        return tuple(sorted(told, key=lambda line: -line.score))

    def _told(self, line: Line) -> Line:
        if line.move not in self._after:
            self._after[line.move] = self.known.look(self._position.after(line.move))
        answer = self._after[line.move]
        if answer is None:
            return line
        score = WIN - answer.plies - 1
        if answer.winner is self._position.turn:
            return replace(line, score=max(line.score, score))
        return replace(line, score=min(line.score, -score))
