"""Replaying a record: every step is checked against the rules, and the first wrong one is named.

A record holds what people decided and what the rules decided for them (forced steps). So a step is either fed to
the game, or compared with what the game did by itself.

The codes of a `RecordError` from here:

==============  ======================  ==============================================
code            values                  what is wrong
==============  ======================  ==============================================
altered                                 the step doesn't fit its checksum
illegal                                 the rules refuse the step; ``clause`` says which
turn            seat, awaited           the step is of a seat that isn't to decide
over                                    the game was over before this step
missing         seats                   these seats decide beside this step, and don't
differs         expected, got           the game itself does something else here
unreadable                              the step can't be read
unfinished                              there is a result, but the game isn't over
no_result                               the game is over, but there is no result
result          key, expected, got      the result isn't what the steps lead to
game            expected, got           the record is of another game
rules, start                            the rules, or how the game began, can't be
seats           expected, got           the number of seats is wrong
==============  ======================  ==============================================
"""

from __future__ import annotations

from typing import TypeVar

from stampede.core.errors import ActionError, GameOver, InputError, NotToAct, RecordError
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
        values = {"expected": game.name, "got": record.game}
        text = f"game: expected {game.name!r}, got {record.game!r}"
        raise RecordError(text, code="game", values=values)
    part = "rules"
    try:
        rules = game.read_rules(record.rules)
        wanted, found = game.seats(rules), len(record.seats)
        if seats and found != wanted:
            values = {"expected": str(wanted), "got": str(found)}
            text = f"seats: expected {wanted}, got {found}"
            raise RecordError(text, code="seats", values=values)
        part = "start"
        return Playthrough(game, rules, game.read_setup(rules, record))
    except (InputError, ActionError) as error:
        if isinstance(error, RecordError) and (error.code or error.index is not None):
            raise
        raise RecordError(str(error), code=part) from error


def _follow(played: Playthrough[R, S, A, D], actions: tuple[Json, ...]) -> None:
    """Feeds or compares each step. ``written`` counts the steps that the game itself has told so far."""
    game = played.game
    written = 0
    fed = 0
    while fed < len(actions):
        if played.outcome is not None:
            raise RecordError("expected the end: the game is over", fed, code="over")
        told = game.write_steps(_feed(played, actions[fed], fed))
        fed += 1
        for step in told:
            _compare(step, actions, written)
            written += 1
        fed = max(fed, written)
    if written < len(actions):
        missing = ", ".join(str(seat) for seat in game.to_act(played.state))
        text = f"expected the answers of seats {missing} beside this one"
        raise RecordError(text, written, code="missing", values={"seats": missing})


def _feed(played: Playthrough[R, S, A, D], data: Json, index: int) -> tuple[Event, ...]:
    try:
        seat, action = played.game.read_step(played.state, data)
        awaited = played.game.to_act(played.state)
        if seat not in awaited:
            values = {"seat": str(seat), "awaited": ", ".join(map(str, awaited))}
            text = f"expected a step of seat {awaited}, got seat {seat}"
            raise RecordError(text, index, code="turn", values=values)
        return played.play(seat, action)
    except RecordError:
        raise
    except InputError as error:
        raise RecordError(str(error), index, code="unreadable") from error
    except ActionError as error:
        raise RecordError(str(error), index, code=_kind_of(error), clause=error.clause) from error


def _kind_of(error: ActionError) -> str:
    match error:
        case GameOver():
            return "over"
        case NotToAct():
            return "turn"
        case _:
            return "illegal"


def _compare(told: Json, actions: tuple[Json, ...], index: int) -> None:
    if index >= len(actions):
        raise _differs(canonical(told), "nothing", index)
    if not _same(told, actions[index]):
        raise _differs(canonical(told), canonical(actions[index]), index)


def _differs(expected: str, got: str, index: int) -> RecordError:
    values = {"expected": expected, "got": got}
    return RecordError(f"expected {expected}, got {got}", index, code="differs", values=values)


def _same(told: Json, found: Json) -> bool:
    """Whether the found step tells the same; keys that we don't write are ignored."""
    if isinstance(told, dict) and isinstance(found, dict):
        return all(_same(value, found.get(key)) for key, value in told.items())
    return told == found


def _check_result(played: Playthrough[R, S, A, D], record: GameRecord) -> None:
    game, result = played.game, record.result
    if result is None:
        if played.outcome is not None:
            raise RecordError("result: expected one, as the game is over", code="no_result")
        return
    if played.outcome is None:
        _forfeit(played, result)
    outcome = played.outcome
    assert outcome is not None, "a forfeit ends the game"
    expected = game.write_result(played.state, outcome)
    for key, value in expected.items():
        if result.get(key) != value:
            raise _wrong_result(key, canonical(value), canonical(result.get(key)))


def _wrong_result(key: str, expected: str, got: str) -> RecordError:
    values = {"key": key, "expected": expected, "got": got}
    text = f"result.{key}: expected {expected}, got {got}"
    return RecordError(text, code="result", values=values)


def _forfeit(played: Playthrough[R, S, A, D], result: JsonObject) -> None:
    reason, winner = result.get("reason"), result.get("winner")
    if not isinstance(reason, str) or reason not in played.game.forfeits:
        awaited = played.game.to_act(played.state)
        raise RecordError(
            f"expected a step of seat {awaited}: the game isn't over, but has a result",
            len(played.steps()),
            code="unfinished",
        )
    seats = range(played.game.seats(played.rules))
    if isinstance(winner, bool) or not isinstance(winner, int) or winner not in seats:
        raise _wrong_result("winner", f"a seat from 0 to {seats[-1]}", canonical(winner))
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
    text = "doesn't fit its checksum in meta.check: it was altered"
    return RecordError(text, index, code="altered")
