"""A table's games as records (docs/record.md)."""

from __future__ import annotations

from dataclasses import replace

from stampede.core.json import JsonObject
from stampede.core.record import GameRecord, SeatInfo, checksums
from stampede.core.spec import GameSpec
from stampede.matches.errors import WrongPhase
from stampede.matches.state import Match, TableState
from stampede.matches.views import deal_view, result_of

__all__ = ["complete_record", "match_numbered", "public_record"]


def match_numbered(state: TableState, number: int | None) -> Match:
    """The table's n-th game, by default the latest; WrongPhase when there is none."""
    matches: tuple[Match, ...] = (*state.past, *(() if state.match is None else (state.match,)))
    if not matches or (number is not None and not 1 <= number <= len(matches)):
        wanted = "a game" if number is None else f"game {number}"
        raise WrongPhase(f"expected {wanted}, got a table with {len(matches)}", state.phase.value)
    return matches[-1] if number is None else matches[number - 1]


def public_record(spec: GameSpec, state: TableState, number: int | None) -> GameRecord:
    """A game's public record.

    While the game runs there is one only as long as it hides nothing from spectators: a record with gaps couldn't be
    replayed. WrongPhase when there is none.
    """
    match = match_numbered(state, number)
    if match.ended_at is None:
        events = tuple(match.events)
        if spec.game.redact(events, match.state, None) != events:
            raise WrongPhase(
                "expected the end of the game: its record holds hidden information",
                state.phase.value,
            )
    return complete_record(spec, state, number)


def complete_record(spec: GameSpec, state: TableState, number: int | None) -> GameRecord:
    """A game's complete record, hidden information included: only for operators while it runs."""
    match, game = match_numbered(state, number), spec.game
    record = GameRecord(
        game=spec.name,
        rules=game.write_rules(match.rules),
        seats=_people(state, match),
        setup=game.write_setup(match.state),
        actions=tuple(game.write_steps(match.events)),
        result=result_of(spec, match),
    )
    return replace(record, meta={**_meta(state, match), "check": checksums(record)})


def _people(state: TableState, match: Match) -> tuple[SeatInfo, ...]:
    if match.ended_at is not None:
        return match.people
    return tuple(state.chairs[player].info() for player in match.seating)


def _meta(state: TableState, match: Match) -> JsonObject:
    stand_ins = match.stand_ins
    start, deal = state.settings.start, deal_view(state, match)
    chance: JsonObject = {} if deal is None else {"deal": deal}
    return {
        **({} if start is None else {"begun_with": len(start.actions)}),
        **({"stand_ins": list(stand_ins)} if any(stand_ins) else {}),
        "table": state.table,
        "game_number": match.number,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "players": list(match.seating),
        "series": state.settings.series,
        "rated": state.settings.rated,
        "aborted": match.aborted,
        "left": list(match.left),
        **chance,
    }
