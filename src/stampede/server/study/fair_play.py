"""Fair play: the engine says nothing about the positions of running games between people.

A client can bring any position: in a record with an invented end, or by moves from another game. So the position itself
is compared with those of the running games that this worker knows, the caller's own ones included. A position one turn
later or earlier, or with the other side to move, tells nearly as much, so it is refused, too. Openings are the same in
many games, and free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from stampede.buffalo import BuffaloGame, BuffaloState, Position
from stampede.buffalo.geometry import FILES, RANKS
from stampede.matches.callers import Caller
from stampede.matches.state import TableState
from stampede.server.http.problems import Problem
from stampede.server.services import Services
from stampede.store import LogDamaged
from stampede.zoff import ZoffGame
from stampede.zoff.state import State

__all__ = ["OPENING", "check_not_running", "is_between_people", "running_states"]

OPENING: Final = 6
"""How many actions of a running game are free."""
FEW_COWS: Final = 2
"""Herds of one round that differ by so many cows are nearly the same; fewer in early rounds, where games are alike."""
MAX_OWN: Final = 50
"""How many running tables of the caller are looked at, the latest ones."""


async def running_states(services: Services, caller: Caller, game: str) -> list[object]:
    """The states of running games between people: of tables in this worker's memory, and of the caller's own."""
    found = {state.table: state for state in services.registry.known_states()}
    mine = [] if caller.guest is None else await services.store.listings_of(caller.guest)
    running = [item.table_id for item in mine if item.status == "running" and item.game == game]
    for table_id in running[:MAX_OWN]:
        with suppress(LogDamaged):  # nobody can play there
            async with services.registry.lease(table_id) as actor, actor.reading() as table:
                found[table_id] = table.state
    return [state.running.state for state in found.values() if is_between_people(state, game)]


def is_between_people(state: TableState, game: str) -> bool:
    """Whether a table plays this game, past its opening, and people (or programs) play it against each other."""
    if state.settings.game != game or not state.in_game:
        return False
    several = state.settings.rated or len(state.persons()) > 1
    return several and len(state.running.actions) >= OPENING


def check_not_running(game: str, asked: object, running: Iterable[object]) -> None:
    """Raises a Problem if the state is that of a running game, or close to it."""
    if any(NEIGHBOURS[game](state, asked) for state in running):
        raise Problem(
            403, "no_hints", "expected a position that isn't close to one people are playing here"
        )


# --- Buffalo ---


class _Pieces(NamedTuple):
    """Where the pieces stand: the hunter's with a letter each."""

    buffaloes: frozenset[int]
    hunters: frozenset[tuple[str, int]]


def _pieces(position: Position, place: Callable[[int], int]) -> _Pieces:
    hunters = [("C", place(position.chief)), *(("D", place(dog)) for dog in position.dogs)]
    buffaloes = frozenset(place(square) for square in position.buffaloes)
    return _Pieces(buffaloes, frozenset(hunters))


def _same(square: int) -> int:
    return square


def _mirror(square: int) -> int:
    """The square on the other side of the board's axis; the rules know no left and right."""
    rank, file = divmod(square, len(FILES))
    return rank * len(FILES) + len(FILES) - 1 - file


def _is_near_in_buffalo(running: object, asked: object) -> bool:
    assert isinstance(running, BuffaloState), "a state of Buffalo"
    assert isinstance(asked, BuffaloState), "a state of Buffalo"
    if _steps(asked.position) < OPENING // 2:
        return False
    played = _pieces(running.position, _same)
    return any(_is_near(played, _pieces(asked.position, place)) for place in (_same, _mirror))


def _steps(position: Position) -> int:
    """How many steps the buffaloes have made at least; they never go back, so every second move is one."""
    stepped = sum(len(RANKS) - 1 - square // len(FILES) for square in position.buffaloes)
    return stepped + len(FILES) - len(position.buffaloes)


def _is_near(one: _Pieces, other: _Pieces) -> bool:
    """Whether a move of each side at most, and a buffalo taken, lie between two positions, in either direction."""
    gone, new = one.buffaloes - other.buffaloes, other.buffaloes - one.buffaloes
    fewer, more = sorted((len(gone), len(new)))
    return fewer <= 1 and more <= 2 and len(other.hunters - one.hunters) <= 1


# --- Zoff ---


def _is_near_in_zoff(running: object, asked: object) -> bool:
    """Whether the herds are the same but for a few cows, whichever colours they have.

    Rules, cards and colours don't count: with others of them a client could ask about the same herds.
    """
    assert isinstance(running, State), "a state of Zoff"
    assert isinstance(asked, State), "a state of Zoff"
    if asked.round < 2 or asked.round != running.round:
        return False
    one, other = _herds_by_size(running), _herds_by_size(asked)
    if len(one) != len(other):
        return False
    apart = sum(abs(here - there) for here, there in zip(one, other, strict=True))
    return apart <= min(FEW_COWS, asked.round - 2)


def _herds_by_size(state: State) -> list[int]:
    """The sizes of the herds, pasture by pasture, largest first."""
    return [cows for herds in state.herds for cows in sorted(herds, reverse=True)]


IsNear: TypeAlias = Callable[[object, object], bool]
NEIGHBOURS: Final[Mapping[str, IsNear]] = MappingProxyType(
    {BuffaloGame.name: _is_near_in_buffalo, ZoffGame.name: _is_near_in_zoff}
)
"""By game that has an engine: whether a state is that of a running game, or close to it."""
