"""Advice about a choice of Zoff: at any moment of a finished game, with its herds and hands or with changed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.matches.settings import TableStart, begin_from
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.study.board.starts import start_json
from stampede.server.study.fair_play import Trace, check_not_running
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting
from stampede.zoff import ZoffGame
from stampede.zoff.arrange import ArrangeError, arrange
from stampede.zoff.state import State, ZoffPhase

__all__ = ["AdviceQuestion", "Adviser", "advise_at", "state_at"]


class AdviceQuestion(NamedTuple):
    """What is asked: after how many steps, for which seat, and with which other herds and hands."""

    turn: int
    seat: int
    herds: Mapping[str, Mapping[str, int]]
    hands: Mapping[str, list[str]]


class Adviser:
    """Advises in the threads of a pool, one request for each caller at a time; addresses take turns."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._callers: set[str] = set()

    async def advise(
        self,
        caller: Caller,
        address: str,
        record: GameRecord,
        question: AdviceQuestion,
        running: Sequence[Trace],
    ) -> Json:
        """Returns an `AdviceAnswer`; raises a Problem if this caller, or too many others, wait already.

        Args:
            caller: Who asks.
            address: Their address.
            record: A finished game.
            question: What is asked.
            running: The traces of running games between people, about which nothing is said.
        """
        if caller.who in self._callers:
            raise TooManyRequests(1)
        self._callers.add(caller.who)
        try:
            return await self._pool.think(
                lambda: advise_at(record, question, running), owner=address
            )
        except TooManyWaiting as error:
            raise TooManyRequests(2) from error
        finally:
            self._callers.discard(caller.who)


def advise_at(
    record: GameRecord, question: AdviceQuestion, running: Sequence[Trace] = ()
) -> JsonObject:
    """The advice as an `AdviceAnswer`; a Problem says why there is none."""
    if record.game != ZoffGame.name:
        raise Problem(422, "invalid", f"game: expected {ZoffGame.name}, got {record.game}")
    turn, seat, herds, hands = question
    state = state_at(record, turn)
    if state.phase is not ZoffPhase.CHOOSE:
        raise Problem(409, "no_choice", "expected a moment before a choice of two pairs")
    if seat >= state.setup.rules.players:
        raise Problem(422, "invalid", f"seat: expected a seat of this game, got {seat}")
    try:
        state = arrange(state, herds, {int(who): tuple(own) for who, own in hands.items()})
    except ArrangeError as error:
        problem: JsonObject = {"code": error.code, "values": dict(error.values), "text": str(error)}
        return {**_shown(state), "problem": problem, "mixture": [], "seats": []}
    check_not_running(record.game, state, running)
    return {**_shown(state), **_found(state, seat), "problem": None}


def state_at(record: GameRecord, turn: int) -> State:
    """The state of a record after so many steps; a sealed decision begins anew."""
    point = start_json(record, turn)["start"]
    assert isinstance(point, dict), "a start is an object"
    setup, actions = point["setup"], point["actions"]
    assert isinstance(setup, dict), "a set-up is an object"
    assert isinstance(actions, list), "steps are a list"
    game = ZoffGame()
    state = begin_from(game, record.rules, TableStart(setup, tuple(actions))).state
    assert isinstance(state, State), "a state of Zoff"
    return state


def _shown(state: State) -> JsonObject:
    """Herds and hands as they stand, all of them: the game is over."""
    setup = state.setup
    players = setup.rules.players
    groups = [state.group_of_seat(seat) for seat in range(players)]
    return {
        "round": state.round,
        "colours": list(setup.colours),
        "pastures": [
            {
                "name": pasture.name,
                "capacity": pasture.capacity,
                "herds": dict(zip(setup.colours, state.herds[index], strict=True)),
            }
            for index, pasture in enumerate(setup.pastures)
        ],
        "hands": [[str(card) for card in state.hands[group]] for group in groups],
        "cards": [[str(card) for card in setup.groups[group].hand] for group in groups],
    }


def _found(state: State, seat: int) -> JsonObject:
    from stampede.kernels.rng import new_rng  # noqa: PLC0415 - loads compiled code
    from stampede.oracle.reviews import QUICK_ZOFF  # noqa: PLC0415
    from stampede.search.zoff.review.advice import advise  # noqa: PLC0415

    advice = advise(state, seat, QUICK_ZOFF, new_rng(0))
    return {
        "mixture": [one.to_json() for one in advice.mixture],
        "seats": [
            {
                "cows": round(cows, 1),
                "chance": round(chance, 3),
                "likely": [one.to_json() for one in likely],
            }
            for cows, chance, likely in zip(advice.cows, advice.chances, advice.likely, strict=True)
        ],
    }
