"""My games: own tables only, with whose turn it is, how they ended, and how to take one off the list."""

import asyncio
import random
from typing import Any

import httpx
import pytest

from simulation.choices import choose_action
from stampede.matches.clocks import START_GRACE_MS
from stampede.matches.names import is_guest_name
from tests.server.clients import Frame, guests
from tests.server.people import browsers, keep, new_name

LIMIT_MS = 86_400_000
CLOCK = {"kind": "days", "limit_ms": LIMIT_MS, "expiry": "bot"}


def open_table(client: httpx.Client, key: str, **more: Any) -> Frame:
    body = {"key": key, "game": "buffalo", "chairs": [{}, {}], "pace_ms": 0, **more}
    response = client.post("/api/tables", json=body)
    assert response.status_code == 201, response.text
    answer: Frame = response.json()
    return answer


def send(client: httpx.Client, table: str, key: str, token: str = "", **command: Any) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"key": key, "command": command}
    response = client.post(f"/api/tables/{table}/commands", json=body, headers=headers)
    assert response.status_code == 200, response.text


def mine(client: httpx.Client, **query: int) -> Frame:
    response = client.get("/api/tables/mine", params=query)
    assert response.status_code == 200, response.text
    answer: Frame = response.json()
    return answer


def test_a_running_game_says_whose_turn_it_is_and_how_long_it_waits(base: str) -> None:
    with browsers(base, 3) as (ann, bob, eve):
        opened = open_table(ann, "a", clock=CLOCK)
        table = opened["table"]
        send(ann, table, "b", type="claim", player=0, name="Ann")
        send(bob, table, "b", opened["invite"], type="claim", player=1, name="Bob")
        answer = mine(bob)
        (line,) = answer["tables"]
        assert (line["table"], line["seats"], line["result"]) == (table, [0, 1], None)
        turn = line["turn"]
        assert (turn["players"], turn["awaited"], turn["round"]) == ([1], [0], None)
        assert 0 < turn["deadline"] - answer["now"] <= LIMIT_MS + START_GRACE_MS
        assert mine(ann)["tables"][0]["turn"]["players"] == [0]
        assert mine(eve)["tables"] == [], "a private table of others is in no list"
        send(ann, table, "c", type="resign", player=0)
        (over,) = mine(ann)["tables"]
        assert over["result"] == {
            "game": 1,
            "winners": [1],
            "reason": "resigned",
            "aborted": False,
            "out": [],
            "stand_ins": [0, 0],
        }
        assert over["turn"] is None


def test_rounds_are_told_and_nothing_that_is_sealed(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 3) as people:
            opened = await people[0].open("zoff", [{}] * 3)
            for seat, person in enumerate(people):
                await person.claim(opened["table"], seat, f"P{seat}", opened["invite"])
            view = (await people[0].look(opened["table"]))["view"]
            choice = choose_action(view["view"]["legal"], random.Random(1))
            before = await people[1].request("GET", "/api/tables/mine")
            act = {"type": "act", "player": 0, "decision": view["decision"]["id"]}
            done = await people[0].send(opened["table"], {**act, "action": choice})
            assert done.status_code == 200, done.text
            after = await people[1].request("GET", "/api/tables/mine")
            (line,), (old,) = after.json()["tables"], before.json()["tables"]
            assert line["turn"]["awaited"] == [1, 2]
            assert line["turn"]["round"] == 1
            assert {**line, "turn": None} == {**old, "turn": None}

    asyncio.run(scenario())


def test_a_table_is_removed_from_ones_own_list_only_and_stays(base: str) -> None:
    with browsers(base, 2) as (ann, bob):
        opened = open_table(ann, "a")
        table = opened["table"]
        send(ann, table, "b", type="claim", player=0, name="Ann")
        send(bob, table, "b", opened["invite"], type="claim", player=1, name="Bob")
        refused = ann.delete(f"/api/tables/mine/{table}")
        assert (refused.status_code, refused.json()["error"]) == (409, "not_over")
        send(ann, table, "c", type="resign", player=0)
        for _ in range(2):  # a retry is harmless
            assert ann.delete(f"/api/tables/mine/{table}").json() == {"done": True}
        assert mine(ann)["tables"] == []
        assert [line["table"] for line in mine(bob)["tables"]] == [table]
        assert ann.get(f"/api/tables/{table}/record").status_code == 200
        keep(ann, new_name())
        assert mine(ann)["tables"] == [], "the account doesn't find it again"


def test_nobody_removes_or_probes_tables_of_others(base: str) -> None:
    with browsers(base, 2) as (ann, eve):
        table = open_table(ann, "a")["table"]
        for path in (table, "A" * 22, "x" * 200):
            assert eve.delete(f"/api/tables/mine/{path}").status_code == 404
        with httpx.Client(base_url=base) as stranger:
            assert stranger.delete(f"/api/tables/mine/{table}").status_code == 401
            assert stranger.get("/api/tables/mine").json()["tables"] == []


def test_own_tables_come_in_pages(base: str) -> None:
    with browsers(base, 1) as (ann,):
        tables = [open_table(ann, f"k{number}")["table"] for number in range(5)]
        found: list[str] = []
        page = mine(ann, limit=2)
        while True:
            assert len(page["tables"]) <= 2
            found += [line["table"] for line in page["tables"]]
            if page["before"] is None:
                break
            page = mine(ann, limit=2, before=page["before"])
        assert sorted(found) == sorted(tables)
        assert ann.get("/api/tables/mine", params={"limit": 101}).status_code == 422


def test_an_account_finds_the_tables_that_it_has_left(base: str) -> None:
    with browsers(base, 1) as (ann,):
        keep(ann, new_name())
        opened = open_table(ann, "a", chairs=[{}, {"bot": "random"}])
        send(ann, opened["table"], "b", type="claim", player=0)
        send(ann, opened["table"], "c", type="leave", player=0)
        assert [line["table"] for line in mine(ann)["tables"]] == [opened["table"]]


@pytest.mark.parametrize("name", ["", "You", "Jij"])
def test_a_guest_is_called_by_the_name_that_me_tells(base: str, name: str) -> None:
    with browsers(base, 1) as (ann,):
        told = ann.get("/api/me").json()["name"]
        assert is_guest_name(told)
        table = open_table(ann, "a")["table"]
        send(ann, table, "b", type="claim", player=0, name=name)
        assert mine(ann)["tables"][0]["players"][0]["name"] == told


def test_an_account_is_called_by_its_own_name(base: str) -> None:
    with browsers(base, 1) as (ann,):
        own = new_name()
        keep(ann, own)
        assert ann.get("/api/me").json()["name"] == own


@pytest.mark.parametrize("name", ["You", "du", "Yucca 27", "yucca 99"])
def test_no_account_takes_a_guests_name(base: str, name: str) -> None:
    with browsers(base, 1) as (ann,):
        body = {"name": name, "passphrase": "eleven buffaloes and a chief"}
        response = ann.post("/api/accounts", json=body)
        assert (response.status_code, "reserved" in response.text) == (422, True)
