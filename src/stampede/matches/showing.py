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
from stampede.matches.playable import Playable, Player
from stampede.matches.state import Play, TableState
from stampede.matches.views import TableView, game_view, shared_view

__all__ = ["Showing"]

T = TypeVar("T")

_TYPED: Final = ("players", "decision", "proposals", "results")
"""The parts of a table's view that aren't JSON already."""


class Showing:
    """The views of one table."""

    __slots__ = ("_before", "_common", "_games", "_json", "_parts", "_playable", "_state", "_views")

    def __init__(self, playable: Playable) -> None:
        self._playable = playable
        self._parts: dict[str, tuple[tuple[object, ...], object]] = {}
        self._state: TableState | None = None
        self._common: TableView | None = None
        self._games: dict[Player | None, tuple[Play, JsonObject]] = {}
        self._json: dict[str, Json] = {}
        self._views: dict[Player | None, JsonObject] = {}
        self._before: tuple[int, dict[Player | None, JsonObject]] = (0, {})

    def shared(self, state: TableState) -> TableView:
        """What all viewers may know alike."""
        self._turn_to(state)
        if self._common is None:
            self._common = shared_view(self._playable, state, self._keep)
        return self._common

    def view(self, state: TableState, viewer: Player | None) -> JsonObject:
        """All that a viewer may know: the same as `stampede.matches.views.view_of` says."""
        self._turn_to(state)
        found = self._views.get(viewer)
        if found is None:
            game = None if state.play is None else self._game(state.play, viewer)
            found = {**self._shared_json(state), "you": viewer, "view": game}
            self._views[viewer] = found
        return found

    def _game(self, play: Play, viewer: Player | None) -> JsonObject:
        kept = self._games.get(viewer)
        if kept is None or kept[0] is not play:
            kept = self._games[viewer] = (play, game_view(self._playable, play, viewer))
        return kept[1]

    def changes(self, state: TableState, viewer: Player | None, since: int) -> JsonObject | None:
        """What is new in a viewer's view since an entry, the game's part only where it is new.

        None when that isn't known any more, or can't be told by naming what is new: then the whole view is to be told.
        """
        now = self.view(state, viewer)
        seq, views = self._before
        before = views.get(viewer)
        if before is None or seq != since:
            return None
        found = _new(before, now)
        old, new = before["view"], now["view"]
        if "view" in found and isinstance(old, dict) and isinstance(new, dict):
            if old.keys() != new.keys():
                return None
            found["view"] = _new(old, new)
        return found

    def _turn_to(self, state: TableState) -> None:
        if self._state is not state:
            if self._state is not None:
                self._before = (self._state.seq, self._views)
            self._state, self._common, self._json, self._views = state, None, {}, {}

    def _shared_json(self, state: TableState) -> dict[str, Json]:
        if not self._json:
            view = self.shared(state)
            waiting = None if view.decision is None else view.decision.awaited
            self._json = {name: getattr(view, name) for name in TableView.__match_args__}
            for name in _TYPED:
                part = getattr(view, name)
                kept = f"{name} {waiting}" if name == "players" else name
                self._json[name] = self._keep(f"{kept} in JSON", (part,), partial(plain, part))
        return self._json

    def _keep(self, name: str, made_from: tuple[object, ...], make: Callable[[], T]) -> T:
        """The part that was made from the same things, or a new one."""
        kept = self._parts.get(name)
        if kept is None or kept[0] != made_from:
            kept = self._parts[name] = (made_from, make())
        return cast("T", kept[1])


def _new(before: JsonObject, now: JsonObject) -> dict[str, Json]:
    return {
        name: value
        for name, value in now.items()
        if value is not (old := before[name]) and value != old
    }
