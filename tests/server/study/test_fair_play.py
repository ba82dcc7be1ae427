"""The engine plays for nobody: it says nothing about a position that people are playing here, however it is brought."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from stampede.buffalo import Position
from stampede.core.playthrough import Playthrough
from stampede.matches.commands import Resign
from stampede.server.http.problems import Problem
from stampede.server.study.fair_play import (
    LIKENESS,
    OPENING,
    Trace,
    check_not_running,
    is_between_people,
)
from stampede.server.study.replays import play_record
from stampede.zoff.rules import ZoffRules
from stampede.zoff.state import State
from tests.matches.sitting import Sitting, buffalo, person
from tests.server.clients import Frame, Guest, guests
from tests.server.study.test_analysis import asked
from tests.server.study.test_replays import BOT, buffalo_record
from tests.zoff.arranged import played as zoff_game

pytestmark = pytest.mark.usefixtures("compiled")

MOVES = ["f7f6", "d2d4", "a7a6", "e2e5", "k7k6", "g2g4", "b7b6", "h2h6", "c7c6"]
RESIGNED = {"winner": 0, "reason": "resigned"}
MIRROR = dict(zip("abcdefghijk", "kjihgfedcba", strict=True))


def mirrored(moves: list[str]) -> list[str]:
    return ["".join(MIRROR.get(letter, letter) for letter in move) for move in moves]


def forged(actions: list[str], **more: object) -> Frame:
    """The record of a running game, with an end that it hasn't had."""
    return {"record": {**buffalo_record(), "actions": actions, "result": RESIGNED}, **more}


def set_up(moves: list[str], move: str, *, turned: bool = False) -> Frame:
    """A record that begins with the position after these moves, perhaps with the buffalo side to move instead."""
    position = Position.start()
    for step in moves:
        position = position.play(step)
    fen = position.fen().replace(" w ", " b ") if turned else position.fen()
    return {"record": {**forged([move])["record"], "start": fen}, "ply": 0}


async def played(ann: Guest, ben: Guest, moves: list[str]) -> str:
    """A table at which two people have made these moves."""
    table: str = (await ann.open("buffalo", [{}, {}], public=True))["table"]
    for number, guest in enumerate((ann, ben)):
        await guest.claim(table, number, f"P{number}")
    for number, move in enumerate(moves):
        guest = (ann, ben)[number % 2]
        view = (await guest.look(table))["view"]
        act = {"type": "act", "player": number % 2, "decision": view["decision"]["id"]}
        assert (await guest.send(table, {**act, "action": move})).status_code == 200
    return table


def test_a_running_game_is_analysed_by_no_detour_until_it_is_over(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 3) as (ann, ben, eve):
            table = await played(ann, ben, MOVES)
            bots = (await eve.open("buffalo", [{}, BOT]))["table"]
            await eve.claim(bots, 0, "Eve")
            hint: Frame = {"table": bots, "ply": 0, "moves": MOVES}
            detours: list[Frame] = [
                forged(MOVES),
                forged([*MOVES, "f2f3"], ply=len(MOVES)),
                forged([*MOVES, "f2f3"]),
                forged(MOVES, moves=["f2f3"]),
                forged(mirrored(MOVES)),
                set_up(MOVES, "f2f3"),
                set_up([*MOVES, "f2f3"], "d7d6"),
                forged(MOVES, moves=["f2f3", "d7d6"]),
                forged(MOVES, ply=len(MOVES) - 1),
                set_up(MOVES, "d7d6", turned=True),
                {"fen": set_up(MOVES, "")["record"]["start"]},
                {"fen": set_up(MOVES, "", turned=True)["record"]["start"], "moves": ["d7d6"]},
            ]
            for guest, ways in ((ann, detours), (ben, detours[:1]), (eve, [*detours, hint])):
                for body in ways:
                    status, problem = await asked(guest, **body)
                    assert (status, problem["error"]) == (403, "no_hints"), body
            elsewhere = ["d7d6", "d2d4", "e7e6", "e2e5", "g7g6", "g2g4", "h7h6"]
            for free in (forged(MOVES, ply=0), forged(MOVES, ply=OPENING - 2), forged(elsewhere)):
                assert (await asked(ann, **free))[0] == 200
            await ben.send(table, {"type": "resign", "player": 1})
            for body in (*detours[:3], hint):
                assert (await asked(eve, **body))[0] == 200, body

    asyncio.run(scenario())


def test_openings_are_free(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            await played(ann, ben, MOVES[: OPENING - 1])
            assert (await asked(ann, **forged(MOVES[: OPENING - 1])))[0] == 200
            await played(ann, ben, MOVES[:OPENING])
            assert (await asked(ann, **forged(MOVES, ply=0)))[0] == 200, "the start of all games"

    asyncio.run(scenario())


def later(sitting: Sitting) -> Sitting:
    sitting.play_until(lambda: len(sitting.table.state.running.actions) >= OPENING)
    return sitting


def test_games_between_people_are_those_with_several_persons_or_a_rating() -> None:
    people, alone = buffalo(), buffalo(bots=1)
    people.sit(0, 1)
    assert not is_between_people(people.table.state, "buffalo"), "an opening"
    state = later(people).table.state
    assert is_between_people(state, "buffalo")
    assert not is_between_people(state, "zoff")
    people.do(Resign(0), person(0))
    assert not is_between_people(people.table.state, "buffalo")
    alone.sit(0)
    against_a_bot = later(alone).table.state
    assert not is_between_people(against_a_bot, "buffalo")
    rated = replace(against_a_bot, settings=replace(against_a_bot.settings, rated=True))
    assert is_between_people(rated, "buffalo")


# --- Zoff ---


def states_of(game: Playthrough[Any, State, Any, Any]) -> list[State]:
    return [turn.state for turn in game.turns]


def is_refused(running: State, asked: list[State]) -> bool:
    try:
        for state in asked:
            check_not_running("zoff", state, [Trace(OPENING, LIKENESS["zoff"].shape(running))])
    except Problem as problem:
        return problem.code == "no_hints"
    return False


@pytest.mark.parametrize("rules", [ZoffRules(2), ZoffRules(4, auction=True), ZoffRules(6)])
def test_a_running_game_of_zoff_is_known_by_its_herds_however_it_is_brought(
    rules: ZoffRules,
) -> None:
    """Not by the deal: it holds a secret, the order of tied bids, which a refusal would tell."""
    games = [zoff_game(rules, seed) for seed in range(6)]
    game = games[0]
    running = next(state for state in states_of(game) if state.round == 4)
    brought = states_of(play_record(game.record()))
    assert is_refused(running, brought), "a record with an invented end"
    house = replace(running.setup, rules=replace(rules, must_place=True))
    assert is_refused(running, [replace(state, setup=house) for state in brought])
    turned = [
        replace(state, herds=tuple(herds[::-1] for herds in state.herds)) for state in brought
    ]
    assert is_refused(running, turned), "with other colours"
    for other in games[1:]:
        assert not is_refused(running, states_of(other))


def test_the_first_round_of_zoff_is_free() -> None:
    """Every deal puts one cow on each pasture: all games look alike."""
    one, two = (zoff_game(ZoffRules(6), seed) for seed in (1, 2))
    first = [state for state in states_of(two) if state.round <= 1]
    assert first
    assert not is_refused(one.start, first)
