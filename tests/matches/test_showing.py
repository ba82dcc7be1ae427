"""What viewers are told by naming what is new makes the same view as telling all of it."""

from __future__ import annotations

import random

import pytest

from stampede.core.json import Json, JsonObject, canonical
from stampede.matches import Player, Table
from stampede.matches.views import view_of
from tests.matches.adapters import CATALOGUE
from tests.matches.golden_logs import LOGS, read_log


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


@pytest.mark.parametrize("name", LOGS)
def test_changes_make_the_view_that_the_state_alone_makes(name: str) -> None:
    """Viewers come and go, so that some of them have missed what the others were told."""
    rng = random.Random(5)
    first, *rest = read_log(name)
    table = Table(CATALOGUE, first)
    viewers = (None, *range(len(table.state.chairs)))
    seen: dict[Player | None, JsonObject] = {viewer: table.view_json(viewer) for viewer in viewers}
    told = {True: 0, False: 0}
    for entry in rest:
        since = table.seq
        table.apply(entry)
        for viewer in viewers:
            if viewer not in seen:
                continue
            changes = table.changes_json(viewer, since)
            told[changes is None] += 1
            view = table.view_json(viewer) if changes is None else merged(seen[viewer], changes)
            assert canonical(view) == whole(table, viewer)
            seen[viewer] = view
        if rng.random() < 0.1:
            seen.pop(rng.choice(viewers), None)
        elif rng.random() < 0.2:
            viewer = rng.choice(viewers)
            seen[viewer] = table.view_json(viewer)
    assert told[False] > 10 * told[True]


@pytest.mark.parametrize("name", LOGS)
def test_changes_since_another_entry_than_the_last_that_was_shown_are_not_made_up(
    name: str,
) -> None:
    first, *rest = read_log(name)
    table = Table(CATALOGUE, first)
    table.view_json(None)
    for entry in rest[:3]:
        table.apply(entry)
    assert table.changes_json(None, table.seq - 1) is None
    assert table.changes_json(0, first.seq) is None, "nobody looked through these eyes"
    assert table.changes_json(None, first.seq) is not None


@pytest.mark.parametrize("name", LOGS)
def test_messages_as_json_say_what_messages_say(name: str) -> None:
    table = Table(CATALOGUE, (log := read_log(name))[0])
    for entry in log[1:]:
        table.apply(entry)
        for viewer in (None, *range(len(table.state.chairs))):
            said = [message.to_json() for message in table.messages(viewer, table.seq - 2)]
            assert table.messages_json(viewer, table.seq - 2) == said
