"""What a viewer of a table gets: the whole view (`snapshot`), or what has changed in it (`changes_since`).

`stampede.matches.views` defines what a viewer may know. This module produces the same as JSON without building it anew
after every action: parts that an ordinary action doesn't change stay the same objects, so a change is found by
comparing identities. Tests compare every snapshot and every merged change with `view_of`.

In a game of open information all viewers share one view of the game, except for ``viewer`` and ``legal``. In a game
with hidden information each viewer has their own, and nothing of it is shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from stampede.core.events import plain
from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.lifecycle import awaited_players
from stampede.matches.state import Match, TableState
from stampede.matches.views import (
    decision_view,
    game_view,
    legal_view,
    players_view,
    table_view,
)

__all__ = ["Changes", "ViewCache"]


class Changes(NamedTuple):
    """What has changed in one viewer's view. A part that is named replaces the part that was there.

    Attributes:
        table: Parts of the table's view; the same object for every viewer.
        game: Parts of the game's view that every viewer shares; the same object for every viewer.
        own: Parts of the game's view for this viewer alone.
    """

    table: JsonObject
    game: JsonObject
    own: JsonObject

    def to_json(self) -> JsonObject:
        """The changes as one object; the game's parts stand under ``view``."""
        if not self.game and not self.own:
            return self.table
        return {**self.table, "view": {**self.game, **self.own}}


NOTHING: Final[JsonObject] = {}
_VOLATILE: Final = ("seq", "at", "players", "decision")
"""The parts of a table's view that change with an ordinary action."""


@dataclass(slots=True)
class _CachedViews:
    """What has been made of one state so far.

    Attributes:
        state: The state.
        asked: The players whose answer its game awaits.
        stable: What an ordinary action doesn't change in the table's part.
        shared: The table's part, the same for all viewers.
        games: The game's part by viewer; in a game of open information only the spectators' (None).
        table_changes: What differs in `shared` from the state before.
        game_changes: In a game of open information, what differs for all viewers in the game's part.
    """

    state: TableState
    asked: tuple[Player, ...]
    stable: JsonObject | None = None
    shared: JsonObject | None = None
    games: dict[Player | None, JsonObject | None] = field(default_factory=dict)
    table_changes: JsonObject | None = None
    game_changes: JsonObject | None = None


class ViewCache:
    """The views of one table: of its present state, and of the last state that was shown before it."""

    __slots__ = ("_before", "_now", "_players", "_spec", "_stable", "_stable_inputs")

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._stable: JsonObject = {}
        self._stable_inputs: tuple[object, ...] = ()
        self._players: dict[tuple[Player, ...], Json] = {}
        self._now: _CachedViews | None = None
        self._before: _CachedViews | None = None

    def snapshot(self, state: TableState, viewer: Player | None) -> JsonObject:
        """All that a viewer may know, as `stampede.matches.views.view_of` defines it."""
        now = self._set_current(state)
        return {**self._shared(now), "you": viewer, "view": self._game(now, viewer)}

    def changes_since(self, state: TableState, viewer: Player | None, seq: int) -> Changes | None:
        """What has changed in a viewer's view since an entry.

        Returns None when that state isn't at hand any more or its parts have other names: send a snapshot then.
        """
        now, before = self._set_current(state), self._before
        if before is None or before.state.seq != seq:
            return None
        if now.table_changes is None:
            old, new = self._shared(before), self._shared(now)
            is_stable = now.stable is before.stable  # then only these can differ
            now.table_changes = _differing(old, new, _VOLATILE if is_stable else new)
        table = now.table_changes
        match, last = state.match, before.state.match
        if match is None or match is last:
            return Changes(table, NOTHING, NOTHING)
        if last is None or last.number != match.number:  # another game: all of it is new
            return Changes(table, NOTHING, self._game(now, viewer) or NOTHING)
        if self._spec.open_information:
            if now.game_changes is None:
                now.game_changes = self._shared_game_changes(now, before, match, last)
            if now.game_changes is None:
                return None
            own: JsonObject = NOTHING
            was_asked = viewer in before.asked
            if viewer is not None and viewer in now.asked:
                legal = legal_view(self._spec, match, viewer)
                if not was_asked or legal != legal_view(self._spec, last, viewer):
                    own = {"legal": legal}
            elif was_asked:
                own = {"legal": None}
            return Changes(table, now.game_changes, own)
        seen, shown = self._game(before, viewer), self._game(now, viewer)
        if seen is None or shown is None or seen.keys() != shown.keys():
            return None
        return Changes(table, NOTHING, _differing(seen, shown, shown))

    def _shared_game_changes(
        self, now: _CachedViews, before: _CachedViews, match: Match, last: Match
    ) -> JsonObject | None:
        """What has changed for all viewers of a game of open information."""
        changes, stack = self._spec.changes, match.stack
        if changes is not None and stack and stack[-1] is last.state and match.ended_at is None:
            return changes(last.state, match.state)  # exactly one action lies between the two
        old, new = self._spectators(before), self._spectators(now)
        return _differing(old, new, new) if old.keys() == new.keys() else None

    # --- the parts ---

    def _set_current(self, state: TableState) -> _CachedViews:
        """Makes a state the present one; what was shown of the last one becomes the state before."""
        now = self._now
        if now is not None and now.state is state:
            return now
        self._before = None if now is None else _without_history(now, state)
        match = state.match
        asked = () if match is None else awaited_players(self._spec.game, match)
        self._now = _CachedViews(state, asked)
        if now is not None and now.state.match is match:
            self._now.games = now.games
        return self._now

    def _shared(self, shown: _CachedViews) -> JsonObject:
        """The table's part: what changes with every action, in the middle of what seldom does."""
        if shown.shared is None:
            state = shown.state
            waiting = shown.asked if state.in_game else ()
            shown.stable = self._stable_parts(state)
            shown.shared = {
                **shown.stable,
                "seq": state.seq,
                "at": state.at,
                "players": self._players_part(state, waiting),
                "decision": plain(decision_view(self._spec, state, waiting)),
            }
        return shown.shared

    def _stable_parts(self, state: TableState) -> JsonObject:
        """What an ordinary action doesn't change. All of it is made anew when one of its inputs is new."""
        match = state.match
        is_over = match is not None and match.ended_at is not None
        inputs = (
            state.phase,
            state.chairs,
            state.proposals,
            state.series,
            state.past,
            0 if match is None else match.number,
            is_over,
            state.host,
            state.settings,
        )
        if inputs != self._stable_inputs:
            self._stable_inputs = inputs
            self._stable = table_view(self._spec, state).to_json()
            self._players.clear()
        return self._stable

    def _players_part(self, state: TableState, waiting: tuple[Player, ...]) -> Json:
        """The players' part, which alternates with whose turn it is; with clocks it is never the same again."""
        if state.clocks is not None:
            return plain(players_view(state, waiting))
        if waiting not in self._players:
            self._players[waiting] = plain(players_view(state, waiting))
        return self._players[waiting]

    def _game(self, shown: _CachedViews, viewer: Player | None) -> JsonObject | None:
        """The game as a viewer sees it: the same as `stampede.matches.views.game_view`."""
        match = shown.state.match
        if match is None:
            return None
        if self._spec.open_information:
            watched = self._spectators(shown)
            if viewer is None:
                return watched
            legal = legal_view(self._spec, match, viewer)
            return {**watched, "viewer": match.seat_of(viewer), "legal": legal}
        if viewer not in shown.games:
            shown.games[viewer] = game_view(self._spec, match, viewer)
        return shown.games[viewer]

    def _spectators(self, shown: _CachedViews) -> JsonObject:
        """What spectators see of a game of open information."""
        watched = shown.games.get(None)
        if watched is None:
            watched = shown.games[None] = game_view(self._spec, shown.state.running, None)
        return watched


def _without_history(shown: _CachedViews, after: TableState) -> _CachedViews:
    """What was shown; once its game has ended without the states to undo to, which nobody needs any more."""
    match: Match | None = shown.state.match
    if (
        match is not None
        and match.stack
        and after.match is not None
        and after.match.ended_at is not None
    ):
        shown.state = replace(shown.state, match=replace(match, actions=(), stack=()))
    return shown


def _differing(before: JsonObject, now: JsonObject, names: Iterable[str]) -> JsonObject:
    """The parts of these names that differ."""
    return {
        name: value
        for name in names
        if (value := now[name]) is not (old := before[name]) and value != old
    }
