"""Fair play: the engine says nothing about the positions of running games between people.

A client can bring any position: in a record with an invented end, or by moves from another game. So the position itself
is compared with those of all running games between people (`stampede.server.study.running_games`), for every caller. A
position one turn later or earlier, or with the other side to move, tells nearly as much, so it is refused as well.
Openings are the same in many games, and free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from stampede.buffalo import BuffaloGame, BuffaloState, Position
from stampede.buffalo.geometry import FILES, RANKS
from stampede.matches.state import TableState
from stampede.server.http.problems import Problem
from stampede.server.tables.listing import is_contested
from stampede.zoff import ZoffGame
from stampede.zoff.state import State

__all__ = [
    "COMPARED",
    "LIKENESS",
    "LONG_OPENING",
    "OPENING",
    "Trace",
    "check_not_running",
    "is_between_people",
    "trace_of",
]

OPENING: Final = 6
"""How many actions of a running game are free."""
LONG_OPENING: Final = 12
"""How many are free for the review of a game that was played here: two games often begin with the same moves."""
FEW_COWS: Final = 2
"""Herds of one round that differ by so many cows are nearly the same; fewer in early rounds, where games are alike."""


class _Pieces(NamedTuple):
    """Where the pieces of Buffalo stand, a bit for each square; the dogs' are above the chief's."""

    buffaloes: int
    hunters: int


class _Herds(NamedTuple):
    """The round of a game of Zoff, and the sizes of the herds, pasture by pasture, largest first."""

    round: int
    sizes: tuple[int, ...]


Shape: TypeAlias = _Pieces | _Herds


class Trace(NamedTuple):
    """What is kept of a running game's position to compare others with it.

    Attributes:
        actions: How many actions have led there.
        shape: Where everything stands.
    """

    actions: int
    shape: Shape


def is_between_people(state: TableState, game: str) -> bool:
    """Whether a table plays this game, past its opening, and people (or programs) play it against each other."""
    if state.settings.game != game or not is_contested(state):
        return False
    return len(state.running.actions) >= OPENING


def trace_of(state: TableState, game: str) -> Trace | None:
    """The trace of a table's position; None while everyone may ask about it."""
    if game not in COMPARED or not is_between_people(state, game):
        return None
    match = state.running
    return Trace(len(match.actions), LIKENESS[game].shape(match.state))


def check_not_running(
    game: str, asked: object, running: Iterable[Trace], free: int = OPENING
) -> None:
    """Raises a Problem if a state is that of a running game, or close to it.

    Args:
        game: The game's name.
        asked: The state.
        running: The traces of running games between people.
        free: Running games with fewer actions don't count.
    """
    if game not in COMPARED:
        return
    likeness = LIKENESS[game]
    shapes = likeness.shapes(asked)
    if any(
        likeness.is_near(trace.shape, shape)
        for shape in shapes
        for trace in running
        if trace.actions >= free
    ):
        raise Problem(
            403, "no_hints", "expected a position that isn't close to one people are playing here"
        )


# --- Buffalo ---

SQUARES: Final = len(RANKS) * len(FILES)


def _pieces(position: Position, place: Callable[[int], int]) -> _Pieces:
    buffaloes = sum(1 << place(square) for square in position.buffaloes)
    dogs = sum(1 << place(dog) for dog in position.dogs)
    return _Pieces(buffaloes, 1 << place(position.chief) | dogs << SQUARES)


def _same(square: int) -> int:
    return square


def _mirror(square: int) -> int:
    """The square on the other side of the board's axis; the rules know no left and right."""
    rank, file = divmod(square, len(FILES))
    return rank * len(FILES) + len(FILES) - 1 - file


def _buffalo_shape(state: object) -> Shape:
    assert isinstance(state, BuffaloState), "a state of Buffalo"
    return _pieces(state.position, _same)


def _buffalo_shapes(state: object) -> tuple[Shape, ...]:
    """The position and its mirror image; none in an opening."""
    assert isinstance(state, BuffaloState), "a state of Buffalo"
    if _steps(state.position) < OPENING // 2:
        return ()
    return tuple(_pieces(state.position, place) for place in (_same, _mirror))


def _steps(position: Position) -> int:
    """How many steps the buffaloes have made at least; they never go back, so every second move is one."""
    stepped = sum(len(RANKS) - 1 - square // len(FILES) for square in position.buffaloes)
    return stepped + len(FILES) - len(position.buffaloes)


def _is_near_in_buffalo(one: Shape, other: Shape) -> bool:
    """Whether a move of each side at most, and a buffalo taken, lie between two positions, in either direction."""
    assert isinstance(one, _Pieces), "pieces of Buffalo"
    assert isinstance(other, _Pieces), "pieces of Buffalo"
    if (other.hunters & ~one.hunters).bit_count() > 1:
        return False
    gone = (one.buffaloes & ~other.buffaloes).bit_count()
    new = (other.buffaloes & ~one.buffaloes).bit_count()
    return min(gone, new) <= 1 and max(gone, new) <= 2


# --- Zoff ---


def _zoff_shape(state: object) -> Shape:
    """The herds, whichever colours they have.

    Rules, cards and colours don't count: with others of them a client could ask about the same herds.
    """
    assert isinstance(state, State), "a state of Zoff"
    sizes = (cows for herds in state.herds for cows in sorted(herds, reverse=True))
    return _Herds(state.round, tuple(sizes))


def _zoff_shapes(state: object) -> tuple[Shape, ...]:
    assert isinstance(state, State), "a state of Zoff"
    return (_zoff_shape(state),) if state.round >= 2 else ()


def _is_near_in_zoff(one: Shape, other: Shape) -> bool:
    """Whether the herds of a round are the same but for a few cows."""
    assert isinstance(one, _Herds), "herds of Zoff"
    assert isinstance(other, _Herds), "herds of Zoff"
    if one.round != other.round or len(one.sizes) != len(other.sizes):
        return False
    apart = sum(abs(here - there) for here, there in zip(one.sizes, other.sizes, strict=True))
    return apart <= min(FEW_COWS, other.round - 2)


class _Likeness(NamedTuple):
    """How positions of a game are compared.

    Attributes:
        shape: The shape of a running game's state.
        shapes: The shapes of a state that is asked about; none while it is free.
        is_near: Whether a running game's shape is close to one of them.
    """

    shape: Callable[[object], Shape]
    shapes: Callable[[object], tuple[Shape, ...]]
    is_near: Callable[[Shape, Shape], bool]


LIKENESS: Final[Mapping[str, _Likeness]] = MappingProxyType(
    {
        BuffaloGame.name: _Likeness(_buffalo_shape, _buffalo_shapes, _is_near_in_buffalo),
        ZoffGame.name: _Likeness(_zoff_shape, _zoff_shapes, _is_near_in_zoff),
    }
)
COMPARED: Final = frozenset(LIKENESS)
"""The games that have an engine."""
