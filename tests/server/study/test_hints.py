"""Hints for Zoff: for the only person at an unrated table, from what their seat may know."""

import asyncio
import json
import random
from dataclasses import replace

import pytest

from stampede.core.json import canonical
from stampede.server.study.hints import HintQuestion
from stampede.server.study.models import HintAnswer
from stampede.zoff import State, ZoffRules
from stampede.zoff.state import SEALED_PHASES, ZoffPhase
from tests.server.clients import Frame, Guest, guests
from tests.server.people import PASSPHRASE, new_name
from tests.server.study.test_replays import BOT
from tests.zoff.arranged import GAME
from tests.zoff.other_secrets import with_other_secrets
from tests.zoff.test_views import random_moment

pytestmark = pytest.mark.usefixtures("compiled")

MOMENTS = [
    (ZoffRules(4), ZoffPhase.CHOOSE),
    (ZoffRules(2), ZoffPhase.CHOOSE),
    (ZoffRules(3), ZoffPhase.PLACE),
    (ZoffRules(4), ZoffPhase.BONUS),
    (ZoffRules(2), ZoffPhase.SETTLE),
    (ZoffRules(4, auction=True), ZoffPhase.BID),
    (ZoffRules(3, auction=True), ZoffPhase.PICK),
]


async def hinted(guest: Guest, table: str) -> tuple[int, Frame]:
    """Asks for a hint."""
    response = await guest.request("POST", "/api/hints", {"table": table})
    return response.status_code, response.json()


def test_a_hint_names_answers_that_are_legal_and_says_why(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = (await ann.open("zoff", [{}, BOT, BOT], public=True))["table"]
            await ann.claim(table, 0, "Ann")
            status, found = await hinted(ann, table)
            assert status == 200, found
            HintAnswer.model_validate(found)
            first, second = found["candidates"]
            assert first["action"] != second["action"]
            assert all(one["cows"] > 0 for one in (first, second))
            assert first["reasons"]
            assert second["reasons"]
            assert (await hinted(ann, table))[1] == found, "asking again tells nothing new"
            assert (await hinted(ben, table))[1]["error"] == "no_hints", "they could whisper"
            async with ann.socket(table) as socket:
                await socket.next()
                assert (await socket.act(first["action"]))["type"] == "ack"

    asyncio.run(scenario())


@pytest.mark.parametrize("rated", [True, False])
def test_nobody_gets_a_hint_while_playing_against_people(base: str, rated: bool) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            for person in (ann, ben) if rated else ():
                body = {"name": new_name(), "passphrase": PASSPHRASE}
                assert (await person.request("POST", "/api/accounts", body)).status_code == 201
            chairs = [{}, {}, BOT][: 2 if rated else 3]
            table = (opened := await ann.open("zoff", chairs, rated=rated))["table"]
            await ann.claim(table, 0, "Ann")
            await ben.claim(table, 1, "Ben", opened["invite"])
            for person in (ann, ben):
                status, problem = await hinted(person, table)
                assert (status, problem["error"]) == (403, "no_hints")

    asyncio.run(scenario())


def test_a_hint_is_for_a_decision_that_is_asked(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            buffalo = (await ann.open("buffalo", [{}, BOT]))["table"]
            await ann.claim(buffalo, 0, "Ann")
            assert (await hinted(ann, buffalo))[0] == 422
            table = (await ann.open("zoff", [{}, BOT]))["table"]
            assert (await hinted(ann, table))[0] == 409, "nobody sits there yet"

    asyncio.run(scenario())


@pytest.mark.parametrize(("rules", "phase"), MOMENTS)
def test_states_that_differ_in_secrets_only_get_equal_hints(
    rules: ZoffRules, phase: ZoffPhase
) -> None:
    """Z3.4, Z6.1: byte for byte, whatever the others have sealed, or whether they have, and hold."""
    state = moment(rules, phase)
    seat = GAME.to_act(state)[0]
    others = [with_other_secrets(state, seat, random.Random(7))]
    if phase in SEALED_PHASES:
        assert others[0].sealed != state.sealed, "else the comparison would prove nothing"
        others.append(replace(state, sealed=(None,) * rules.players))
    told = [
        canonical(HintQuestion("zoff", "1.1", one, GAME.view(one, seat), ()).answer()).encode()
        for one in (state, *others)
    ]
    assert all(one == told[0] for one in told)
    for candidate in json.loads(told[0])["candidates"]:
        GAME.apply(state, seat, GAME.read_action(state, candidate["action"]))


def moment(rules: ZoffRules, phase: ZoffPhase) -> State:
    """A moment of a random game in this phase; where answers are sealed, one other seat has sealed already."""
    for seed in range(2_000):
        state = random_moment(rules, seed)
        if state.phase is not phase or (phase not in SEALED_PHASES and state.round == 1):
            continue
        if phase not in SEALED_PHASES:
            return state
        waiting = GAME.to_act(state)
        if 0 < len(waiting) < rules.players:
            return state
    raise AssertionError(f"no such moment in {rules}")


def test_a_coached_game_says_so_and_claims_no_fair_deal(base: str) -> None:
    """The deal is chosen: two coached tables begin alike, are marked, and their records have no proof of chance."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            starts, table = [], ""
            for _ in range(2):
                table = (await ann.open("zoff", [{}, BOT, BOT], coached=True))["table"]
                await ann.claim(table, 0, "Ann")
                view = (await ann.look(table))["view"]
                assert view["settings"]["coached"] is True
                assert view["settings"]["start"] is not None
                starts.append(canonical(view["view"]["pastures"]))
            assert starts[0] == starts[1]
            record = (await ann.request("GET", f"/api/tables/{table}/record")).json()
            assert "begun_with" in record["meta"]
            for chairs, more in (([{}, {}, BOT], {}), ([{}, BOT, BOT], {"public": True})):
                response = await ann.request(
                    "POST",
                    "/api/tables",
                    {"key": ann.key(), "game": "zoff", "chairs": chairs, "coached": True, **more},
                )
                assert response.status_code == 422, "for one person against bots, in private"

    asyncio.run(scenario())
