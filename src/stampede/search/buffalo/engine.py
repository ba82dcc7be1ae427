"""The engine: iterative deepening with aspiration windows within a budget, with reports on the way.

    >>> from stampede.buffalo import Position
    >>> found = Engine().search(Position.start(), Limits(depth=3))
    >>> found.best.depth
    3

With a budget of nodes or depth the result depends on nothing but the position, the contents of the engine's
transposition table (a new engine's is empty), and what its oracle knows. A budget of time, or a stop from another
thread, ends the search wherever it is. Only such a search uses several threads (lazy SMP): the others search the same
position, each at its own pace, and leave what they find in the transposition table that all share.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from stampede.buffalo import Position
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import decode_move, encode_move, new_board
from stampede.kernels.buffalo.layout import BANK, CHIEF, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.lookups import Words
from stampede.search.buffalo.oracle import Consultation, Oracle
from stampede.search.buffalo.parameters import SearchParameters
from stampede.search.buffalo.pvs import pvs
from stampede.search.buffalo.transposition import GENERATIONS, new_transposition_table
from stampede.search.buffalo.variations import SearchReport, Variation
from stampede.search.buffalo.weights import Weights, strongest_weights
from stampede.search.buffalo.workspace import (
    EXCLUDED,
    EXCLUDED_COUNT,
    FULL_WIDTH,
    GENERATION,
    MAX_DEPTH,
    MAX_PLY,
    NODE_LIMIT,
    NODES,
    PROVEN,
    PV_LENGTHS,
    PV_MOVES,
    STOP,
    new_workspace,
)

__all__ = ["MAX_THREADS", "Engine", "Limits", "SearchReport", "Stop", "Variation"]

_UNLIMITED: Final = 1 << 62
_INFINITE: Final = 31_000
_ASPIRATION: Final = 60
"""Half of the first aspiration window, in hundredths: most scores change less from one depth to the next."""
_ASPIRATION_DEPTH: Final = 4
"""Scores of shallower searches vary too much for an aspiration window."""
_LARGE_SCORE: Final = 2_000
"""A score beyond this is about to become a proven one: the window is opened at once."""
_ONLY_MOVE_DEPTH: Final = 8
"""With a clock running, a position with a single legal move is searched no deeper."""
_EXACT_DEPTH: Final = 6
"""A position with an exact result is searched no deeper: only a shorter win could still be found."""
MAX_THREADS: Final = 64
_TIME_SHARE: Final = 0.55
"""After this share of the time no new depth is begun: it would hardly be completed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of a search; None means unlimited. Set at least one.

    Attributes:
        depth: The depth in plies.
        nodes: The number of positions.
        seconds: The time.
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
    """Ends a search from another thread."""

    _space: Words | None = None
    _event: threading.Event = field(default_factory=threading.Event)

    def set(self) -> None:
        """Ends the search that has this stop, now or as soon as it begins."""
        self._event.set()
        if self._space is not None:
            self._space[STOP] = 1

    @property
    def is_set(self) -> bool:
        """Whether `set` was called."""
        return self._event.is_set()

    def attach(self, space: Words) -> None:
        """Connects a search's memory, which its kernel reads at every node."""
        self._space = space
        if self._event.is_set():
            space[STOP] = 1


class Engine:
    """Searches positions. It keeps its transposition table from one search to the next."""

    def __init__(
        self,
        entries: int = 1 << 20,
        weights: Weights | None = None,
        clock: Callable[[], float] = time.perf_counter,
        oracle: Oracle | None = None,
        threads: int = 1,
        parameters: SearchParameters | None = None,
    ) -> None:
        """Makes an engine.

        Args:
            entries: The size of its transposition table, 16 bytes each; rounded up to a power of two.
            weights: The evaluation; None for the strongest one.
            clock: What seconds are measured with.
            oracle: Exact results and tablebases that it may use; None for a search alone.
            threads: How many threads search when time or a stop is the only limit. With a budget of nodes or depth it
                is always one, so that the result is repeatable.
            parameters: What the search decides by besides the evaluation; None for the shipped values.

        Raises:
            InputError: The number of threads isn't from 1 to `MAX_THREADS`.
        """
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        self._threads = threads
        self._parameters = parameters
        self._oracle = oracle
        self._weights = strongest_weights() if weights is None else weights
        self._tt = new_transposition_table(entries)
        self._clock = clock
        self._generation = 0

    def forget(self) -> None:
        """Empties the transposition table, as for a new game."""
        self._tt[:] = 0
        self._generation = 0

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        variations: int = 1,
        report: Callable[[SearchReport], None] | None = None,
        stop: Stop | None = None,
        full_width: bool = False,
    ) -> SearchReport:
        """Finds the best moves of the side to move.

        Args:
            position: The root position; the game must not be over.
            limits: The budget. The first depth is always completed.
            variations: How many moves you want, best first (UCI: MultiPV).
            report: Called after each completed depth.
            stop: Ends the search when it is set.
            full_width: Search without reductions and pruning: for tests.

        Raises:
            InputError: The game is over, no variation is asked for, or nothing ends the search.
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
            limits = replace(limits, depth=min(limits.depth or _EXACT_DEPTH, _EXACT_DEPTH))
        wanted = min(variations, len(position.legal_moves))
        self._generation += 1
        timed = limits.nodes is None and limits.depth is None
        run = _Run(self, position, limits, wanted, consultation)
        run.space[FULL_WIDTH] = int(full_width)
        helpers = [
            _Run(self, position, limits, 1, consultation)
            for _ in range(self._threads - 1 if timed else 0)
        ]
        return run.deepen(report, stop, helpers)

    def begin(self, tablebases: Words | None) -> tuple[Words, Words, Callable[[], float]]:
        """The memory, the transposition table and the clock for one thread of a search."""
        weights = self._weights
        space = new_workspace(weights.sums, tablebases, weights.network, self._parameters)
        space[GENERATION] = self._generation % GENERATIONS
        return space, self._tt, self._clock


class _Run:
    """One thread of a search."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        limits: Limits,
        wanted: int,
        consultation: Consultation | None,
    ) -> None:
        self._consultation = consultation
        tablebases = None if consultation is None else consultation.tablebase_words
        self.space, self._tt, self._clock = engine.begin(tablebases)
        self._board = new_board(position)
        self._limits = limits
        self._wanted = wanted
        self._started = self._clock()
        self._moves = len(position.legal_moves)
        self._helpers: Sequence[_Run] = ()

    def deepen(
        self,
        report: Callable[[SearchReport], None] | None,
        stop: Stop | None,
        helpers: Sequence[_Run] = (),
    ) -> SearchReport:
        """Iterative deepening: depth by depth until the budget is used up or nothing can change any more."""
        limits, space = self._limits, self.space
        self._helpers = helpers
        space[NODE_LIMIT] = _UNLIMITED  # the first depth is always completed
        found = self._report(self._search_depth(1, ()), 1)
        space[NODE_LIMIT] = limits.nodes or _UNLIMITED
        stop = Stop() if stop is None else stop
        stop.attach(space)
        timer = self._start_timer(stop)
        threads = [
            threading.Thread(target=helper.assist, args=(number,), daemon=True)
            for number, helper in enumerate(helpers)
        ]
        for thread in threads:
            thread.start()
        try:
            for depth in range(2, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                if report is not None:
                    report(found)
                if stop.is_set or self._is_settled(found):
                    break
                variations = self._search_depth(depth, found.variations)
                if space[STOP] != 0:
                    found = self._report(variations, found.depth)
                    break
                found = self._report(variations, depth)
        finally:
            if timer is not None:
                timer.cancel()
            for helper in helpers:
                helper.space[STOP] = 1
            for thread in threads:
                thread.join()
        return found

    def assist(self, number: int) -> None:
        """Searches the position for the sake of the shared transposition table, until it is stopped.

        Every other helper begins a depth ahead, so that the threads are seldom at the same place.
        """
        self.space[NODE_LIMIT] = _UNLIMITED
        guess, is_first = 0, True
        for depth in range(2 + (number + 1) % 2, MAX_DEPTH + 1):
            found = self._search_window(depth, guess, is_first=is_first)
            if self.space[STOP] != 0 or found is None:
                return
            guess, is_first = found.score, False

    def _start_timer(self, stop: Stop) -> threading.Timer | None:
        if self._limits.seconds is None:
            return None
        left = self._limits.seconds - (self._clock() - self._started)
        timer = threading.Timer(max(left, 0.001), stop.set)
        timer.daemon = True
        timer.start()
        return timer

    def _is_settled(self, found: SearchReport) -> bool:
        """Whether a deeper search is pointless: all is proven, little time is left, or there is only one move.

        A win in more plies than the depth may have a shorter one beside it that the reductions missed, so it isn't
        settled; with an oracle it is, from `_EXACT_DEPTH` on.
        """
        exact = self._consultation is not None and found.depth >= _EXACT_DEPTH
        reach = MAX_PLY if exact else found.depth
        proven = all(
            variation.plies is not None and abs(variation.plies) <= reach
            for variation in found.variations
        )
        seconds = self._limits.seconds
        if proven or seconds is None:
            return proven
        only_move = self._moves == 1 and found.depth >= _ONLY_MOVE_DEPTH
        return found.seconds > seconds * _TIME_SHARE or only_move

    def _search_depth(self, depth: int, before: tuple[Variation, ...]) -> tuple[Variation, ...]:
        """The best variations at a depth; after a stop, those of the depth before fill up the rest."""
        space = self.space
        variations: list[Variation] = []
        for rank in range(self._wanted):
            space[EXCLUDED_COUNT] = rank
            for index, better in enumerate(variations):
                space[EXCLUDED + index] = encode_move(better.move)
            guess = before[rank].score if rank < len(before) else 0
            found = self._search_window(depth, guess, is_first=not before)
            if found is not None:
                variations.append(found)
            if space[STOP] != 0:
                break
        chosen = {variation.move for variation in variations}
        rest = [variation for variation in before if variation.move not in chosen]
        variations += rest[: self._wanted - len(variations)]
        return tuple(sorted(variations, key=lambda variation: -variation.score))

    def _search_window(self, depth: int, guess: int, *, is_first: bool) -> Variation | None:
        """One variation: searches in an aspiration window around the guess, and widens it until the score is inside."""
        alpha, beta = guess - _ASPIRATION, guess + _ASPIRATION
        if is_first or depth < _ASPIRATION_DEPTH or abs(guess) >= PROVEN:
            alpha, beta = -_INFINITE, _INFINITE
        failed_high: Variation | None = None
        while True:
            score = self._search_root(depth, alpha, beta)
            variation = self._principal_variation(score, depth)
            if self.space[STOP] != 0:
                # A stopped search is worth keeping if it raised alpha. A score of a loss is not: one of the moves that
                # were not searched any more may avoid it.
                raised = variation is not None and max(alpha, -PROVEN) < score
                return variation if raised else failed_high
            if alpha < score < beta or (alpha == -_INFINITE and beta == _INFINITE):
                return variation
            if score <= alpha:
                opened = score < -_LARGE_SCORE
                alpha = -_INFINITE if opened else max(-_INFINITE, alpha - 4 * (guess - alpha))
            else:
                failed_high = variation
                opened = score > _LARGE_SCORE
                beta = _INFINITE if opened else min(_INFINITE, beta + 4 * (beta - guess))

    def _search_root(self, depth: int, alpha: int, beta: int) -> int:
        board = self._board
        return int(
            pvs(
                self.space, self._tt, board[PRAIRIE], board[BANK], board[DOGS], board[CHIEF],
                board[KEY], depth, alpha, beta, 0,
            )
        )  # fmt: skip

    def _principal_variation(self, score: int, depth: int) -> Variation | None:
        length = int(self.space[PV_LENGTHS])
        if length == 0:
            return None
        words = self.space[PV_MOVES : PV_MOVES + length]
        return Variation(tuple(decode_move(int(word)) for word in words), score, depth)

    def _report(self, variations: tuple[Variation, ...], depth: int) -> SearchReport:
        result = None
        if self._consultation is not None:
            variations, result = self._consultation.correct(variations), self._consultation.result
        seconds = self._clock() - self._started
        nodes = sum(int(run.space[NODES]) for run in (self, *self._helpers))
        return SearchReport(variations, depth, nodes, seconds, result)
