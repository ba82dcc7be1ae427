"""A game being played, or played again: the states, the actions and events between them, and its record."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from stampede.core.bot import Bot, give_memory
from stampede.core.errors import GameOver, IllegalAction, InputError, NotToAct
from stampede.core.events import Event
from stampede.core.game import Game, LegalActions, Outcome, Seat, View, Viewer
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord, SeatInfo, checksums

__all__ = ["AnyPlaythrough", "Playthrough", "Turn"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")


_JSON = (str, Mapping, list, int, float, type(None))
"""The types of JSON values; actions are of other types."""


class Turn(NamedTuple, Generic[S, A]):
    """One action with what it led to."""

    seat: Seat
    action: A
    state: S
    events: tuple[Event, ...]


class Playthrough(Generic[R, S, A, D]):
    """A game from its deal on. The states are immutable; this object only remembers them.

    `stampede.new_game` makes one. ``print(game)`` shows the table as a spectator sees it, and a notebook draws it.

    >>> import stampede
    >>> game = stampede.new_game("buffalo")
    >>> game.to_act
    (0,)
    >>> len(game.legal())
    11
    >>> _ = game.play(0, "f7f6")
    >>> game
    <Buffalo, move 2, to act: 1>

    Attributes:
        game: The rules.
        rules: The rule set.
        start: The state at the start.
        turns: The actions so far, each with the state and the events that followed.
    """

    def __init__(self, game: Game[R, S, A, D], rules: R, deal: D) -> None:
        self.game = game
        self.rules = rules
        self.start = game.initial(rules, deal)
        self.turns: list[Turn[S, A]] = []
        self._verdict: Outcome | None = None
        self._bots: dict[Seat, str] = {}

    # --- looking ---

    @property
    def state(self) -> S:
        """The present state, secrets included."""
        return self.turns[-1].state if self.turns else self.start

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.game.seats(self.rules)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose decision is awaited, several at once included; empty when the game is over."""
        return () if self._verdict is not None else self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended: by the rules, or by a verdict such as a resignation. None while it runs."""
        return self._verdict or self.game.outcome(self.state)

    @property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""
        return [event for turn in self.turns for event in turn.events]

    def legal(self, seat: Seat | None = None) -> LegalActions[A]:
        """What a seat may do now: iterate, count, test with ``in``, or draw one with ``sample(rng)``.

        Args:
            seat: The seat; you can leave it out while exactly one seat is to act.
        """
        return self.game.legal(self.state, self._seat(seat))

    def view(self, seat: Viewer = None) -> View[A]:
        """What a seat may know, or a spectator (None)."""
        return self.game.view(self.state, None if seat is None else self._seat(seat))

    # --- playing ---

    def play(self, seat: Seat, action: A | Json) -> tuple[Event, ...]:
        """Carries an action out and returns what happened.

        Args:
            seat: The seat that acts.
            action: The action, or its JSON: ``"f7f6"``, ``{"type": "place", "cows": 2}``.

        Raises:
            ParseError: The JSON names no action.
            ActionError: The rules refuse the action; the message says why.
        """
        if self._verdict is not None:
            raise GameOver(f"the game has ended: {self._verdict.reason}")
        if not isinstance(seat, int):
            raise InputError(f"seat: expected a number, got {seat!r}")
        chosen = (
            self.game.read_action(self.state, action)
            if isinstance(action, _JSON)
            else cast("A", action)
        )
        state, events = self.game.apply(self.state, seat, chosen)
        self.turns.append(Turn(seat, chosen, state, events))
        return events

    def play_bot(self, bot: Bot, rng: random.Random, seat: Seat | None = None) -> tuple[Event, ...]:
        """Lets a bot act and returns what happened.

        The bot gets the seat's view and, if it uses a memory, the events so far.

        Args:
            bot: The bot.
            rng: Where its randomness comes from.
            seat: The seat; by default the first that is to act.
        """
        if isinstance(bot, type) or not hasattr(bot, "choose"):
            raise InputError(f"bot: expected one such as stampede.bot('random'), got {bot!r}")
        if seat is None:
            if not self.to_act:
                raise GameOver("expected a game in progress, got one that has ended")
            seat = self.to_act[0]
        seen = (event for turn in self.turns for event in turn.events)
        view = self.view(seat)
        if not view.legal:
            raise NotToAct(f"expected a seat of {self.to_act}, got seat {seat}")
        chosen = give_memory(bot, seen).choose(view, rng)
        if chosen not in view.legal:
            raise IllegalAction(f"{bot.name}: expected one of the legal actions, got {chosen!r}")
        events = self.play(seat, chosen)
        self._bots[seat] = bot.name
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

    def _seat(self, seat: Seat | None) -> Seat:
        if seat is None:
            awaited = self.to_act
            if len(awaited) != 1:
                several = ", ".join(map(str, awaited))
                told = f"seats {several} are to act" if awaited else "the game has ended"
                raise NotToAct(f"seat: expected one, as {told}")
            return awaited[0]
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.seats:
            raise InputError(f"seat: expected 0 to {self.seats - 1}, got {seat!r}")
        return seat

    # --- records ---

    def steps(self) -> list[Json]:
        """The record's steps so far."""
        return self.game.write_steps(self.events)

    def record(
        self, seats: tuple[SeatInfo, ...] | None = None, meta: JsonObject | None = None
    ) -> GameRecord:
        """The game as a record, checksums included.

        Args:
            seats: Who sat where; by default the bots that played, and "Player 1" and so on for the others.
            meta: Anything to keep beside the game, such as a date or a seed.
        """
        outcome = self.outcome
        record = GameRecord(
            game=self.game.name,
            rules=self.game.write_rules(self.rules),
            seats=self._seat_infos() if seats is None else seats,
            setup=self.game.write_setup(self.state),
            actions=tuple(self.steps()),
            result=None if outcome is None else self.game.write_result(self.state, outcome),
        )
        return replace(record, meta={**(meta or {}), "check": checksums(record)})

    def _seat_infos(self) -> tuple[SeatInfo, ...]:
        return tuple(
            SeatInfo(self._bots[seat], "bot", self._bots[seat])
            if seat in self._bots
            else SeatInfo(f"Player {seat + 1}")
            for seat in range(self.seats)
        )

    # --- showing ---

    def __repr__(self) -> str:
        outcome = self.outcome
        if outcome is None:
            end = f"to act: {', '.join(map(str, self.to_act))}"
        else:
            end = f"won by {', '.join(map(str, outcome.winners))} ({outcome.reason})"
        return f"<{self.game.summarise(self.state)}, {end}>"

    def __str__(self) -> str:
        """The table as text, as a spectator sees it."""
        return str(self.view())

    def _repr_svg_(self) -> str | None:
        """The table as a picture, as a spectator sees it, for notebooks; None if the game draws none."""
        draw = getattr(self.view(), "_repr_svg_", None)
        return None if draw is None else cast("str", draw())


AnyPlaythrough: TypeAlias = Playthrough[Any, Any, Any, Any]
"""A game in progress whose types the caller doesn't know."""
