"""Snapshots and changes are what the state alone makes of a view, whatever was shown before."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stampede.core.json import Json, JsonObject, canonical
from stampede.games import GAMES
from stampede.matches import Catalogue, Player, Table
from stampede.matches.views import view_of
from tests.matches.adapters import CATALOGUE
from tests.matches.golden_logs import LOGS, read_log

CATALOGUES = {
    "the game names its changes": CATALOGUE,
    "views are compared": Catalogue(
        {name: replace(spec, changes=None) for name, spec in GAMES.items()},
        {"zoff": ("random", "easy"), "buffalo": ("random",)},
    ),
}


def merged(view: JsonObject, changes: JsonObject) -> JsonObject:
    """What a client does with changes (docs/protocol.md)."""
    after: dict[str, Json] = {**view, **changes}
    old, new = view["view"], changes.get("view")
    if isinstance(old, dict) and isinstance(new, dict):
        after["view"] = {**old, **new}
    return after


def whole(table: Table, viewer: Player | None) -> str:
    """A view made from nothing but the state."""
    return canonical(view_of(table.spec, table.state, viewer).to_json())


def everyone(table: Table) -> tuple[Player | None, ...]:
    return (None, *range(len(table.state.chairs)))


def advance(table: Table, seen: dict[Player | None, JsonObject], since: int) -> list[bool]:
    """Brings every view up to date as a client does; returns whom changes were enough for."""
    told = []
    for viewer, view in seen.items():
        changes = table.changes_since(viewer, since)
        told.append(changes is not None)
        seen[viewer] = (
            table.snapshot(viewer) if changes is None else merged(view, changes.to_json())
        )
        assert canonical(seen[viewer]) == whole(table, viewer)
    return told


@pytest.mark.parametrize("how", CATALOGUES)
@pytest.mark.parametrize("name", LOGS)
def test_changes_make_the_view_that_the_state_alone_makes(name: str, how: str) -> None:
    """Viewers come and go, so that some of them have missed what the others were sent."""
    rng = random.Random(5)
    first, *rest = read_log(name)
    table = Table(CATALOGUES[how], first)
    viewers = everyone(table)
    seen = {viewer: table.snapshot(viewer) for viewer in viewers}
    told: list[bool] = []
    for entry in rest:
        since = table.seq
        table.apply(entry)
        told += advance(table, seen, since)
        if rng.random() < 0.1:
            seen.pop(rng.choice(viewers), None)
        elif rng.random() < 0.2:
            viewer = rng.choice(viewers)
            seen[viewer] = table.snapshot(viewer)
    assert sum(told) > 10 * (len(told) - sum(told))


@pytest.mark.parametrize("how", CATALOGUES)
@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("step", [2, 3, 5])
def test_several_entries_at_once_change_a_view_like_one(name: str, step: int, how: str) -> None:
    """Another worker may have written some: an undo and a move may come together."""
    log = read_log(name)
    table = Table(CATALOGUES[how], log[0])
    seen = {viewer: table.snapshot(viewer) for viewer in everyone(table)}
    for start in range(1, len(log), step):
        since = table.seq
        for entry in log[start : start + step]:
            table.apply(entry)
        advance(table, seen, since)


@pytest.mark.parametrize("name", LOGS)
def test_changes_since_an_entry_that_was_never_shown_are_not_made_up(name: str) -> None:
    first, *rest = read_log(name)
    table = Table(CATALOGUE, first)
    shown = table.snapshot(None)
    for entry in rest[:3]:
        table.apply(entry)
    assert table.changes_since(None, table.seq - 1) is None
    assert table.changes_since(None, table.seq) is None
    changes = table.changes_since(None, first.seq)
    assert changes is not None
    assert canonical(merged(shown, changes.to_json())) == whole(table, None)


@pytest.mark.parametrize("name", LOGS)
def test_only_a_game_of_open_information_shares_parts_of_its_view(name: str) -> None:
    log = read_log(name)
    table = Table(CATALOGUE, log[0])
    shared = 0
    for viewer in everyone(table):
        table.snapshot(viewer)
    for entry in log[1:]:
        since = table.seq
        table.apply(entry)
        found = [table.changes_since(viewer, since) for viewer in everyone(table)]
        known = [changes for changes in found if changes is not None]
        assert all(changes.table is known[0].table for changes in known)
        games = [changes.game for changes in known if changes.game]
        assert all(game is games[0] for game in games)
        shared += bool(games)
    assert (shared > len(log) / 2) is table.spec.open_information


@pytest.mark.parametrize("name", LOGS)
def test_viewers_from_whom_nothing_is_hidden_are_given_the_same_message(name: str) -> None:
    table = Table(CATALOGUE, (log := read_log(name))[0])
    for entry in log[1:]:
        table.apply(entry)
        logged = table._messages._logged[-1].message
        for viewer in everyone(table):
            (message,) = table.messages(viewer, table.seq - 1)
            assert (message is logged) == (message.events == logged.events)
            assert message is logged or not table.spec.open_information


def test_a_redaction_that_drops_events_is_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may hide an event by leaving it out; what is left may be the beginning of what happened."""
    table = Table(CATALOGUE, (log := read_log("zoff"))[0])
    for entry in log[1:]:
        table.apply(entry)
    logged = [item.message for item in table._messages._logged]
    monkeypatch.setattr(type(table.spec.game), "redact", lambda _, events, *__: tuple(events[:-1]))
    for message, whole_message in zip(table.messages(None), logged, strict=True):
        assert message.events == whole_message.events[:-1]
