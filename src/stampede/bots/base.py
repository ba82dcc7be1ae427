"""What a bot is: it chooses among a seat's legal actions, and knows nothing but that seat's view."""

from __future__ import annotations

import random
from typing import Protocol, TypeVar

from stampede.core.game import Game, LegalActions, Seat
from stampede.core.json import JsonObject

__all__ = ["Bot", "PlayerView", "seen_by"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")
A_co = TypeVar("A_co", covariant=True)


class PlayerView(Protocol[A_co]):
    """What every game's view offers to a player: the legal actions of the viewer, and the view as JSON."""

    @property
    def legal(self) -> LegalActions[A_co]:
        """What the viewer may do now; empty when nothing."""

    def to_json(self) -> JsonObject:
        """The view as plain JSON."""


class Bot(Protocol):
    """A player that is a program.

    A bot keeps nothing between calls: the same view and generator state give the same answer. So games can be replayed,
    resumed and spread over processes.
    """

    @property
    def name(self) -> str:
        """Its name on the command line and in records (``"bot"`` of a seat)."""

    def choose(self, view: PlayerView[A], rng: random.Random) -> A:
        """One of ``view.legal``; called only when the viewer is to act."""


def seen_by(game: Game[R, S, A, D], state: S, seat: Seat) -> PlayerView[A]:
    """The seat's view as bots get it."""
    return game.view(state, seat)
