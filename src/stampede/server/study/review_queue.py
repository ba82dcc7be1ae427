"""The queue of reviews: a few are computed at a time, the others wait and are told their place.

Each caller has one review computed at a time, so a second one waits for the first, and lets those of others go ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from stampede.server.http.problems import Problem

__all__ = [
    "AT_ONCE",
    "MAX_OF_ADDRESS",
    "MAX_OF_CALLER",
    "MAX_QUEUE",
    "QueuePlace",
    "WaitingReviews",
]

AT_ONCE: Final = 2
"""Reviews that are computed at the same time; the others wait."""
MAX_QUEUE: Final = 32
"""Reviews that may wait."""
MAX_OF_CALLER: Final = 3
"""Reviews of one caller that may wait or be computed."""
MAX_OF_ADDRESS: Final = 4
"""Reviews of one address that may wait or be computed; the other places are for others."""
RETRY_SECONDS: Final = 10


class QueuePlace(NamedTuple):
    """Where a review stands in the queue.

    Attributes:
        ahead: How many have to end before it begins.
        own: Whether one of them is of the same caller.
    """

    ahead: int
    own: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    who: str
    address: str


class WaitingReviews:
    """A queue with a few places at its front."""

    def __init__(self) -> None:
        self._order: list[_Place] = []

    def check_room(self, who: str, address: str) -> None:
        """Raises a Problem if the queue is full, or if this caller or this address has its share of it."""
        if sum(place.who == who for place in self._order) >= MAX_OF_CALLER:
            text = f"expected at most {MAX_OF_CALLER} reviews of yours at a time; wait for one"
            raise _refusal(429, "too_many_reviews", text)
        if sum(place.address == address for place in self._order) >= MAX_OF_ADDRESS:
            text = f"expected at most {MAX_OF_ADDRESS} reviews at a time for people at one address"
            raise _refusal(429, "address_busy", f"{text}; wait for one")
        if len(self._order) >= AT_ONCE + MAX_QUEUE:
            raise _refusal(503, "busy", "too many wait for a review; try again")

    @contextmanager
    def place(self, who: str, address: str) -> Iterator[Callable[[], QueuePlace]]:
        """Takes the last place; yields a function that says where it stands."""
        self.check_room(who, address)
        mine = _Place(who, address)
        self._order.append(mine)
        try:
            yield lambda: self._standing(mine)
        finally:
            self._order.remove(mine)

    def _standing(self, mine: _Place) -> QueuePlace:
        callers: dict[str, None] = {}  # those ahead: the first review of each can begin
        for place in self._order:
            if place is mine:
                break
            callers[place.who] = None
        own = mine.who in callers
        return QueuePlace(max(int(own), len(callers) - AT_ONCE + 1), own)


def _refusal(status: int, code: str, text: str) -> Problem:
    return Problem(status, code, text, {"retry_after": RETRY_SECONDS}, RETRY_SECONDS)
