"""A game being played, or played again: the states, the actions and events between them, and its record."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from stampede.core.errors import GameOver
from stampede.core.events import Event
from stampede.core.game import Game, Outcome, Seat
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord, SeatInfo, checksums

__all__ = ["Playthrough", "Turn"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")


class Turn(NamedTuple, Generic[S, A]):
    """One action with what it led to."""

    seat: Seat
    action: A
    state: S
    events: tuple[Event, ...]


class Playthrough(Generic[R, S, A, D]):
    """A game from its deal on. The states are immutable; this object only remembers them."""

    def __init__(self, game: Game[R, S, A, D], rules: R, deal: D) -> None:
        self.game = game
        self.rules = rules
        self.start = game.initial(rules, deal)
        self.turns: list[Turn[S, A]] = []
        self._verdict: Outcome | None = None

    @property
    def state(self) -> S:
        """The present state."""
        return self.turns[-1].state if self.turns else self.start

    @property
    def outcome(self) -> Outcome | None:
        """How it ended: by the rules, or by a verdict such as a resignation."""
        return self._verdict or self.game.outcome(self.state)

    @property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""
        return [event for turn in self.turns for event in turn.events]

    def play(self, seat: Seat, action: A) -> tuple[Event, ...]:
        """Carries an action out and returns what happened; ActionError when it can't be."""
        if self._verdict is not None:
            raise GameOver(f"the game has ended: {self._verdict.reason}")
        state, events = self.game.apply(self.state, seat, action)
        self.turns.append(Turn(seat, action, state, events))
        return events

    def undo(self) -> Turn[S, A] | None:
        """Takes the last action back and returns it; None at the start."""
        self._verdict = None
        return self.turns.pop() if self.turns else None

    def forfeit(self, winners: tuple[Seat, ...], reason: str) -> None:
        """Ends the game outside its rules, by one of the game's ``forfeits``."""
        if self.outcome is not None:
            raise GameOver("the game has ended already")
        if reason not in self.game.forfeits:
            known = ", ".join(sorted(self.game.forfeits)) or "none"
            raise ValueError(f"expected a reason of {known}, got {reason!r}")
        self._verdict = Outcome(winners, reason)

    def steps(self) -> list[Json]:
        """The record's steps so far."""
        return self.game.write_steps(self.events)

    def record(self, seats: tuple[SeatInfo, ...], meta: JsonObject | None = None) -> GameRecord:
        """The game as a record, checksums included."""
        outcome = self.outcome
        record = GameRecord(
            game=self.game.name,
            rules=self.game.write_rules(self.rules),
            seats=seats,
            setup=self.game.write_setup(self.state),
            actions=tuple(self.steps()),
            result=None if outcome is None else self.game.write_result(self.state, outcome),
        )
        return replace(record, meta={**(meta or {}), "check": checksums(record)})
