"""Verifying certificates: blocks are checked on all cores, and each tablebase is rebuilt once for all files.

First each file's positions are checked, which leaves questions to tablebases. Then each tablebase is rebuilt, and all
questions to it are answered along the way. A certificate is verified when no fault was found.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from stampede.buffalo import Move, Position, Side, Square
from stampede.proofs.certificates.board import (
    Words,
    canonical,
    from_file_order,
    key_of,
    position_of,
)
from stampede.proofs.certificates.check import FAULTS, check_buffalo, check_hunter, find
from stampede.proofs.certificates.endgame_solver import EndgameGame, solve_endgames
from stampede.proofs.certificates.format import (
    CertificateBlock,
    CertificateFault,
    CertificateHeader,
    narrow_fen,
    read_blocks,
    read_header,
)
from stampede.proofs.certificates.reference import NotProven, Question, Referee
from stampede.proofs.certificates.scratch import Scratch, usual_memory
from stampede.proofs.certificates.window_game import WindowSpec
from stampede.proofs.certificates.window_solver import solve_window

__all__ = ["RebuiltTablebase", "ReportProgress", "Verdict", "verify"]

AHEAD: Final = 4
"""Blocks that are read ahead, for each worker."""
CLAIM: Final = -1

ReportProgress = Callable[[str, int, int], None]
"""Called now and then with what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class RebuiltTablebase:
    """A tablebase that was rebuilt.

    Attributes:
        spec: What it covers.
        questions: The number of questions to it.
        wins: The number of winning entries.
        seconds: The time.
        sets: Of an endgame tablebase, the sets of files that the questions are about, of two mirror images one: only
            these are rebuilt, with all that they depend on. None for other tablebases.
    """

    spec: WindowSpec | EndgameGame
    questions: int
    wins: int
    seconds: float
    sets: int | None = None


@dataclass(slots=True)
class Verdict:
    """The result for one file.

    Attributes:
        path: The file.
        header: Its header; None when it can't be read.
        fault: The first fault, or None when everything is proven.
        questions: The number of positions that tablebases decide.
        seconds: The time for its positions, without tablebases.
        tablebases: The tablebases that it needs.
    """

    path: Path
    header: CertificateHeader | None = None
    fault: CertificateFault | None = None
    questions: int = 0
    seconds: float = 0.0
    tablebases: list[RebuiltTablebase] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Index:
    """All keys of a file in ascending order, with the groups of `find`."""

    keys: Words
    groups: Words
    starts: Words
    shift: int

    @classmethod
    def of(cls, blocks: Iterable[CertificateBlock], winner: Side) -> _Index:
        keys = np.concatenate([np.empty(0, np.int64), *(block.keys for block in blocks)])
        shift = 33 if winner is Side.HUNTER else 30
        high = keys >> shift
        starts = np.flatnonzero(np.diff(high, prepend=np.int64(-1)))
        return cls(keys, high[starts], np.append(starts, len(keys)), shift)

    def has(self, key: int) -> bool:
        return find(self.keys, self.groups, self.starts, self.shift, key)


def verify(
    paths: Sequence[Path],
    *,
    workers: int = 1,
    every: int | None = None,
    tablebases: bool = True,
    memory: int | None = None,
    scratch: Path | None = None,
    report: ReportProgress = lambda _what, _done, _total: None,
) -> list[Verdict]:
    """Verifies certificates; a verdict for each file, in order.

    Args:
        paths: The files.
        workers: The number of threads.
        every: Check each n-th position with the readable rules instead of compiled code: the same check, thousands of
            times slower. More than 1 takes a sample and proves nothing.
        tablebases: Whether to rebuild tablebases; without them questions stay open, which proves nothing.
        memory: The bytes of memory for a tablebase's intermediate results; None for half of the
            machine's, at most 6 GB.
        scratch: A folder for files with the rest; None for the system's temporary folder.
        report: Called with the progress.

    Raises:
        OSError: The disk is full.
    """
    verdicts = [Verdict(path) for path in paths]
    questions: dict[WindowSpec | EndgameGame, list[tuple[Verdict, Words]]] = {}
    for verdict in verdicts:
        begin = time.perf_counter()
        try:
            for tablebase, rows in _check_file(verdict, workers, every, report):
                questions.setdefault(tablebase, []).append((verdict, rows))
                verdict.questions += len(rows)
        except CertificateFault as fault:
            verdict.fault = fault
        verdict.seconds = time.perf_counter() - begin
    for spec, parts in questions.items():
        sound = [(verdict, rows) for verdict, rows in parts if verdict.fault is None]
        if sound and tablebases:
            room = Scratch(usual_memory() if memory is None else memory, scratch)
            _rebuild(spec, sound, workers, room, report)
    return verdicts


def _rebuild(
    spec: WindowSpec | EndgameGame,
    parts: list[tuple[Verdict, Words]],
    workers: int,
    room: Scratch,
    report: ReportProgress,
) -> None:
    """Rebuilds a tablebase, answers all questions to it, and marks the files whose claims it doesn't support."""
    begin = time.perf_counter()
    questions = np.concatenate([rows[:, 1:4] for _, rows in parts])

    def show(done: int, total: int) -> None:
        report(f"tablebase {spec}", done, total)

    if isinstance(spec, EndgameGame):
        solved = solve_endgames(spec.columns, questions, workers, show, room)
        right_ones, wins, sets = solved.right, solved.wins, len(solved.sets)
    else:
        answers = solve_window(spec, questions, workers, show, room)
        right_ones, wins, sets = answers.right, answers.wins, None
    seconds = time.perf_counter() - begin
    at = 0
    for verdict, rows in parts:
        right = right_ones[at : at + len(rows)]
        at += len(rows)
        verdict.tablebases.append(RebuiltTablebase(spec, len(rows), wins, seconds, sets))
        if not right.all() and verdict.fault is None:
            position = int(rows[np.argmin(right), 4])
            place = "claim" if position == CLAIM else f"position {position}"
            winner = Side.BUFFALO if isinstance(spec, EndgameGame) else Side.HUNTER
            verdict.fault = CertificateFault(
                place, f"tablebase {spec} doesn't say that {winner} wins"
            )


def _check_file(
    verdict: Verdict, workers: int, every: int | None, report: ReportProgress
) -> Iterator[tuple[WindowSpec | EndgameGame, Words]]:
    """Checks a file; yields questions: int64[n, 5], as in `check.recognise`, then the position's number or CLAIM."""
    with verdict.path.open("rb") as file:
        header = verdict.header = read_header(file)
        body = file.tell()
        index = _Index.of(read_blocks(file, header), header.winner)
        referee = Referee(header, lambda position: index.has(_file_key(position, header)))
        found = [_row(question, CLAIM) for question in _check_claims(referee)]
        file.seek(body)
        blocks = read_blocks(file, header)
        checker = _Checker(header, index, referee)
        checked = (
            checker.check_by_reference(blocks, every)
            if every
            else checker.check_compiled(blocks, workers)
        )
        done = 0
        parts = [np.array(found, dtype=np.int64).reshape(-1, 5)]
        for rows, count in checked:
            parts.append(rows)
            done += count
            report(verdict.path.name, done, header.positions)
    rows = np.concatenate(parts)
    if header.endgame is not None and len(rows):
        yield header.endgame, rows
    for number, spec in enumerate(header.tablebases):
        if len(mine := rows[rows[:, 0] == number]):
            yield spec, mine


def _file_key(position: Position, header: CertificateHeader) -> int:
    return canonical(key_of(position), header.width, int(header.winner))


def _row(question: Question, position: int) -> list[int]:
    return [question.tablebase, question.state, question.dogs, question.chief, position]


def _check_claims(referee: Referee) -> Iterator[Question]:
    for number, claim in enumerate(referee.header.claims):
        try:
            question = referee.judge_claim(claim.position, claim.by)
        except NotProven as wrong:
            text = narrow_fen(claim.position, referee.header.width)
            raise CertificateFault(f"claim {number} ({text})", str(wrong)) from wrong
        if question is not None:
            yield question


@dataclass(frozen=True, slots=True)
class _Checker:
    """Checks the blocks of one file; yields questions with positions' numbers, and the number of positions done."""

    header: CertificateHeader
    index: _Index
    referee: Referee

    def check_compiled(
        self, blocks: Iterator[CertificateBlock], workers: int
    ) -> Iterator[tuple[Words, int]]:
        """Runs the compiled check on blocks in parallel."""
        waiting: deque[Future[tuple[Words, int]]] = deque()
        begin = 0
        with ThreadPoolExecutor(workers) as pool:
            for block in blocks:
                waiting.append(pool.submit(self._block, block, begin))
                begin += len(block.keys)
                if len(waiting) > AHEAD * workers:
                    yield waiting.popleft().result()
            for task in waiting:
                yield task.result()

    def _block(self, block: CertificateBlock, begin: int) -> tuple[Words, int]:
        header, index = self.header, self.index
        fault = np.zeros(2, dtype=np.int64)
        known = (index.keys, index.groups, index.starts)
        rows = np.empty((len(block.keys), 5), dtype=np.int64)
        if header.winner is Side.HUNTER:
            windows = _windows(header)
            count = check_hunter(
                block.keys, block.moves, block.by, header.width, windows, *known, rows, fault
            )
        else:
            most = 0 if header.endgame is None else header.endgame.buffaloes
            count = check_buffalo(
                block.keys, block.moves, block.by, header.width, most, *known, rows, fault
            )
        rows = rows[:count].copy()
        rows[:, 4] += begin
        if fault[1]:
            self._explain(block, begin, int(fault[0]), FAULTS[fault[1]])
        return rows, len(block.keys)

    def check_by_reference(
        self, blocks: Iterator[CertificateBlock], every: int
    ) -> Iterator[tuple[Words, int]]:
        """Checks each n-th position with the readable rules."""
        begin = 0
        for block in blocks:
            found = []
            for at in range(-begin % every, len(block.keys), every):
                question = self._judge(block, begin, at)
                if question is not None:
                    found.append(_row(question, begin + at))
            begin += len(block.keys)
            yield np.array(found, dtype=np.int64).reshape(-1, 5), len(block.keys)

    def _judge(self, block: CertificateBlock, begin: int, at: int) -> Question | None:
        place = f"block {block.number}, position {begin + at}"
        hunter = self.header.winner is Side.HUNTER
        key, move = int(block.keys[at]), int(block.moves[at])
        try:
            position = position_of(
                from_file_order(key, int(self.header.winner)), hunter_to_move=hunter
            )
            step = Move(Square(move & 127), Square(move >> 7))
        except ValueError as error:
            raise CertificateFault(place, str(error)) from error
        place = f"{place} ({narrow_fen(position, self.header.width)}, answer {step})"
        if key != _file_key(position, self.header):
            raise CertificateFault(
                place, "expected the smaller of the position and its mirror image"
            )
        if any(square.file >= self.header.width for square in position.pieces):
            raise CertificateFault(place, f"expected pieces on {self.header.width} files only")
        try:
            return self.referee.judge(position, step, int(block.by[at]))
        except NotProven as wrong:
            raise CertificateFault(place, str(wrong)) from wrong

    def _explain(self, block: CertificateBlock, begin: int, at: int, problem: str) -> None:
        """Raises what the readable rules say about a position that the compiled check rejects."""
        self._judge(block, begin, at)
        raise CertificateFault(f"block {block.number}, position {begin + at}", problem)


def _windows(header: CertificateHeader) -> Words:
    """The recognisers as `check.recognise` takes them."""
    rows = [
        (
            seen.tablebase,
            seen.column,
            int(seen.mirrored),
            header.tablebases[seen.tablebase].columns,
            header.tablebases[seen.tablebase].dogs,
            sum(1 << column for column in header.tablebases[seen.tablebase].live),
            sum(1 << cell for cell in header.tablebases[seen.tablebase].guards),
        )
        for seen in header.recognisers
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 7)
