"""The engine: deeper and deeper search within a budget, with reports on the way.

    >>> from stampede.buffalo import Position
    >>> found = Engine().search(Position.start(), Limits(depth=3))
    >>> found.best.depth
    3

For a budget of nodes or depth the result depends on nothing but the position, what the engine's table holds (a new
engine's table is empty), and what its library knows. A budget of time, or a stop from another thread, ends the search
wherever it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from stampede.buffalo import Position
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import decode_move, encode_move, new_board
from stampede.kernels.buffalo.layout import BANK, CHIEF, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.tables import Words
from stampede.search.buffalo.oracle import Consultation, Oracle
from stampede.search.buffalo.pvs import visit
from stampede.search.buffalo.variations import SearchReport, Variation
from stampede.search.buffalo.weights import Weights, shipped
from stampede.search.buffalo.workspace import (
    AGE,
    EXCLUDED,
    EXCLUDED_COUNT,
    LENGTHS,
    LINES,
    MAX_DEPTH,
    MAX_PLY,
    NODE_LIMIT,
    NODES,
    PLAIN,
    STOP,
    WON,
    new_memory,
    new_table,
)

__all__ = ["Engine", "Limits", "SearchReport", "Stop", "Variation"]

_ENDLESS: Final = 1 << 62
_WIDE: Final = 31_000
_WINDOW: Final = 60
_GLANCE: Final = 8
"""With a clock running an only move is looked at no deeper than this."""
_ENOUGH: Final = 6
"""What tables or certificates decide is looked at no deeper than this: only a shorter way could be found."""
_SHARE: Final = 0.55
"""No new depth is begun after this share of the time: it would hardly be finished."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A budget; None means without limit. At least one must be given.

    Attributes:
        depth: How many moves deep.
        nodes: How many positions are looked at.
        seconds: How long.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"budget: expected {name} above 0, got {value}")


@dataclass(slots=True)
class Stop:
    """A way to end a search from another thread."""

    _memory: Words | None = None
    _set: threading.Event = field(default_factory=threading.Event)

    def set(self) -> None:
        """Ends the search that this was given to, now or as soon as it begins."""
        self._set.set()
        if self._memory is not None:
            self._memory[STOP] = 1

    @property
    def is_set(self) -> bool:
        """Whether it was asked for."""
        return self._set.is_set()

    def watch(self, memory: Words) -> None:
        """Tells where the running search looks."""
        self._memory = memory
        if self._set.is_set():
            memory[STOP] = 1


class Engine:
    """Searches positions; keeps its table of known positions from one search to the next."""

    def __init__(
        self,
        entries: int = 1 << 20,
        weights: Weights | None = None,
        clock: Callable[[], float] = time.perf_counter,
        oracle: Oracle | None = None,
    ) -> None:
        """Makes an engine.

        Args:
            entries: How many positions its table holds, 16 bytes each; rounded up to a power of two.
            weights: The evaluation; the shipped one when None.
            clock: What seconds are measured with.
            oracle: Tablebases and certificates that it may use; None for a search alone.
        """
        self._oracle = oracle
        self._weights = shipped() if weights is None else weights
        self._table = new_table(entries)
        self._clock = clock
        self._age = 0

    def forget(self) -> None:
        """Empties the table, as for a new game."""
        self._table[:] = 0
        self._age = 0

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        variations: int = 1,
        report: Callable[[SearchReport], None] | None = None,
        stop: Stop | None = None,
        plain: bool = False,
    ) -> SearchReport:
        """Looks for the best moves of the side to move.

        Args:
            position: Where; the game must not be over.
            limits: The budget. The first depth is always completed.
            variations: How many moves you want, best first (UCI: MultiPV).
            report: Called after each completed depth.
            stop: Ends the search when it is set.
            plain: Without reductions and prunings: for tests.

        Raises:
            InputError: The game is over, or no line or budget was asked for.
        """
        if position.is_over:
            raise InputError(f"search: expected a game that isn't over, got {position.fen()}")
        if variations < 1:
            raise InputError(f"search: expected at least 1 variation, got {variations}")
        if limits == Limits() and stop is None:
            raise InputError("search: expected a limit of depth, nodes or seconds, or a stop")
        consultation = None if self._oracle is None else self._oracle.consult(position)
        result = None if consultation is None else consultation.result
        if variations == 1 and result is not None and result.move is not None:
            limits = replace(limits, depth=min(limits.depth or _ENOUGH, _ENOUGH))
        wanted = min(variations, len(position.legal_moves))
        run = _Run(self, position, limits, wanted, consultation)
        run.memory[PLAIN] = int(plain)
        return run.go(report, stop)

    def begin(self, known: Words | None) -> tuple[Words, Words, Callable[[], float]]:
        """Memory, table and clock for one search."""
        self._age += 1
        memory = new_memory(self._weights.values, known)
        memory[AGE] = self._age % 64
        return memory, self._table, self._clock


class _Run:
    """One search."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        limits: Limits,
        wanted: int,
        consultation: Consultation | None,
    ) -> None:
        self._consultation = consultation
        words = None if consultation is None else consultation.tablebase_words
        self.memory, self._table, self._clock = engine.begin(words)
        self._board = new_board(position)
        self._limits = limits
        self._wanted = wanted
        self._started = self._clock()
        self._moves = len(position.legal_moves)

    def go(self, report: Callable[[SearchReport], None] | None, stop: Stop | None) -> SearchReport:
        """Depth by depth until the budget is used up or nothing can change any more."""
        limits, memory = self._limits, self.memory
        memory[NODE_LIMIT] = _ENDLESS
        found = self._report(self._depth(1, ()), 1)
        memory[NODE_LIMIT] = limits.nodes or _ENDLESS
        stop = Stop() if stop is None else stop
        stop.watch(memory)
        timer = self._timer(stop)
        try:
            for depth in range(2, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                if report is not None:
                    report(found)
                if stop.is_set or self._is_settled(found):
                    break
                lines = self._depth(depth, found.variations)
                if memory[STOP] != 0:
                    found = self._report(lines, found.depth)
                    break
                found = self._report(lines, depth)
        finally:
            if timer is not None:
                timer.cancel()
        return found

    def _timer(self, stop: Stop) -> threading.Timer | None:
        if self._limits.seconds is None:
            return None
        left = self._limits.seconds - (self._clock() - self._started)
        timer = threading.Timer(max(left, 0.001), stop.set)
        timer.daemon = True
        timer.start()
        return timer

    def _is_settled(self, found: SearchReport) -> bool:
        """Whether a deeper look is idle: proven within its depth, or too little time left, or nothing to choose."""
        reach = found.depth if self._consultation is None or found.depth < _ENOUGH else MAX_PLY
        proven = all(
            line.plies is not None and abs(line.plies) <= reach for line in found.variations
        )
        seconds = self._limits.seconds
        if proven or seconds is None:
            return proven
        return found.seconds > seconds * _SHARE or (self._moves == 1 and found.depth >= _GLANCE)

    def _depth(self, depth: int, before: tuple[Variation, ...]) -> tuple[Variation, ...]:
        """The best lines at a depth; where it is stopped, the rest is as before."""
        memory = self.memory
        lines: list[Variation] = []
        for rank in range(self._wanted):
            memory[EXCLUDED_COUNT] = rank
            for index, line in enumerate(lines):
                memory[EXCLUDED + index] = encode_move(line.move)
            guess = before[rank].score if rank < len(before) else 0
            line_found = self._widening(depth, guess, first=not before)
            if line_found is not None:
                lines.append(line_found)
            if memory[STOP] != 0:
                break
        chosen = {line.move for line in lines}
        rest = [line for line in before if line.move not in chosen]
        lines += rest[: self._wanted - len(lines)]
        return tuple(sorted(lines, key=lambda line: -line.score))

    def _widening(self, depth: int, guess: int, *, first: bool) -> Variation | None:
        """One line: first in a window around the guess, then in wider ones."""
        low, high = guess - _WINDOW, guess + _WINDOW
        if first or depth < 4 or abs(guess) >= WON:
            low, high = -_WIDE, _WIDE
        surprise: Variation | None = None
        while True:
            score = self._visit(depth, low, high)
            line = self._line(score, depth)
            if self.memory[STOP] != 0:
                # Moves that weren't looked at any more may save what those before them lose.
                return line if line is not None and max(low, -WON) < score else surprise
            if low < score < high or (low == -_WIDE and high == _WIDE):
                return line
            if score <= low:
                low = -_WIDE if score < -2_000 else max(-_WIDE, low - 4 * (guess - low))
            else:
                surprise = line
                high = _WIDE if score > 2_000 else min(_WIDE, high + 4 * (high - guess))

    def _visit(self, depth: int, low: int, high: int) -> int:
        board = self._board
        return int(
            visit(
                self.memory,
                self._table,
                board[PRAIRIE],
                board[BANK],
                board[DOGS],
                board[CHIEF],
                board[KEY],
                depth,
                low,
                high,
                0,
            )
        )

    def _line(self, score: int, depth: int) -> Variation | None:
        length = int(self.memory[LENGTHS])
        if length == 0:
            return None
        words = self.memory[LINES : LINES + length]
        return Variation(tuple(decode_move(int(word)) for word in words), score, depth)

    def _report(self, lines: tuple[Variation, ...], depth: int) -> SearchReport:
        known = None
        if self._consultation is not None:
            lines, known = self._consultation.correct(lines), self._consultation.result
        seconds = self._clock() - self._started
        return SearchReport(lines, depth, int(self.memory[NODES]), seconds, known)
