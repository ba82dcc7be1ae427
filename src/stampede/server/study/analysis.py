"""Analysis: the engine's view of a position, after a game, or as a hint against bots.

Players must not ask the engine during a game against people. A request names a game of a table, or brings a finished
record or a position; `fair_play` compares the position with those of running games. The engine's remarks are codes and
values, which clients can translate, with the English sentence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from stampede.buffalo import BuffaloGame, BuffaloState
from stampede.core.errors import ActionError, InputError
from stampede.core.game import AnyGame
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord, SeatInfo
from stampede.matches.callers import Caller
from stampede.matches.table import Table
from stampede.server.http.problems import Problem, TooManyRequests, problem_of
from stampede.server.study.fair_play import Trace, check_not_running
from stampede.server.study.models import AnalysisRequest
from stampede.server.study.replays import play_record
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting

__all__ = ["MAX_WAITING", "Analyst", "check_finished", "check_hint_allowed", "position_record"]

MAX_WAITING: Final = 4
"""Requests from one address that may wait for the engine."""
MAX_CALLERS: Final = 256
"""Callers that may wait for the engine."""
TRANSPOSITION_ENTRIES: Final = 1 << 19
MAX_THREADS: Final = 4
"""Threads that search a position when time is the only limit. One position is searched at a time."""


class Analyst:
    """Analyses one position at a time, apart from the bots' threads, and one for each caller; addresses take turns."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._callers: set[str] = set()

    async def analyse(
        self,
        caller: Caller,
        address: str,
        record: GameRecord,
        request: AnalysisRequest,
        running: Sequence[Trace] = (),
    ) -> Json:
        """Returns the analysis; raises a Problem if this caller, or too many others, wait for one already.

        Args:
            caller: Who asks.
            address: Their address.
            record: The game.
            request: Which position of it, and for how long.
            running: The traces of running games between people, about which the engine says nothing.
        """
        return await self.ask(caller, address, lambda: _analyse_record(record, request, running))

    async def ask(self, caller: Caller, address: str, think: Callable[[], Json]) -> Json:
        """Returns what the engine answers; raises a Problem as `analyse` does."""
        if caller.who in self._callers:
            raise TooManyRequests(1)
        if len(self._callers) >= MAX_CALLERS:
            raise Problem(503, "busy", "too many wait for the engine; try again", None, 2)
        self._callers.add(caller.who)
        try:
            return await self._pool.think(think, owner=address)
        except TooManyWaiting as error:
            raise TooManyRequests(2) from error
        finally:
            self._callers.discard(caller.who)


def check_hint_allowed(table: Table, caller: Caller) -> None:
    """Raises a Problem unless a running game is unrated and the caller is its only person."""
    people = table.state.persons()
    alone = len(people) <= 1 and set(people) <= set(table.players_of(caller))
    if table.state.settings.rated or not alone:
        raise Problem(
            403,
            "no_hints",
            "expected the end of the game: hints are for unrated games against bots only",
        )


def check_finished(record: GameRecord) -> GameRecord:
    """Returns the record; raises a Problem if its game isn't over."""
    if record.result is None:
        raise Problem(403, "no_hints", "expected the record of a finished game, got a running one")
    return record


def position_record(fen: str) -> GameRecord:
    """A game that begins with a position set up by hand, and hasn't gone on; reading it says what is wrong with it."""
    seats = (SeatInfo("Buffaloes"), SeatInfo("Hunter"))
    return GameRecord(BuffaloGame.name, {}, seats, {"start": fen}, ())


def _analyse_record(
    record: GameRecord, request: AnalysisRequest, running: Sequence[Trace]
) -> JsonObject:
    if record.game not in ENGINES:
        raise Problem(422, "invalid", f"game: expected {' or '.join(ENGINES)}, got {record.game}")
    played = play_record(record)
    ply = len(played.turns) if request.ply is None else request.ply
    if ply > len(played.turns):
        raise Problem(422, "invalid", f"ply: expected at most {len(played.turns)}, got {ply}")
    state = played.turns[ply - 1].state if ply else played.start
    for move in request.moves:
        state = _play(played.game, state, move)
    check_not_running(record.game, state, running)
    return ENGINES[record.game](state, request)


def _play(game: AnyGame, state: object, move: str) -> object:
    try:
        seat, action = game.read_step(state, move)
        found: object = game.apply(state, seat, action).state
    except (InputError, ActionError) as error:
        raise problem_of(error) from error
    return found


def _analyse_buffalo(state: object, request: AnalysisRequest) -> JsonObject:
    from stampede.oracle import default_oracle  # noqa: PLC0415
    from stampede.search.buffalo.analysis import analyse, verdict  # noqa: PLC0415 - loads compiled code
    from stampede.search.buffalo.engine import Engine, Limits  # noqa: PLC0415

    assert isinstance(state, BuffaloState), "the record's game is Buffalo"
    if state.outcome is not None or state.position.is_over:
        raise Problem(409, "game_over", "expected a position with moves, got the end of a game")
    if state.opening is not None:
        raise Problem(409, "opening", "expected an ordinary turn, got an opening turn (B4.3)")
    position = state.position
    limits = Limits(nodes=request.nodes, seconds=request.seconds)
    threads = min(MAX_THREADS, os.cpu_count() or 1)
    engine = Engine(TRANSPOSITION_ENTRIES, oracle=default_oracle(), threads=threads)
    found = analyse(position, limits, engine=engine, variations=request.lines)
    return {
        "fen": position.fen(),
        "turn": position.turn.word,
        "verdict": found.verdict.to_json(),
        "remarks": [remark.to_json() for remark in found.remarks],
        "depth": found.report.depth,
        "nodes": found.report.nodes,
        "seconds": round(found.report.seconds, 3),
        "lines": [
            {
                "move": str(line.move),
                "score": line.score,
                "plies_to_end": line.plies,
                "verdict": verdict(position.turn, line).to_json(),
                "depth": line.depth,
                "moves": [str(move) for move in line.moves],
            }
            for line in found.report.variations
        ],
    }


AnalyseState: TypeAlias = Callable[[object, AnalysisRequest], JsonObject]
ENGINES: Final[Mapping[str, AnalyseState]] = MappingProxyType({BuffaloGame.name: _analyse_buffalo})
"""The analysis of a state, by game. Zoff has no engine that searches a whole state."""
