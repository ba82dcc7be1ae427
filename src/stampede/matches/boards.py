"""The game's part of what viewers are shown: the game now, and what is new in it since the state before.

Where something is hidden every viewer has a view of his own. Where nothing ever is, all see the same but for what they
may do, so that one view serves them all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from stampede.core.json import JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.state import Play
from stampede.matches.views import game_view, is_asked, legal_json

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

    def common_news(self) -> JsonObject | None:
        """The part of `news` that all viewers share; None when there is no such part. `own_news` has the rest."""
        return None

    def own_news(self, viewer: Player | None) -> JsonObject | None:  # noqa: ARG002 - of boards that know it
        """What is new for this viewer beside `common_news`; None as for `news`."""
        return None


def board_of(spec: GameSpec) -> Board:
    """The board for a game."""
    return _OpenBoard(spec) if spec.open_information else _SecretBoard(spec)


def difference(before: JsonObject, now: JsonObject) -> JsonObject:
    """The parts that are new, by name; both have the same names."""
    return {
        name: value
        for name, value in now.items()
        if value is not (old := before[name]) and value != old
    }


class _SecretBoard(Board):
    """A view for each pair of eyes."""

    __slots__ = ("_before", "_play", "_shown", "_spec")

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
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
            self._shown[viewer] = None if play is None else game_view(self._spec, play, viewer)
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
    """One view for all, and what each may do: that is long, and soon out of date, so it isn't kept."""

    __slots__ = (
        "_before",
        "_last",
        "_new",
        "_play",
        "_seen",
        "_seen_before",
        "_spec",
        "_watched",
    )

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._play: Play | None = None
        self._last: Play | None = None
        # What spectators see of these two, as far as somebody has asked; and what is new for all.
        self._watched: JsonObject | None = None
        self._before: JsonObject | None = None
        self._new: JsonObject | None = None
        # To whom these two were shown.
        self._seen: set[Player | None] = set()
        self._seen_before: set[Player | None] = set()

    def turn_to(self, play: Play | None) -> None:
        self._last, self._play = self._play, play
        self._before, self._seen_before = self._watched, self._seen
        self._new = None
        if play is self._last:
            self._seen = set(self._seen)
        else:
            self._watched, self._seen = None, set()
            if self._last is not None and play is not None and play.ended_at is not None:
                # Nothing can be taken back any more: all the states before needn't be kept.
                self._last = replace(self._last, told=(), stack=())

    def view(self, viewer: Player | None) -> JsonObject | None:
        self._seen.add(viewer)
        play = self._play
        if play is None:
            return None
        watched = self._watch(play)
        if viewer is None:
            return watched
        legal = legal_json(self._spec, play, viewer)
        return {**watched, "viewer": play.seat_of(viewer), "legal": legal}

    def news(self, viewer: Player | None) -> JsonObject | None:
        if viewer not in self._seen_before:
            return None
        play, last = self._play, self._last
        if play is last or play is None:
            self._seen.add(viewer)
            return {}
        if last is None or last.number != play.number:
            return self.view(viewer)  # seats may have changed: all of it is new
        new, own = self.common_news(), self.own_news(viewer)
        return None if new is None or own is None else {**new, **own}

    def common_news(self) -> JsonObject | None:
        if self._new is None:
            play, last = self._play, self._last
            if play is None or last is None or play is last or last.number != play.number:
                return None
            self._new = self._difference(last, play)
        return self._new

    def own_news(self, viewer: Player | None) -> JsonObject | None:
        play, last = self._play, self._last
        if viewer not in self._seen_before or play is None or last is None:
            return None
        self._seen.add(viewer)
        if viewer is None:
            return {}
        legal = legal_json(self._spec, play, viewer)
        if not is_asked(self._spec, last, viewer):
            return {} if legal is None else {"legal": legal}
        same = legal is not None and legal == legal_json(self._spec, last, viewer)
        return {} if same else {"legal": legal}

    def _difference(self, last: Play, play: Play) -> JsonObject | None:
        """What is new for all; None when that can't be told by naming it."""
        changes, stack = self._spec.changes, play.stack
        if changes is not None and stack and stack[-1] is last.state and play.ended_at is None:
            return changes(last.state, play.state)
        before = self._before or game_view(self._spec, last, None)
        watched = self._watch(play)
        if watched.keys() != before.keys():
            return None
        return difference(before, watched)

    def _watch(self, play: Play) -> JsonObject:
        """What spectators see."""
        if self._watched is None:
            self._watched = game_view(self._spec, play, None)
        return self._watched
