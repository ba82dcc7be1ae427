"""The game's part of what viewers are shown: the game now, and what is new in it since the state before.

Where something is hidden every viewer has a view of his own. Where nothing ever is, all see the same but for what they
may do, so that one view serves them all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from stampede.core.json import Json, JsonObject
from stampede.matches.playable import Playable, Player
from stampede.matches.state import Play
from stampede.matches.views import game_view, legal_json

__all__ = ["Board", "board_of", "difference"]


class Board(ABC):
    """A game as its viewers see it: of the present state, and of the one before."""

    @abstractmethod
    def turn_to(self, play: Play | None) -> None:
        """Shows another state from now on, and keeps what was shown of the last one."""

    @abstractmethod
    def view(self, viewer: Player | None) -> JsonObject | None:
        """The game as a viewer sees it: what `stampede.matches.views.game_view` says; None without a game."""

    @abstractmethod
    def news(self, viewer: Player | None) -> JsonObject | None:
        """The parts of `view` that are new since the state before.

        None when the viewer wasn't shown that one, or when it can't be told by naming what is new.
        """


def board_of(playable: Playable) -> Board:
    """The board for a game."""
    return _OpenBoard(playable) if playable.open_information else _SecretBoard(playable)


def difference(before: JsonObject, now: JsonObject) -> JsonObject:
    """The parts that are new, by name; both have the same names."""
    return {
        name: value
        for name, value in now.items()
        if value is not (old := before[name]) and value != old
    }


class _SecretBoard(Board):
    """A view for each pair of eyes."""

    __slots__ = ("_before", "_play", "_playable", "_shown")

    def __init__(self, playable: Playable) -> None:
        self._playable = playable
        self._play: Play | None = None
        self._shown: dict[Player | None, JsonObject | None] = {}
        self._before: dict[Player | None, JsonObject | None] = {}

    def turn_to(self, play: Play | None) -> None:
        self._before = self._shown
        self._shown = dict(self._shown) if play is self._play else {}
        self._play = play

    def view(self, viewer: Player | None) -> JsonObject | None:
        if viewer not in self._shown:
            play = self._play
            self._shown[viewer] = None if play is None else game_view(self._playable, play, viewer)
        return self._shown[viewer]

    def news(self, viewer: Player | None) -> JsonObject | None:
        if viewer not in self._before:
            return None
        old, now = self._before[viewer], self.view(viewer)
        if now is old or now is None:
            return {}
        if old is None:
            return now
        return difference(old, now) if old.keys() == now.keys() else None


class _OpenBoard(Board):
    """One view for all, and what each may do."""

    __slots__ = (
        "_before",
        "_legal",
        "_new",
        "_old_legal",
        "_play",
        "_playable",
        "_same",
        "_watched",
    )

    def __init__(self, playable: Playable) -> None:
        self._playable = playable
        self._play: Play | None = None
        self._same = False
        self._watched: JsonObject | None = None
        self._before: JsonObject | None = None
        self._new: JsonObject | None = None
        # By the viewers to whom the state was shown.
        self._legal: dict[Player | None, Json] = {}
        self._old_legal: dict[Player | None, Json] = {}

    def turn_to(self, play: Play | None) -> None:
        last, self._play = self._play, play
        self._before, self._old_legal = self._watched, self._legal
        self._same = play is last
        self._new = None
        if self._same:
            self._legal = dict(self._legal)
            return
        if last is None or play is None or last.number != play.number:
            self._before = None  # seats may have changed: all of it is new
        self._watched, self._legal = None, {}

    def view(self, viewer: Player | None) -> JsonObject | None:
        play, legal = self._play, self._legal_for(viewer)
        if play is None or viewer is None:
            return self._watched
        return {**self._watch(play), "viewer": play.seat_of(viewer), "legal": legal}

    def news(self, viewer: Player | None) -> JsonObject | None:
        if viewer not in self._old_legal:
            return None
        play = self._play
        if self._same or play is None:
            return {}
        legal = self._legal_for(viewer)
        if self._before is None:
            return self.view(viewer)
        if self._new is None:
            watched = self._watch(play)
            if watched.keys() != self._before.keys():
                return None
            self._new = {**difference(self._before, watched)}
            self._new.pop("legal", None)
        if legal == self._old_legal[viewer]:
            return self._new
        return {**self._new, "legal": legal}

    def _watch(self, play: Play) -> JsonObject:
        """What spectators see."""
        if self._watched is None:
            self._watched = game_view(self._playable, play, None)
        return self._watched

    def _legal_for(self, viewer: Player | None) -> Json:
        """What a viewer may do."""
        if viewer in self._legal:
            return self._legal[viewer]
        play, legal = self._play, None
        if play is not None:
            watched = self._watch(play)["legal"]
            legal = watched if viewer is None else legal_json(self._playable, play, viewer, watched)
        self._legal[viewer] = legal
        return legal
