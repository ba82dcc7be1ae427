"""One game at a table: how it begins, goes on, goes back and ends. Pure functions on `Play`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from stampede.core.events import Event
from stampede.core.game import AnyGame, Outcome, Seat, Step
from stampede.core.json import JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.fair import DealProof
from stampede.matches.state import Play, Told

__all__ = [
    "Moved",
    "acted",
    "awaited",
    "begun",
    "forfeited",
    "outcome_of",
    "undo_depth",
    "undone",
]


class Moved(NamedTuple):
    """A game after an action, and what happened."""

    play: Play
    events: tuple[Event, ...]


def begun(
    spec: GameSpec,
    number: int,
    rules: JsonObject,
    seating: tuple[Player, ...],
    proof: DealProof,
    at: int,
) -> Play:
    """A new game, dealt from its seed."""
    game = spec.game
    read = game.read_rules(rules)
    state = game.initial(read, game.draw(read, proof.generator()))
    return Play(number, read, seating, proof, state, started_at=at, decision_at=at)


def acted(spec: GameSpec, play: Play, seat: Seat, step: Step[Any], seq: int, at: int) -> Moved:
    """The game after an action that the rules have carried out."""
    goes_on = _goes_on(spec.game, play.state, step.state, seat)
    moved = play.after(
        step.state,
        (*play.told, Told(seq, seat, step.events)),
        (*play.stack, play.state) if spec.open_information else (),
        play.decision if goes_on else play.decision + 1,
        play.decision_at if goes_on else at,
    )
    return Moved(moved, step.events)


def _goes_on(game: AnyGame, before: Any, after: Any, seat: Seat) -> bool:
    """Whether the decision that was answered is still open.

    By the contract a seat whose answer is sealed isn't in ``to_act``, but can still act to change it. So the decision
    goes on when the seat only changed its answer, or when it answered and may still change it.
    """
    if seat not in game.to_act(before):
        return True
    return seat not in game.to_act(after) and len(game.legal(after, seat)) > 0


def awaited(game: AnyGame, play: Play) -> tuple[Player, ...]:
    """The players whose answer is awaited, by seat; nobody when the game has ended."""
    if play.ended_at is not None:
        return ()
    return tuple([play.seating[seat] for seat in game.to_act(play.state)])


def outcome_of(game: AnyGame, play: Play) -> Outcome | None:
    """How it ended, by the rules or outside them; None while it runs, or when it was aborted."""
    if play.verdict is not None:
        return play.verdict
    outcome: Outcome | None = game.outcome(play.state)
    return outcome


def forfeited(play: Play, losers: tuple[Player, ...], reason: str) -> Play:
    """The game is lost for these players, outside the rules."""
    winners = tuple(seat for seat, player in enumerate(play.seating) if player not in losers)
    return replace(play, verdict=Outcome(winners, reason))


def undo_depth(play: Play, player: Player) -> int:
    """How many actions go back to before the player's last one; 0 when he hasn't acted."""
    seat = play.seat_of(player)
    for depth, told in enumerate(reversed(play.told), start=1):
        if told.seat == seat:
            return depth
    return 0


def undone(play: Play, depth: int, at: int) -> Play:
    """The game before its last actions. The decision is a new one, so that nothing stale can answer it."""
    kept = len(play.told) - depth
    return replace(
        play,
        state=play.stack[kept],
        told=play.told[:kept],
        stack=play.stack[:kept],
        decision=play.decision + 1,
        decision_at=at,
    )
