"""What an endgame tablebase knows about a position with any number of buffaloes: some few of them win by themselves.

Every move of the buffalo side is a step, so a win takes at most as many moves as the winning buffaloes have steps: one
of them crosses, and the others get no farther than rank 2. Of several sets that win, the one with the fewest steps left
counts; so following the answers never takes longer than was said before. A buffalo on rank 2 is no part of an endgame:
it crosses unless the chief captures it at once, and then the others must win.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import STEPS
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import FILE_BITS, KEY
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.jit import kernel
from stampede.search.buffalo.variations import ExactResult
from stampede.tablebase.endgames.endgame import Endgame
from stampede.tablebase.endgames.recognise import (
    EndgameRecogniser,
    make_endgame_recogniser,
    recognise_endgame,
)
from stampede.tablebase.endgames.spec import LOWEST_RANK

__all__ = ["EndgameLookup"]


@dataclass(frozen=True, slots=True, eq=False)
class EndgameLookup:
    """An endgame tablebase of the real board.

    Attributes:
        name: Its spec as text.
        recogniser: The tablebase as kernels take it.
    """

    name: str
    recogniser: EndgameRecogniser

    @classmethod
    def of(cls, endgame: Endgame) -> EndgameLookup:
        """Prepares a tablebase; InputError when it isn't one of the real board with four dogs."""
        return cls(str(endgame.spec), make_endgame_recogniser(endgame))

    def find(self, position: Position) -> ExactResult | None:
        """The exact result of a position that the buffalo side wins by an endgame; None when it isn't known to."""
        if position.turn is Side.HUNTER:
            plies = self._plies(position)
            if plies is None:
                return None
            return ExactResult(Side.BUFFALO, plies, None, self.name, "table")
        best: ExactResult | None = None
        for move in position.legal_moves:
            after = position.after(move)
            plies = 0 if after.is_over else self._plies(after)
            if plies is not None and (best is None or plies + 1 < best.plies):
                best = ExactResult(Side.BUFFALO, plies + 1, move, self.name, "table")
        return best

    def _plies(self, position: Position) -> int | None:
        """The most moves that the win takes with the hunter to move, both sides' counted."""
        far = [square for square in position.buffaloes if square.rank == 2]
        if far:
            return self._plies_by_crossing(position, far)
        board = new_board(position)
        if recognise_endgame(board, self.recogniser, -1) == 0:
            return None
        ranks = {square.file: square.rank for square in position.buffaloes}
        files = [file for file, rank in ranks.items() if rank >= LOWEST_RANK]
        steps = {
            sum(1 << file for file in some): sum(ranks[file] - 2 for file in some)
            for size in range(1, self.recogniser.buffaloes + 1)
            for some in combinations(files, size)
        }
        order = np.array(sorted(steps, key=lambda some: (steps[some], some)), dtype=np.int64)
        return 2 * (steps[int(_first_winning(board, self.recogniser, order))] + 1)

    def _plies_by_crossing(self, position: Position, far: list[Square]) -> int | None:
        """The same with buffaloes on rank 2: the next step crosses, unless the chief captures the only one."""
        if len(far) > 1 or far[0] not in STEPS[position.chief]:
            return 2
        after = position.after(Move(position.chief, far[0]))
        result = None if after.is_over else self.find(after)
        return None if result is None else max(2, 1 + result.plies)


@kernel
def _first_winning(board: Words, endgame: EndgameRecogniser, sets: Words) -> int:
    """The first of some sets of files whose buffaloes win by themselves; 0 for none."""
    whole = board[KEY]
    found = 0
    for files in sets:
        kept = ~((1 << FILE_BITS * WIDTH) - 1)
        for file in range(WIDTH):
            if files >> file & 1:
                kept |= ((1 << FILE_BITS) - 1) << FILE_BITS * file
        board[KEY] = whole & kept
        if recognise_endgame(board, endgame, -1) == files:
            found = files
            break
    board[KEY] = whole
    return found
