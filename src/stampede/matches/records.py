"""A table's games as records (docs/record.md)."""

from __future__ import annotations

from dataclasses import replace

from stampede.core.json import JsonObject
from stampede.core.record import GameRecord, SeatInfo, checksums
from stampede.core.spec import GameSpec
from stampede.matches.errors import WrongPhase
from stampede.matches.state import Play, TableState
from stampede.matches.views import deal_view, result_of

__all__ = ["complete_record", "play_numbered", "public_record"]


def play_numbered(state: TableState, number: int | None) -> Play:
    """The table's n-th game, by default the latest; WrongPhase when there is none."""
    plays: tuple[Play, ...] = (*state.past, *(() if state.play is None else (state.play,)))
    if not plays or (number is not None and not 1 <= number <= len(plays)):
        wanted = "a game" if number is None else f"game {number}"
        raise WrongPhase(f"expected {wanted}, got a table with {len(plays)}", state.phase.value)
    return plays[-1] if number is None else plays[number - 1]


def public_record(spec: GameSpec, state: TableState, number: int | None) -> GameRecord:
    """A game's record for everybody.

    While it runs there is one only as long as it holds nothing that a spectator may not look at: a record with gaps
    couldn't be replayed. WrongPhase when there is none.
    """
    play = play_numbered(state, number)
    if play.ended_at is None:
        events = tuple(play.events)
        if spec.game.redact(events, play.state, None) != events:
            raise WrongPhase(
                "expected the end of the game: its record holds what may not be looked at yet",
                state.phase.value,
            )
    return complete_record(spec, state, number)


def complete_record(spec: GameSpec, state: TableState, number: int | None) -> GameRecord:
    """A game's record with all that was revealed in its course: for trusted hands while it runs."""
    play, game = play_numbered(state, number), spec.game
    record = GameRecord(
        game=spec.name,
        rules=game.write_rules(play.rules),
        seats=_people(state, play),
        setup=game.write_setup(play.state),
        actions=tuple(game.write_steps(play.events)),
        result=result_of(spec, play),
    )
    return replace(record, meta={**_meta(state, play), "check": checksums(record)})


def _people(state: TableState, play: Play) -> tuple[SeatInfo, ...]:
    if play.ended_at is not None:
        return play.people
    return tuple(state.chairs[player].info() for player in play.seating)


def _meta(state: TableState, play: Play) -> JsonObject:
    return {
        "table": state.table,
        "game_number": play.number,
        "started_at": play.started_at,
        "ended_at": play.ended_at,
        "players": list(play.seating),
        "series": state.settings.series,
        "rated": state.settings.rated,
        "aborted": play.aborted,
        "left": list(play.left),
        "deal": deal_view(play),
    }
