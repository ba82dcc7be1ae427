"""The games that tables can be opened for, with their bots and series: what the authority is handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from stampede.bots import bot_names
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.series import BothSidesSeries, LadderSeries
from stampede.buffalo.series import Series as Games
from stampede.buffalo.view import view_changes
from stampede.core.errors import RuleSetError
from stampede.core.game import Seat
from stampede.core.json import JsonObject
from stampede.games import GAMES
from stampede.matches.playable import Playable, Player, Series
from stampede.zoff.state import State

__all__ = ["PLAYABLE", "BuffaloSeries"]

FILES = "abcdefghijk"


@dataclass(frozen=True, slots=True)
class BuffaloSeries:
    """A series of Buffalo (B4), as the authority wants it."""

    games: Games

    @property
    def seating(self) -> tuple[Player, ...]:
        """By seat: who sits there in the next game."""
        return self.games.players

    @property
    def winner(self) -> Player | None:
        """Who has won the series."""
        return self.games.winner

    @property
    def chooser(self) -> Seat | None:
        """The buffalo side chooses which buffaloes to leave out (B4.2)."""
        return 0 if self._due else None

    @property
    def _due(self) -> int:
        return max(self.games.rung, 0) if isinstance(self.games, LadderSeries) else 0

    def default_choice(self) -> tuple[str, ...]:
        """The outermost files, in turns from both ends: those are the least use."""
        order = [file for pair in zip(FILES, reversed(FILES), strict=True) for file in pair]
        return tuple(sorted(dict.fromkeys(order[: self._due])))

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        """The next game's rule set."""
        rules = self.games.next_rules(choice)
        return GAMES["buffalo"].game.write_rules(rules)

    def after(self, winners: tuple[Seat, ...], /) -> BuffaloSeries:
        """The series after one more game."""
        return BuffaloSeries(self.games.after_game(winners[0]))

    def to_json(self) -> JsonObject:
        """Where the series stands: ``{"series", "winners"}``, and the ladder's ``rung``."""
        rung: JsonObject = {"rung": self.games.rung} if isinstance(self.games, LadderSeries) else {}
        return {**self.games.to_json(), **rung}


def _begin(games: Games, rules: JsonObject) -> Series:
    if GAMES["buffalo"].game.read_rules(rules) != BuffaloRules():
        raise RuleSetError("rules: expected no handicap at the start of a series, got one (B4.1)")
    return BuffaloSeries(games)


def _round_of(state: State) -> int:
    return state.round


def _levels(game: str) -> tuple[str, ...]:
    """A game's bots; the first is the one that stands in for somebody who is away: neither weak nor slow."""
    names = bot_names(game)
    usual = names[(len(names) - 1) // 2]
    return (usual, *(name for name in names if name != usual))


PLAYABLE: Final[Mapping[str, Playable]] = MappingProxyType(
    {
        "zoff": Playable(GAMES["zoff"], _levels("zoff"), round_of=_round_of),
        "buffalo": Playable(
            GAMES["buffalo"],
            _levels("buffalo"),
            series=MappingProxyType(
                {
                    "ladder": lambda rules, _: _begin(LadderSeries(), rules),
                    "both_sides": lambda rules, _: _begin(BothSidesSeries(), rules),
                }
            ),
            open_information=True,
            changes=view_changes,
        ),
    }
)
