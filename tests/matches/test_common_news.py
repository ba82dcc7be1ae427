"""What all viewers share, and what is one's own beside it, together are what each of them is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stampede.core.json import Json, JsonObject, canonical
from stampede.matches import Entry, Player, Table
from tests.matches.adapters import CATALOGUE
from tests.matches.golden_logs import LOGS, read_log

COMPARED = replace(
    CATALOGUE, games={name: replace(spec, changes=None) for name, spec in CATALOGUE.games.items()}
)
GAMES = {"views are compared": COMPARED, "the game says what is new": CATALOGUE}


def together(table: Table, viewer: Player | None, since: int) -> JsonObject | None:
    """As the server puts it together; None when it tells `news_json` instead."""
    common, own = table.common_news_json(since), table.own_news_json(viewer)
    if common is None or own is None:
        return None
    changes = common["changes"]
    assert isinstance(changes, dict)
    assert [*common][-1] == "changes"
    assert [*changes][-1] == "view"
    assert changes["view"]
    inner: dict[str, Json] = {**changes["view"], **own}
    return {**common, "changes": {**changes, "view": inner}}


def twins(how: str, log: list[Entry]) -> tuple[Table, Table]:
    """The same table twice: what is asked of one doesn't help the other."""
    return Table(GAMES[how], log[0]), Table(CATALOGUE, log[0])


@pytest.mark.parametrize("how", GAMES)
@pytest.mark.parametrize("name", LOGS)
def test_what_is_shared_and_what_is_own_are_the_news(name: str, how: str) -> None:
    log = read_log(name)
    table, twin = twins(how, log)
    viewers = (None, *range(len(table.state.chairs)))
    for viewer in viewers:
        table.view_json(viewer)
        twin.view_json(viewer)
    shared = 0
    for entry in log[1:]:
        since = table.seq
        table.apply(entry)
        twin.apply(entry)
        for viewer in viewers:
            told = together(table, viewer, since)
            news = twin.news_json(viewer, since, changes=True)
            shared += told is not None
            told = told or table.news_json(viewer, since, changes=True)
            assert canonical(told) == canonical(news)
    expected = name == "buffalo"
    assert (shared > len(log)) is expected, "where something is hidden nothing is shared"


@pytest.mark.parametrize("how", GAMES)
def test_whoever_was_shown_nothing_has_no_news_of_his_own(how: str) -> None:
    log = read_log("buffalo")
    table, _ = twins(how, log)
    table.view_json(0)
    for entry in log[1:8]:
        since = table.seq
        table.apply(entry)
        if table.common_news_json(since) is not None:
            assert table.own_news_json(1) is None
        table.news_json(0, since, changes=True)


@pytest.mark.parametrize("how", GAMES)
def test_several_entries_at_once_are_told_like_one(how: str) -> None:
    """Another worker may have written some: an undo and a move may come together."""
    log = read_log("buffalo")
    for step in (2, 3, 5):
        table, twin = twins(how, log)
        seen = {player: table.view_json(player) for player in (0, 1)}
        for player in (0, 1):
            twin.view_json(player)
        for start in range(1, len(log), step):
            since = table.seq
            for entry in log[start : start + step]:
                table.apply(entry)
                twin.apply(entry)
            for player in (0, 1):
                told = together(table, player, since)
                told = told or table.news_json(player, since, changes=True)
                assert canonical(told) == canonical(twin.news_json(player, since, changes=True))
                seen[player] = merged(seen[player], told)
                fresh = Table.rebuild(CATALOGUE, log[: table.seq])
                assert canonical(seen[player]) == canonical(fresh.view_for(player).to_json())


def merged(view: JsonObject, told: JsonObject) -> JsonObject:
    """What a client does with what he is told (docs/protocol.md)."""
    whole, changes = told.get("view"), told.get("changes")
    if isinstance(whole, dict):
        return whole
    assert isinstance(changes, dict)
    after: dict[str, Json] = {**view, **changes}
    old, new = view["view"], changes.get("view")
    if isinstance(old, dict) and isinstance(new, dict):
        after["view"] = {**old, **new}
    return after
