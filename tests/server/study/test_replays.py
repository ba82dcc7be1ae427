"""Games step by step: as the record tells them, for those who may have it, and from files."""

import asyncio
import json
import random
from typing import Any

import pytest

from simulation.choices import choose_action
from stampede.core.playthrough import Playthrough
from stampede.core.record import SeatInfo
from stampede.games import game_named
from stampede.server.study.models import ReplayAnswer
from tests.server.clients import Frame, Guest, guests

BOT = {"bot": "random"}


async def finished(guest: Guest, game: str, chairs: int, **more: Any) -> str:
    """A table whose game is over."""
    opened = await guest.open(game, [{}, *[BOT] * (chairs - 1)], **more)
    table: str = opened["table"]
    await guest.claim(table, 0, "Ann")
    async with guest.socket(table) as socket:
        await socket.play(random.Random(3))
    return table


@pytest.mark.parametrize(("game", "chairs"), [("buffalo", 2), ("zoff", 5), ("zoff", 2)])
def test_a_replay_is_the_record_step_by_step(base: str, game: str, chairs: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = await finished(ann, game, chairs)
            got = await ann.request("GET", f"/api/tables/{table}/replay")
            assert got.status_code == 200, got.text
            told: Frame = got.json()
            ReplayAnswer.model_validate_json(got.text)
            record = (await ann.request("GET", f"/api/tables/{table}/record")).json()
            assert told["result"] == record["result"]
            assert told["steps"][-1]["view"]["result"] == record["result"]
            assert all(
                step["view"]["legal"] in (None, {"type": "none"}) for step in told["steps"]
            ), "spectators have nothing to decide"
            assert told["seats"][0] == {"name": "Ann", "kind": "human"}
            posted = await ann.request("POST", "/api/replay", record)
            assert posted.json() == told, "the same from a file"

    asyncio.run(scenario())


def test_a_game_that_ended_by_resignation_is_replayed_to_its_last_move(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("buffalo", [{}, {}], hot_seat=True))["table"]
            for player in (0, 1):
                await ann.claim(table, player, f"P{player}")
            async with ann.socket(table) as socket:
                await socket.next()
                await socket.act("f7f6")
            await ann.send(table, {"type": "resign", "player": 1})
            told = (await ann.request("GET", f"/api/tables/{table}/replay?game=1")).json()
            assert [step["action"] for step in told["steps"]] == ["f7f6"]
            assert told["result"] == {"winner": 0, "reason": "resigned"}
            missing = await ann.request("GET", f"/api/tables/{table}/replay?game=2")
            assert (missing.status_code, missing.json()["error"]) == (409, "wrong_phase")

    asyncio.run(scenario())


def test_a_private_table_is_replayed_to_its_people_only(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = await finished(ann, "buffalo", 2, public=False, watch=False)
            stranger = await ben.request("GET", f"/api/tables/{table}/replay")
            assert (stranger.status_code, stranger.json()["error"]) == (404, "unknown_table")

    asyncio.run(scenario())


def test_a_running_game_with_secrets_is_not_replayed(base: str) -> None:
    """Z6.1: what has been discarded may not be looked at before the end."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("zoff", [{}, BOT, BOT]))["table"]
            await ann.claim(table, 0, "Ann")
            async with ann.socket(table) as socket:
                await socket.next()
                while socket.view["view"]["round"] < 2:
                    if socket.asked:
                        await socket.act(
                            choose_action(socket.view["view"]["legal"], random.Random(1))
                        )
                    else:
                        await socket.next()
            refused = await ann.request("GET", f"/api/tables/{table}/replay")
            assert (refused.status_code, refused.json()["error"]) == (409, "wrong_phase")

    asyncio.run(scenario())


def buffalo_record(**changes: object) -> Frame:
    """A short record from a file."""
    seats = [{"name": "Ann", "kind": "human"}, {"name": "Ben", "kind": "human"}]
    record: Frame = {
        "format": "stampede-record/1",
        "game": "buffalo",
        "rules": {"removed": [], "opening_moves": 1},
        "seats": seats,
        "actions": ["f7f6", "f2f3", "a7a6"],
        "result": {"winner": 0, "reason": "resigned"},
        "meta": {},
    }
    return {**record, **changes}


def test_a_wrong_step_in_a_file_is_named(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            good = await ann.request("POST", "/api/replay", buffalo_record(unknown="ignored"))
            assert good.status_code == 200, good.text
            cases: list[tuple[Frame, int, str]] = [
                ({"actions": ["f7f6", "f2f3", "f6f3"]}, 422, "step 2"),
                ({"result": {"winner": 7, "reason": "resigned"}}, 422, "winner"),
                ({"game": "chess"}, 422, "buffalo"),
                ({"format": "stampede-record/9"}, 422, "stampede-record/1"),
                ({"seats": []}, 422, "seats"),
                ({"start": 7}, 422, "start"),
                ({"actions": [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}, 422, "levels"),
                ({"actions": ["f7f6"] * 20_000}, 413, "bytes"),
            ]
            for changes, status, word in cases:
                bad = await ann.request("POST", "/api/replay", buffalo_record(**changes))
                assert bad.status_code == status, bad.text
                assert word in bad.json()["message"]

    asyncio.run(scenario())


def test_the_longest_records_fit_into_a_request() -> None:
    """A record that the server gives away can be brought back: the body's limit leaves actor for it."""
    game = game_named("zoff").game
    rules = {"players": 6, "auction": True, "fair": True, "open_discards": True}
    read = game.read_rules({"edition": "fx-schmid-1998-r1", **rules})
    rng = random.Random(8)
    played = Playthrough(game, read, game.draw(read, rng))
    while played.outcome is None:
        seat = game.to_act(played.state)[0]
        played.play(seat, game.legal(played.state, seat).sample(rng))
    record = played.record(tuple(SeatInfo("x" * 40) for _ in range(6)))
    assert len(json.dumps(record.to_json())) < 64 * 1024 / 2
