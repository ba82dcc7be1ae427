"""Several games one after another (B4): the ladder with its handicap, and the match on both sides.

A series is a value: `after` returns the series with one more result. Both formats follow the contract of
`stampede.core.series.Series`, so a table plays them without knowing Buffalo. The two players are numbered 0 and 1;
player 0 leads the buffaloes in the first game.

Rulings where the sources are silent:

- The ladder ends nowhere by itself; the players stop when they like. At its ends it stays where it is: with one
  buffalo left (rung 10) there is none to take away, and with all eleven stepping first (rung −10) none to add.
- The match on both sides is played without handicap, and goes on until it is decided, however long that takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal, Self

from stampede.buffalo.geometry import FILES
from stampede.buffalo.pieces import BUFFALO_SEAT, HUNTER_SEAT
from stampede.buffalo.records import read_rules, write_rules
from stampede.buffalo.rules import BUFFALOES, MOST_REMOVED, BuffaloRules
from stampede.core.errors import GameOver, InputError, RuleSetError
from stampede.core.events import JsonFields
from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_object
from stampede.core.series import Player, SeriesSpec

__all__ = [
    "BOTH_SIDES",
    "BOTTOM_RUNG",
    "LADDER",
    "TOP_RUNG",
    "BothSidesSeries",
    "BothSidesStanding",
    "BuffaloSeries",
    "LadderSeries",
    "LadderStanding",
]

TOP_RUNG: Final = MOST_REMOVED
"""One buffalo against the hunter (B4.2)."""
BOTTOM_RUNG: Final = 1 - BUFFALOES
"""All eleven buffaloes step before the hunter moves (B4.3)."""


@dataclass(frozen=True, slots=True)
class LadderStanding(JsonFields):
    """Where a ladder stands (B4.1).

    Attributes:
        winners: The seat that won each game so far: 0 the buffalo side, 1 the hunter.
        rung: The handicap of the next game: so many buffaloes fewer above 0, 1 + |rung| opening steps below.
        due: How many buffaloes the buffalo side has to leave out of the next game (B4.2).
        chooser: The seat that chooses them; None when none are due.
    """

    series: Literal["ladder"] = field(default="ladder", kw_only=True)
    winners: tuple[Seat, ...]
    rung: int
    due: int
    chooser: Seat | None


@dataclass(frozen=True, slots=True)
class BothSidesStanding(JsonFields):
    """Where a match on both sides stands (B4.4).

    Attributes:
        winners: The seat that won each game so far: 0 the buffalo side, 1 the hunter.
        winner: The player who has won the match; None while it goes on.
        won: By player, the seats on which they have won a game.
        chooser: None: there is nothing to choose.
    """

    series: Literal["both_sides"] = field(default="both_sides", kw_only=True)
    winners: tuple[Seat, ...]
    winner: Player | None
    won: tuple[tuple[Seat, ...], ...]
    chooser: Seat | None = None


@dataclass(frozen=True, slots=True)
class BuffaloSeries(ABC):
    """A series of games; `LadderSeries` and `BothSidesSeries` are the two formats.

    Attributes:
        winners: The seat that won each game so far: 0 the buffalo side, 1 the hunter.
    """

    kind: ClassVar[str]
    winners: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        """Checks the results."""
        for index, seat in enumerate(self.winners):
            if seat not in (BUFFALO_SEAT, HUNTER_SEAT):
                raise InputError(f"winners[{index}]: expected seat 0 or 1, got {seat!r}")

    @property
    def game_number(self) -> int:
        """The number of the next game, counted from 1."""
        return len(self.winners) + 1

    @property
    @abstractmethod
    def seating(self) -> tuple[Player, Player]:
        """The next game's player for each seat."""

    @property
    @abstractmethod
    def winner(self) -> Player | None:
        """The player who has won the series, or None."""

    @property
    def is_over(self) -> bool:
        """Whether the series is decided."""
        return self.winner is not None

    @property
    def due(self) -> int:
        """How many buffaloes the buffalo side has to leave out of the next game (B4.2)."""
        return 0

    @property
    def chooser(self) -> Seat | None:
        """The buffalo side, when it has to choose which buffaloes to leave out (B4.2)."""
        return BUFFALO_SEAT if self.due else None

    def default_choice(self) -> tuple[str, ...]:
        """The outermost files, in turns from both ends: those are the least use."""
        order = [file for pair in zip(FILES, reversed(FILES), strict=True) for file in pair]
        return tuple(sorted(dict.fromkeys(order[: self.due])))

    @abstractmethod
    def next_rules(self, removed: Iterable[str] = ()) -> BuffaloRules:
        """The rule set of the next game; RuleSetError when the removed files aren't those due."""

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        """The rule set of the next game, as in a record; RuleSetError as for `next_rules`."""
        return write_rules(self.next_rules(choice))

    def after(self, winners: tuple[Seat, ...], /) -> Self:
        """The series after one more game, won by this seat; GameOver when it was decided before."""
        if self.is_over:
            raise GameOver(f"the series has ended: player {self.winner} has won it", "B4.4")
        return replace(self, winners=(*self.winners, *winners))

    @abstractmethod
    def standing(self) -> LadderStanding | BothSidesStanding:
        """The series as viewers see it."""

    def to_json(self) -> JsonObject:
        """The series as ``{"series", "winners"}``."""
        return {"series": self.kind, "winners": list(self.winners)}

    @staticmethod
    def from_json(data: Json) -> BuffaloSeries:
        """Reads what `to_json` wrote; InputError when it can't be."""
        values = expect_object(data, "series")
        kinds: dict[Json, type[BuffaloSeries]] = {
            series.kind: series for series in (LadderSeries, BothSidesSeries)
        }
        kind = values.get("series")
        if not isinstance(kind, str) or kind not in kinds:
            raise InputError(f'series: expected "ladder" or "both_sides", got {kind!r}')
        seats = expect_list(values.get("winners"), "winners")
        winners = (expect_int(seat, f"winners[{index}]") for index, seat in enumerate(seats))
        return kinds[kind](tuple(winners))


@dataclass(frozen=True, slots=True)
class LadderSeries(BuffaloSeries):
    """The ladder (B4.1): roles stay, and each result moves the handicap one rung."""

    kind: ClassVar[str] = "ladder"

    @property
    def rung(self) -> int:
        """The handicap h: h buffaloes fewer above 0, 1 + |h| opening steps below."""
        rung = 0
        for winner in self.winners:
            step = 1 if winner == BUFFALO_SEAT else -1
            rung = max(BOTTOM_RUNG, min(TOP_RUNG, rung + step))
        return rung

    @property
    def seating(self) -> tuple[Player, Player]:
        """Roles stay: player 0 leads the buffaloes."""
        return (0, 1)

    @property
    def winner(self) -> Player | None:
        """None: a ladder shows how strong two players are, and ends when they like."""
        return None

    @property
    def due(self) -> int:
        """How many buffaloes the buffalo side has to leave out of the next game (B4.2)."""
        return max(self.rung, 0)

    def next_rules(self, removed: Iterable[str] = ()) -> BuffaloRules:
        """The rule set of the next game, with the files that the buffalo side chose to remove (B4.2)."""
        chosen = tuple(removed)
        if len(chosen) != self.due:
            raise RuleSetError(
                f"expected {self.due} buffaloes to be removed on rung {self.rung} (B4.2), got {len(chosen)}"
            )
        return BuffaloRules(chosen, 1 + max(-self.rung, 0))

    def standing(self) -> LadderStanding:
        """The series as viewers see it."""
        return LadderStanding(self.winners, self.rung, self.due, self.chooser)


@dataclass(frozen=True, slots=True)
class BothSidesSeries(BuffaloSeries):
    """The match on both sides (B4.4): roles swap, and a win on each side takes it."""

    kind: ClassVar[str] = "both_sides"

    def __post_init__(self) -> None:
        """Checks the results: there is none after the decision."""
        BuffaloSeries.__post_init__(self)
        if _find_winner(self.winners[:-1]) is not None:
            raise InputError(f"winners: expected the decision last (B4.4), got {self.winners}")

    @property
    def seating(self) -> tuple[Player, Player]:
        """Roles swap after every game."""
        return _seating_after(len(self.winners))

    @property
    def wins(self) -> frozenset[tuple[Player, Seat]]:
        """Which player has won a game on which side."""
        return _wins(self.winners)

    @property
    def winner(self) -> Player | None:
        """The first player who has won a game on each side."""
        return _find_winner(self.winners)

    def next_rules(self, removed: Iterable[str] = ()) -> BuffaloRules:
        """The rule set of the next game: no handicap."""
        if chosen := tuple(removed):
            raise RuleSetError(f"expected no buffalo to be removed (B4.4), got {', '.join(chosen)}")
        return BuffaloRules()

    def standing(self) -> BothSidesStanding:
        """The series as viewers see it."""
        won = tuple(
            tuple(sorted(seat for who, seat in self.wins if who == player)) for player in (0, 1)
        )
        return BothSidesStanding(self.winners, self.winner, won)


def _seating_after(games: int) -> tuple[Player, Player]:
    """The player for each seat after this many games."""
    return (0, 1) if games % 2 == 0 else (1, 0)


def _wins(winners: tuple[Seat, ...]) -> frozenset[tuple[Player, Seat]]:
    return frozenset((_seating_after(game)[seat], seat) for game, seat in enumerate(winners))


def _find_winner(winners: tuple[Seat, ...]) -> Player | None:
    wins = _wins(winners)
    for player in (0, 1):
        if {(player, BUFFALO_SEAT), (player, HUNTER_SEAT)} <= wins:
            return player
    return None


def _check_start(rules: JsonObject) -> None:
    if read_rules(rules) != BuffaloRules():
        raise RuleSetError("rules: expected no handicap at the start of a series, got one (B4.1)")


def _begin_ladder(rules: JsonObject, players: int) -> LadderSeries:
    del players
    _check_start(rules)
    return LadderSeries()


def _begin_both_sides(rules: JsonObject, players: int) -> BothSidesSeries:
    del players
    _check_start(rules)
    return BothSidesSeries()


LADDER: Final = SeriesSpec(
    "ladder",
    "Ladder with handicap",
    _begin_ladder,
    handicap=True,
    choice="removed",
    standing_type=LadderStanding,
)
BOTH_SIDES: Final = SeriesSpec(
    "both_sides",
    "Match on both sides",
    _begin_both_sides,
    swaps_seats=True,
    standing_type=BothSidesStanding,
)
