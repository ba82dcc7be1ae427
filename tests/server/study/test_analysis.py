"""Analysis: who may ask for it, and about which positions."""

import asyncio
import itertools
from pathlib import Path
from threading import Event

import pytest

from stampede.core.json import Json
from stampede.matches.callers import Caller
from stampede.server.http.problems import TooManyRequests
from stampede.server.study.analysis import MAX_WAITING, Analyst
from stampede.server.study.models import AnalysisAnswer, AnalysisRequest, RecordRequest
from stampede.server.tables.bot_pool import BotPool
from tests.server.clients import Frame, Guest, guests
from tests.server.people import PASSPHRASE, new_name
from tests.server.servers import running, settings_for
from tests.server.study.test_replays import BOT, buffalo_record
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("compiled")

QUICK = {"seconds": 3.0, "nodes": 2000}


async def asked(guest: Guest, **body: object) -> tuple[int, Frame]:
    """Asks the engine."""
    response = await guest.request("POST", "/api/analyse", {**QUICK, **body})
    return response.status_code, response.json()


def test_a_hint_is_given_against_bots_and_says_what_to_do(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = (await ann.open("buffalo", [{}, BOT], public=True))["table"]
            await ann.claim(table, 0, "Ann")
            status, found = await asked(ann, table=table, lines=2)
            assert status == 200, found
            AnalysisAnswer.model_validate(found)
            assert found["turn"] == "buffalo"
            view = (await ann.look(table))["view"]["view"]
            assert found["fen"] == view["fen"]
            assert len(found["lines"]) == 2
            for line in found["lines"]:
                assert line["move"][2:] in view["legal"]["moves"][line["move"][:2]]
            cover = found["remarks"][-1]
            assert (cover["code"], cover["values"]["count"]) == ("cover", "11")
            assert cover["text"].startswith("11 buffaloes")
            assert (await asked(ben, table=table))[1]["error"] == "no_hints", "they could whisper"

    asyncio.run(scenario())


@pytest.mark.parametrize("rated", [True, False])
def test_nobody_asks_the_engine_while_playing_against_people(base: str, rated: bool) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            for person in (ann, ben) if rated else ():
                body = {"name": new_name(), "passphrase": PASSPHRASE}
                assert (await person.request("POST", "/api/accounts", body)).status_code == 201
            table = (opened := await ann.open("buffalo", [{}, {}], rated=rated))["table"]
            await ann.claim(table, 0, "Ann")
            await ben.claim(table, 1, "Ben", opened["invite"])
            for person in (ann, ben):
                status, problem = await asked(person, table=table)
                assert (status, problem["error"]) == (403, "no_hints")
            async with ann.socket(table) as socket:
                await socket.next()
                await socket.act("f7f6")
            await ben.send(table, {"type": "resign", "player": 1})
            for ply, turn in ((0, "buffalo"), (1, "hunter")):
                status, found = await asked(ben, table=table, game=1, ply=ply)
                assert (status, found["turn"]) == (200, turn), "afterwards everybody may"

    asyncio.run(scenario())


def test_a_finished_record_is_looked_at_where_there_is_something_to_look_for(base: str) -> None:
    """B3.1: not behind the end; B4.3: not inside an opening turn."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            record = buffalo_record()
            status, found = await asked(ann, record=record, ply=2)
            assert (status, found["turn"]) == (200, "buffalo")
            tried = await asked(ann, record=record, ply=2, moves=["a7a6"])
            assert tried[1]["turn"] == "hunter"
            for body, status, error in [
                ({"record": record, "ply": 9}, 422, "invalid"),
                ({"record": record, "ply": 0, "moves": ["f7f5"]}, 422, "illegal"),
                ({"record": record, "ply": 0, "moves": ["z9z9"]}, 422, "invalid"),
                ({"record": {**record, "result": None}}, 403, "no_hints"),
                ({"record": buffalo_record(rules={"opening_moves": 3}), "ply": 0}, 422, "wrong"),
                ({}, 422, "invalid"),
                ({"record": record, "seconds": 60}, 422, "invalid"),
            ]:
                got, problem = await asked(ann, **body)  # type: ignore[arg-type]
                assert got == status, problem
                assert error in problem["error"]
            chief_away = "11/11/11/11/11/b5DDDDC/11 b - - 0 1"
            over = {"start": chief_away, "actions": ["a2a1"]}
            result = {"winner": 0, "reason": "crossed"}
            status, problem = await asked(ann, record=buffalo_record(**over, result=result))
            assert (status, problem["error"]) == (409, "game_over")
            opening = buffalo_record(rules={"opening_moves": 2}, actions=["a7a6"])
            assert (await asked(ann, record=opening))[1]["error"] == "opening"

    asyncio.run(scenario())


def test_a_budget_of_nodes_gives_the_same_answer_again_on_any_number_of_cores(base: str) -> None:
    """With time alone several threads search, and the answer is as complete."""
    fen = "1bbbbbbbbbb/b10/11/11/11/3DDCDD3/11 w - - 0 1"

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            first, again = [(await asked(ann, fen=fen, lines=2))[1] for _ in range(2)]
            assert first["lines"] == again["lines"]
            assert first["nodes"] == again["nodes"]
            status, timed = await asked(ann, fen=fen, lines=2, nodes=None, seconds=0.2)
            assert status == 200, timed
            assert len(timed["lines"]) == 2

    asyncio.run(scenario())


def test_one_who_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            answers = [await asked(ann, record=buffalo_record(), nodes=1) for _ in range(4)]
            assert [status for status, _ in answers] == [200, 200, 200, 429]

    with running(settings_for(tmp_path, rate=0.0001, burst=20)) as base:
        asyncio.run(scenario(base))


def test_an_address_waits_for_the_engine_a_bounded_number_of_times() -> None:
    """Guests cost nothing to make up: an address has four places in the queue, and others have theirs."""

    async def scenario() -> None:
        pool, gate, busy = BotPool(threads=1, capacity=MAX_WAITING), Event(), Event()

        def hold() -> None:
            busy.set()
            gate.wait()

        analyst, numbers = Analyst(pool), itertools.count()
        sent = RecordRequest.model_validate(buffalo_record())
        request = AnalysisRequest.model_validate({"record": sent, "nodes": 1000})

        def ask(address: str) -> asyncio.Task[Json]:
            caller = Caller(f"g{next(numbers)}")
            return asyncio.create_task(analyst.analyse(caller, address, sent.record(), request))

        held = asyncio.create_task(pool.think(hold, owner="greedy"))
        await until("the engine is busy", busy.is_set)
        waiting = [ask("greedy") for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests):
            await ask("greedy")
        other = ask("other")
        await until("the other one waits", lambda: pool.waiting == MAX_WAITING + 1)
        gate.set()
        await asyncio.gather(held, other, *waiting)
        await pool.close()

    asyncio.run(scenario())


def test_a_position_is_analysed_and_what_is_wrong_with_one_is_told_with_its_place(
    base: str,
) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            fen = "11/11/11/5b5/11/3DDCDD3/11 b - - 0 9"
            found = (await ann.request("POST", "/api/analyse", {"fen": fen})).json()
            assert found["fen"] == fen
            assert found["lines"][0]["move"] == "f4f3"
            asked = {"fen": fen, "moves": ["f4f3"]}
            place = (await ann.request("POST", "/api/buffalo/position", asked)).json()
            assert place["legal"]["f2"], "the chief can go somewhere"
            wrong = {
                "11/11/11/5b5/5b5/3DDCDD3/11 b - - 0 9": ("same_file", {"squares": "f4, f3"}),
                "11/11/11/5b5/11/3DDC1D3/11 b - - 0 9": ("dogs", {"count": "3"}),
                "11/11/10/11/11/3DDCDD3/11 b - - 0 9": ("files", {"rank": "5", "count": "10"}),
                "11/11/4x6/11/11/3DDCDD3/11 b - - 0 9": ("letter", {"rank": "5", "got": "x"}),
            }
            for text, (code, values) in wrong.items():
                told = await ann.request("POST", "/api/buffalo/position", {"fen": text})
                problem = told.json()["problem"]
                assert (problem["code"], problem["values"]) == (code, values)
                refused = await ann.request("POST", "/api/analyse", {"fen": text})
                assert (refused.status_code, refused.json()["error"]) == (422, "wrong_record")

    asyncio.run(scenario())
