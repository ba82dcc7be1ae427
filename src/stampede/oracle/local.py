"""The oracle of this machine: the tablebases in its folder and the certificates that ship with the package."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from stampede.buffalo import Move, Position
from stampede.kernels.buffalo.lookups import Words
from stampede.oracle.book import ProofBook, shipped_books
from stampede.oracle.knowledge import Knowledge, select_knowledge
from stampede.search.buffalo.variations import ExactResult, Variation
from stampede.search.buffalo.workspace import WIN
from stampede.tablebase.tablebase import tablebase_folder

__all__ = ["LocalConsultation", "LocalOracle", "default_oracle"]


@dataclass(frozen=True, slots=True)
class LocalOracle:
    """Tablebases of a folder and books of certificates; implements `stampede.search.buffalo.oracle.Oracle`.

    Attributes:
        folder: The tablebases' folder. It is listed at every consultation, so tablebases built later are found.
        books: The books of certificates.
    """

    folder: Path
    books: tuple[ProofBook, ...] = ()

    def consult(self, position: Position) -> LocalConsultation:
        """Looks up a position, and selects the tablebases that its continuations may need."""
        return LocalConsultation(self.knowledge(position), position)

    def knowledge(self, position: Position) -> Knowledge:
        """The tablebases and books that may help in a position and its continuations."""
        columns = sum(1 << square.file for square in position.buffaloes)
        return select_knowledge(tuple(_list_files(self.folder)), self.books, columns)


def default_oracle() -> LocalOracle:
    """The oracle of this machine: its tablebase folder and the shipped certificates."""
    try:
        folder = tablebase_folder()
    except RuntimeError:  # a user without a home directory, as in some containers
        folder = Path(os.devnull)
    return LocalOracle(folder, shipped_books())


class LocalConsultation:
    """What is known about a position and the positions after its moves; each is looked up once.

    Attributes:
        knowledge: The tablebases and books that were selected for the position.
        result: The position's exact result, if it is known.
    """

    def __init__(self, knowledge: Knowledge, position: Position) -> None:
        self.knowledge = knowledge
        self.result: ExactResult | None = knowledge.look_up(position)
        self._position = position
        self._after: dict[Move, ExactResult | None] = {}

    @property
    def tablebase_words(self) -> Words:
        """The tablebases that the search may probe at every node: int64[PROBE_WORDS]."""
        return self.knowledge.probe_words[0]

    def correct(self, variations: tuple[Variation, ...]) -> tuple[Variation, ...]:
        """Replaces estimated scores by exact ones where they are known; best first.

        The move that is known to win is always among them, if need be in place of the last one.
        """
        exact = [self._correct_score(variation) for variation in variations]
        if self.result is not None and self.result.move is not None:
            best = Variation((self.result.move,), WIN - self.result.plies, 1)
            same = [variation for variation in exact if variation.move == best.move]
            if not same and max(variation.score for variation in exact) < best.score:
                exact = [best, *exact[:-1]]
            elif same and same[0].score < best.score:
                exact = [best if variation is same[0] else variation for variation in exact]
        return tuple(sorted(exact, key=lambda variation: -variation.score))

    def _correct_score(self, variation: Variation) -> Variation:
        if variation.move not in self._after:
            after = self._position.after(variation.move)
            self._after[variation.move] = self.knowledge.look_up(after)
        result = self._after[variation.move]
        if result is None:
            return variation
        # The search may have found a shorter win, or a longer defence, than the sources promise: keep it then.
        score = WIN - result.plies - 1
        if result.winner is self._position.turn:
            return replace(variation, score=max(variation.score, score))
        return replace(variation, score=min(variation.score, -score))


def _list_files(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """The tablebases of a folder with size and modification time; none if the folder can't be read."""
    with suppress(OSError):
        for path in sorted(folder.glob("*.table")):
            status = path.stat()
            yield path, status.st_size, status.st_mtime_ns
