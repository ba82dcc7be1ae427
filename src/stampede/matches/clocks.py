"""Clocks as values: how much time each player has left, and since when it runs. Pure arithmetic on milliseconds."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Final

from stampede.core.series import Player

__all__ = ["RETURN_GRACE_MS", "Clocks"]

RETURN_GRACE_MS: Final = 10_000
"""Whoever comes back when his time is up has at least this long."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """All players' clocks.

    Attributes:
        left: Milliseconds left, by player, at the moment when the clock was last started or stopped.
        since: When it was started, by player; None while it stands.
        round: The game's round for which the time was given.
    """

    left: tuple[int, ...]
    since: tuple[int | None, ...]
    round: int = 0

    @classmethod
    def fresh(cls, players: int, limit: int, game_round: int = 0) -> Clocks:
        """Full clocks that stand."""
        return cls((limit,) * players, (None,) * players, game_round)

    def stopped(self, at: int) -> Clocks:
        """All clocks stand; what has run since is gone."""
        left = tuple(
            amount if since is None else max(0, amount - max(0, at - since))
            for amount, since in zip(self.left, self.since, strict=True)
        )
        return replace(self, left=left, since=(None,) * len(left))

    def started(self, players: Container[Player], at: int) -> Clocks:
        """These players' clocks run; all stood before."""
        return replace(
            self,
            since=tuple(at if player in players else None for player in range(len(self.left))),
        )

    def at_least(self, player: Player, amount: int) -> Clocks:
        """One player has no less than this."""
        left = list(self.left)
        left[player] = max(left[player], amount)
        return replace(self, left=tuple(left))

    def standing_since(self, since: int, until: int) -> Clocks:
        """Nothing has run between these two moments: the server was down."""
        return replace(
            self,
            since=tuple(
                None if start is None else start + max(0, until - max(since, start))
                for start in self.since
            ),
        )

    def run_out(self, now: int) -> tuple[Player, ...]:
        """The players whose time is up."""
        return tuple(player for player, end in self._ends() if end <= now)

    @property
    def deadline(self) -> int | None:
        """When the next clock runs out; None when none runs."""
        return min((end for _, end in self._ends()), default=None)

    def _ends(self) -> list[tuple[Player, int]]:
        return [
            (player, since + left)
            for player, (left, since) in enumerate(zip(self.left, self.since, strict=True))
            if since is not None
        ]
