"""What viewers are shown, as JSON: made once a state, and piece by piece only where something has changed.

`stampede.matches.views` says what a viewer may know. This module only spares the work of finding it out anew after
every action: pieces that are made from the same things as before are the same objects as before, so what has changed
is found by looking at which objects are new.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar, cast

from stampede.core.events import plain
from stampede.core.json import Json, JsonObject
from stampede.matches.playable import Playable, Player
from stampede.matches.plays import awaited
from stampede.matches.state import Phase, Play, TableState
from stampede.matches.views import (
    TableView,
    game_view,
    open_game_view,
    players_view,
    shared_view,
)

__all__ = ["Showing"]

T = TypeVar("T")

_TYPED: Final = ("players", "decision", "proposals", "results")
"""The parts of a table's view that aren't JSON already."""


@dataclass(slots=True)
class _Before:
    """What was shown of the state before.

    Attributes:
        seq: Its number.
        play: Its game.
        shared: What all could see.
        games: The game, by viewers who looked.
        changes: What is new in `shared` now, once somebody has asked.
    """

    seq: int
    play: Play | None
    shared: JsonObject
    games: dict[Player | None, JsonObject | None]
    changes: JsonObject | None = None


class Showing:
    """The views of one table: of its present state, and what was shown of the one before."""

    __slots__ = (
        "_before",
        "_common",
        "_games",
        "_open",
        "_parts",
        "_playable",
        "_shared",
        "_state",
        "_turns",
    )

    def __init__(self, playable: Playable) -> None:
        self._playable = playable
        self._parts: dict[str, tuple[tuple[object, ...], object]] = {}
        self._turns: dict[tuple[Player, ...], Json] = {}
        self._state: TableState | None = None
        self._common: TableView | None = None
        self._shared: JsonObject | None = None
        self._open: tuple[Play, JsonObject] | None = None
        self._games: dict[Player | None, JsonObject | None] = {}
        self._before: _Before | None = None

    def shared(self, state: TableState) -> TableView:
        """What all viewers may know alike."""
        self._turn_to(state)
        if self._common is None:
            self._common = shared_view(self._playable, state, self._keep)
        return self._common

    def view(self, state: TableState, viewer: Player | None) -> JsonObject:
        """All that a viewer may know: the same as `stampede.matches.views.view_of` says."""
        self._turn_to(state)
        return {**self._shared_json(state), "you": viewer, "view": self._game(state, viewer)}

    def changes(self, state: TableState, viewer: Player | None, since: int) -> JsonObject | None:
        """What is new in a viewer's view since an entry, the game's part only where it is new.

        None when that isn't known any more, or can't be told by naming what is new: then the whole view is to be told.
        """
        self._turn_to(state)
        now, game, before = self._shared_json(state), self._game(state, viewer), self._before
        if before is None or before.seq != since or viewer not in before.games:
            return None
        if before.changes is None:
            before.changes = _new(before.shared, now)
        old = before.games[viewer]
        if game is None or game is old:
            return before.changes
        if old is None:
            return {**before.changes, "view": game}
        if old.keys() != game.keys():
            return None
        return {**before.changes, "view": _new(old, game)}

    # --- the pieces ---

    def _turn_to(self, state: TableState) -> None:
        """Looks at another state from now on, and keeps what was shown of the last one."""
        last, shared = self._state, self._shared
        if last is state:
            return
        self._before, self._shared = None, None
        if last is not None and shared is not None:
            self._before = _Before(last.seq, last.play, shared, self._games)
            if _only_the_game_went_on(last, state):
                self._shared = self._went_on(shared, state)
        self._state, self._common, self._games = state, None, {}

    def _went_on(self, shared: JsonObject, state: TableState) -> JsonObject:
        """What all may know after an ordinary action: it is somebody else's turn."""
        play = state.running
        waiting = awaited(self._playable.game, play)
        if waiting not in self._turns:
            self._turns[waiting] = plain(players_view(state, play.seating, waiting))
        decision: JsonObject = {
            "id": play.decision_id,
            "since": play.decision_at,
            "awaited": list(waiting),
        }
        players = self._turns[waiting]
        return {
            **shared,
            "seq": state.seq,
            "at": state.at,
            "players": players,
            "decision": decision,
        }

    def _shared_json(self, state: TableState) -> JsonObject:
        if self._shared is None:
            view = self.shared(state)
            self._turns = {}
            found: dict[str, Json] = {
                name: getattr(view, name) for name in TableView.__match_args__
            }
            for name in _TYPED:
                part = getattr(view, name)
                found[name] = self._keep(f"{name} in JSON", (part,), partial(plain, part))
            self._shared = found
        return self._shared

    def _game(self, state: TableState, viewer: Player | None) -> JsonObject | None:
        """The game as a viewer sees it."""
        if viewer not in self._games:
            play = state.play
            self._games[viewer] = None if play is None else self._game_json(play, viewer)
        return self._games[viewer]

    def _game_json(self, play: Play, viewer: Player | None) -> JsonObject:
        before = self._before
        if before is not None and before.play is play and (kept := before.games.get(viewer)):
            return kept
        if not self._playable.open_information:
            return game_view(self._playable, play, viewer)
        if self._open is None or self._open[0] is not play:
            self._open = (play, game_view(self._playable, play, None))
        return open_game_view(self._playable, play, viewer, self._open[1])

    def _keep(self, name: str, made_from: tuple[object, ...], make: Callable[[], T]) -> T:
        """The part that was made from the same things, or a new one."""
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_from:
            kept = self._parts[name] = (made_from, make())
        return cast("T", kept[1])


def _only_the_game_went_on(last: TableState, state: TableState) -> bool:
    """Whether nothing but the game has changed, and that isn't over."""
    old, play = last.play, state.play
    return (
        old is not None
        and play is not None
        and last.phase is Phase.PLAYING
        and state.phase is Phase.PLAYING
        and play.number == old.number
        and state.chairs is last.chairs
        and state.series is last.series
        and state.ballots is last.ballots
        and state.clocks is last.clocks
        and state.past is last.past
        and state.settings is last.settings
        and state.host == last.host
    )


def _new(before: JsonObject, now: JsonObject) -> JsonObject:
    return {
        name: value
        for name, value in now.items()
        if value is not (old := before[name]) and value != old
    }
