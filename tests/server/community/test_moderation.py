"""People who don't get along: blocks, removals, reports, and talk that nobody has to read."""

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from stampede.cli.main import build
from stampede.server.community.chat import MAX_TEXT, PHRASES, clean_text
from stampede.server.http.problems import Problem
from tests.server.clients import Guest, guests
from tests.server.people import (
    browsers,
    command,
    keep,
    names_at,
    new_name,
    open_table,
    sit,
)
from tests.server.servers import running, settings_for


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server's address, and the folder of its database."""
    folder = tmp_path_factory.mktemp("moderation")
    with running(settings_for(folder)) as address:
        yield address, folder


@pytest.fixture
def three(place: tuple[str, Path]) -> Iterator[list[httpx.Client]]:
    """A host and two others."""
    with browsers(place[0], 3) as people:
        yield people


def key() -> str:
    return secrets.token_hex(8)


# --- blocks ---


def test_who_is_blocked_neither_finds_the_others_tables_nor_sits_down_there(
    three: list[httpx.Client],
) -> None:
    ann, eve, bob = three
    keep(ann, new_name())
    keep(eve, new_name())
    table = open_table(eve, "buffalo", [{}, {}], public=True)
    sit(eve, table, "-", 0)
    made = ann.post("/api/blocks", json={"table": table, "player": 0})
    assert made.status_code == 201
    again = ann.post("/api/blocks", json={"table": table, "player": 0})
    assert again.json() == made.json()
    mine = open_table(ann, "buffalo", [{}, {}], public=True)
    sit(ann, mine, "-", 0)

    def listed(client: httpx.Client) -> set[str]:
        return {item["table"] for item in client.get("/api/tables").json()["tables"]}

    assert {table, mine} <= listed(bob)
    assert table not in listed(ann)
    assert mine not in listed(eve)
    for client, other in ((eve, mine), (ann, table)):
        refused = command(client, other, "claim", name="-")
        assert (refused.status_code, refused.json()["error"]) == (403, "not_welcome")
    assert eve.get("/api/blocks").json() == {"blocks": []}  # no one learns who has blocked them
    people = ann.get(f"/api/tables/{table}/people").json()["people"]
    assert [person["blocked"] for person in people] == [True, False]
    (block,) = ann.get("/api/blocks").json()["blocks"]
    assert eve.delete(f"/api/blocks/{block['id']}").status_code == 404
    assert ann.delete(f"/api/blocks/{block['id']}").status_code == 200
    assert table in listed(ann)


def test_a_block_by_name_needs_a_kept_name_and_another_person(three: list[httpx.Client]) -> None:
    ann, eve, _ = three
    mine, other = new_name(), new_name()
    keep(ann, mine)
    keep(eve, other)
    assert ann.post("/api/blocks", json={"name": other.upper()}).json()["name"] == other
    assert ann.post("/api/blocks", json={"name": mine}).status_code == 422
    assert ann.post("/api/blocks", json={"name": new_name()}).status_code == 404
    assert ann.post("/api/blocks", json={}).status_code == 422


# --- removals ---


def test_a_host_sends_a_guest_away_who_cannot_come_back(three: list[httpx.Client]) -> None:
    host, eve, bob = three
    table = open_table(host, "zoff", [{}, {}, {}], public=True)
    sit(host, table, "Host", 0)
    sit(eve, table, "Eve", 1)
    by_another = eve.post(f"/api/tables/{table}/remove", json={"key": key(), "player": 0})
    assert by_another.status_code == 403
    body = {"key": key(), "player": 1}
    for _ in range(2):  # a retry changes nothing
        assert host.post(f"/api/tables/{table}/remove", json=body).json() == {"done": True}
    assert names_at(host, table) == ["Host", "", ""]
    refused = command(eve, table, "claim", name="Eve")
    assert (refused.status_code, refused.json()["error"]) == (403, "not_welcome")
    sit(bob, table, "Bob", 1)
    themselves = host.post(f"/api/tables/{table}/remove", json={"key": key(), "player": 0})
    assert themselves.status_code == 422
    nobody = host.post(f"/api/tables/{table}/remove", json={"key": key(), "player": 2})
    assert nobody.status_code == 422


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_in_a_running_game_a_bot_plays_on_for_who_was_sent_away(
    three: list[httpx.Client], game: str
) -> None:
    host, eve, bob = three
    seated = [host, eve] if game == "buffalo" else [host, eve, bob]
    table = open_table(host, game, [{} for _ in seated], substitute="random")
    invite = command(host, table, "invite").json()["token"]
    sit(host, table, "Host", 0)
    for player, client in enumerate(seated[1:], start=1):
        headers = {"Authorization": f"Bearer {invite}"}
        claim = {"type": "claim", "name": f"p{player}", "player": player}
        body = {"key": key(), "command": claim}
        path = f"/api/tables/{table}/commands"
        assert client.post(path, json=body, headers=headers).status_code == 200
    removed = host.post(f"/api/tables/{table}/remove", json={"key": key(), "player": 1})
    assert removed.status_code == 200
    view = host.get(f"/api/tables/{table}").json()["view"]
    assert view["phase"] == "playing"  # not resigned for them
    assert (view["players"][1]["kind"], view["players"][1]["left"]) == ("bot", True)
    assert eve.get(f"/api/tables/{table}").json()["players"] == []


# --- reports ---


def test_a_report_reaches_the_operator_with_what_was_said(
    place: tuple[str, Path], three: list[httpx.Client]
) -> None:
    ann, eve, _ = three
    table = open_table(ann, "buffalo", [{}, {}], public=True)
    sit(ann, table, "Ann", 0)
    sit(eve, table, "Eve", 1)
    for client in (ann, eve):
        client.post(f"/api/tables/{table}/chat/agree", json={"agree": True})
    said = eve.post(f"/api/tables/{table}/chat", json={"text": "you\u202e are\x00 a cow"})
    assert said.json()["text"] == "you are a cow"
    body = {"player": 1, "reason": "abuse", "note": "she called\nme a cow"}
    report = ann.post(f"/api/tables/{table}/reports", json=body)
    assert report.status_code == 201
    assert ann.post(f"/api/tables/{table}/reports", json=body).status_code == 201  # kept once
    database = f"sqlite:///{place[1] / 'tables.db'}"

    def run(*words: str) -> str:
        result = CliRunner().invoke(build("db"), ["db", *words, "--database", database])
        return f"{result.exit_code} {result.output}"

    (found,) = json.loads(run("reports", "--json").removeprefix("0 "))["reports"]
    assert (found["id"], found["name"], found["reason"]) == (
        report.json()["report"],
        "Eve",
        "abuse",
    )
    assert found["note"] == "she called me a cow"
    assert [words for _, kind, words in found["chat"] if kind == "text"] == ["you are a cow"]
    assert "said: you are a cow" in run("reports")
    assert run("close-report", found["id"]).startswith("0 ")
    assert run("close-report", found["id"]).startswith("2 ")
    assert run("reports") == "0 0 reports\n"
    assert "closed" in run("reports", "--all")


def test_the_operator_can_change_a_name_that_cannot_stay(
    place: tuple[str, Path], three: list[httpx.Client]
) -> None:
    ann, eve, _ = three
    bad, good, taken = new_name(), new_name(), new_name()
    keep(ann, bad)
    keep(eve, taken)
    words = ["db", "rename-player", "--database", f"sqlite:///{place[1] / 'tables.db'}"]

    def run(name: str, new: str) -> int:
        return CliRunner().invoke(build("db"), [*words, name, new]).exit_code

    assert [run(bad, taken), run(bad, "<b>"), run(good, bad)] == [2, 2, 2]
    assert run(bad.upper(), good) == 0
    assert ann.get("/api/account").json()["account"]["name"] == good


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"player": 0, "reason": "abuse"}, 422),  # a bot
        ({"player": 5, "reason": "abuse"}, 404),
        ({"player": 1, "reason": "because"}, 422),
        ({"player": 1, "reason": "other", "note": "x" * 1001}, 422),
    ],
)
def test_a_report_needs_a_person_and_a_reason(
    three: list[httpx.Client], body: dict[str, Any], status: int
) -> None:
    ann, _, _ = three
    table = open_table(ann, "buffalo", [{"bot": "random"}, {}])
    assert ann.post(f"/api/tables/{table}/reports", json=body).status_code == status


def test_reports_and_talk_are_limited(tmp_path: Path) -> None:
    with (
        running(settings_for(tmp_path, rate=0.001, burst=200)) as base,
        browsers(base, 1) as (ann,),
    ):
        table = open_table(ann, "buffalo", [{"bot": "random"}, {}])
        sit(ann, table, "Ann", 1)
        say = [
            ann.post(f"/api/tables/{table}/chat", json={"phrase": "hello"}).status_code
            for _ in range(30)
        ]
        assert say[:10] == [201] * 10
        assert 429 in say
        body = {"player": 1, "reason": "other"}
        reports = [
            ann.post(f"/api/tables/{table}/reports", json=body).status_code for _ in range(30)
        ]
        assert reports[:5] == [201] * 5
        assert reports[-1] == 429


# --- talk ---


def test_no_free_text_until_everybody_agrees(three: list[httpx.Client]) -> None:
    ann, bob, eve = three
    table = open_table(ann, "zoff", [{}, {}, {}], public=True)
    path = f"/api/tables/{table}/chat"
    sit(ann, table, "Ann", 0)
    sit(bob, table, "Bob", 1)
    assert ann.post(path, json={"phrase": "hello"}).json()["number"] == 1
    refused = ann.post(path, json={"text": "hi there"})
    assert (refused.status_code, refused.json()["error"]) == (403, "not_agreed")
    ann.post(f"{path}/agree", json={"agree": True})
    assert ann.post(path, json={"text": "hi"}).status_code == 403
    bob.post(f"{path}/agree", json={"agree": True})
    assert ann.post(path, json={"text": "hi"}).status_code == 201
    assert bob.get(path).json()["open"] is True
    sit(eve, table, "Eve", 2)  # a newcomer hasn't agreed
    assert ann.post(path, json={"text": "hi"}).status_code == 403
    state = bob.get(path).json()
    assert (state["open"], state["agreed"], state["asked"]) == (False, [0, 1], [0, 1, 2])
    eve.post(f"{path}/agree", json={"agree": True})
    bob.post(f"{path}/agree", json={"agree": False})
    assert ann.post(path, json={"text": "hi"}).status_code == 403
    heard = [(item["kind"], item["text"]) for item in bob.get(f"{path}?after=1").json()["messages"]]
    kinds = ["agree", "agree", "text", "agree", "decline"]
    assert [kind for kind, _ in heard] == kinds


def test_a_newcomer_reads_no_free_text_from_before_they_agreed(three: list[httpx.Client]) -> None:
    ann, ben, eve = three
    table = open_table(ann, "zoff", [{}, {}, {}], public=True)
    for person in (ann, ben):
        sit(person, table, new_name())
        person.post(f"/api/tables/{table}/chat/agree", json={"agree": True})
    said = ann.post(f"/api/tables/{table}/chat", json={"text": "between the two of us"})
    assert said.status_code == 201, said.text
    sit(eve, table, new_name())

    def texts(person: httpx.Client) -> list[str]:
        messages = person.get(f"/api/tables/{table}/chat").json()["messages"]
        return [item["text"] for item in messages if item["kind"] == "text"]

    assert texts(eve) == []
    eve.post(f"/api/tables/{table}/chat/agree", json={"agree": True})
    ben.post(f"/api/tables/{table}/chat", json={"text": "among three"})
    assert texts(eve) == ["among three"]
    assert texts(ann) == texts(ben) == ["between the two of us", "among three"]


def test_only_those_who_sit_there_say_and_hear_something(three: list[httpx.Client]) -> None:
    ann, bob, eve = three
    table = open_table(ann, "buffalo", [{}, {}], public=True)
    path = f"/api/tables/{table}/chat"
    sit(ann, table, "Ann", 0)
    sit(bob, table, "Bob", 1)
    assert eve.get(path).status_code == 403
    assert eve.post(path, json={"phrase": "hello"}).status_code == 403
    assert ann.post(path, json={"phrase": "hello", "player": 1}).status_code == 403
    assert ann.post(path, json={"phrase": "no such phrase"}).status_code == 422
    assert ann.post(path, json={"phrase": "hello", "text": "both"}).status_code == 422
    assert ann.get("/api/words").json()["phrases"] == list(PHRASES)


def test_talk_is_in_no_log_and_no_record_and_its_memory_is_bounded(
    place: tuple[str, Path], three: list[httpx.Client]
) -> None:
    ann, bob, _ = three
    table = open_table(ann, "buffalo", [{}, {}], public=True)
    path = f"/api/tables/{table}/chat"
    sit(ann, table, "Ann", 0)
    sit(bob, table, "Bob", 1)
    for client in (ann, bob):
        client.post(f"{path}/agree", json={"agree": True})
    for number in range(105):
        ann.post(path, json={"text": f"secret talk {number}"})
    command(bob, table, "resign", player=1)
    assert len(ann.get(path).json()["messages"]) == 100
    assert "secret talk" not in ann.get(f"/api/tables/{table}/record").text
    assert "secret talk" not in ann.get(f"/api/tables/{table}/events").text
    with sqlite3.connect(place[1] / "tables.db") as database:
        entries = database.execute("SELECT payload FROM entries").fetchall()
    assert not any("secret talk" in payload for (payload,) in entries)


def test_sockets_are_told_except_those_of_people_who_blocked_the_speaker(
    place: tuple[str, Path],
) -> None:
    async def scenario() -> None:
        async with guests(place[0], 4) as (ann, bob, eve, watcher):
            table = (await ann.open("zoff", [{}, {}, {}], public=True))["table"]
            for player, (person, name) in enumerate(((ann, "A"), (bob, "B"), (eve, "E"))):
                await person.claim(table, player, name)
            blocked = await bob.request("POST", "/api/blocks", {"table": table, "player": 2})
            assert blocked.status_code == 201
            async with (
                ann.socket(table) as at_ann,
                bob.socket(table) as at_bob,
                watcher.socket(table) as at_watcher,
            ):
                for socket in (at_ann, at_bob, at_watcher):
                    await socket.next()
                await says(eve, table, "wow")
                await says(ann, table, "yes")
                heard = [await at_ann.until(is_chat), await at_ann.until(is_chat)]
                assert [frame["text"] for frame in heard] == ["wow", "yes"]
                assert (await at_bob.until(is_chat))["text"] == "yes"
                state = (await bob.request("GET", f"/api/tables/{table}/chat")).json()
                assert [message["text"] for message in state["messages"]] == ["yes"]
                await ann.send(table, {"type": "leave", "player": 0})
                await at_watcher.until(lambda frame: frame["type"] == "update")
            assert not any('"chat"' in text for text in watcher.got)

    asyncio.run(scenario())


async def says(guest: Guest, table: str, phrase: str) -> None:
    response = await guest.request("POST", f"/api/tables/{table}/chat", {"phrase": phrase})
    assert response.status_code == 201, response.text


def is_chat(frame: dict[str, Any]) -> bool:
    return bool(frame["type"] == "chat")


def test_a_removal_that_is_sent_again_removes_nobody_else(
    place: tuple[str, Path], ann: httpx.Client, eve: httpx.Client
) -> None:
    """By then another sits on the chair; they may leave and come back."""
    with browsers(place[0], 1) as (host,):
        table = open_table(host, "buffalo", [{}, {}], public=True, auto_start=False)
        sit(host, table, "Host", 0)
        sit(ann, table, "Ann", 1)
        body = {"key": key(), "player": 1}
        assert host.post(f"/api/tables/{table}/remove", json=body).status_code == 200
        sit(eve, table, "Eve", 1)
        again = host.post(f"/api/tables/{table}/remove", json=body)
        assert again.status_code == 200, again.text
        assert command(eve, table, "leave", player=1).status_code == 200
        sit(eve, table, "Eve", 1)
        assert command(ann, table, "claim", name="Ann").status_code == 403


def test_an_ended_session_hears_no_more(place: tuple[str, Path]) -> None:
    """Sockets of a session that is ended elsewhere are closed, and come back as nobody who sits there."""

    async def scenario() -> None:
        async with guests(place[0], 2) as (phone, laptop):
            name = new_name()
            body = {"name": name, "passphrase": "eleven buffaloes and a chief"}
            assert (await phone.request("POST", "/api/accounts", body)).status_code == 201
            assert (await laptop.request("POST", "/api/sessions", body)).status_code == 201
            table = (await laptop.open("buffalo", [{}, {}]))["table"]
            await laptop.claim(table, 0, name)
            async with phone.socket(table) as socket:
                await socket.next()
                assert socket.welcome["players"] == [0]
                assert (await laptop.request("DELETE", "/api/sessions")).json() == {"count": 1}
                with pytest.raises(Exception, match="4008"):
                    await socket.until(lambda _: False)
            async with phone.socket(table) as again:
                await again.next()
                assert again.welcome["players"] == []

    asyncio.run(scenario())


@given(st.text(max_size=300))
def test_free_text_is_plain(text: str) -> None:
    try:
        plain = clean_text(text, MAX_TEXT)
    except Problem:
        return
    assert 1 <= len(plain) <= MAX_TEXT
    assert plain.isprintable() or all(letter.isspace() or letter.isprintable() for letter in plain)
    assert clean_text(plain, MAX_TEXT) == plain
