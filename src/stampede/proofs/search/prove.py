"""Proving positions: the search on all cores, with a report, checkpoints and limits; then the proof, read out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.proofs.search.dfpn import Workspace, new_workspace, search
from stampede.proofs.search.extract import DONE, FULL, Found, collect, new_found
from stampede.proofs.search.transposition import (
    BITS,
    NEVER,
    TranspositionTable,
    new_memory,
    remember_all,
)
from stampede.tablebase.tablebase import Tablebase
from stampede.tablebase.windows import Recognisers, recognisers

__all__ = ["Proof", "ProofStatus", "Prover"]

_SLICE: Final = 1 << 18
"""How many positions a thread looks at before it looks up."""
_FOREVER: Final = 1 << 60


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """How a search stands: the numbers that are left to show for hunter and buffalo side, positions, seconds."""

    proof: int
    disproof: int
    positions: int
    seconds: float

    @property
    def winner(self) -> Side | None:
        """The side whose win is shown, if any."""
        if self.proof == 0:
            return Side.HUNTER
        return Side.BUFFALO if self.disproof == 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """A proof as a list.

    Positions with the winner to move, his moves, and by which window the rest is known (0: none).
    """

    winner: Side
    keys: Words
    moves: Words
    by: Words


class Prover:
    """Searches on one board with some tables; what it has found helps all later searches."""

    def __init__(
        self,
        tables: Sequence[Tablebase],
        *,
        width: int = WIDTH,
        megabytes: int = 256,
        cores: int = 2,
    ) -> None:
        """Takes tables, the board's width, the memory's size, and how many threads to use."""
        self.tables = tuple(tables)
        self.width = width
        self.known: Recognisers = recognisers(tables, width)
        self.memory: TranspositionTable = new_memory(megabytes)
        self._rooms: list[Workspace] = [new_workspace() for _ in range(cores)]

    def search(
        self,
        key: int,
        *,
        positions: int = _FOREVER,
        report: Callable[[ProofStatus], object] = lambda _status: None,
    ) -> ProofStatus:
        """Searches until the position (a key as int64) is decided or so many positions were looked at.

        The report is called about once a second and may raise; what was found stays in the memory.
        """
        begin, done = time.perf_counter(), 0
        share = max(1, min(_SLICE, positions // len(self._rooms)))

        def look(number: int) -> tuple[int, int]:
            room = self._rooms[number]
            value = search(key, room, self.known, self.memory, self.width, share, number)
            return int(value), int(room.counters[0])

        with ThreadPoolExecutor(len(self._rooms)) as pool:
            while True:
                results = list(pool.map(look, range(len(self._rooms))))
                done += sum(count for _, count in results)
                values = [value for value, _ in results]
                decided = [value for value in values if _is_decided(value)]
                value = decided[0] if decided else values[0]
                seconds = time.perf_counter() - begin
                status = ProofStatus(value & NEVER, value >> BITS & NEVER, done, seconds)
                report(status)
                if decided or done >= positions:
                    return status

    def proof(self, keys: Sequence[int], winner: Side, most: int = 1 << 22) -> Proof:
        """The proof of positions that were decided for the winner, together.

        Raises:
            InputError: It has more entries than `most`, or a position isn't decided.
        """
        room_for = min(most, 1 << 12)
        while True:
            found = new_found(room_for)
            if all(self._collect(key, winner, found) for key in keys):
                count = int(found.counts[0])
                return Proof(winner, found.keys[:count], found.moves[:count], found.by[:count])
            if room_for >= most:
                raise InputError(
                    f"expected a proof of at most {most:,} positions, got a longer one"
                )
            room_for = min(most, 8 * room_for)

    def _collect(self, key: int, winner: Side, found: Found) -> bool:
        """Adds one position's proof; False when there is no room left."""
        room = self._rooms[0]
        hunter = int(winner is Side.HUNTER)
        outcome = collect(key, room, self.known, self.memory, self.width, hunter, found)
        while outcome not in (DONE, FULL):
            lost = int(found.counts[2])
            if self.search(lost).winner is not winner:
                raise InputError(
                    f"expected a win of {winner}, got another result for key {lost:#x}"
                )
            outcome = collect(0, room, self.known, self.memory, self.width, hunter, found)
        return bool(outcome == DONE)

    # --- checkpoints ---

    def save(self, path: Path) -> None:
        """Writes what was found to a file."""
        used = self.memory.values != 0
        fresh = path.with_suffix(".new.npz")
        np.savez(fresh, keys=self.memory.keys[used], values=self.memory.values[used])
        fresh.replace(path)

    def load(self, path: Path) -> None:
        """Takes in what an earlier search has found."""
        with np.load(path) as saved:
            remember_all(self.memory, saved["keys"], saved["values"])


def _is_decided(value: int) -> bool:
    return value & NEVER == 0 or value >> BITS & NEVER == 0
