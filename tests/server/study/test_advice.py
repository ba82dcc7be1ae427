"""Advice about a choice of Zoff: what is mixed adds up, changes keep to the law, and no running game is helped."""

import asyncio
import dataclasses
from typing import Any

import pytest

from stampede.core.record import GameRecord
from stampede.server.http.problems import Problem
from stampede.server.study.board.advice import AdviceQuestion, advise_at, state_at
from stampede.server.study.fair_play import LIKENESS, OPENING, Trace
from tests.server.clients import guests
from tests.web.records import EDITION, random_record

pytestmark = pytest.mark.usefixtures("compiled")


def record_of(players: int) -> GameRecord:
    return random_record("zoff", {"edition": EDITION, "players": players}, 5)


def third_round(record: GameRecord) -> int:
    """A turn before a choice in the third round."""
    turn = 0
    while state_at(record, turn).round < 3:
        turn += 1
    return turn


@pytest.mark.parametrize("players", [2, 4])
def test_advice_names_a_mixture_and_what_rivals_may_do(players: int) -> None:
    record = record_of(players)
    turn = third_round(record)
    found: Any = advise_at(record, AdviceQuestion(turn, 1, {}, {}), ())
    assert found["problem"] is None
    assert 0.3 < sum(one["share"] for one in found["mixture"]) <= 1.01
    assert sum(seat["chance"] for seat in found["seats"]) == pytest.approx(1, abs=0.02)
    assert [bool(seat["likely"]) for seat in found["seats"]] == [who != 1 for who in range(players)]
    hand = set(found["hands"][1])
    assert {pair[1] for one in found["mixture"] for pair in one["action"]["pairs"]} <= hand
    assert found == advise_at(record, AdviceQuestion(turn, 1, {}, {}), ()), "the same again"


def test_changes_keep_to_the_law_of_herds_and_to_the_cards() -> None:
    record = record_of(3)
    turn = third_round(record)
    shown: Any = advise_at(record, AdviceQuestion(turn, 0, {}, {}), ())
    pasture = max(shown["pastures"], key=lambda one: one["capacity"] - sum(one["herds"].values()))
    one, other, *_ = shown["colours"]
    name = pasture["name"]
    for herds, hands, code in (
        ({name: {one: 60}}, {}, "overfull"),
        ({name: {one: 3, other: 3}}, {}, "equal_herds"),
        ({"Nowhere": {one: 1}}, {}, "unknown"),
        ({}, {"0": shown["cards"][0][:1]}, "hand"),
    ):
        told: Any = advise_at(record, AdviceQuestion(turn, 0, herds, hands), ())
        assert told["problem"]["code"] == code
        assert told["mixture"] == []
    kept = [card for card in shown["cards"][0] if card not in shown["hands"][0]]
    swapped = [*kept[:1], *shown["hands"][0][1:]]
    more = pasture["herds"][one] + 1
    while more in pasture["herds"].values():
        more += 1
    told = advise_at(record, AdviceQuestion(turn, 0, {name: {one: more}}, {"0": swapped}), ())
    assert told["problem"] is None
    assert set(told["hands"][0]) == set(swapped)
    assert {pair[1] for way in told["mixture"] for pair in way["action"]["pairs"]} <= set(swapped)


def test_a_state_that_people_are_playing_gets_no_advice() -> None:
    record = record_of(3)
    turn = third_round(record)
    state = state_at(record, turn)
    near = dataclasses.replace(state, hands=state.hands[::-1])
    with pytest.raises(Problem, match="people are playing"):
        advise_at(
            record, AdviceQuestion(turn, 0, {}, {}), [Trace(OPENING, LIKENESS["zoff"].shape(near))]
        )


def test_advice_over_http_is_for_finished_games(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            record = record_of(3)
            body = {"record": record.to_json(), "turn": third_round(record), "seat": 2}
            found = await ann.request("POST", "/api/zoff/advice", body)
            assert found.status_code == 200, found.text
            assert found.json()["mixture"]
            running = {key: value for key, value in record.to_json().items() if key != "result"}
            refused = await ann.request("POST", "/api/zoff/advice", {**body, "record": running})
            assert refused.status_code == 403
            shown = {"fen": "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1", "moves": []}
            explored = await ann.request("POST", "/api/buffalo/explorer", shown)
            assert len(explored.json()["moves"]) == 11

    asyncio.run(scenario())
