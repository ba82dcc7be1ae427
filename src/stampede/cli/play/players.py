"""Who plays: people with names, and bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stampede.bots import Bot, bot_named
from stampede.cli.options import listed
from stampede.core.errors import InputError
from stampede.core.record import GameRecord, SeatInfo

__all__ = ["Player", "human_seats", "players_of", "seated", "side_seats"]


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a bot."""

    name: str
    bot: Bot | None = None

    @property
    def info(self) -> SeatInfo:
        """The player in a record."""
        if self.bot is None:
            return SeatInfo(self.name)
        return SeatInfo(self.name, "bot", self.bot.name)


def human_seats(text: str, seats: int) -> tuple[int, ...]:
    """The seats of people: ``all``, ``none``, or numbers counted from 0."""
    match text.strip().lower():
        case "all":
            return tuple(range(seats))
        case "none" | "":
            return ()
    found = []
    for word in listed(text):
        if not word.isdecimal() or not 0 <= int(word) < seats:
            raise InputError(f"human: expected seats 0 to {seats - 1}, all or none, got {word!r}")
        found.append(int(word))
    if len(set(found)) != len(found):
        raise InputError(f"human: expected different seats, got {text!r}")
    return tuple(found)


def side_seats(side: str) -> tuple[int, ...]:
    """Buffalo: the seats of people by the side that they play."""
    seats = {"buffalo": (0,), "hunter": (1,), "both": (0, 1), "none": ()}
    if side not in seats:
        raise InputError(f"side: expected {', '.join(seats)}, got {side!r}")
    return seats[side]


def seated(
    titles: Sequence[str], humans: Sequence[int], names: str, bot: str, game: str | None = None
) -> tuple[Player, ...]:
    """The players by seat; people without a name, and bots, are called by their seat's title."""
    given = [name.strip() for name in names.split(",") if name.strip()]
    if len(given) > len(humans):
        raise InputError(f"names: expected up to {len(humans)}, got {len(given)}")
    called = dict(zip(humans, given, strict=False))
    players = [
        Player(called.get(seat, title), None if seat in humans else bot_named(bot, game))
        for seat, title in enumerate(titles)
    ]
    twice = {p.name for p in players if sum(p.name == other.name for other in players) > 1}
    if twice:
        raise InputError(f"names: expected different ones, got {', '.join(sorted(twice))} twice")
    return tuple(players)


def players_of(record: GameRecord) -> tuple[Player, ...]:
    """The players of a record; InputError when one of its bots isn't known here."""
    return tuple(
        Player(seat.name, bot_named(str(seat.bot)) if seat.kind == "bot" else None)
        for seat in record.seats
    )
