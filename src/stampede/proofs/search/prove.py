"""Proving positions: the search on all cores, with progress, checkpoints and limits; then the extracted proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.proofs.search.checkpoint import SearchIdentity, load_checkpoint, save_checkpoint
from stampede.proofs.search.dfpn import (
    SearchStack,
    canonical_key_on,
    initial_numbers,
    new_stack,
    search,
)
from stampede.proofs.search.extract import (
    DONE,
    FULL,
    ProofBuilder,
    collect,
    find_decider,
    new_proof_builder,
)
from stampede.proofs.search.transposition import (
    INFINITE,
    NUMBER_BITS,
    TranspositionTable,
    new_transposition_table,
)
from stampede.tablebase.endgames.endgame import Endgame
from stampede.tablebase.endgames.recognise import make_endgame_recogniser
from stampede.tablebase.tablebase import Tablebase
from stampede.tablebase.windows import Recognisers, make_recognisers

__all__ = ["MOST_ANSWERS", "Proof", "ProofStatus", "Prover"]

_SLICE: Final = 1 << 18
"""How many positions a thread visits between two reports."""
_FOREVER: Final = 1 << 60
MOST_ANSWERS: Final = 1 << 26
"""The answers of the longest proof that is extracted, which takes 4.3 GB; shorter ones take what they need."""
_FEW_ANSWERS: Final = 1 << 12
"""The answers that an extraction has space for at first."""


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """How far a search is: proof and disproof number of its root, positions visited, seconds."""

    proof: int
    disproof: int
    positions: int
    seconds: float

    @property
    def winner(self) -> Side | None:
        """The side whose win is proven, if any."""
        if self.proof == 0:
            return Side.HUNTER
        return Side.BUFFALO if self.disproof == 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """A proof: positions with the winner to move, the winner's moves, and the windows that decide what follows.

    Attributes:
        winner: The side that wins all positions.
        keys: The positions, int64[n].
        moves: The winner's moves, int64[n].
        by: Numbers of windows of tablebases, from 1; if the buffalo side wins, sets of files whose buffaloes win by
            themselves; 0 where the positions after all replies are listed. int64[n].
    """

    winner: Side
    keys: Words
    moves: Words
    by: Words


class Prover:
    """Searches positions of one board with some tablebases; later searches profit from earlier ones."""

    def __init__(
        self,
        tablebases: Sequence[Tablebase],
        *,
        endgame: Endgame | None = None,
        width: int = WIDTH,
        megabytes: int = 256,
        cores: int = 2,
    ) -> None:
        """Makes a prover.

        Args:
            tablebases: The tablebases that it may use for wins of the hunter.
            endgame: The endgame tablebase that it may use for wins of the buffalo side.
            width: The board's width.
            megabytes: The size of the transposition table.
            cores: How many threads search.
        """
        self.tablebases = tuple(tablebases)
        self.endgame = endgame
        self.width = width
        self.recognisers: Recognisers = make_recognisers(tablebases, width)
        self.endgame_recogniser = make_endgame_recogniser(endgame, width)
        self.tt: TranspositionTable = new_transposition_table(megabytes)
        self._stacks: list[SearchStack] = [new_stack() for _ in range(cores)]

    def forget(self) -> None:
        """Empties the transposition table, so that the next search depends on nothing before it."""
        self.tt.keys[:] = 0
        self.tt.values[:] = 0

    def known_winner(self, key: int) -> Side | None:
        """The winner of a position (a key as int64), if the rules or a tablebase decide it without a search."""
        stack = self._stacks[0]
        unpack(key, stack.board)
        value = int(
            initial_numbers(
                stack.board, self.recognisers, self.endgame_recogniser, -1, stack.values
            )
        )
        return ProofStatus(value & INFINITE, value >> NUMBER_BITS & INFINITE, 0, 0.0).winner

    def decider(self, key: int) -> int:
        """What decides a position (a key as int64) for the side that isn't to move, as in `Proof.by`; 0 for nothing."""
        board = self._stacks[0].board
        unpack(key, board)
        hunter = int(key >= 0)
        return int(find_decider(board, self.recognisers, self.endgame_recogniser, -1, hunter))

    def search(
        self,
        key: int,
        *,
        positions: int = _FOREVER,
        report: Callable[[ProofStatus], object] = lambda _status: None,
    ) -> ProofStatus:
        """Searches until the position (a key as int64) is decided or so many positions were visited.

        The report is called about once a second. It may raise; the transposition table keeps what was found.
        """
        begin, done = time.perf_counter(), 0
        share = max(1, min(_SLICE, positions // len(self._stacks)))

        def look(number: int) -> tuple[int, int]:
            stack = self._stacks[number]
            value = search(
                key,
                stack,
                self.recognisers,
                self.endgame_recogniser,
                self.tt,
                self.width,
                share,
                number,
            )
            return int(value), int(stack.counters[0])

        with ThreadPoolExecutor(len(self._stacks)) as pool:
            while True:
                results = list(pool.map(look, range(len(self._stacks))))
                done += sum(count for _, count in results)
                values = [value for value, _ in results]
                decided = [value for value in values if _is_decided(value)]
                value = decided[0] if decided else values[0]
                seconds = time.perf_counter() - begin
                status = ProofStatus(
                    value & INFINITE, value >> NUMBER_BITS & INFINITE, done, seconds
                )
                report(status)
                if decided or done >= positions:
                    return status

    def proof(self, keys: Sequence[int], winner: Side, most: int = MOST_ANSWERS) -> Proof:
        """Extracts the common proof of positions that were decided for the winner.

        Raises:
            InputError: It has more entries than `most`, or a position has another winner.
        """
        capacity = min(most, _FEW_ANSWERS)
        while True:
            proof = new_proof_builder(capacity)
            if all(self._collect(key, winner, proof) for key in keys):
                count = int(proof.counts[0])
                return Proof(winner, proof.keys[:count], proof.moves[:count], proof.by[:count])
            if capacity >= most:
                raise InputError(
                    f"expected a proof of at most {most:,} positions, got a longer one"
                )
            capacity = min(most, 8 * capacity)

    def _collect(self, key: int, winner: Side, proof: ProofBuilder) -> bool:
        """Adds one position's proof; False when there is no space left."""
        hunter = int(winner is Side.HUNTER)
        outcome = self._extract(key, hunter, proof)
        while outcome not in (DONE, FULL):
            lost = int(proof.counts[2])
            if self.search(lost).winner is not winner:
                raise InputError(
                    f"expected a win of {winner}, got another result for key {lost:#x}"
                )
            outcome = self._extract(0, hunter, proof)
        return bool(outcome == DONE)

    def _extract(self, key: int, hunter: int, proof: ProofBuilder) -> int:
        return collect(
            key,
            self._stacks[0],
            self.recognisers,
            self.endgame_recogniser,
            self.tt,
            self.width,
            hunter,
            proof,
        )

    # --- checkpoints ---

    def save(self, path: Path, root: int) -> None:
        """Writes a checkpoint of the search of a position (a key as int64): everything that was found."""
        save_checkpoint(path, self.tt, self._identity(root))

    def load(self, path: Path, root: int, *, any_root: bool = False) -> None:
        """Reads a checkpoint of an earlier search of this position (a key as int64), or with `any_root` of any one.

        Raises:
            InputError: The file is damaged, or the search had another position, width or a tablebase that is missing.
        """
        load_checkpoint(path, self.tt, self._identity(root), any_root=any_root)

    def _identity(self, root: int) -> SearchIdentity:
        names = [tablebase.name for tablebase in self.tablebases]
        if self.endgame is not None:
            names.append(str(self.endgame.spec))
        return SearchIdentity(canonical_key_on(root, self.width), self.width, tuple(sorted(names)))


def _is_decided(value: int) -> bool:
    return value & INFINITE == 0 or value >> NUMBER_BITS & INFINITE == 0
