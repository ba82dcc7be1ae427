"""Editions on the server: chosen by id or brought along, kept in the log, told to everyone, and checked."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from stampede.core.errors import EditionError
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import ZOFF
from stampede.server.tables.editions import MAX_TOML, Editions
from stampede.zoff import Edition
from stampede.zoff.edition import SHIPPED
from stampede.zoff.edition_writer import write_edition
from tests.server.clients import Frame, Guest, guests
from tests.server.servers import running, settings_for
from tests.zoff.drawn_editions import draw_edition

BOT = {"bot": "random"}
CLUB = replace(draw_edition(random.Random(1), six=False), id="club", title="The club's box")
OWN = replace(draw_edition(random.Random(2)), id="own", title="Ann's box")


def write(folder: Path, *editions: Edition) -> Path:
    """Writes edition files to a folder."""
    folder.mkdir(exist_ok=True)
    for number, edition in enumerate(editions):
        (folder / f"{number}.toml").write_text(write_edition(edition), encoding="utf-8")
    return folder


def own_rules(edition: Edition = OWN, **more: object) -> Frame:
    """Rules that bring the data of an edition along."""
    return {
        "edition": edition.id,
        "edition_data": json.loads(json.dumps(edition.to_json())),
        **more,
    }


async def play_on(guest: Guest, table: str) -> Frame:
    """Plays a table to its end; returns the last view."""
    async with guest.socket(table) as socket:
        await socket.play(random.Random(1))
        return socket.view


def test_a_table_plays_an_edition_of_the_server_or_of_its_owner_and_outlives_the_file(
    tmp_path: Path,
) -> None:
    """Z1.2: the log holds the data, so that a table goes on where no file knows its edition any more."""
    folder = write(tmp_path / "editions", CLUB)

    async def open_both(base: str) -> list[str]:
        async with guests(base, 1) as (ann,):
            offered = (await ann.request("GET", "/api/editions")).json()["editions"]
            assert [(item["id"], item["shipped"]) for item in offered] == [
                (SHIPPED, True),
                ("club", False),
            ]
            assert offered[1]["players"] == [2, 3, 4, 5]
            assert offered[1]["data"] == json.loads(json.dumps(CLUB.to_json()))
            (zoff,) = (
                item
                for item in (await ann.request("GET", "/api/games")).json()["games"]
                if item["name"] == "zoff"
            )
            assert [o["choices"] for o in zoff["options"] if o["name"] == "edition"] == [
                [SHIPPED, "club"]
            ]
            by_id = {"edition": "club"}
            opened = [
                await ann.open("zoff", [{}, BOT, BOT], rules=rules, public=True)
                for rules in (by_id, own_rules())
            ]
            tables = [table["table"] for table in opened]
            for table in tables:
                await ann.claim(table, 0, "Ann")
            listed = (await ann.request("GET", "/api/tables?status=running")).json()["tables"]
            titles = {item["table"]: item["edition_title"] for item in listed}
            assert titles == {tables[0]: CLUB.title, tables[1]: OWN.title}
            assert all("edition_data" not in item["rules"] for item in listed)
            cookies = dict(ann.client.cookies)
        (tmp_path / "cookies.json").write_text(json.dumps(cookies), encoding="utf-8")
        return tables

    async def go_on(base: str, tables: list[str]) -> None:
        async with guests(base, 2) as (ann, eve):
            ann.client.cookies.clear()
            ann.client.cookies.update(json.loads((tmp_path / "cookies.json").read_text("utf-8")))
            for table, edition in zip(tables, (CLUB, OWN), strict=True):
                seen = (await eve.look(table))["view"]
                told = seen["settings"]["rules"]["edition_data"]
                assert Edition.from_json(told) == edition, "everyone is told"
                assert "edition_data" not in seen["view"]["rules"], "once"
                view = await play_on(ann, table)
                assert view["phase"] == "over"
                text = (await eve.request("GET", f"/api/tables/{table}/record")).text
                played = replay(ZOFF.game, GameRecord.loads(text))
                assert played.state.setup.edition == edition
                answer = await eve.request("POST", "/api/replay", json.loads(text))
                assert answer.status_code == 200, answer.text

    with running(settings_for(tmp_path, editions=folder)) as base:
        tables = asyncio.run(open_both(base))
    for file in folder.iterdir():
        file.unlink()
    with running(settings_for(tmp_path)) as base:
        asyncio.run(go_on(base, tables))


def test_wrong_editions_open_no_table(tmp_path: Path) -> None:
    """Z1.2, Z11.4: the answer names the cell, and a table without a place for the edition isn't opened."""
    file = write(tmp_path / "editions", CLUB) / "0.toml"
    wrong = own_rules()
    wrong["edition_data"]["pasture"][3]["capacity"] = 0
    shipped = own_rules(replace(OWN, id="any"))
    shipped["edition"] = shipped["edition_data"]["edition"]["id"] = SHIPPED
    refused: list[tuple[Frame, str]] = [
        ({"rules": wrong}, "pasture[3].capacity: expected a whole number 2–99, got 0"),
        ({"rules": shipped}, "edition.id: expected another id than"),
        ({"rules": own_rules(replace(OWN, id="club"))}, "an edition of this server has it"),
        ({"rules": {"edition": "unknown"}}, "edition: expected one of"),
        ({"rules": {**own_rules(), "edition": "other"}}, "edition_data: expected the edition"),
        ({"rules": {"edition": "club"}, "chairs": [{}] * 6}, "has no twelfth pasture"),
        (
            {"rules": {"edition": "club", "edition_data": 3}},
            "rules.edition_data: expected an object",
        ),
    ]

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            body = {"key": "k", "game": "zoff", "chairs": [{}, {}, {}], "public": True}
            for part, message in refused:
                answer = await ann.request("POST", "/api/tables", {**body, **part})
                assert answer.status_code == 422, answer.text
                assert message in answer.json()["message"]
            assert (await ann.request("GET", "/api/tables")).json()["tables"] == []
            usual = json.loads(json.dumps(Edition.default().to_json()))
            rules = {"edition": SHIPPED, "edition_data": usual}
            opened = await ann.open("zoff", [{}, {}, {}], rules=rules)
            told = (await ann.look(opened["table"]))["view"]["settings"]["rules"]
            assert "edition_data" not in told, "the shipped edition needs none"

    with running(settings_for(tmp_path, edition_files=[str(file)])) as base:
        asyncio.run(scenario(base))


def test_an_edition_is_checked_and_answered_as_data_and_as_a_file(base: str) -> None:
    """Z1.2: an owner without files gets the same check, with the place of the fault."""

    async def check(guest: Guest, body: Frame) -> Frame:
        answer = await guest.request("POST", "/api/editions/check", body)
        assert answer.status_code == 200, answer.text
        checked: Frame = answer.json()
        return checked

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            data = own_rules()["edition_data"]
            for body in ({"data": data}, {"toml": write_edition(OWN)}):
                right = await check(ann, body)
                assert right["valid"]
                assert right["edition"]["data"] == data
                assert Edition.parse(right["toml"]) == OWN
            data["cow_cards"]["pink"]["4"] = "GG"
            wrong = await check(ann, {"data": data})
            assert wrong["cell"] == "cow_cards.pink.4"
            assert wrong["message"].startswith("expected 2 different letters")
            assert wrong["edition"] is None
            for body, cell in (
                ({"toml": "[edition"}, "file"),
                ({"toml": "a=" + "[" * 5000}, "file"),
                ({}, "request"),
                ({"data": {}, "toml": ""}, "request"),
            ):
                assert (await check(ann, body))["cell"] == cell
            long = await ann.request("POST", "/api/editions/check", {"toml": "#" * (MAX_TOML + 1)})
            assert long.status_code == 422

    asyncio.run(scenario())


def test_a_server_does_not_start_with_a_wrong_edition_file(tmp_path: Path) -> None:
    """Z1.2: the error names the file and the cell; two files with one id need the same data."""
    folder = write(tmp_path / "editions", CLUB, replace(CLUB, title="Again"))
    assert list(Editions.load(settings_for(tmp_path, editions=folder)).known) == [SHIPPED, "club"]
    write(folder, CLUB, replace(OWN, id="club"))
    with pytest.raises(EditionError, match=r"1\.toml: edition\.id: expected another id"):
        Editions.load(settings_for(tmp_path, editions=folder))
    (folder / "1.toml").write_text("[edition]", encoding="utf-8")
    with pytest.raises(EditionError, match=r"1\.toml: pasture: expected 11 pastures"):
        Editions.load(settings_for(tmp_path, editions=folder))
    with pytest.raises(EditionError, match="expected a folder with edition files"):
        Editions.load(settings_for(tmp_path, editions=tmp_path / "nowhere"))
