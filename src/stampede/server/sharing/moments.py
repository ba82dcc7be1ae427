"""What a picture or a preview is of: a table now, a step of a finished game, a puzzle.

A moment is built from a spectator's view and from nothing else: pictures go to everyone who has a link.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from stampede.bots.characters import CHARACTERS, name_bots
from stampede.buffalo import BuffaloGame, Position
from stampede.buffalo.svg import draw_board
from stampede.core.drawing import Drawing
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.spec import GameSpec
from stampede.games import GAMES
from stampede.matches.state import Chair, ChairKind, Phase
from stampede.matches.table import Table
from stampede.matches.views import results_of
from stampede.proofs.puzzles.puzzle import Puzzle
from stampede.server.http.problems import Problem
from stampede.server.study.replays import play_record

__all__ = [
    "Moment",
    "chair_names",
    "outline_record",
    "position_moment",
    "puzzle_moment",
    "record_moment",
    "start_moment",
    "table_moment",
]

LONGEST_NAME: Final = 24
NO_DRAWING: Final = Drawing("", 1, 1, ())


@dataclass(frozen=True, slots=True)
class Moment:
    """A position with the people around it.

    Attributes:
        kind: The key of its texts: ``open``, ``running``, ``over``, ``replay``, ``puzzle`` and so on.
        title: The game's title.
        drawing: The position.
        names: The players by seat; empty where a seat is free.
        sides: The names of the seats' sides, where they differ.
        winners: The names of the winners.
        step: The step that is shown, and how many there are; 0 of 0 outside replays.
        number: A puzzle's number.
        to_move: A puzzle's side to move.
    """

    kind: str
    title: str
    drawing: Drawing
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    step: tuple[int, int] = (0, 0)
    number: int = 0
    to_move: str = ""


def _draw(spec: GameSpec, view: Any) -> Drawing:
    if spec.draw is None:
        raise Problem(404, "unknown", f"expected a game with a picture, got {spec.name}")
    return spec.draw(view)


def start_moment(spec: GameSpec, rules: Any = None) -> Moment:
    """A game's start, for pages about no game that runs: the deal is drawn from a fixed seed, and is no table's."""
    game = spec.game
    if rules is None:
        rules = game.read_rules(spec.default_rules(spec.usual_seats))
    state = game.initial(rules, game.draw(rules, random.Random(0)))
    return Moment("home", "Stampede", _draw(spec, game.view(state, None)))


def table_moment(table: Table) -> Moment:
    """A table as its spectators see it now."""
    state, spec = table.state, table.spec
    match = state.match
    names = chair_names(state.chairs)
    if match is None:
        kind = "open" if any(names) else "open_empty"
        if state.phase is Phase.CLOSED:
            kind = "ended"
        drawing = start_moment(spec, spec.game.read_rules(state.settings.rules)).drawing
        return Moment(kind, spec.title, drawing, names, spec.sides)
    seated = tuple(names[player] for player in match.seating)
    view = table.seat_view(None)
    results = results_of(spec, state)
    winners: tuple[str, ...] = ()
    kind = "running"
    if match.ended_at is not None:
        winners = tuple(names[player] for player in results[-1].winners)
        kind = "over" if winners else "ended"
    return Moment(kind, spec.title, _draw(spec, view), seated, spec.sides, winners)


def outline_record(record: GameRecord, *, with_result: bool) -> Moment:
    """A record's game without a position, for words alone: playing a long game again takes a tenth of a second."""
    names = _shorten(_seat_names(record.seats))
    winners: tuple[str, ...] = ()
    if record.result is not None:
        won = record.result.get("winners", [record.result.get("winner")])
        seats = won if isinstance(won, list) else []
        winners = tuple(names[seat] for seat in seats if isinstance(seat, int))
    shown = winners if with_result else ()
    spec = GAMES[record.game]
    kind = "replay" if shown else "replay_ended"
    return Moment(kind, spec.title, NO_DRAWING, names, spec.sides, shown)


def record_moment(record: GameRecord, step: int | None) -> Moment:
    """A step of a record's game: after so many actions; the end if none is named."""
    spec = GAMES[record.game]
    played = play_record(record)
    steps = len(played.turns)
    chosen = steps if step is None else min(step, steps)
    state = played.turns[chosen - 1].state if chosen else played.start
    drawing = _draw(spec, spec.game.view(state, None))
    outline = outline_record(record, with_result=chosen == steps)
    return replace(outline, drawing=drawing, step=(chosen, steps))


def position_moment(fen: str) -> Moment:
    """A position that was set up by hand; ParseError says what is wrong with it."""
    return Moment("replay", GAMES[BuffaloGame.name].title, draw_board(Position.from_fen(fen)))


def puzzle_moment(puzzle: Puzzle, *, is_daily: bool = False) -> Moment:
    """A puzzle, without its solution."""
    kind = "daily" if is_daily else "puzzle"
    side = puzzle.position.turn.word
    title = GAMES[BuffaloGame.name].title
    return Moment(kind, title, draw_board(puzzle.position), number=puzzle.number, to_move=side)


def _shorten(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names
    )


def chair_names(chairs: Sequence[Chair]) -> tuple[str, ...]:
    """What the players of a table are called, by chair; empty where nobody sits."""
    levels = [
        chair.level if chair.kind is ChairKind.BOT and not chair.left else None for chair in chairs
    ]
    named = zip(name_bots(levels), chairs, strict=True)
    return _shorten([bot or chair.name for bot, chair in named])


def _seat_names(seats: Sequence[SeatInfo]) -> list[str]:
    levels = [
        str(seat.bot) if seat.kind == "bot" and seat.bot in CHARACTERS else None for seat in seats
    ]
    return [bot or seat.name for bot, seat in zip(name_bots(levels), seats, strict=True)]
