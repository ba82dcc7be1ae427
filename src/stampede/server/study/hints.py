"""Hints in games that hide something: what a coach would consider, from what the asking seat may know.

Games without secrets are analysed instead (`stampede.server.study.analysis`). A hint is for the only person at an
unrated table: rated games and games between people get none. The search is given the seat's view, as bots are, so it
can't tell what the others have sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from stampede.core.events import Event
from stampede.core.game import View
from stampede.core.json import Json, JsonObject
from stampede.matches.callers import Caller
from stampede.matches.lifecycle import awaited_players
from stampede.matches.state import Phase
from stampede.matches.table import Table
from stampede.server.http.problems import Problem
from stampede.server.study.analysis import check_hint_allowed
from stampede.zoff import ZoffGame
from stampede.zoff.view import ZoffView

__all__ = ["HintQuestion", "ask_for_hint"]


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """A decision for which a hint is wanted.

    Attributes:
        game: The game's name.
        decision: The decision's id.
        state: The game's state, for `fair_play` alone.
        view: What the asking seat may know now.
        events: What everyone at the table saw when it happened.
    """

    game: str
    decision: str
    state: object
    view: View[Any]
    events: tuple[Event, ...]

    def answer(self) -> Json:
        """Searches, for about a second, and returns the hint as JSON."""
        return {"decision": self.decision, **_HINTS[self.game](self.view, self.events)}


def ask_for_hint(table: Table, caller: Caller) -> HintQuestion:
    """The decision that the caller has to take now; raises a Problem if they may have no hint, or need none."""
    spec, state = table.spec, table.state
    if spec.name not in _HINTS:
        known = " or ".join(_HINTS)
        raise Problem(422, "invalid", f"table: expected a game of {known}, got {spec.name}")
    check_hint_allowed(table, caller)
    own = table.players_of(caller)
    awaited = awaited_players(spec.game, state.running) if state.phase is Phase.PLAYING else ()
    player = next((player for player in awaited if player in own), None)
    if player is None:
        raise Problem(409, "wrong_phase", "expected a decision of yours, but nothing is asked")
    match = state.running
    view = table.seat_view(player)
    return HintQuestion(spec.name, match.decision_id, match.state, view, tuple(match.events))


def _hint_zoff(view: View[Any], events: Sequence[Event]) -> JsonObject:
    from stampede.bots.zoff.hints import find_hint  # noqa: PLC0415 - loads compiled code

    found = find_hint(cast("ZoffView", view), events)
    return {"candidates": [candidate.to_json() for candidate in found]}


_FindHint: TypeAlias = Callable[[View[Any], Sequence[Event]], JsonObject]
_HINTS: Final[Mapping[str, _FindHint]] = MappingProxyType({ZoffGame.name: _hint_zoff})
"""The hint for a seat's view, by game."""
