"""A machine on which nothing is compiled yet: light bots answer by plain Python, at their full strength."""

import asyncio
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stampede.bots import bot_named
from stampede.bots.preparation import is_light, needs_compiled_code
from stampede.buffalo import BuffaloGame, BuffaloRules, Position
from stampede.core.game import AnyGame
from stampede.core.json import Json
from stampede.kernels.zoff.quick_record import quick_record
from stampede.matches import ChairPlan, TableSettings
from stampede.matches.bots import BotRequest
from stampede.matches.commands import Claim, Open
from stampede.server.tables import driver
from stampede.server.tables.actor import TableActor
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.interpreter import Interpreter, answer_request
from stampede.zoff import ZoffGame, ZoffRules
from tests.server.tables.live import ANN, MOVE, RULES, Now, tables
from tests.waiting import PATIENCE, until


@contextmanager
def compiling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A compiler that works until the end of the block."""
    done = threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr(driver, "prepare", lambda _: done.wait(PATIENCE))
        try:
            yield
        finally:
            done.set()


async def seq_after_a_move(
    folder: Path, level: str, interpreter: Interpreter, removed: tuple[str, ...] = ()
) -> int:
    """The length of a table's log when its bot has answered a move, or waits for a compiler and nothing else."""
    async with tables(folder, Now(), interpreter=interpreter) as registry:
        chairs = (ChairPlan(), ChairPlan(level))
        rules = {**RULES, "removed": list(removed)}
        wanted = TableSettings("buffalo", rules, chairs, public=True, pace_ms=0)
        command = Open("3" * 22, wanted, "ann", "ab" * 32)
        async with registry.lease(await registry.open(command, ANN, "open")) as actor:
            await actor.command(Claim(0, "Ann"), ANN, "claim")
            await actor.command(MOVE, ANN, "move")
            before = actor.seq
            if is_light(bot_named(level)) or not removed:
                await until("the bot has answered", lambda: actor.seq > before)
            else:
                await until("the bot is asked", lambda: actor.has_pending_bots)
            return actor.seq - before


def test_a_light_bot_answers_while_its_kernels_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler doesn't end before the bot has moved. A bot that thinks much waits for it."""
    cases = (
        ("buffalo-3", ("c",), 1),
        ("buffalo-10", ("c",), 0),
        ("buffalo-10", (), 1),  # it knows its first moves by heart
    )
    for number, (level, removed, answers) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        with compiling(monkeypatch):
            asked = seq_after_a_move(folder, level, Interpreter(), removed)
            assert asyncio.run(asked) == answers, level


class Busy(ThreadPoolExecutor):
    """Decides nothing until it is free; counts what it is asked."""

    def __init__(self, free: threading.Event) -> None:
        super().__init__(1)
        self.asked = 0
        super().submit(free.wait, PATIENCE)

    def submit(self, *args: Any, **named: Any) -> Any:
        self.asked += 1
        return super().submit(*args, **named)


def has_asked(busy: list[Busy], times: int) -> bool:
    return bool(busy) and busy[0].asked == times


def has_moved(actor: TableActor, before: int) -> bool:
    return actor.seq > before


async def play_both_games(
    folder: Path, interpreter: Interpreter, busy: list[Busy], loaded: dict[str, threading.Event]
) -> None:
    """Bots of both games are asked; then the kernels of one are there, and then those of the other."""
    async with tables(folder, Now(), interpreter=interpreter) as registry, AsyncExitStack() as held:
        before = {}
        for number, game in enumerate(loaded, start=1):
            chairs = (ChairPlan(), ChairPlan(f"{game}-3"))
            rules = CATALOGUE.games[game].default_rules(2)
            wanted = TableSettings(game, rules, chairs, public=True, pace_ms=0)
            command = Open(f"{number:022d}", wanted, "ann", "ab" * 32)
            lease = registry.lease(await registry.open(command, ANN, f"open {game}"))
            actor = await held.enter_async_context(lease)
            await actor.command(Claim(0, "Ann"), ANN, f"claim {game}")
            if game == "buffalo":
                await actor.command(MOVE, ANN, "move")
            await until(f"{game}: asked", partial(has_asked, busy, number))
            before[actor] = actor.seq
        for actor, event in zip(before, loaded.values(), strict=True):
            assert actor.seq == before[actor], "it is queued"
            event.set()
            await until("the bot has answered", partial(has_moved, actor, before[actor]))


def test_kernels_of_one_game_leave_bots_of_the_other_their_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes end with the last kernels; a decision that is still queued then is made by the kernels."""
    loaded = {"buffalo": threading.Event(), "zoff": threading.Event()}
    free, busy = threading.Event(), list[Busy]()

    def first_legal(game: AnyGame, request: BotRequest) -> Json:
        action: Json = game.write_action(next(iter(request.view.legal)))
        return action

    def start() -> Busy:
        busy.append(Busy(free))
        return busy[-1]

    monkeypatch.setattr(driver, "prepare", lambda game: loaded[game].wait(PATIENCE))
    monkeypatch.setattr(driver, "answer_request", first_legal)
    try:
        asyncio.run(play_both_games(tmp_path, Interpreter(start), busy, loaded))
    finally:
        for event in (free, *loaded.values()):
            event.set()
    assert len(busy) == 1


def test_plain_python_gives_the_answers_of_compiled_code() -> None:
    """Level 3 as the buffalo side, level 5 as the hunter, with their own seeds."""
    game, rules = BuffaloGame(), BuffaloRules()
    fens = {
        "buffalo-3": "11/2b8/6b4/2C2b2bbb/8DD1/D9D/11 b - - 0 28",
        "buffalo-5": "11/11/11/2bb4b2/bb1Db1C4/DD2D6/11 w - - 0 32",
    }
    requests = []
    for number, (level, fen) in enumerate(fens.items()):
        state = game.initial(rules, Position.from_fen(fen))
        seat = game.to_act(state)[0]
        view = game.view(state, seat)
        requests.append(BotRequest(seat, seat, level, "1.1", 1, view, (), number, 0))

    async def interpreted() -> list[object]:
        interpreter = Interpreter()
        try:
            return [await interpreter.answer(game, request) for request in requests]
        finally:
            interpreter.close()

    assert asyncio.run(interpreted()) == [answer_request(game, request) for request in requests]


def test_bots_of_zoff_choose_side_by_side_in_plain_python() -> None:
    """Two seats are asked at the same time; each answers what the rules allow."""
    game = ZoffGame()
    rules = ZoffRules(players=3)
    state = game.initial(rules, game.draw(rules, random.Random(1)))
    seats = game.to_act(state)[:2]
    requests = [
        BotRequest(seat, seat, "zoff-3", "1.1", 1, game.view(state, seat), (), seat, 0)
        for seat in seats
    ]

    async def interpreted() -> list[Json]:
        interpreter = Interpreter()
        try:
            return await asyncio.gather(*(interpreter.answer(game, one) for one in requests))
        finally:
            interpreter.close()

    for seat, answer in zip(seats, asyncio.run(interpreted()), strict=True):
        state = game.apply(state, seat, game.read_action(state, answer)).state
    assert game.to_act(state) == (2,)


VALUES = """
import random
import numpy as np
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.search.zoff.value import expected_cows, load_net
from stampede.zoff import ZoffGame, ZoffRules
game, rules, rng = ZoffGame(), ZoffRules(players=3), random.Random(1)
state = game.initial(rules, game.draw(rules, rng))
for _ in range(40):
    seat = game.to_act(state)[0]
    state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
cows = np.zeros(6)
expected_cows(encode_setup(state), encode(state), load_net(3), cows)
print(*cows)
"""


def test_the_value_of_a_state_in_plain_python_is_that_of_compiled_code() -> None:
    """But for rounding: NumPy adds up a layer in another order."""
    told = [
        subprocess.run(
            [sys.executable, "-c", VALUES],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for off in ("0", "1")
    ]
    compiled, plain = ([float(cows) for cows in line] for line in told)
    assert compiled == pytest.approx(plain, abs=1e-3)
    assert len(set(plain[:3])) == 3


def test_records_of_kernels_in_plain_python_are_those_of_numpy() -> None:
    """Fields, numbers and arrays, read and written."""
    fields = np.dtype([("one", np.int16), ("many", np.int16, (2, 3))], align=True)
    quick: Any = np.zeros(1, dtype=np.dtype((quick_record(fields), fields)))[0]
    usual: Any = np.zeros(1, dtype=np.dtype((np.record, fields)))[0]
    for record in (quick, usual):
        record.one = 7
        record.one += 1
        record.many[1, 2] = 5
        record.many[0] = (1, 2, 3)
        record["many"][1, 0] = 9
    assert quick.tobytes() == usual.tobytes()
    assert (quick.one, quick.many.tolist()) == (usual.one, usual.many.tolist())
    assert quick.copy().one == 8


def test_which_bots_answer_without_a_compiler() -> None:
    names = [f"{game}-{level}" for game in ("buffalo", "zoff") for level in range(1, 7)]
    waiting = {name for name in names if needs_compiled_code(bot_named(name))}
    assert {name for name in waiting if not is_light(bot_named(name))} == {"zoff-5", "zoff-6"}
    assert is_light(bot_named("buffalo-9"))
    assert not is_light(bot_named("buffalo-10")), "its budget is time: it would be weaker"
