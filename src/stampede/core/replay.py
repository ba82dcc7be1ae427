"""Replaying a record: every step is checked against the rules, and the first wrong one is named.

A record holds what people decided and what the rules decided for them (forced steps). So a step is either fed to
the game, or compared with what the game did by itself.
"""

from __future__ import annotations

from typing import TypeVar

from stampede.core.errors import ActionError, InputError, RecordError
from stampede.core.events import Event
from stampede.core.game import Game
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, checksums

__all__ = ["replay", "replay_steps"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")

CHECK_DIGITS = 4


def replay(game: Game[R, S, A, D], record: GameRecord) -> Playthrough[R, S, A, D]:
    """Plays a record again.

    Raises:
        RecordError: The record isn't a game by these rules; ``index`` names the first wrong step.
    """
    altered = _first_altered(record)
    try:
        played = _opened(game, record)
        _follow(played, record.actions)
        _check_result(played, record)
    except RecordError as error:
        if altered is None or (error.index is not None and error.index <= altered):
            raise
        raise _altered_error(altered) from error
    if altered is not None:
        raise _altered_error(altered)
    return played


def replay_steps(game: Game[R, S, A, D], record: GameRecord) -> Playthrough[R, S, A, D]:
    """Plays a record's steps, without its seats, checksums and result: another game can go on from there.

    Raises:
        RecordError: The steps aren't by these rules; ``index`` names the first wrong one.
    """
    played = _opened(game, record, seats=False)
    _follow(played, record.actions)
    return played


def _opened(
    game: Game[R, S, A, D], record: GameRecord, *, seats: bool = True
) -> Playthrough[R, S, A, D]:
    if record.game != game.name:
        raise RecordError(f"game: expected {game.name!r}, got {record.game!r}")
    try:
        rules = game.read_rules(record.rules)
        if seats and len(record.seats) != game.seats(rules):
            raise RecordError(f"seats: expected {game.seats(rules)}, got {len(record.seats)}")
        return Playthrough(game, rules, game.read_setup(rules, record))
    except RecordError:
        raise
    except (InputError, ActionError) as error:
        raise RecordError(str(error)) from error


def _follow(played: Playthrough[R, S, A, D], actions: tuple[Json, ...]) -> None:
    """Feeds or compares each step. ``written`` counts the steps that the game itself has told so far."""
    game = played.game
    written = 0
    fed = 0
    while fed < len(actions):
        if played.outcome is not None:
            raise RecordError("expected the end: the game is over", fed)
        told = game.write_steps(_feed(played, actions[fed], fed))
        fed += 1
        for step in told:
            _compare(step, actions, written)
            written += 1
        fed = max(fed, written)
    if written < len(actions):
        missing = ", ".join(str(seat) for seat in game.to_act(played.state))
        raise RecordError(f"expected the answers of seats {missing} beside this one", written)


def _feed(played: Playthrough[R, S, A, D], data: Json, index: int) -> tuple[Event, ...]:
    try:
        seat, action = played.game.read_step(played.state, data)
        awaited = played.game.to_act(played.state)
        if seat not in awaited:
            raise RecordError(f"expected a step of seat {awaited}, got seat {seat}", index)
        return played.play(seat, action)
    except RecordError:
        raise
    except (InputError, ActionError) as error:
        raise RecordError(str(error), index) from error


def _compare(told: Json, actions: tuple[Json, ...], index: int) -> None:
    if index >= len(actions):
        raise RecordError(f"expected {canonical(told)}, got nothing", index)
    if not _same(told, actions[index]):
        raise RecordError(f"expected {canonical(told)}, got {canonical(actions[index])}", index)


def _same(told: Json, found: Json) -> bool:
    """Whether the found step tells the same; keys that we don't write are ignored."""
    if isinstance(told, dict) and isinstance(found, dict):
        return all(_same(value, found.get(key)) for key, value in told.items())
    return told == found


def _check_result(played: Playthrough[R, S, A, D], record: GameRecord) -> None:
    game, result = played.game, record.result
    if result is None:
        if played.outcome is not None:
            raise RecordError("result: expected one, as the game is over")
        return
    if played.outcome is None:
        _forfeit(played, result)
    outcome = played.outcome
    assert outcome is not None, "a forfeit ends the game"
    expected = game.write_result(played.state, outcome)
    for key, value in expected.items():
        if result.get(key) != value:
            got = canonical(result.get(key))
            raise RecordError(f"result.{key}: expected {canonical(value)}, got {got}")


def _forfeit(played: Playthrough[R, S, A, D], result: JsonObject) -> None:
    reason, winner = result.get("reason"), result.get("winner")
    if not isinstance(reason, str) or reason not in played.game.forfeits:
        awaited = played.game.to_act(played.state)
        raise RecordError(
            f"expected a step of seat {awaited}: the game isn't over, but has a result",
            len(played.steps()),
        )
    seats = range(played.game.seats(played.rules))
    if isinstance(winner, bool) or not isinstance(winner, int) or winner not in seats:
        raise RecordError(
            f"result.winner: expected a seat from 0 to {seats[-1]}, got {canonical(winner)}"
        )
    played.forfeit((winner,), reason)


def _first_altered(record: GameRecord) -> int | None:
    """The first step that doesn't fit ``meta.check``; None when all fit or there is no such key."""
    kept = record.meta.get("check")
    if not isinstance(kept, str):
        return None
    true = checksums(record)
    for index in range(max(len(kept), len(true)) // CHECK_DIGITS):
        part = slice(index * CHECK_DIGITS, (index + 1) * CHECK_DIGITS)
        if kept[part] != true[part]:
            return index
    return None


def _altered_error(index: int) -> RecordError:
    return RecordError("doesn't fit its checksum in meta.check: it was altered", index)
