"""The table: the authority over its games, the same for network play and for one device.

A command is first decided on, which changes nothing, and makes an entry for the log. When the entry is durable it is
applied, and the answer can be given. A table is what its entries make of it: `Table.rebuild` does nothing else.

Time and chance are arguments. A table isn't safe for several threads: one command at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Self

from stampede.core.errors import InputError
from stampede.core.events import Event
from stampede.core.game import View
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.core.series import Player
from stampede.matches import callers
from stampede.matches.bots import BotRequest, fallback_action, requests_of
from stampede.matches.callers import SYSTEM, Caller
from stampede.matches.commands import (
    Command,
    Expire,
    Open,
    TokenCommand,
)
from stampede.matches.decide import check, check_digest, conflict
from stampede.matches.entries import Ack, Decided, Entry, fingerprint_of
from stampede.matches.errors import KeyReused
from stampede.matches.fold import FoldResult, fold, open_state
from stampede.matches.lifecycle import begin_game
from stampede.matches.messages import Message, MessageLog, player_of
from stampede.matches.records import complete_record, public_record
from stampede.matches.settings import Catalogue, check_settings
from stampede.matches.state import TableState
from stampede.matches.view_cache import Changes, ViewCache
from stampede.matches.views import TableView, view_of

__all__ = ["ANOTHER_BEARER", "Table", "open_table"]

LONGEST_KEY: Final = 80
LONGEST_ID: Final = 64
ANOTHER_BEARER: Final = (
    "expected a new key: a bearer of your token has used this one."
    " To be able to retry, send a cookie or a secret of your own"
)


class _Answered(NamedTuple):
    """What was answered to a key."""

    ack: Ack
    fingerprint: str


class _Precomputed(NamedTuple):
    """What deciding found out already, so that nothing is done twice."""

    entry: Entry
    folded: FoldResult
    ack: Ack


def open_table(catalogue: Catalogue, command: Open, caller: Caller, key: str, now: int) -> Decided:
    """Decides on a new table: its first entry. InputError when there can't be such a table."""
    _check_key(key)
    settings = command.settings
    check_settings(catalogue, settings)
    if not 1 <= len(command.table) <= LONGEST_ID or not command.table.isprintable():
        raise InputError(f"table: expected an id of 1 to {LONGEST_ID} characters")
    check_digest(command.secret, required=True)
    check_digest(command.invite, required=False)
    entry = Entry(1, now, caller.who, key, fingerprint_of(command), command)
    trial = open_state(catalogue, entry)
    begin_game(catalogue.game_named(settings.game), trial, now)
    return Decided((entry,), Ack(key, 1))


class Table:
    """A table. Make one by `open_table` and `Table.rebuild`."""

    def __init__(self, catalogue: Catalogue, first: Entry) -> None:
        self.state: TableState = open_state(catalogue, first)
        self.spec = catalogue.game_named(self.state.settings.game)
        self._catalogue = catalogue
        self._done: dict[tuple[str, str], _Answered] = {}
        self._precomputed: _Precomputed | None = None
        self._messages = MessageLog(self.spec)
        self._views = ViewCache(self.spec)
        self._remember(None, first, (), _ack(first))

    @classmethod
    def rebuild(cls, catalogue: Catalogue, entries: Iterable[Entry]) -> Self:
        """The table that these entries make; InputError when they make none."""
        rest = iter(entries)
        first = next(rest, None)
        if first is None:
            raise InputError("expected a log with at least one entry, got none")
        table = cls(catalogue, first)
        for entry in rest:
            table.apply(entry)
        return table

    # --- commands ---

    def decide(self, command: Command, caller: Caller, key: str, now: int) -> Decided:
        """Decides on a command and changes nothing.

        Raises:
            MatchError: The authority refuses it.
            ActionError: The rules refuse it.
            InputError: It can't be read, or asks for what no table has.
        """
        _check_key(key)
        done = self._done.get((caller.who, key))
        if done is not None:
            if done.fingerprint != fingerprint_of(command):
                raise conflict(
                    KeyReused, self.spec, self.state, "this key belongs to another command"
                )
            if caller.may_be_several and isinstance(command, TokenCommand):
                raise conflict(KeyReused, self.spec, self.state, ANOTHER_BEARER)
            return Decided((), done.ack)
        at = max(now, self.state.at)
        checked = check(self._catalogue, self.state, command, caller, at)
        entry = Entry(
            self.state.seq + 1, at, caller.who, key, fingerprint_of(command), checked.command
        )
        # Folded before it is kept: what comes into the log can't fail when it is applied.
        ack = _ack(entry)
        self._precomputed = _Precomputed(
            entry, fold(self.spec, self.state, entry, checked.step), ack
        )
        return Decided((entry,), ack)

    def due_expiry(self, now: int) -> tuple[Expire, str] | None:
        """The command, and its key, for the clocks that have run out; None when none has."""
        players = () if self.state.clocks is None else self.state.clocks.run_out(now)
        return (Expire(players), f"expire:{self.state.seq + 1}") if players else None

    def expire(self, now: int) -> Decided | None:
        """Decides on the clocks that have run out; None when none has."""
        due = self.due_expiry(now)
        return None if due is None else self.decide(due[0], SYSTEM, due[1], now)

    def after(self, entry: Entry) -> TableState:
        """What an entry that was just decided on will make of the table."""
        ahead = self._precomputed
        if ahead is not None and ahead.entry is entry:
            return ahead.folded.state
        return fold(self.spec, self.state, entry).state

    def apply(self, entry: Entry) -> None:
        """Takes the log's next entry in; InputError when it isn't the next."""
        ahead, self._precomputed = self._precomputed, None
        before = self.state
        if ahead is not None and ahead.entry is entry:
            ack, (self.state, events) = ahead.ack, ahead.folded
        else:
            ack, (self.state, events) = _ack(entry), fold(self.spec, before, entry)
        self._remember(before, entry, events, ack)

    def _remember(
        self, before: TableState | None, entry: Entry, events: tuple[Any, ...], ack: Ack
    ) -> None:
        self._messages.append(entry, before, self.state, events)
        self._done[entry.who, entry.key] = _Answered(ack, entry.fingerprint)

    # --- what can be asked ---

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self.state.seq

    @property
    def deadline(self) -> int | None:
        """When the next clock runs out, so that `expire` is to be called; None when none runs."""
        return None if self.state.clocks is None else self.state.clocks.deadline

    def players_of(self, caller: Caller) -> tuple[Player, ...]:
        """The chairs that are this caller's: several on one device."""
        return callers.players_of(self.state, caller)

    def is_host(self, caller: Caller) -> bool:
        """Whether this caller is the host."""
        return callers.is_host(self.state, caller)

    def may_join(self, caller: Caller) -> bool:
        """Whether this caller may take an open chair."""
        return callers.is_invited(self.state, caller)

    def may_watch(self, caller: Caller) -> bool:
        """Whether this caller may look on."""
        return callers.may_watch(self.state, caller)

    def view_for(self, viewer: Player | None) -> TableView:
        """What a player, or a spectator (None), may know now."""
        self._check_viewer(viewer)
        return view_of(self.spec, self.state, viewer)

    def seat_view(self, viewer: Player | None) -> View[Any]:
        """The running or last game as this viewer's seat sees it, as the game's own object."""
        self._check_viewer(viewer)
        match = self.state.running
        seat = None if viewer is None else match.seat_of(viewer)
        view: View[Any] = self.spec.game.view(match.state, seat)
        return view

    def snapshot(self, viewer: Player | None) -> JsonObject:
        """What `view_for` returns, as JSON; parts that haven't changed are made once."""
        self._check_viewer(viewer)
        return self._views.snapshot(self.state, viewer)

    def changes_since(self, viewer: Player | None, seq: int) -> Changes | None:
        """What has changed in a viewer's `snapshot` since an entry; None when only a new snapshot can tell."""
        self._check_viewer(viewer)
        return self._views.changes_since(self.state, viewer, seq)

    def messages(
        self, viewer: Player | None, after: int = 0, limit: int | None = None
    ) -> list[Message]:
        """What happened after an entry, as this viewer may see it now: one message an entry, without gaps.

        Args:
            viewer: A player; None for a spectator.
            after: The entry's number.
            limit: How many messages at most, the earliest; all by default.
        """
        self._check_viewer(viewer)
        return self._messages.since(self.state, viewer, after, limit)

    def live_messages(self, after: int) -> list[Message]:
        """What happens after an entry, for viewers who are there: everyone at the table sees it happen.

        One entry may end a round. Its cards are shown now, though `messages` hides them at once.
        """
        return self._messages.live(after)

    def witnessed(self, after: int = 0) -> tuple[Event, ...]:
        """What the people present saw happen after an entry, at the moment when it happened.

        For viewers who were there. `messages` hides what may no longer be looked at.
        """
        return self._messages.witnessed(after)

    def _check_viewer(self, viewer: Player | None) -> None:
        if viewer is not None and not 0 <= viewer < len(self.state.chairs):
            callers.check_player(self.state, viewer)

    # --- bots and records ---

    def bot_requests(self) -> tuple[BotRequest, ...]:
        """The bots that are to act."""
        return requests_of(self.spec, self.state, self._catalogue.weakest_level(self.spec.name))

    def fallback(self, request: BotRequest) -> Json:
        """A legal action for a bot that has failed; only while the request stands."""
        return fallback_action(self.spec, self.state, request)

    def record(self, game: int | None = None) -> GameRecord:
        """A game's record for everybody, by default the latest's; WrongPhase when there is none yet."""
        return public_record(self.spec, self.state, game)

    def log_record(self, game: int | None = None) -> GameRecord:
        """A game's record for trusted hands: while it runs it may hold what players may not look at."""
        return complete_record(self.spec, self.state, game)


def _ack(entry: Entry) -> Ack:
    return Ack(entry.key, entry.seq, player_of(entry.command))


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InputError(f"key: expected 1 to {LONGEST_KEY} printable characters")
