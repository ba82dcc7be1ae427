"""Reviews: of finished games only, part by part, the same each time, and for those who may have the record."""

import asyncio
import json
import threading
from collections.abc import MutableMapping
from typing import Any

import pytest

from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.search.review import CurvePoint, ReviewPart, ReviewPlan
from stampede.server.http.problems import Problem
from stampede.server.study import review_queue
from stampede.server.study.models import ReviewLine
from stampede.server.study.review_queue import AT_ONCE, MAX_OF_ADDRESS, MAX_OF_CALLER
from stampede.server.study.reviews import (
    Line,
    LineStream,
    ReviewCache,
    Reviewer,
    as_lines,
)
from stampede.server.tables.bot_pool import BotPool
from tests.server.clients import Frame, Guest, guests
from tests.server.study.test_fair_play import MOVES, RESIGNED, forged, played
from tests.server.study.test_replays import BOT, buffalo_record, finished
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("compiled")


async def reviewed(guest: Guest, **body: object) -> tuple[int, list[Frame]]:
    """Asks for a review; returns the status and the lines, or the problem as the only line."""
    response = await guest.request("POST", "/api/reviews", dict(body))
    if response.status_code != 200:
        return response.status_code, [response.json()]
    lines = [json.loads(line) for line in response.text.splitlines()]
    for line in response.text.splitlines():
        ReviewLine.model_validate_json(line)
    return 200, lines


@pytest.mark.parametrize(("game", "chairs"), [("buffalo", 2), ("zoff", 2), ("zoff", 4)])
def test_a_finished_game_is_reviewed_part_by_part(base: str, game: str, chairs: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = await finished(ann, game, chairs)
            status, lines = await reviewed(ann, table=table)
            assert status == 200
            assert [line["type"] for line in lines[:2]] == ["start", "part"]
            assert lines[-1]["type"] == "done"
            assert len(lines) == lines[0]["parts"] + 2
            curve = lines[1]["points"]
            assert [point["turn"] for point in curve] == sorted(point["turn"] for point in curve)
            record = (await ann.request("GET", f"/api/tables/{table}/record")).json()
            winners = record["result"].get("winners", [record["result"].get("winner")])
            end = curve[-1]["chances"]
            assert [seat for seat, chance in enumerate(end) if chance > 0.4] == winners
            decisions = [one for line in lines[1:-1] for one in line["decisions"]]
            assert decisions
            assert all(one["loss"] >= 0 for one in decisions)
            assert sum(lines[-1]["losses"]) == pytest.approx(
                sum(one["loss"] for one in decisions), abs=0.1
            )
            again = (await reviewed(ann, table=table))[1]
            assert again == lines, "kept"
            sent = (await reviewed(ann, record=record))[1]
            assert sent[-1] == lines[-1], "the same from a file"

    asyncio.run(scenario())


def test_a_running_game_is_not_reviewed_by_any_detour(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = await played(ann, ben, MOVES)
            status, (problem,) = await reviewed(ann, table=table)
            assert status in (403, 409), problem
            status, (problem,) = await reviewed(ann, **forged(MOVES))
            assert (status, problem["error"]) == (403, "no_hints")
            running = {**buffalo_record(), "result": None}
            assert (await reviewed(ann, record=running))[0] == 403
            bots = (await ann.open("buffalo", [{}, BOT]))["table"]
            await ann.claim(bots, 0, "Ann")
            assert (await reviewed(ann, table=bots))[0] in (403, 409)

    asyncio.run(scenario())


def test_a_private_game_is_reviewed_for_its_people_only(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = await finished(ann, "buffalo", 2, public=False, watch=False)
            status, (problem,) = await reviewed(ben, table=table)
            assert (status, problem["error"]) == (404, "unknown_table")

    asyncio.run(scenario())


def test_what_is_no_game_is_refused_with_what_is_wrong(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            assert (await reviewed(ann))[0] == 422
            wrong = {**buffalo_record(), "actions": ["f7f5"], "result": RESIGNED}
            status, lines = await reviewed(ann, record=wrong)
            assert status == 422 or lines[-1]["code"] == "wrong_record", lines

    asyncio.run(scenario())


# --- the queue, without an engine ---


THREADS = 3
"""Of a pool in which a review finds a thread while the two parts at a time of another one wait."""


class SlowPlan:
    """A plan of a curve and further parts, which wait until they may go on."""

    def __init__(self, parts: int = 2) -> None:
        self.go_on = threading.Event()
        self.parts = parts
        self.done = 0

    def __call__(self, record: GameRecord) -> ReviewPlan:
        return ReviewPlan(record, 2, (self._curve, *[self._work] * self.parts))

    def _curve(self) -> ReviewPart:
        return ReviewPart(points=(CurvePoint(0, 0, (0.5, 0.5), (0.0, 0.0)),))

    def _work(self) -> ReviewPart:
        assert self.go_on.wait(60)
        self.done += 1
        return ReviewPart()


def record_number(number: int) -> GameRecord:
    data = {**buffalo_record(), "actions": MOVES[:number], "result": RESIGNED}
    return GameRecord.from_json(data)


def reviewer_with(plan: SlowPlan, pool: BotPool, linger: float = 0) -> Reviewer:
    return Reviewer(pool, plan, linger=linger)


def test_others_are_told_their_place_and_leaving_stops_the_work() -> None:
    async def scenario() -> None:
        pool, plan = BotPool(THREADS, 4), SlowPlan(3)
        reviewer = reviewer_with(plan, pool)
        callers = [Caller(f"g{number}") for number in range(AT_ONCE + 1)]
        streams = [
            reviewer.review(caller, f"address {index}", record_number(index + 1))
            for index, caller in enumerate(callers)
        ]
        first: list[Line] = [await anext(stream) for stream in streams[:AT_ONCE]]
        assert all(line["type"] == "start" for line in first)
        assert await anext(streams[-1]) == {"type": "queue", "ahead": 1, "own": False}
        assert (await anext(streams[0]))["type"] == "part"
        await until("a part waits", lambda: pool.waiting > 0)
        await streams[0].aclose()
        await until("it stops", lambda: reviewer.under_way == AT_ONCE)
        plan.go_on.set()
        rest = [line async for line in streams[1]]
        assert rest[-1]["type"] == "done"
        last = [line async for line in streams[-1]]
        assert last[-1]["type"] == "done"
        assert plan.done <= 3 * AT_ONCE + 2, "what nobody looks at is not computed"
        await pool.close()

    asyncio.run(scenario())


def test_a_caller_s_other_reviews_wait_and_let_those_of_others_go_ahead() -> None:
    async def scenario() -> None:
        pool, plan = BotPool(THREADS, 4), SlowPlan()
        reviewer = reviewer_with(plan, pool)
        ann, ben = Caller("ann"), Caller("ben")
        mine = [
            reviewer.review(ann, f"phone {number}", record_number(number + 1))
            for number in range(MAX_OF_CALLER)
        ]
        assert (await anext(mine[0]))["type"] == "start"
        assert await anext(mine[1]) == {"type": "queue", "ahead": 1, "own": True}
        assert await anext(mine[2]) == {"type": "queue", "ahead": 1, "own": True}
        with pytest.raises(Problem) as refused:
            reviewer.check_room(ann, "elsewhere", record_number(8))
        assert (refused.value.code, refused.value.status) == ("too_many_reviews", 429)
        reviewer.check_room(ann, "elsewhere", record_number(1))  # under way: it is joined
        theirs = reviewer.review(ben, "elsewhere", record_number(9))
        assert (await anext(theirs))["type"] == "start"
        plan.go_on.set()
        for stream in (theirs, *mine):
            assert [line async for line in stream][-1]["type"] == "done"
        reviewer.check_room(ann, "elsewhere", record_number(8))
        await pool.close()

    asyncio.run(scenario())


def test_who_asks_again_joins_the_review_under_way() -> None:
    async def scenario() -> None:
        pool, plan = BotPool(1, 4), SlowPlan()
        reviewer = reviewer_with(plan, pool, linger=3600)
        first = reviewer.review(Caller("ann"), "a", record_number(1))
        seen = [await anext(first), await anext(first)]
        assert [line["type"] for line in seen] == ["start", "part"]
        await first.aclose()  # the page is loaded anew
        again = reviewer.review(Caller("ann"), "a", record_number(1))
        other = reviewer.review(Caller("ben"), "b", record_number(1))
        for stream in (again, other):
            assert [await anext(stream), await anext(stream)] == seen
        plan.go_on.set()
        rest = [line async for line in again]
        assert rest[-1]["type"] == "done"
        assert [line async for line in other] == rest
        assert plan.done == 2, "computed once"
        await reviewer.close()
        await pool.close()

    asyncio.run(scenario())


def test_an_address_has_its_share_of_the_places_and_others_still_find_one() -> None:
    async def scenario() -> None:
        pool, plan = BotPool(THREADS, 4), SlowPlan()
        reviewer = reviewer_with(plan, pool)
        streams = [
            reviewer.review(Caller(f"g{number}"), "crowd", record_number(number + 1))
            for number in range(MAX_OF_ADDRESS)
        ]
        for stream in streams:
            await anext(stream)
        with pytest.raises(Problem) as refused:
            reviewer.check_room(Caller("one more"), "crowd", record_number(7))
        assert (refused.value.code, refused.value.retry_after) == ("address_busy", 10)
        late = reviewer.review(Caller("one more"), "crowd", record_number(7))
        assert [line["code"] async for line in late] == ["address_busy"], "told in the stream"
        reviewer.check_room(Caller("other"), "elsewhere", record_number(7))
        for stream in streams:
            await stream.aclose()
        await until("there is room", lambda: has_room(reviewer, "one more", "crowd"))
        plan.go_on.set()
        await pool.close()

    asyncio.run(scenario())


def has_room(reviewer: Reviewer, guest: str, address: str) -> bool:
    try:
        reviewer.check_room(Caller(guest), address, record_number(7))
    except Problem:
        return False
    return True


def test_a_full_queue_is_told_with_a_status_before_any_line(
    monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.setattr(review_queue, "MAX_QUEUE", -AT_ONCE)

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            record = {**buffalo_record(), "actions": MOVES, "result": RESIGNED}
            status, (problem,) = await reviewed(ann, record=record)
            assert (status, problem["error"]) == (503, "busy")

    asyncio.run(scenario())


def test_a_review_that_fails_says_so_and_frees_its_place() -> None:
    def fail(_: GameRecord) -> ReviewPlan:
        raise ZeroDivisionError

    async def scenario() -> None:
        pool = BotPool(1, 4)
        reviewer = Reviewer(pool, fail)
        for _ in range(2):
            lines = [line async for line in reviewer.review(Caller("g"), "a", record_number(1))]
            assert [line["code"] for line in lines] == ["failed"]
        await pool.close()

    asyncio.run(scenario())


def test_a_client_that_leaves_while_a_line_is_sent_frees_its_place() -> None:
    """No garbage collector has to run for it: the server's runs once in minutes."""

    async def scenario() -> None:
        pool, plan = BotPool(1, 4), SlowPlan()
        reviewer = reviewer_with(plan, pool)
        caller = Caller("g")
        stream = LineStream(as_lines(reviewer.review(caller, "a", record_number(1))))

        async def send(message: MutableMapping[str, Any]) -> None:
            if message.get("body"):
                raise OSError("the client has left")

        with pytest.raises(OSError, match="left"):
            await stream.stream_response(send)
        await until("there is room", lambda: not reviewer.under_way)
        plan.go_on.set()
        await pool.close()

    asyncio.run(scenario())


def test_kept_reviews_stay_within_their_budget() -> None:
    cache = ReviewCache(most=100)
    line: Line = {"type": "x" * 40}
    for key in "abc":
        cache.put(key, (line,))
    assert cache.get("a") is None
    assert cache.get("c") == (line,)
    cache.put("large", ({"type": "x" * 200},))
    assert cache.get("large") is None
