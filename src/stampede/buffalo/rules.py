"""The rules of Buffalo, and the rule set of one game.

Buffalo is Alex Randolph's game of 1975, also sold as Prärie, Trespass, Bison and Buffalo Chess. This is the whole of
it, in our words; the ids are those that code and tests cite.

**Board and pieces (B1).** 11 files, a to k, and 7 ranks. A river runs between ranks 7 and 6, another between ranks 2
and 1; rivers are lines, not squares. Rank 7 is the near bank, ranks 6 to 2 are the prairie, rank 1 is the far bank
(B1.1). One player leads 11 buffaloes, which fill rank 7 (B1.2). The other, the hunter, has a chief on f2 and four dogs
on d2, e2, g2 and h2 (B1.3). A position is written as a FEN (B1.4), a move as its two squares (B1.5).

**Moves (B2).** The buffalo side begins; the sides take turns with one move each, without passing (B2.1). A buffalo
steps one square straight ahead, towards rank 1, if that square is empty; it never captures (B2.2). A dog runs in a
straight line, in any of the eight directions, as far as it likes over empty squares of the prairie; it never captures
(B2.3). The chief steps one square in any direction on the prairie, and captures a buffalo by stepping onto it, but
needn't (B2.4). So dogs and chief stop a buffalo by standing right in front of it. On rank 7 it can be stopped but not
captured (B2.5).

**End (B3).** A buffalo on rank 1 wins the game at once (B3.1). If the buffalo side is to move and no buffalo can, the
hunter has won (B3.2). There are no draws: 11 buffaloes have 66 steps between them, and the hunter can always move
(B3.3).

**Series (B4).** Several games make a series: see `stampede.buffalo.series`. A handicap changes the start of a game in
two ways, and these are the two parameters here: buffaloes are left out (B4.2), or the buffalo side opens with several
steps (B4.3).

Source: the French rule sheet of the game, and what public descriptions agree on. Our rulings where they are silent:

- B3.2 is tested when the buffalo side is to move: a position in which no buffalo could move, if it were their turn,
  isn't lost while the hunter has to move, for that move may set one free.
- B4.2: at least one buffalo remains. B4.3: the opening steps are made by different buffaloes, so there are at most as
  many steps as buffaloes: 11, or fewer when some are left out. They are one turn of single steps, in any order.
- A record may set up a position of its own, in which fewer buffaloes than asked for can step. Then the opening turn is
  over when no further buffalo can step. If none could from the start, B3.2 holds.
- A buffalo that reaches rank 1 in an opening turn wins at once, as ever (B3.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from stampede.buffalo.geometry import FILES
from stampede.core.errors import RuleSetError
from stampede.core.events import JsonFields

__all__ = ["BUFFALOES", "MOST_REMOVED", "BuffaloRules"]

BUFFALOES: Final = len(FILES)
MOST_REMOVED: Final = BUFFALOES - 1


@dataclass(frozen=True, slots=True)
class BuffaloRules(JsonFields):
    """The handicap of one game.

    Attributes:
        removed: The files that start without a buffalo (B4.2), in the order of the board.
        opening_moves: How many buffaloes step before the hunter's first move (B4.3).

    Raises:
        RuleSetError: No game has this rule set.
    """

    removed: tuple[str, ...] = ()
    opening_moves: int = 1

    def __post_init__(self) -> None:
        """Checks the rule set and puts the files in order."""
        object.__setattr__(self, "removed", _checked_files(self.removed))
        present = BUFFALOES - len(self.removed)
        steps = self.opening_moves
        if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= present:
            raise RuleSetError(
                f"opening_moves: expected 1 to {present}, one for each buffalo at most (B4.3),"
                f" got {steps!r}"
            )

    @property
    def rung(self) -> int | None:
        """The ladder's rung that has this handicap (B4.1); None for a mixture of both kinds."""
        if self.removed and self.opening_moves > 1:
            return None
        return len(self.removed) or 1 - self.opening_moves


def _checked_files(removed: Iterable[str]) -> tuple[str, ...]:
    files = tuple(removed)
    for file in files:
        if not isinstance(file, str) or len(file) != 1 or file not in FILES:
            raise RuleSetError(f"removed: expected files from a to k, got {file!r}")
    if len(set(files)) != len(files):
        raise RuleSetError(f"removed: expected different files, got {', '.join(files)}")
    if len(files) > MOST_REMOVED:
        raise RuleSetError(f"removed: expected at most {MOST_REMOVED} (B4.2), got {len(files)}")
    return tuple(sorted(files))
