"""The opening explorer of Buffalo: what the engine and the proofs say about the first moves, computed once and shipped.

A tree from the start: every legal move of a position in it has a value, and the best few of them are followed. A
position and its mirror image are one entry. The same budget gives the same file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from stampede.buffalo import Move, Position, Side
from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_object, expect_str
from stampede.oracle.book import shipped_books
from stampede.oracle.local import LocalOracle
from stampede.search.buffalo.engine import Engine, Limits

__all__ = [
    "ExploredMove",
    "Explorer",
    "ExplorerBudget",
    "build_explorer",
    "mirror_move",
    "position_key",
    "read_explorer",
    "shipped_explorer",
]

FORMAT: Final = "stampede-explorer/1"
FILE: Final = "explorer.json"
_MIRROR: Final = dict(zip(FILES, reversed(FILES), strict=True))


@dataclass(frozen=True, slots=True)
class ExplorerBudget:
    """How much is explored.

    Attributes:
        nodes: Positions searched for each move.
        widths: By ply: how many of the best moves are followed; so many plies are explored, and one more.
        entries: The size of the transposition table, which is new for every move.
    """

    nodes: int = 400_000
    widths: tuple[int, ...] = (6, 4, 3)
    entries: int = 1 << 18

    def to_json(self) -> JsonObject:
        """The budget as JSON."""
        return {"nodes": self.nodes, "widths": list(self.widths), "entries": self.entries}


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move and what it is worth for the side that makes it.

    Attributes:
        move: The move.
        score: In hundredths.
        plies: Where the end is proven: in so many plies at most; negative when the side loses.
        source: The certificate that proves it; empty for the engine's search.
    """

    move: Move
    score: int
    plies: int | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Explorer:
    """The explored positions.

    Attributes:
        budget: With what they were explored.
        positions: By `position_key`: the legal moves, best first.
    """

    budget: ExplorerBudget
    positions: dict[str, tuple[ExploredMove, ...]]

    def find(self, position: Position) -> tuple[ExploredMove, ...]:
        """The moves of a position, best first; none when it isn't explored."""
        key, mirrored = position_key(position)
        found = self.positions.get(key, ())
        if not mirrored:
            return found
        return tuple(
            ExploredMove(mirror_move(one.move), one.score, one.plies, one.source) for one in found
        )

    def dumps(self) -> str:
        """The explorer's file: JSON with one line a position."""
        head = json.dumps({"format": FORMAT, "budget": self.budget.to_json()})[:-1]
        lines = [f"{json.dumps(key)}: {_write(moves)}" for key, moves in self.positions.items()]
        return f'{head}, "positions": {{\n' + ",\n".join(lines) + "\n}}\n"


def position_key(position: Position) -> tuple[str, bool]:
    """A text for a position and its mirror image, and whether it is that of the image: pieces and side to move."""
    ranks, side, *_ = position.fen().split()
    mirrored = "/".join(_mirror_rank(rank) for rank in ranks.split("/"))
    return f"{min(ranks, mirrored)} {side}", mirrored < ranks


def _mirror_rank(rank: str) -> str:
    """A rank read from the other side; numbers of two digits stay as they are."""
    parts: list[str] = []
    for letter in rank:
        if letter.isdigit() and parts and parts[-1].isdigit():
            parts[-1] += letter
        else:
            parts.append(letter)
    return "".join(reversed(parts))


def mirror_move(move: Move) -> Move:
    """The move on the other side of the board's axis."""
    return Move.parse("".join(_MIRROR.get(letter, letter) for letter in str(move)))


# --- building ---


def build_explorer(
    budget: ExplorerBudget, progress: Callable[[int, int], None] | None = None
) -> Explorer:
    """Explores the first moves with the shipped certificates.

    Args:
        budget: How much.
        progress: Called with the number of positions done, and of those known so far.
    """
    oracle = LocalOracle(Path(os.devnull), shipped_books())
    positions: dict[str, tuple[ExploredMove, ...]] = {}
    front = [Position.start()]
    known = 1
    for ply in range(len(budget.widths) + 1):
        following: dict[str, Position] = {}
        for position in front:
            key, mirrored = position_key(position)
            moves = _explore(position, oracle, budget)
            if mirrored:
                positions[key] = tuple(
                    ExploredMove(mirror_move(m.move), m.score, m.plies, m.source) for m in moves
                )
            else:
                positions[key] = moves
            if ply < len(budget.widths):
                for one in _different(position, moves)[: budget.widths[ply]]:
                    after = position.after(one.move)
                    if not after.is_over:
                        following.setdefault(position_key(after)[0], after)
            known = max(known, len(positions) + len(following))
            if progress is not None:
                progress(len(positions), known)
        front = [after for key, after in following.items() if key not in positions]
    return Explorer(budget, positions)


def _different(position: Position, moves: tuple[ExploredMove, ...]) -> list[ExploredMove]:
    """The moves that lead to different positions, mirror images being one."""
    seen: dict[str, ExploredMove] = {}
    for one in moves:
        seen.setdefault(position_key(position.after(one.move))[0], one)
    return list(seen.values())


def _explore(
    position: Position, oracle: LocalOracle, budget: ExplorerBudget
) -> tuple[ExploredMove, ...]:
    """Values every legal move by a search of the position after it; mirror images are searched once."""
    known: dict[str, tuple[int, int | None, str]] = {}
    found = []
    for move in position.legal_moves:
        after = position.after(move)
        key = position_key(after)[0]
        if key not in known:
            known[key] = _value(after, position.turn, oracle, budget)
        found.append(ExploredMove(move, *known[key]))
    return tuple(sorted(found, key=lambda one: (-one.score, str(one.move))))


def _value(
    after: Position, mover: Side, oracle: LocalOracle, budget: ExplorerBudget
) -> tuple[int, int | None, str]:
    """Score, plies to a proven end and its source, for the side that has moved."""
    if after.is_over:
        won = after.winner is mover
        return (30_000 if won else -30_000), (1 if won else -1), ""
    report = Engine(budget.entries, oracle=oracle).search(after, Limits(nodes=budget.nodes))
    best = report.best
    plies = None
    if best.plies is not None:
        plies = -(best.plies + 1) if best.plies > 0 else 1 - best.plies
    source = "" if report.exact is None or plies is None else report.exact.source
    return -best.score, plies, source


# --- the file ---


def _write(moves: tuple[ExploredMove, ...]) -> str:
    rows: list[Json] = []
    for one in moves:
        row: list[Json] = [str(one.move), one.score]
        rows.append(row if one.plies is None else [*row, one.plies, one.source])
    return json.dumps(rows, separators=(",", ":"))


def read_explorer(text: str) -> Explorer:
    """Reads an explorer's file; InputError when it is none."""
    data = expect_object(json.loads(text), "explorer")
    if data.get("format") != FORMAT:
        raise InputError(f"format: expected {FORMAT}, got {str(data.get('format'))[:40]!r}")
    budget = expect_object(data.get("budget"), "budget")
    widths = tuple(expect_int(one, "widths") for one in expect_list(budget.get("widths"), "widths"))
    read = ExplorerBudget(
        expect_int(budget.get("nodes"), "nodes"),
        widths,
        expect_int(budget.get("entries"), "entries"),
    )
    positions = {
        key: tuple(_read_move(row, key) for row in expect_list(rows, key))
        for key, rows in expect_object(data.get("positions"), "positions").items()
    }
    return Explorer(read, positions)


def _read_move(row: Json, where: str) -> ExploredMove:
    move, score, *proven = expect_list(row, where)
    plies = expect_int(proven[0], where) if proven else None
    source = expect_str(proven[1], where) if proven else ""
    return ExploredMove(
        Move.parse(expect_str(move, where)), expect_int(score, where), plies, source
    )


@cache
def shipped_explorer() -> Explorer:
    """The explorer that comes with the package."""
    return read_explorer((files("stampede.oracle") / FILE).read_text(encoding="utf-8"))
