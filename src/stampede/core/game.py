"""The contract that both games keep: pure functions over immutable states.

A game answers a few questions and knows neither clocks nor global randomness: what a deal looks like, how it
starts, who is to act, what each seat may do, what follows from an action, whether it's over, and what a seat sees.

Several seats may be to act at once (secret choices). Their answers are sealed in the state until the last one is
in; a seat that has answered isn't in ``to_act`` any more, but its ``legal`` actions stay open while it may change.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from stampede.core.errors import RuleSetError
from stampede.core.events import Event, JsonFields
from stampede.core.json import Json, JsonObject

if TYPE_CHECKING:
    from stampede.core.record import GameRecord

__all__ = [
    "ActionList",
    "AnyGame",
    "Game",
    "LegalActions",
    "Outcome",
    "Seat",
    "Step",
    "View",
    "Viewer",
]

Seat: TypeAlias = int
"""A place at the table, counted from 0."""

Viewer: TypeAlias = Seat | None
"""The seat whose view it is, or None for a spectator's."""

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")
A_co = TypeVar("A_co", covariant=True)


class View(Protocol[A_co]):
    """What one viewer may know of a state: all that bots, browsers and spectators get."""

    @property
    def legal(self) -> LegalActions[A_co]:
        """What the viewer may do now; empty when nothing."""

    def to_json(self) -> JsonObject:
        """The view as plain JSON: all that leaves the authority for this viewer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (several when shared), and by what."""

    winners: tuple[Seat, ...]
    reason: str


class Step(NamedTuple, Generic[S]):
    """The result of an action: the state that follows, and what happened on the way."""

    state: S
    events: tuple[Event, ...]


class LegalActions(ABC, Generic[A_co]):
    """The legal actions of a seat: iterate, count, test, draw one, or describe them compactly."""

    __slots__ = ()

    @abstractmethod
    def __iter__(self) -> Iterator[A_co]: ...

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __contains__(self, action: object) -> bool: ...

    @abstractmethod
    def sample(self, rng: random.Random) -> A_co:
        """One legal action, every one equally likely."""

    @abstractmethod
    def describe(self) -> JsonFields:
        """A compact description for programs and browsers, with reasons for what isn't legal."""

    def to_json(self) -> JsonObject:
        """The description as JSON."""
        return self.describe().to_json()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} legal actions>"


class ActionList(LegalActions[A_co]):
    """Legal actions that are few enough to be listed.

    Attributes:
        actions: The actions.
    """

    __slots__ = ("_describe", "actions")

    def __init__(self, actions: Sequence[A_co], describe: Callable[[], JsonFields]) -> None:
        self.actions: Sequence[A_co] = actions
        self._describe = describe

    def __iter__(self) -> Iterator[A_co]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def sample(self, rng: random.Random) -> A_co:
        """One legal action, every one equally likely."""
        return self.actions[int(rng.random() * len(self.actions))]

    def describe(self) -> JsonFields:
        """The description that the game gives, made when it is asked for."""
        return self._describe()


class Game(ABC, Generic[R, S, A, D]):
    """The rules of one game, as pure functions.

    Type parameters: the rule set, the state, the action, and the deal (all that chance decides before the start).
    """

    name: ClassVar[str]
    forfeits: ClassVar[frozenset[str]] = frozenset()
    """Reasons by which a game can end outside the rules, such as a resignation."""

    # --- rule sets and deals ---

    @abstractmethod
    def read_rules(self, data: JsonObject) -> R:
        """The rule set that a record's ``rules`` object names; RuleSetError when there is none."""

    @abstractmethod
    def write_rules(self, rules: R) -> JsonObject:
        """The rule set as a record's ``rules`` object."""

    @abstractmethod
    def seats(self, rules: R) -> int:
        """How many seats play."""

    @abstractmethod
    def draw(self, rules: R, rng: random.Random) -> D:
        """Draws a deal: everything that chance decides."""

    def draw_for(self, rules: R, rng: random.Random, colours: Sequence[str | None]) -> D:
        """Draws a deal for seats that have asked for colours, None for those that haven't.

        Raises:
            RuleSetError: A colour can't be had; in most games none can.
        """
        if any(colours):
            raise RuleSetError(f"colour: expected none, as {self.name} has no colours to choose")
        return self.draw(rules, rng)

    def colours_asked(self, rules: R, record: GameRecord) -> Sequence[str | None]:
        """The colours of a record's seats, as `draw_for` takes them; none in most games."""
        del rules, record
        return ()

    @abstractmethod
    def initial(self, rules: R, deal: D) -> S:
        """The state at the start."""

    # --- playing ---

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats whose decision is awaited, several at once included; empty when it's over."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> LegalActions[A]:
        """What this seat may do now (empty when nothing)."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """Carries an action out; ActionError when the rules refuse it."""

    def take_back(self, state: S, seat: Seat) -> Step[S] | None:
        """Opens a seat's sealed answer again, as if it had not answered; None when it has sealed none.

        A table does this when the seat changes hands. Games with sealed answers override it.
        """
        del state, seat
        return None

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it runs."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> View[A]:
        """What a seat, or a spectator, may know."""

    @abstractmethod
    def redact(self, events: Sequence[Event], state: S, viewer: Viewer) -> tuple[Event, ...]:
        """Earlier events as this viewer may still see them in this state."""

    # --- text forms ---

    def summarise(self, state: S) -> str:
        """The state in a few words that tell no secret, for ``repr``, such as ``Buffalo, move 3``."""
        del state
        return self.name

    @abstractmethod
    def write_action(self, action: A) -> Json:
        """The action as JSON."""

    @abstractmethod
    def read_action(self, state: S, data: Json) -> A:
        """The action that the JSON names; ParseError when it names none."""

    # --- records ---

    @abstractmethod
    def write_setup(self, state: S) -> JsonObject:
        """The record's keys that only this game has (a start, a deal …)."""

    @abstractmethod
    def read_setup(self, rules: R, record: GameRecord) -> D:
        """The deal that a record tells; RecordError when it doesn't."""

    @abstractmethod
    def write_steps(self, events: Sequence[Event]) -> list[Json]:
        """The record's steps that these events make; sealed answers make theirs when revealed."""

    @abstractmethod
    def read_step(self, state: S, data: Json) -> tuple[Seat, A]:
        """Who did what in a record's step; ParseError when it can't be read."""

    @abstractmethod
    def write_result(self, state: S, outcome: Outcome) -> JsonObject:
        """The record's ``result``."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
"""A game whose types the caller doesn't know; states and actions go back to the game they came from."""
