"""A third game, as small as games get: what `docs/adding-a-game.md` asks for, and nothing else.

Nim with one heap: players take one to three matches in turn, and the player who takes the last one wins.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from stampede.core.errors import IllegalAction, NotToAct, ParseError, RuleSetError
from stampede.core.events import Event, JsonFields
from stampede.core.game import ActionList, Game, Outcome, Seat, Step, Viewer
from stampede.core.json import Json, JsonObject, expect_int
from stampede.core.record import GameRecord
from stampede.core.spec import GameSpec, OptionKind, RuleOption

MOST = 3


@dataclass(frozen=True, slots=True)
class NimRules(JsonFields):
    players: int = 2
    heap: int = 9


@dataclass(frozen=True, slots=True)
class NimState:
    rules: NimRules
    left: int
    turn: Seat = 0


@dataclass(frozen=True, slots=True)
class Taken(Event):
    seat: Seat
    count: int
    kind: Literal["taken"] = field(default="taken", kw_only=True, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class NimLegal(JsonFields):
    most: int


@dataclass(frozen=True, slots=True)
class NimView:
    viewer: Viewer
    state: NimState

    @property
    def legal(self) -> ActionList[int]:
        return NIM_GAME.legal(self.state, -1 if self.viewer is None else self.viewer)

    def to_json(self) -> JsonObject:
        legal = self.legal
        return {
            "game": "nim",
            "viewer": self.viewer,
            "rules": self.state.rules.to_json(),
            "left": self.state.left,
            "to_act": list(NIM_GAME.to_act(self.state)),
            "legal": legal.to_json() if len(legal) else None,
            "result": None,
        }


class NimGame(Game[NimRules, NimState, int, None]):
    name: ClassVar[str] = "nim"
    forfeits: ClassVar[frozenset[str]] = frozenset({"resigned", "time"})

    def read_rules(self, data: JsonObject) -> NimRules:
        rules = NimRules(
            expect_int(data.get("players", 2), "players"), expect_int(data.get("heap", 9), "heap")
        )
        if rules.heap < 1:
            raise RuleSetError(f"heap: expected at least 1, got {rules.heap}")
        return rules

    def write_rules(self, rules: NimRules) -> JsonObject:
        return rules.to_json()

    def seats(self, rules: NimRules) -> int:
        return rules.players

    def draw(self, rules: NimRules, rng: random.Random) -> None:
        del rules, rng

    def initial(self, rules: NimRules, deal: None) -> NimState:
        del deal
        return NimState(rules, rules.heap)

    def to_act(self, state: NimState) -> tuple[Seat, ...]:
        return (state.turn,) if state.left else ()

    def legal(self, state: NimState, seat: Seat) -> ActionList[int]:
        most = min(MOST, state.left) if seat in self.to_act(state) else 0
        return ActionList(range(1, most + 1), lambda: NimLegal(most))

    def apply(self, state: NimState, seat: Seat, action: int) -> Step[NimState]:
        if seat not in self.to_act(state):
            raise NotToAct(f"expected seat {state.turn}, got seat {seat}")
        if action not in self.legal(state, seat):
            raise IllegalAction(f"expected 1 to {MOST}, got {action}")
        following = (state.turn + 1) % state.rules.players
        after = NimState(state.rules, state.left - action, following)
        return Step(after, (Taken(seat, action),))

    def outcome(self, state: NimState) -> Outcome | None:
        if state.left:
            return None
        return Outcome(((state.turn - 1) % state.rules.players,), "last")

    def view(self, state: NimState, viewer: Viewer) -> NimView:
        return NimView(viewer, state)

    def redact(self, events: Sequence[Event], state: NimState, viewer: Viewer) -> tuple[Event, ...]:
        del state, viewer
        return tuple(events)

    def write_action(self, action: int) -> Json:
        return action

    def read_action(self, state: NimState, data: Json) -> int:
        del state
        if isinstance(data, bool) or not isinstance(data, int):
            raise ParseError(f"expected a number of matches, got {data!r}")
        return data

    def write_setup(self, state: NimState) -> JsonObject:
        del state
        return {}

    def read_setup(self, rules: NimRules, record: GameRecord) -> None:
        del rules, record

    def write_steps(self, events: Sequence[Event]) -> list[Json]:
        return [event.count for event in events if isinstance(event, Taken)]

    def read_step(self, state: NimState, data: Json) -> tuple[Seat, int]:
        return state.turn, self.read_action(state, data)

    def write_result(self, state: NimState, outcome: Outcome) -> JsonObject:
        del state
        return {"winner": outcome.winners[0], "reason": outcome.reason}


NIM_GAME = NimGame()
NIM = GameSpec(
    NIM_GAME,
    "Nim",
    (2, 3),
    default_rules=lambda players: NimRules(players).to_json(),
    options=(
        RuleOption("players", OptionKind.NUMBER, 2, "How many play.", minimum=2, maximum=3),
        RuleOption("heap", OptionKind.NUMBER, 9, "The heap.", minimum=1, maximum=99),
    ),
    open_information=True,
    rules_type=NimRules,
    view_type=NimView,
    event_type=Taken,
    action_type=int,
)
