"""Players' clocks: they charge nobody who couldn't act, and they do charge those who could."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from stampede.core.series import Player
from stampede.matches.clocks import Clocks
from stampede.matches.commands import Downtime, Expire
from stampede.matches.entries import Entry
from stampede.matches.table import Table
from stampede.server.tables.games import CATALOGUE

if TYPE_CHECKING:
    from simulation.simulation import Simulation

__all__ = ["check_clocks"]

CLOCK_TOLERANCE: Final = 2.0
"""Seconds: how precisely the simulation knows when a worker was up, and when an entry was written."""
LATEST_EXPIRY: Final = 5.0
"""Seconds after which a clock that has run out must be in the log, when nothing else is wrong."""


def check_clocks(simulation: Simulation, table_id: str, entries: list[Entry]) -> Iterator[str]:
    """Yields clocks that charged more time than a server was up, and those that didn't charge what has passed."""
    table: Table | None = None
    begun = 0  # the entry at which the clocks were last started
    for entry in entries:
        before = None if table is None else table.state.clocks
        if before is not None and before.started is not None:
            yield from _check_entry(simulation, table_id, entry, before, begun)
        if table is None:
            table = Table(CATALOGUE, entry)
        else:
            table.apply(entry)
        after = table.state.clocks
        if after is None or isinstance(entry.command, Downtime):
            continue
        if after.started is not None and (before is None or before.started != after.started):
            begun = entry.seq
    if table is not None and table.state.clocks is not None:
        yield from _check_overdue(simulation, table_id, table.state.clocks, begun)


def _check_entry(
    simulation: Simulation, table_id: str, entry: Entry, before: Clocks, begun: int
) -> Iterator[str]:
    """Yields what is wrong with clocks that ran before an entry."""
    written, command = simulation.disk.written, entry.command
    start, end = written.get((table_id, begun)), written.get((table_id, entry.seq))
    if start is None or end is None or isinstance(command, Downtime):
        return
    name = f"{table_id[:6]} {entry.seq}"
    # Several workers have one time, which goes on while one of them can't write.
    had = simulation.seconds_up(start[1] if simulation.cluster is None else start[0], end[1])
    for player, needed in _seconds_needed(before):
        is_charged = isinstance(command, Expire) and player in command.players
        if is_charged and needed > had + CLOCK_TOLERANCE:
            yield f"{name}: player {player} lost {needed:.1f} s, but had {had:.1f} s"
    if simulation.world.was_troubled(start[0] - 1.0, end[1]):
        return
    assert before.started is not None
    ran, passed = (entry.at - before.started) / 1000, end[0] - start[0]
    if abs(ran - passed) > CLOCK_TOLERANCE:
        yield f"{name}: clocks ran for {ran:.1f} s while {passed:.1f} s passed"
    for player, needed in _seconds_needed(before):
        if simulation.has_room and passed - needed > LATEST_EXPIRY:
            yield f"{name}: player {player}'s clock ran out {passed - needed:.1f} s before that"


def _seconds_needed(clocks: Clocks) -> list[tuple[Player, float]]:
    """By player whose clock runs: after how many seconds it runs out, the grace included."""
    started = clocks.started
    return [
        (player, (since - started + left) / 1000)
        for player, (left, since) in enumerate(zip(clocks.left, clocks.since, strict=True))
        if since is not None and started is not None
    ]


def _check_overdue(
    simulation: Simulation, table_id: str, clocks: Clocks, begun: int
) -> Iterator[str]:
    """A clock that still runs at the end has time left, if there was room for its table in memory."""
    start, end = simulation.disk.written.get((table_id, begun)), simulation.ended_at
    if start is None or not simulation.has_room:
        return
    if simulation.world.was_troubled(start[0] - 1.0, end):
        return
    for player, needed in _seconds_needed(clocks):
        late = end - start[1] - needed
        if late > LATEST_EXPIRY:
            yield f"{table_id[:6]}: player {player}'s clock ran out {late:.1f} s before the end"
