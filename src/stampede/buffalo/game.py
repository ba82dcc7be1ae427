"""Buffalo under the contract that both games keep. The rules themselves are in `position` and `turns`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar, Final

from stampede.buffalo import records
from stampede.buffalo.actions import LegalMoves, Move
from stampede.buffalo.pieces import BUFFALO_SEAT, HUNTER_SEAT
from stampede.buffalo.position import Position
from stampede.buffalo.refusals import game_over
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.state import BuffaloState
from stampede.buffalo.turns import play
from stampede.buffalo.view import NO_MOVES, BuffaloView, view_of
from stampede.core.errors import NotToAct
from stampede.core.events import Event
from stampede.core.game import Game, Outcome, Seat, Step, Viewer
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord

__all__ = ["BuffaloGame"]

SEATS: Final = ((BUFFALO_SEAT,), (HUNTER_SEAT,))
"""By side: the seats to act in its turn."""


class BuffaloGame(Game[BuffaloRules, BuffaloState, Move, Position]):
    """Buffalo: seat 0 is the buffalo side, seat 1 the hunter. The "deal" is the position at the start."""

    name: ClassVar[str] = "buffalo"
    forfeits: ClassVar[frozenset[str]] = frozenset({"resigned", "time"})

    # --- rule sets and starts ---

    def read_rules(self, data: JsonObject) -> BuffaloRules:
        """The rule set that a record's ``rules`` object names."""
        return records.read_rules(data)

    def write_rules(self, rules: BuffaloRules) -> JsonObject:
        """The rule set as a record's ``rules`` object."""
        return records.write_rules(rules)

    def seats(self, rules: BuffaloRules) -> int:  # noqa: ARG002 - every rule set has two
        """Always two."""
        return len(SEATS)

    def draw(self, rules: BuffaloRules, rng: random.Random) -> Position:  # noqa: ARG002 - no chance
        """The standard start; chance decides nothing in Buffalo."""
        return Position.start(rules.removed)

    def initial(self, rules: BuffaloRules, deal: Position) -> BuffaloState:
        """The state at the start; RuleSetError when the position doesn't fit the rule set."""
        return BuffaloState.begin(rules, deal)

    # --- playing ---

    def to_act(self, state: BuffaloState) -> tuple[Seat, ...]:
        """The seat to move; empty when it's over."""
        return () if state.outcome is not None else SEATS[state.position.turn]

    def legal(self, state: BuffaloState, seat: Seat) -> LegalMoves:
        """The seat's legal moves; empty when it isn't its turn."""
        if seat != state.position.turn:
            return NO_MOVES
        return state.legal_moves

    def apply(self, state: BuffaloState, seat: Seat, action: Move) -> Step[BuffaloState]:
        """Carries a move out."""
        if state.outcome is not None:
            raise game_over(state.outcome)
        turn = state.position.turn
        if seat != turn:
            raise NotToAct(f"expected a move of seat {turn.value}, {turn}, got seat {seat}", "B2.1")
        return play(state, action)

    def outcome(self, state: BuffaloState) -> Outcome | None:
        """How it ended, or None while it runs."""
        return state.outcome

    def view(self, state: BuffaloState, viewer: Viewer) -> BuffaloView:
        """What a seat, or a spectator, may know: everything."""
        return view_of(state, viewer)

    def redact(
        self,
        events: Sequence[Event],
        state: BuffaloState,  # noqa: ARG002 - nothing is secret
        viewer: Viewer,  # noqa: ARG002
    ) -> tuple[Event, ...]:
        """All events: nothing is secret."""
        return tuple(events)

    # --- text forms and records ---

    def summarise(self, state: BuffaloState) -> str:
        """The moment of the game, such as ``Buffalo, move 3``."""
        return f"Buffalo, move {state.position.number}"

    def write_action(self, action: Move) -> Json:
        """The move's text."""
        return str(action)

    def read_action(self, state: BuffaloState, data: Json) -> Move:  # noqa: ARG002
        """The move that the text names."""
        return records.read_move(data)

    def write_setup(self, state: BuffaloState) -> JsonObject:
        """The record's ``start``, when it isn't the standard one."""
        return records.write_setup(state)

    def read_setup(self, rules: BuffaloRules, record: GameRecord) -> Position:
        """The position in which a record begins."""
        return records.read_setup(rules, record)

    def write_steps(self, events: Sequence[Event]) -> list[Json]:
        """The moves among these events."""
        return records.write_steps(events)

    def read_step(self, state: BuffaloState, data: Json) -> tuple[Seat, Move]:
        """The move of a record's step; it is made by the seat to move."""
        return state.position.turn.value, records.read_move(data)

    def write_result(self, state: BuffaloState, outcome: Outcome) -> JsonObject:  # noqa: ARG002
        """The record's ``result``."""
        return records.write_result(outcome)
