"""What was played: bouts and games as typed values, read from the JSON that jobs keep."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_object, expect_str

__all__ = ["PlayedBout", "TournamentGame"]


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """One game of a bout.

    Attributes:
        seats: The players by seat.
        shares: By seat, the share of the victory.
        places: The players by place; those of an equal place together.
        reason: How it ended.
        faults: Players that failed, each with the reason.
        decisions: How many decisions were made.
        record: The game's record.
    """

    seats: tuple[str, ...]
    shares: tuple[float, ...]
    places: tuple[tuple[str, ...], ...]
    reason: str
    faults: tuple[tuple[str, str], ...]
    decisions: int
    record: JsonObject

    def won_by(self, name: str) -> float:
        """A player's share of the victory, all its chairs together."""
        return sum(s for seat, s in zip(self.seats, self.shares, strict=True) if seat == name)

    @classmethod
    def read(cls, value: Json) -> TournamentGame:
        """Reads a game."""
        data = expect_object(value, "game")
        seats = _texts(data["seats"])
        places = [expect_list(place, "place") for place in expect_list(data["places"], "places")]
        return cls(
            seats,
            tuple(_share(share) for share in expect_list(data["shares"], "shares")),
            tuple(tuple(seats[expect_int(seat, "seat")] for seat in place) for place in places),
            expect_str(data["reason"], "reason"),
            tuple(_fault(fault) for fault in expect_list(data["faults"], "faults")),
            expect_int(data["decisions"], "decisions"),
            expect_object(data["record"], "record"),
        )


@dataclass(frozen=True, slots=True)
class PlayedBout:
    """A bout that was played.

    Attributes:
        lineup: The players.
        start: The number of the deal or opening.
        games: A game for each rotation of the seats.
    """

    lineup: tuple[str, ...]
    start: int
    games: tuple[TournamentGame, ...]

    def won_by(self, name: str) -> float:
        """What a player won in all games of the bout."""
        return sum(game.won_by(name) for game in self.games)

    @classmethod
    def read(cls, value: Json) -> PlayedBout:
        """Reads a bout."""
        data = expect_object(value, "bout")
        games = tuple(TournamentGame.read(game) for game in expect_list(data["games"], "games"))
        return cls(_texts(data["lineup"]), expect_int(data["start"], "start"), games)


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(expect_str(name, "name") for name in expect_list(value, "names"))


def _fault(value: Json) -> tuple[str, str]:
    name, why = _texts(value)
    return name, why


def _share(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"shares: expected numbers, got {value!r}")
    return float(value)
