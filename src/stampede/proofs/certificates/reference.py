"""The same check with the readable rules alone, one position at a time: slow, and easy to believe.

It judges the claims themselves, explains what the compiled check rejects, and is the whole check with
``--reference``. A narrow board is the real one, with the hunter's moves beyond the last column left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import BEHIND, FILES, RAYS, STEPS
from stampede.proofs.certificates.endgame_solver import EndgameGame
from stampede.proofs.certificates.format import CertificateHeader, Recogniser
from stampede.proofs.certificates.window_game import WindowSpec

__all__ = ["NotProven", "Question", "Referee", "question_of"]


class NotProven(Exception):
    """Why a position isn't proven."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a tablebase: a state, dogs as a set of cells, the chief's cell.

    See `window_solver`; for wins of the buffalo side `endgame_solver`, whose state is the buffaloes' ranks.
    """

    tablebase: int
    state: int
    dogs: int
    chief: int


@dataclass(frozen=True, slots=True)
class Referee:
    """Judges positions of one certificate.

    Attributes:
        header: The certificate's header.
        knows: Whether a position, with the winner to move, or its mirror image is in the file.
    """

    header: CertificateHeader
    knows: Callable[[Position], bool]

    def judge_claim(self, position: Position, by: int) -> Question | None:
        """Judges a position that the header claims; NotProven when the file doesn't prove it."""
        if position.turn is self.header.winner:
            if not self._is_won(position):
                raise NotProven("the position itself is missing in the file")
            return None
        return self._judge_loser(position, by)

    def judge(self, position: Position, move: Move, by: int) -> Question | None:
        """Judges an answer; returns a question to a tablebase if one remains. NotProven when the answer doesn't win."""
        if move.from_square == move.to_square and self.header.winner is Side.BUFFALO:
            if by:
                raise NotProven("an answer that leaves a buffalo out can't name an endgame")
            self._judge_without(position, move.from_square)
            return None
        if not position.is_legal(move) or move.to_square.file >= self.header.width:
            raise NotProven(f"the answer {move} breaks the rules")
        return self._judge_loser(position.after(move), by)

    def _judge_loser(self, position: Position, by: int) -> Question | None:
        """The loser is to move: each move must be answered, or a recogniser must decide the position."""
        header = self.header
        if by:
            if header.winner is Side.BUFFALO and header.endgame is not None:
                return _ask_endgame(position, header.endgame, by)
            if header.winner is Side.BUFFALO or by > len(header.recognisers):
                raise NotProven(f"there is no recogniser {by}")
            return question_of(position, header, header.recognisers[by - 1])
        for reply in position.legal_moves:
            if reply.to_square.file < header.width:
                after = position.after(reply)
                if after.winner is header.winner.other:
                    raise NotProven(f"the reply {reply} crosses the river")
                if not self._is_won(after):
                    raise NotProven(f"the reply {reply} has no answer in the file")
        return None

    def _judge_without(self, position: Position, square: Square) -> None:
        if square not in position.buffaloes:
            raise NotProven(f"there is no buffalo on {square} to leave out")
        ranks = {other: piece for other, piece in position.pieces.items() if other != square}
        without = Position(
            buffaloes=tuple(other for other in position.buffaloes if other != square),
            chief=position.chief,
            dogs=position.dogs,
            turn=position.turn,
            occupied=sum(1 << other for other in ranks),
            number=position.number,
        )
        if not self._is_won(without):
            raise NotProven(f"the position without the buffalo on {square} is missing in the file")

    def _is_won(self, position: Position) -> bool:
        """The winner is to move: the position is in the file, or a buffalo wins at once."""
        if self.header.winner is Side.BUFFALO:
            for move in position.legal_moves:
                end = move.to_square
                if end.rank == 1 or (end.rank == 2 and end not in STEPS[position.chief]):
                    return True
        return self.knows(position)


def _ask_endgame(position: Position, endgame: EndgameGame, files: int) -> Question:
    """The question whether the buffaloes of some files win by themselves, with the hunter to move."""
    columns = endgame.columns
    named = [square for square in position.buffaloes if files >> square.file & 1]
    if len(named) != files.bit_count() or not 1 <= len(named) <= endgame.buffaloes:
        raise NotProven(f"expected one to {endgame.buffaloes} files with a buffalo, got others")
    if position.is_over or any(square.rank == 2 for square in named):
        raise NotProven("expected an endgame with all buffaloes on ranks 3 to 7, got another")
    cells = {square: (square.rank - 2) * columns + square.file for square in position.pieces}
    return Question(
        tablebase=0,
        state=sum(square.rank << 3 * square.file for square in named),
        dogs=sum(1 << cells[dog] for dog in position.dogs),
        chief=cells[position.chief],
    )


# --- windows ---


def question_of(position: Position, header: CertificateHeader, seen: Recogniser) -> Question:
    """A recogniser's question about a position with the buffalo side to move; NotProven when it doesn't apply."""
    spec = header.tablebases[seen.tablebase]
    window = range(seen.column, seen.column + spec.columns)
    if position.chief.file not in window:
        raise NotProven("the chief stands outside the recogniser's window")
    dogs = [dog for dog in position.dogs if dog.file in window]
    guards = [dog for dog in dogs if _cell(dog, spec, seen) in spec.guards]
    if len(guards) != len(spec.guards):
        raise NotProven(f"expected {len(spec.guards)} guards on their squares, got {len(guards)}")
    sealed = [BEHIND[guard] for guard in guards]
    if not set(sealed) <= set(position.buffaloes):
        raise NotProven("expected a buffalo right behind each guard of the recogniser's window")
    dogs = [dog for dog in dogs if dog not in guards]
    if len(dogs) != spec.dogs:
        raise NotProven(f"expected {spec.dogs} dogs in the recogniser's window, got {len(dogs)}")
    digits = dict.fromkeys(spec.live, 5)
    for buffalo in position.buffaloes:
        if buffalo.rank == 2:
            raise NotProven(
                f"the buffalo on {buffalo} must be captured before a recogniser applies"
            )
        if buffalo in sealed:
            continue
        if buffalo.file in window:
            column = _column(buffalo, spec, seen)
            if column not in digits:
                raise NotProven(
                    f"the recogniser's tablebase has no buffalo in column {FILES[buffalo.file]}"
                )
            digits[column] = 7 - buffalo.rank
        elif not is_held(position, buffalo):
            raise NotProven(
                f"no dog outside the recogniser's window holds the buffalo on {buffalo}"
            )
    state = sum(digit * 6**place for place, digit in enumerate(digits.values()))
    cells = sum(1 << _cell(dog, spec, seen) for dog in dogs)
    return Question(seen.tablebase, state, cells, _cell(position.chief, spec, seen))


def _column(square: Square, spec: WindowSpec, seen: Recogniser) -> int:
    column = square.file - seen.column
    return spec.columns - 1 - column if seen.mirrored else column


def _cell(square: Square, spec: WindowSpec, seen: Recogniser) -> int:
    return (6 - square.rank) * spec.columns + _column(square, spec, seen)


def is_held(position: Position, buffalo: Square) -> bool:
    """Whether a dog ahead of a buffalo, moving in its column only, can stop it for ever."""
    ahead = _ahead(buffalo)
    dogs = [square for square in ahead if square in position.dogs]
    if not dogs:
        return False
    free = ahead[: ahead.index(dogs[1])] if len(dogs) > 1 else ahead
    return _stops(free, ahead.index(dogs[0]))


def _ahead(buffalo: Square) -> list[Square]:
    """The squares of the prairie in front of a buffalo, nearest first."""
    return [square for square in reversed(_file_of(buffalo)) if square.rank < buffalo.rank]


def _file_of(buffalo: Square) -> list[Square]:
    """The prairie squares of a buffalo's file, from rank 2 to rank 6."""
    lowest = Square.at(buffalo.file, 2)
    upwards = next(ray for ray in RAYS[lowest] if ray[0] == BEHIND[lowest])
    return [lowest, *upwards]


def _stops(free: list[Square], dog: int) -> bool:
    """Whether the dog on the free square of this index stops the buffalo in front of which they lie.

    With index 0 it blocks. Else the buffalo steps onto square 0, and the dog must move: the squares left are one fewer.
    """
    if dog == 0:
        return True
    return any(_stops(free[1:], to - 1) for to in range(1, len(free)) if to != dog)
