"""What must hold of the log and of everything that clients have received, checked by folding the log anew."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulation.clock_checks import check_clocks
from simulation.hidden import HiddenNow, search_body, search_view
from simulation.observations import AckSeen, BodySeen, Identity, ViewSeen
from stampede.core.json import Json
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.commands import Act
from stampede.matches.entries import Entry
from stampede.matches.table import Table
from stampede.server.tables.games import CATALOGUE

if TYPE_CHECKING:
    from simulation.simulation import Simulation

__all__ = ["check_log"]


def _read_logs(path: Path) -> dict[str, list[Entry]]:
    """Reads all tables' entries from the file, past the store."""
    with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT table_id, seq, payload FROM entries ORDER BY table_id, seq")
        logs: dict[str, list[Entry]] = defaultdict(list)
        for table_id, _, payload in rows:
            logs[table_id].append(Entry.from_json(json.loads(payload)))
    database.close()
    return dict(logs)


def _read_accounts(path: Path) -> dict[str, str]:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return dict(database.execute("SELECT name, account_id FROM accounts"))
    finally:
        database.close()


def check_log(simulation: Simulation) -> Iterator[str]:
    """Yields everything that doesn't hold of the log and of what clients have received."""
    observed = simulation.observed
    logs = _read_logs(simulation.disk.path)
    accounts = _read_accounts(simulation.disk.path)
    for table_id in [*observed.acks, *observed.views]:
        if table_id not in logs:
            yield f"{table_id[:6]} has no log, but a client knows it"
    for table_id, entries in logs.items():
        yield from _check_numbers(table_id, entries)
        yield from _check_acks(table_id, entries, observed.acks.get(table_id, []), accounts)
        seen, bodies = observed.views.get(table_id, []), observed.bodies.get(table_id, [])
        checked = _FoldCheck(table_id, entries, accounts)
        yield from checked.check_views(seen, [body.identity for body in bodies])
        yield from checked.check_bodies(bodies, simulation.disk.written)
        yield from check_clocks(simulation, table_id, entries)


def _check_numbers(table_id: str, entries: list[Entry]) -> Iterator[str]:
    numbers = [entry.seq for entry in entries]
    if numbers != list(range(1, len(entries) + 1)):
        yield f"{table_id[:6]}: the log has the numbers {numbers}"
    keys = Counter((entry.who, entry.key) for entry in entries)
    for (who, key), count in keys.items():
        if count > 1:
            yield f"{table_id[:6]}: the log has {key} of {who[:12]} {count} times"
    times = [entry.at for entry in entries]
    if times != sorted(times):
        yield f"{table_id[:6]}: the log's times go back"


def _caller(identity: Identity, accounts: dict[str, str]) -> Caller:
    guest = identity.guest if identity.account is None else accounts.get(identity.account)
    return Caller(guest, identity.token)


def _check_acks(
    table_id: str, entries: list[Entry], acks: list[AckSeen], accounts: dict[str, str]
) -> Iterator[str]:
    for ack in acks:
        if ack.seq > len(entries):
            yield f"{table_id[:6]}: {ack.key} was acknowledged as {ack.seq} and is lost"
            continue
        entry = entries[ack.seq - 1]
        if (entry.key, entry.who) != (ack.key, _caller(ack.identity, accounts).who):
            yield (
                f"{table_id[:6]}: {ack.key} was acknowledged as {ack.seq},"
                f" but the log has {entry.key} there"
            )
        elif entry.command.type != ack.command["type"] or (
            isinstance(entry.command, Act) and entry.command.action != ack.command["action"]
        ):
            yield f"{table_id[:6]}: the log has another command than {ack.key} at {ack.seq}"


# --- views ---


class _FoldCheck:
    """Folds a log entry by entry: what was seen at an entry must be what that viewer may know then."""

    def __init__(self, table_id: str, entries: list[Entry], accounts: dict[str, str]) -> None:
        self._name = table_id[:6]
        self._table_id = table_id
        self._entries = entries
        self._accounts = accounts
        self._hidden = HiddenNow()
        self._held: dict[Identity, set[Player]] = defaultdict(set)

    def check_views(self, seen: list[ViewSeen], others: list[Identity]) -> Iterator[str]:
        """Yields what is wrong with views, and what shouldn't be among their bytes; notes who held which chair."""
        by_seq: dict[int, list[ViewSeen]] = defaultdict(list)
        for item in seen:
            if item.seq > len(self._entries):
                yield f"{self._name}: a client was shown entry {item.seq}, which isn't in the log"
            by_seq[item.seq].append(item)
        identities = dict.fromkeys([*others, *(item.identity for item in seen)])
        chairs: object = None
        table: Table | None = None
        for entry in self._entries:
            if table is None:
                table = Table(CATALOGUE, entry)
            else:
                table.apply(entry)
            self._hidden.update(table, entry)
            if table.state.chairs is not chairs:
                chairs = table.state.chairs
                for identity in identities:
                    caller = _caller(identity, self._accounts)
                    self._held[identity].update(table.players_of(caller))
            yield from self._check_moment(table, by_seq.get(entry.seq, []))

    def check_bodies(
        self, bodies: list[BodySeen], written: dict[tuple[str, int], tuple[float, float]]
    ) -> Iterator[str]:
        """Yields what bodies of responses hold although it was hidden when they arrived."""
        spans = self._hidden.all_spans()
        durable = {
            seq: end for (table_id, seq), (_, end) in written.items() if table_id == self._table_id
        }
        for body in bodies:
            own = self._held.get(body.identity, set())
            known = {span.sealed.text for span in spans if span.sealed.player in own}
            for what in search_body(spans, body, known, durable):
                yield f"{self._name}: {body.path} told {what} at {body.at:.3f} s"

    def _check_moment(self, table: Table, found: list[ViewSeen]) -> Iterator[str]:
        name, seq = self._name, table.seq
        views: dict[int | None, Json] = {}
        for item in found:
            caller, player = _caller(item.identity, self._accounts), item.player
            allowed = (
                table.may_watch(caller) if player is None else player in table.players_of(caller)
            )
            if not allowed:
                yield f"{name} {seq}: link {item.link} at {item.at:.3f} s saw player {player}'s view"
            if player not in views:
                views[player] = json.loads(json.dumps(table.view_for(player).to_json()))
            if item.view != views[player]:
                difference = _first_difference(item.view, views[player])
                yield f"{name} {seq}: player {player} saw {difference}"
            if item.messages:
                yield from self._check_messages(table, item)
            for what in search_view(self._hidden, item):
                yield f"{name} {seq}: player {player} was sent {what}"

    def _check_messages(self, table: Table, item: ViewSeen) -> Iterator[str]:
        assert item.messages is not None
        since = item.messages[0]["seq"] - 1
        told = table.live_messages(since) if item.live else table.messages(item.player, since)
        due = json.loads(json.dumps([message.to_json() for message in told]))
        if item.messages != due:
            difference = _first_difference(item.messages, due, "messages")
            yield f"{self._name} {table.seq}: player {item.player} got {difference}"


def _first_difference(got: Any, expected: Any, where: str = "view") -> str:
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in [*expected, *got]:
            if got.get(key) != expected.get(key):
                return _first_difference(got.get(key), expected.get(key), f"{where}.{key}")
    if isinstance(got, list) and isinstance(expected, list) and len(got) == len(expected):
        for index, (one, other) in enumerate(zip(got, expected, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{where}[{index}]")
    return f"{where}: {json.dumps(got)[:120]} instead of {json.dumps(expected)[:120]}"
