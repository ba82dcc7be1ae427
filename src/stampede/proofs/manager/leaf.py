"""A leaf's search: what a worker is asked and what it answers. The answer depends on the question alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.kernels.buffalo.bridge import decode, encode, encode_move, signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.proofs.manager.pieces import pack_piece
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.search.named import open_named
from stampede.proofs.search.prove import Prover
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.workspace import PROVEN
from stampede.tablebase.tablebase import tablebase_folder

__all__ = ["LeafJob", "LeafResult", "LeafState", "LeafStep", "search_leaf"]

_BYTES: Final = 48
"""Memory for each position of a budget: three entries of the transposition table."""
_PROBE_ENTRIES: Final = 1 << 14
_MOST_ENTRIES: Final = 1 << 22


class LeafState(StrEnum):
    """What is known about a position: whether the tree's winner wins it."""

    PROVEN = "proven"
    LIKELY = "likely"
    OPEN = "open"
    UNLIKELY = "unlikely"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class LeafStep:
    """A legal move of an expanded leaf.

    Attributes:
        move: The move, as the kernels write it, from the leaf's position as its key has it.
        key: The position after it, as a canonical key.
        state: What is known about it without a search: `PROVEN`, `REFUTED` or `OPEN`.
        score: The engine's score for the tree's winner, in hundredths.
    """

    move: int
    key: int
    state: LeafState
    score: int


@dataclass(frozen=True, slots=True)
class LeafJob:
    """A question to a worker: search this leaf.

    Attributes:
        spec: The tree's spec.
        key: The leaf, as a canonical key.
        tier: The index of the budget.
        folder: The tablebases' folder; None for the default.
    """

    spec: TreeSpec
    key: int
    tier: int
    folder: str | None = None

    @property
    def is_last(self) -> bool:
        """Whether no larger budget is left, so that an open leaf is expanded."""
        return self.tier + 1 >= len(self.spec.tiers)


@dataclass(frozen=True, slots=True)
class LeafResult:
    """A worker's answer.

    Attributes:
        key: The leaf.
        tier: The index of the budget.
        state: What the search found.
        score: The engine's score for the tree's winner, in hundredths, where one was asked for; else None.
        positions: How many positions were searched.
        steps: The leaf's legal moves, if it stays open after the largest budget.
        seconds: Processor time; the only part that another run gives differently.
        piece: For a proven leaf the packed part of the certificate (`stampede.proofs.manager.pieces`), else None.
        is_deferred: The leaf wasn't searched, as its workers died: others come first.
    """

    key: int
    tier: int
    state: LeafState
    score: int | None
    positions: int
    steps: tuple[LeafStep, ...] = ()
    seconds: float = 0.0
    piece: bytes | None = None
    is_deferred: bool = False

    @classmethod
    def deferred(cls, job: LeafJob) -> LeafResult:
        """The result of a leaf that can't be searched here."""
        return cls(job.key, job.tier, LeafState.OPEN, None, 0, is_deferred=True)

    def to_json(self) -> JsonObject:
        """The result as JSON, without its piece."""
        deferred: JsonObject = {"deferred": True} if self.is_deferred else {}
        return {
            **deferred,
            "key": self.key,
            "tier": self.tier,
            "state": self.state,
            "score": self.score,
            "positions": self.positions,
            "seconds": self.seconds,
            "steps": [[step.move, step.key, step.state, step.score] for step in self.steps],
        }

    @classmethod
    def from_json(cls, data: Json) -> LeafResult:
        """Reads a result; InputError when a value is wrong."""
        values = expect_object(data, "leaf")
        score, seconds = values.get("score"), values.get("seconds")
        if not isinstance(seconds, int | float):
            raise InputError(f"seconds: expected a number, got {seconds!r}")
        return cls(
            key=expect_int(values.get("key"), "key"),
            tier=expect_int(values.get("tier"), "tier"),
            state=_state(values.get("state")),
            score=None if score is None else expect_int(score, "score"),
            positions=expect_int(values.get("positions"), "positions"),
            steps=tuple(_step(row) for row in expect_list(values.get("steps"), "steps")),
            seconds=float(seconds),
            is_deferred=values.get("deferred") is True,
        )


def _state(value: Json) -> LeafState:
    text = expect_str(value, "state")
    if text not in list(LeafState):
        raise InputError(f"state: expected one of {', '.join(LeafState)}, got {text!r}")
    return LeafState(text)


def _step(row: Json) -> LeafStep:
    values = expect_list(row, "steps")
    if len(values) != 4:
        raise InputError(f"steps: expected a move, a key, a state and a score, got {values}")
    move, key, state, score = values
    return LeafStep(
        expect_int(move, "move"), expect_int(key, "key"), _state(state), expect_int(score, "score")
    )


def search_leaf(job: LeafJob) -> LeafResult:
    """Searches a leaf with its budget: by proof search, or by the engine if the tree has a threshold."""
    begin = time.process_time()
    tools = _tools(canonical(job.spec.to_json()), job.folder)
    state, score, positions = tools.search(job)
    piece = None
    if state is LeafState.PROVEN and job.spec.threshold is None:
        piece = tools.piece(job)
    steps: tuple[LeafStep, ...] = ()
    if state is LeafState.OPEN and job.is_last:
        steps = tuple(tools.steps(job.key))
    seconds = round(time.process_time() - begin, 3)
    return LeafResult(job.key, job.tier, state, score, positions, steps, seconds, piece)


@lru_cache(maxsize=2)
def _tools(spec: str, folder: str | None) -> _LeafTools:
    """What a worker keeps from one leaf to the next, so that tablebases and memory are opened once."""
    import json  # noqa: PLC0415 - the one place that needs the text again

    return _LeafTools(TreeSpec.from_json(json.loads(spec)), folder)


class _LeafTools:
    """The searches of one process: transposition tables by size, and engines."""

    def __init__(self, spec: TreeSpec, folder: str | None) -> None:
        self._spec = spec
        where = tablebase_folder() if folder is None else Path(folder)
        self._opened = open_named(spec.tablebases, where)
        self._provers: dict[int, Prover] = {}
        self._probing = Engine(_PROBE_ENTRIES)
        self._judging: dict[int, Engine] = {}

    def _prover(self, budget: int) -> Prover:
        megabytes = min(max(1, budget * _BYTES >> 20), self._spec.megabytes)
        megabytes = 1 << megabytes.bit_length() - 1  # few sizes, so that tiers share tables
        if megabytes not in self._provers:
            tablebases, endgame = self._opened
            self._provers[megabytes] = Prover(
                tablebases, endgame=endgame, megabytes=megabytes, cores=1
            )
        return self._provers[megabytes]

    def known(self, key: int) -> LeafState:
        """What the rules or a tablebase say about a position at sight."""
        winner = self._prover(self._spec.tiers[0]).known_winner(key)
        if winner is None:
            return LeafState.OPEN
        return LeafState.PROVEN if winner is self._spec.winner else LeafState.REFUTED

    def search(self, job: LeafJob) -> tuple[LeafState, int | None, int]:
        """Searches a leaf: its state, the score where the engine was asked, and the positions visited."""
        known = self.known(job.key)
        if known is not LeafState.OPEN:
            return known, None, 0
        if job.spec.threshold is not None:
            return self.judge(job, job.spec.threshold)
        state, positions = self.prove(job)
        return state, None, positions

    def prove(self, job: LeafJob) -> tuple[LeafState, int]:
        """Proof search with an empty transposition table; the state, and the positions visited."""
        budget = job.spec.tiers[job.tier]
        prover = self._prover(budget)
        prover.forget()
        status = prover.search(job.key, positions=budget)
        if status.winner is None:
            return LeafState.OPEN, status.positions
        won = status.winner is job.spec.winner
        return LeafState.PROVEN if won else LeafState.REFUTED, status.positions

    def piece(self, job: LeafJob) -> bytes:
        """The proof of a leaf that `prove` or `known` has just decided."""
        prover = self._prover(job.spec.tiers[job.tier])
        return pack_piece(prover.proof([job.key], job.spec.winner))

    def judge(self, job: LeafJob, threshold: int) -> tuple[LeafState, int, int]:
        """The engine's opinion: a state, the score, and the positions searched."""
        budget = job.spec.tiers[job.tier]
        entries = min(max(_PROBE_ENTRIES, 1 << budget.bit_length()), _MOST_ENTRIES)
        engine = self._judging.setdefault(entries, Engine(entries))
        score, nodes = self._score(engine, job.key, budget)
        if abs(score) >= PROVEN:
            return (LeafState.PROVEN if score > 0 else LeafState.REFUTED), score, nodes
        if abs(score) >= threshold:
            return (LeafState.LIKELY if score > 0 else LeafState.UNLIKELY), score, nodes
        return LeafState.OPEN, score, nodes

    def _score(self, engine: Engine, key: int, nodes: int) -> tuple[int, int]:
        position = decode(key)
        engine.forget()
        report = engine.search(position, Limits(nodes=nodes))
        score = report.best.score
        return score if position.turn is self._spec.winner else -score, report.nodes

    def steps(self, key: int) -> list[LeafStep]:
        """Every legal move of a position, with what is known about the position after it."""
        position = decode(key)
        found: dict[int, LeafStep] = {}
        for move in position.legal_moves:
            after = position.play(move)
            child = int(canonical_key(signed(encode(after))))
            if child in found:
                continue
            state = self._state_after(after, child)
            score = 0
            if state is LeafState.OPEN:
                score, _ = self._score(self._probing, child, self._spec.probe)
            found[child] = LeafStep(encode_move(move), child, state, score)
        return list(found.values())

    def _state_after(self, after: Position, key: int) -> LeafState:
        winner: Side | None = after.winner
        if winner is None:
            return self.known(key)
        return LeafState.PROVEN if winner is self._spec.winner else LeafState.REFUTED
