"""The opening explorer over HTTP: the shipped values beside what was played in public games on this server."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stampede.buffalo import BuffaloGame, BuffaloState, Position
from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.matches.entries import Entry
from stampede.matches.table import Table
from stampede.server.study.fair_play import OPENING
from stampede.server.tables.games import CATALOGUE
from stampede.store import LogDamaged, Store

if TYPE_CHECKING:
    from stampede.oracle.explorer import Explorer

__all__ = ["OpeningExplorer"]

log = logging.getLogger("stampede.server")

MOST_TABLES: Final = 300
"""Public tables whose games are counted, the latest ones."""
FRESH_MS: Final = 10 * 60 * 1000
"""For so long the games aren't counted again."""


@dataclass(slots=True)
class _Played:
    """How often a move was played, and how often the buffalo side won then."""

    games: int = 0
    buffalo: int = 0


@dataclass(slots=True)
class _Counts:
    """What was played in the openings of this server's games, by position and move; mirror images are one."""

    games: int = 0
    moves: dict[tuple[str, str], _Played] = field(default_factory=lambda: defaultdict(_Played))


class OpeningExplorer:
    """Answers what is known about the first moves. Games are counted in the background, now and then."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._counts = _Counts()
        self._counted_at: int | None = None
        self._lock = asyncio.Lock()

    async def answer(self, position: Position) -> JsonObject:
        """What is known about a position, as an `ExplorerAnswer`."""
        await self._refresh()
        return await asyncio.to_thread(_answer, position, self._counts)

    async def _refresh(self) -> None:
        """Counts the games again if that was long ago; those who ask meanwhile get the old counts."""
        now = self._now()
        fresh = self._counted_at is not None and now - self._counted_at < FRESH_MS
        if fresh or self._lock.locked():
            return
        async with self._lock:
            self._counted_at = now
            listed = await self._store.listings(
                ["over"], public=True, game=BuffaloGame.name, limit=MOST_TABLES
            )
            counts = _Counts()
            for one in listed:
                try:
                    payloads = [entry.payload for entry in await self._store.read(one.table_id)]
                    await asyncio.to_thread(_count, payloads, counts)
                except (LogDamaged, StampedeError):
                    log.warning("explorer: a table's log can't be read")
            self._counts = counts


def _count(payloads: list[str], counts: _Counts) -> None:
    """Counts the openings of a table's finished games that began as usual."""
    from stampede.oracle.explorer import position_key  # noqa: PLC0415 - loads compiled code

    entries = (Entry.from_json(json.loads(payload)) for payload in payloads)
    table = Table.rebuild(CATALOGUE, entries)
    state = table.state
    for match in (*state.past, *(() if state.match is None else (state.match,))):
        if match.ended_at is None or match.aborted or not isinstance(match.state, BuffaloState):
            continue
        outcome = match.verdict or match.state.outcome
        start = Position.start()
        if outcome is None or match.state.start != start or match.rules.opening_moves > 1:
            continue
        won = 0 in outcome.winners
        counts.games += 1
        position = start
        for step in table.spec.game.write_steps(match.events)[:OPENING]:
            after = position.play(str(step))
            played = counts.moves[position_key(position)[0], position_key(after)[0]]
            played.games += 1
            played.buffalo += won
            position = after


def _answer(position: Position, counts: _Counts) -> JsonObject:
    from stampede.oracle.explorer import position_key, shipped_explorer  # noqa: PLC0415

    explorer: Explorer = shipped_explorer()
    known = {one.move: one for one in explorer.find(position)}
    here = position_key(position)[0]
    rows: list[Json] = []
    for move in [*known, *(one for one in position.legal_moves if one not in known)]:
        played = counts.moves.get((here, position_key(position.after(move))[0]))
        value = known.get(move)
        if value is None and played is None:
            continue
        rows.append(
            {
                "move": str(move),
                "score": None if value is None else value.score,
                "plies_to_end": None if value is None else value.plies,
                "source": "" if value is None else value.source,
                "games": 0 if played is None else played.games,
                "buffalo_wins": 0 if played is None else played.buffalo,
            }
        )
    return {
        "fen": position.fen(),
        "turn": position.turn.word,
        "nodes": explorer.budget.nodes,
        "games": counts.games,
        "moves": rows,
    }
