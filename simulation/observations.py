"""What clients have received: everything that the invariants compare with the log."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from simulation.world import World

__all__ = ["AckSeen", "BodySeen", "Identity", "Observations", "ViewSeen"]

SECRET_SHAPES: Final = re.compile(rb"[0-9a-f]{64}|[ga][0-9a-f]{32}|[A-Za-z0-9_-]{32}")
"""What table secrets and digests, ids of guests and accounts, and tokens look like."""


class Identity(NamedTuple):
    """Who a client was for the server when it asked.

    Attributes:
        guest: The guest's id; None for one without a cookie, or for an account.
        account: The account's name; None for a guest.
        token: The token that it showed.
    """

    guest: str | None
    account: str | None
    token: str | None


@dataclass(slots=True)
class ViewSeen:
    """A view that a client was shown, or has merged from changes; `live` if its viewer was there when it happened."""

    table: str
    identity: Identity
    player: int | None
    seq: int
    view: Any
    messages: list[Any] | None
    raw: bytes
    at: float
    link: int
    live: bool = False


@dataclass(slots=True)
class AckSeen:
    """An acknowledgement that a client has received."""

    table: str
    identity: Identity
    key: str
    seq: int
    command: Any
    at: float


@dataclass(slots=True)
class BodySeen:
    """The body of a response about a table: its events, its record, its chat, what is wrong with a request."""

    identity: Identity
    path: str
    raw: bytes
    at: float


@dataclass(slots=True)
class Observations:
    """All that clients have received.

    Attributes:
        views: By table: views, in the order of their arrival.
        acks: By table: acknowledgements.
        bodies: By table: bodies of responses.
        owners: Who may know a secret text: the people's numbers; None for nobody.
    """

    world: World
    views: dict[str, list[ViewSeen]] = field(default_factory=lambda: defaultdict(list))
    acks: dict[str, list[AckSeen]] = field(default_factory=lambda: defaultdict(list))
    bodies: dict[str, list[BodySeen]] = field(default_factory=lambda: defaultdict(list))
    owners: dict[bytes, set[int] | None] = field(default_factory=dict)

    def add_secret(self, text: str, *people: int) -> None:
        """Remembers a secret and the people who may know it."""
        known = self.owners.setdefault(text.encode(), set())
        if known is not None:
            known.update(people)

    def search(self, person: int, name: str, data: bytes) -> None:
        """Looks for secrets of others in what a person has received."""
        for found in SECRET_SHAPES.findall(data):
            owners = self.owners.get(found)
            if owners is not None and person not in owners:
                self.world.violate(f"{name} was sent a secret of others: {found[:8].decode()}…")
