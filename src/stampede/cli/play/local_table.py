"""A hot-seat table in memory: games at a terminal obey the same authority as games on a server.

The person at the terminal is one caller who holds every human chair. Nothing is kept but the record: when a saved
game is resumed, its steps are sent to a new table.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from stampede.bots import Bot, bot_names
from stampede.cli.common.own_bots import own_bot
from stampede.cli.terminal import AnyGameTerminal
from stampede.core.bot import give_memory
from stampede.core.errors import ActionError, InputError
from stampede.core.events import Event
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord, SeatInfo
from stampede.matches import (
    SYSTEM,
    Caller,
    Catalogue,
    ChairPlan,
    Entry,
    Table,
    TableSettings,
    open_table,
)
from stampede.matches.commands import (
    Act,
    Claim,
    Command,
    Open,
    Resign,
    Start,
    Vote,
    VoteTopic,
)

__all__ = ["LocalTable"]

LOCAL: Final = Caller(guest="terminal")
NOW: Final = 0
"""There are no clocks at this table, so time stands still."""


class LocalTable:
    """One game at a hot-seat table. Players keep their seats, so a seat is a player.

    Attributes:
        seats: The players by seat, as the record names them.
        people: The seats of people.
    """

    def __init__(
        self,
        terminal: AnyGameTerminal,
        rules: JsonObject,
        seats: Sequence[SeatInfo],
        deal: object,
        seed: str,
    ) -> None:
        spec = replace(terminal.spec, game=terminal.with_deal(deal))
        bots = [str(seat.bot) for seat in seats if seat.kind == "bot"]
        self._bots: dict[str, Bot] = {name: own_bot(name, spec.name) for name in bots}
        known = tuple(dict.fromkeys((*bot_names(spec.name), *self._bots)))
        catalogue = Catalogue({spec.name: spec}, {spec.name: known})
        chairs = tuple(ChairPlan(str(seat.bot) if seat.kind == "bot" else None) for seat in seats)
        settings = TableSettings(spec.name, rules, chairs, hot_seat=True, auto_start=False)
        secret = hashlib.sha256(seed.encode()).hexdigest()
        opening = Open("terminal", settings, LOCAL.guest, secret)
        self.seats = tuple(seats)
        self.people = tuple(seat for seat, info in enumerate(seats) if info.kind == "human")
        self._table = Table.rebuild(
            catalogue, open_table(catalogue, opening, LOCAL, "open", NOW).entries
        )
        self._acts: list[tuple[int, Seat]] = []
        for seat in self.people:
            self._send(Claim(seat, f"seat {seat}", ""))
        self._send(Start())

    # --- looking ---

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return tuple(info.name for info in self.seats)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        results = self._table.view_for(None).results
        return Outcome(results[0].winners, results[0].reason) if results else None

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose answers are awaited."""
        decision = self._table.view_for(None).decision
        return () if decision is None else decision.awaited

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self._table.seq

    def seq_before(self, acts: int) -> int:
        """Returns the number of the entry before the last so many actions."""
        return self._acts[-acts:][0][0] - 1 if self._acts else self.seq

    # A view's type is known to its game only.
    def view(self, seat: Seat | None) -> Any:
        """Returns the game as a seat, or a spectator, sees it."""
        return self._table.seat_view(seat)

    def witnessed(self, after: int) -> tuple[Event, ...]:
        """Returns what everybody in front of the screen saw happen after an entry."""
        return self._table.witnessed(after)

    def events(self, seat: Seat | None, after: int, to: int) -> list[Event]:
        """Returns what happened after an entry up to another one and still stands, as the seat may see it now."""
        standing = {seq for seq, _ in self._acts if seq <= to}
        messages = self._table.messages(seat, after)
        return [
            event for message in messages if message.seq in standing for event in message.events
        ]

    def record(self, meta: JsonObject) -> GameRecord:
        """Returns the game so far as a record; sealed answers aren't in it."""
        record = self._table.log_record()
        return replace(record, seats=self.seats, meta={**meta, "check": record.meta["check"]})

    # --- acting ---

    def check(self, seat: Seat, action: object) -> Entry:
        """Checks an action and changes nothing; `commit` carries it out. ActionError if the rules refuse it."""
        decision = self._table.view_for(None).decision
        written = self._table.spec.game.write_action(action)
        act = Act(seat, "" if decision is None else decision.id, written)
        return self._decide(act, LOCAL if seat in self.people else SYSTEM)

    def commit(self, entry: Entry) -> None:
        """Carries out an action that was just checked."""
        assert isinstance(entry.command, Act)
        self._acts.append((entry.seq, entry.command.player))
        self._table.apply(entry)

    def play(self, seat: Seat, action: object) -> None:
        """Carries an action out; ActionError if the rules refuse it."""
        self.commit(self.check(seat, action))

    def play_bot(self) -> bool:
        """Lets the next bot act; returns False when it's nobody's or a person's turn.

        Raises:
            InputError: A bot of your own has chosen what the rules refuse.
        """
        requests = self._table.bot_requests()
        if not requests:
            return False
        request = requests[0]
        bot = give_memory(self._bots[request.level], request.events)
        action = bot.choose(request.view, random.Random(request.seed))
        try:
            self.play(request.seat, action)
        except ActionError as error:
            raise InputError(f"bot {request.level}: expected a legal action: {error}") from error
        return True

    def undo(self) -> None:
        """Takes back the last move of a person, and those of bots after it; InputError if there is none."""
        movers = [seat for _, seat in self._acts if seat in self.people]
        if not movers:
            raise InputError("expected a move of yours to take back, but there is none yet")
        decision = self._table.view_for(None).decision
        assert decision is not None, "a game is running"
        for seat in (movers[-1], *(seat for seat in self.people if seat != movers[-1])):
            self._send(Vote(seat, VoteTopic.UNDO, decision=decision.id))
        while self._acts.pop()[1] != movers[-1]:
            pass

    def resign(self, seat: Seat) -> None:
        """Gives the game up."""
        self._send(Resign(seat))

    def _send(self, command: Command) -> None:
        self._table.apply(self._decide(command, LOCAL))

    def _decide(self, command: Command, caller: Caller) -> Entry:
        (entry,) = self._table.decide(command, caller, str(self.seq + 1), NOW).entries
        return entry
