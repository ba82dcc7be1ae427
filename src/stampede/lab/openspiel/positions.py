"""Positions as bytes, read and played in one vector environment with a single game: what OpenSpiel's states share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.lab.vector import BuffaloVec, VectorGames, ZoffVec
from stampede.zoff.setup import Deal, cards_each

__all__ = ["BuffaloPositions", "ZoffPositions"]


class Positions:
    """A game whose positions are bytes that never change; it holds the last one that was looked at.

    Args:
        games: A vector environment with one game and without autoreset.
    """

    def __init__(self, games: VectorGames) -> None:
        self.games = games
        self._held: bytes | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Positions:
        """Copied states share it."""
        return self

    # --- chance ---

    def outcomes(self, drawn: tuple[int, ...]) -> list[int]:
        """What chance may draw next; nothing when all is dealt."""
        del drawn
        return []

    def begin(self, drawn: tuple[int, ...]) -> bytes:
        """The position after the deal."""
        del drawn
        self.games.reset()
        return self._keep()

    def known(self, drawn: tuple[int, ...], seat: Seat, *, begun: bool) -> tuple[int, ...]:
        """What a seat knows of what chance has drawn; `begun` says whether the first answers are shown."""
        del seat, begun
        return drawn

    # --- positions ---

    def _keep(self) -> bytes:
        self._held = self.games.save(0)
        return self._held

    def _look(self, position: bytes) -> None:
        if self._held is not position:
            self.games.restore(0, position)
            self._held = position

    def asked(self, position: bytes) -> tuple[Seat, ...]:
        """The seats that are asked; none when the game is over."""
        self._look(position)
        return tuple(np.flatnonzero(self.games.acting[0]).tolist())

    def legal(self, position: bytes, seat: Seat) -> list[int]:
        """The atoms that a seat may give."""
        self._look(position)
        found: list[int] = np.flatnonzero(self.games.action_mask[0, seat]).tolist()
        return found

    def observe(self, position: bytes, seat: Seat) -> npt.NDArray[np.int8]:
        """What a seat observes."""
        self._look(position)
        return self.games.seat_observation(0, seat)

    def remember(self, position: bytes, seat: Seat) -> npt.NDArray[np.int8]:
        """What a seat observes that has forgotten nothing."""
        return self.observe(position, seat)

    def play(
        self, position: bytes, atoms: Mapping[Seat, int]
    ) -> tuple[bytes, list[float] | None, bool]:
        """Gives the atoms of all seats that are asked.

        Returns:
            The position after it, the shares of the victory if the game is over, and whether anything is still hidden.
        """
        self._look(position)
        self._held = None
        given = np.full((1, self.games.players), self.games.nothing, dtype=np.int16)
        for seat, atom in atoms.items():
            given[0, seat] = atom
        _, reward, terminated, _, _ = self.games.step(given)
        shares: list[float] | None = reward[0].tolist() if terminated[0] else None
        half = self.games.observation.get("half")
        return self._keep(), shares, half is not None and bool(half[0])


class BuffaloPositions(Positions):
    """Buffalo: nothing is dealt or hidden."""

    games: BuffaloVec


class ZoffPositions(Positions):
    """Zoff: chance deals the pastures of the preliminary cows and, before an auction, the order of ties."""

    games: ZoffVec

    def __init__(self, games: ZoffVec) -> None:
        super().__init__(games)
        self._remembering = ZoffVec(
            1, games.players, games.rules, autoreset="disabled", memory="perfect"
        )

    def remember(self, position: bytes, seat: Seat) -> npt.NDArray[np.int8]:
        """What a seat observes that has forgotten no card."""
        self._remembering.restore(0, position)
        return self._remembering.seat_observation(0, seat)

    @property
    def _cards(self) -> int:
        return self.games.players * cards_each(self.games.rules)

    def outcomes(self, drawn: tuple[int, ...]) -> list[int]:
        """A pasture that isn't dealt yet, then a seat that isn't in order yet."""
        cards, players = self._cards, self.games.players
        if len(drawn) < cards:
            return [p for p in range(len(self.games.pasture_names)) if p not in drawn]
        if self.games.rules.auction and len(drawn) < cards + players:
            return [seat for seat in range(players) if seat not in drawn[cards:]]
        return []

    def begin(self, drawn: tuple[int, ...]) -> bytes:
        """The position after the deal."""
        games, share = self.games, cards_each(self.games.rules)
        names = [games.pasture_names[index] for index in drawn[: self._cards]]
        order = drawn[self._cards :] or tuple(range(games.players))
        pastures = tuple(
            (group, tuple(names[index * share : (index + 1) * share]))
            for index, group in enumerate(games.groups)
        )
        games.start(0, Deal(pastures, None if games.rules.auction else games.groups, order))
        return self._keep()

    def known(self, drawn: tuple[int, ...], seat: Seat, *, begun: bool) -> tuple[int, ...]:
        """All see the preliminary cows; of two players each knows its own pastures, until both have settled."""
        if self.games.players > 2 or begun:
            return drawn[: self._cards]
        share = cards_each(self.games.rules)
        return drawn[seat * share : (seat + 1) * share]
