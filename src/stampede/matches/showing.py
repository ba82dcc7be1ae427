"""What viewers are shown, as JSON: made once a state, and piece by piece only where something has changed.

`stampede.matches.views` says what a viewer may know. This module only spares the work of finding it out anew after
every action: pieces that are made from the same things as before are the same objects as before, so what has changed
is found by looking at which objects are new.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar, cast

from stampede.core.events import plain
from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.boards import board_of, difference
from stampede.matches.plays import awaited
from stampede.matches.state import Phase, TableState
from stampede.matches.views import TableView, players_view, shared_view

__all__ = ["Showing"]

T = TypeVar("T")

_TYPED: Final = ("players", "decision", "proposals", "results")
"""The parts of a table's view that aren't JSON already."""


class Showing:
    """The views of one table: of its present state, and what was shown of the one before."""

    __slots__ = (
        "_before",
        "_board",
        "_common",
        "_new",
        "_parts",
        "_shared",
        "_since",
        "_spec",
        "_state",
        "_turns",
    )

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._board = board_of(spec)
        self._parts: dict[str, tuple[tuple[object, ...], object]] = {}
        self._turns: dict[tuple[Player, ...], Json] = {}
        self._state: TableState | None = None
        self._common: TableView | None = None
        self._shared: JsonObject | None = None
        # Of the state before: its number and what all could see of it, when that was shown; and what is new since.
        self._since = 0
        self._before: JsonObject | None = None
        self._new: JsonObject | None = None

    def shared(self, state: TableState) -> TableView:
        """What all viewers may know alike."""
        self._turn_to(state)
        if self._common is None:
            self._common = shared_view(self._spec, state, self._keep)
        return self._common

    def view(self, state: TableState, viewer: Player | None) -> JsonObject:
        """All that a viewer may know: the same as `stampede.matches.views.view_of` says."""
        self._turn_to(state)
        return {**self._shared_json(state), "you": viewer, "view": self._board.view(viewer)}

    def changes(self, state: TableState, viewer: Player | None, since: int) -> JsonObject | None:
        """What is new in a viewer's view since an entry, the game's part only where it is new.

        None when that isn't known any more, or can't be told by naming what is new: then the whole view is to be told.
        """
        self._turn_to(state)
        if self._before is None or self._since != since:
            return None
        news = self._board.news(viewer)
        if news is None:
            return None
        if self._new is None:
            self._new = difference(self._before, self._shared_json(state))
        return {**self._new, "view": news} if news else self._new

    def common_changes(self, state: TableState, since: int) -> JsonObject | None:
        """The part of `changes` that all viewers share, the game's part last; None when they share none.

        What `own_changes` says is to be added to the game's part.
        """
        self._turn_to(state)
        if self._before is None or self._since != since:
            return None
        news = self._board.common_news()
        if not news:
            return None
        if self._new is None:
            self._new = difference(self._before, self._shared_json(state))
        return {**self._new, "view": news}

    def own_changes(self, viewer: Player | None) -> JsonObject | None:
        """What is new in the game for one viewer, beside `common_changes`; None when only the whole view can tell."""
        return self._board.own_news(viewer)

    # --- the pieces ---

    def _turn_to(self, state: TableState) -> None:
        """Looks at another state from now on, and keeps what was shown of the last one."""
        last, shared = self._state, self._shared
        if last is state:
            return
        self._state, self._common = state, None
        self._before, self._new, self._shared = shared, None, None
        self._board.turn_to(state.play)
        if last is not None and shared is not None:
            self._since = last.seq
            if _only_the_game_went_on(last, state):
                self._new = self._went_on(shared, state)
                self._shared = {**shared, **self._new}

    def _went_on(self, shared: JsonObject, state: TableState) -> JsonObject:
        """What is new for all after an ordinary action: it is somebody else's turn."""
        play = state.running
        waiting = awaited(self._spec.game, play)
        players = self._turns.get(waiting)
        if players is None:
            players = self._turns[waiting] = plain(players_view(state, play.seating, waiting))
        new: dict[str, Json] = {
            "seq": state.seq,
            "at": state.at,
            "decision": {
                "id": play.decision_id,
                "since": play.decision_at,
                "awaited": list(waiting),
            },
        }
        if players is not shared["players"]:
            new["players"] = players
        return new

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
