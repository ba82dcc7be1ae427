"""The lobby's lines: bounded, whatever names the players chose and whatever an old table was opened with."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

from stampede.core.json import Json, canonical
from stampede.matches import Table
from stampede.matches.entries import Entry
from stampede.server.tables.listing import MAX_SUMMARY, join_summaries, listing_of
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import Sitting, zoff
from tests.server.clients import Frame, guests

JUNK: dict[str, Json] = {f"x{number}": "junk" * 900 for number in range(6)}


def before_rules_were_checked(sitting: Sitting) -> Table:
    """The table that a log with unknown keys in its rules makes."""
    first = sitting.log[0].to_json()
    text = canonical(first).replace('"rules":{', f'"rules":{canonical(JUNK)[:-1]},', 1)
    return Table.rebuild(CATALOGUE, [Entry.from_json(json.loads(text)), *sitting.log[1:]])


def test_the_longest_names_fit_into_a_line() -> None:
    sitting = zoff(6)
    sitting.sit(*range(6))
    chairs = tuple(replace(chair, name="\U0001f98c" * 40) for chair in sitting.table.state.chairs)
    line = listing_of(replace(sitting.table.state, chairs=chairs)).summary
    assert len(json.dumps(json.loads(line))) <= MAX_SUMMARY
    assert json.loads(join_summaries([line])) == [json.loads(line)]


def test_an_old_log_with_unknown_rules_still_folds_and_its_line_is_short() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.play_out()
    old = before_rules_were_checked(sitting)
    assert old.record().to_json() == sitting.table.record().to_json()
    line = listing_of(old.state).summary
    assert len(line) > MAX_SUMMARY
    (listed,) = json.loads(join_summaries([line]))
    short = json.loads(listing_of(sitting.table.state).summary)
    game = sitting.table.spec.game
    assert listed == {**short, "rules": game.write_rules(game.read_rules(short["rules"]))}


def test_a_line_that_cannot_be_shortened_is_left_out() -> None:
    line = json.loads(listing_of(zoff(3).table.state).summary)
    line["rules"] = {**JUNK, "edition": "nobody knows"}
    assert join_summaries([canonical(line)]) == "[]"


def test_unknown_keys_are_refused_wherever_a_client_sends_an_object(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            good = {"key": "k", "game": "buffalo", "chairs": [{}, {}], "public": True}
            wrong: list[tuple[Frame, str]] = [
                ({"rules": {"junk": 1}}, "rules"),
                ({"clock": {"kind": "none", "junk": 1}}, "clock.junk"),
                ({"chairs": [{}, {"junk": 1}]}, "chairs.1.junk"),
                ({"junk": 1}, "junk"),
            ]
            for part, where in wrong:
                response = await ann.request("POST", "/api/tables", {**good, **part})
                assert response.status_code == 422
                assert where in response.text
                assert "junk" in response.text
            assert (await ann.request("GET", "/api/tables")).json()["tables"] == []

    asyncio.run(scenario())
