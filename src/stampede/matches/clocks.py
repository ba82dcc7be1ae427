"""The clocks of a table's players, as a value: arithmetic on milliseconds. The fold says when they run."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import Final

from stampede.core.series import Player

__all__ = ["MOST_GRACE_MS", "RETURN_GRACE_MS", "START_GRACE_MS", "Clocks"]

RETURN_GRACE_MS: Final = 10_000
"""The least time that a player has who comes back after their clock ran out."""
START_GRACE_MS: Final = 5_000
"""How long clocks wait at the beginning of a game, until the players have seen the board."""
MOST_GRACE_MS: Final = 30_000
"""How long clocks wait at most while a round is told."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """All players' clocks.

    Attributes:
        left: Milliseconds left, by player, at the moment when the clock was last started or stopped.
        since: From when it runs, by player; None while it doesn't. During the grace it lies ahead.
        round: The game's round for which the time was given.
        grace: What was left of the grace at that moment: clocks run only after it.
        started: When the clocks were last started; None while they stand.
        asked: The players whose clock was started for the present decision.
    """

    left: tuple[int, ...]
    since: tuple[int | None, ...]
    round: int = 0
    grace: int = 0
    started: int | None = None
    asked: frozenset[Player] = frozenset()

    @classmethod
    def full(cls, players: int, limit: int, game_round: int = 0, grace: int = 0) -> Clocks:
        """Full clocks, not running."""
        return cls((limit,) * players, (None,) * players, game_round, grace)

    def stop(self, at: int) -> Clocks:
        """The clocks, stopped; the time that has run is used up, and so is the grace."""
        left = tuple(
            amount if since is None else max(0, amount - max(0, at - since))
            for amount, since in zip(self.left, self.since, strict=True)
        )
        passed = 0 if self.started is None else max(0, at - self.started)
        grace = max(0, self.grace - passed)
        return replace(self, left=left, since=(None,) * len(left), grace=grace, started=None)

    def start(self, players: Container[Player], at: int) -> Clocks:
        """The clocks, running for these players once the grace is over; none ran before."""
        running = frozenset(player for player in range(len(self.left)) if player in players)
        since = tuple(
            at + self.grace if player in running else None for player in range(len(self.left))
        )
        return replace(self, since=since, started=at, asked=self.asked | running)

    def next_decision(self, grace: int, increment: int) -> Clocks:
        """The clocks, stopped, for the next decision: those who were asked get the increment, all the grace."""
        left = tuple(
            amount + increment if player in self.asked else amount
            for player, amount in enumerate(self.left)
        )
        most = min(self.grace + grace, MOST_GRACE_MS)
        return replace(self, left=left, grace=most, asked=frozenset())

    def ensure(self, player: Player, amount: int) -> Clocks:
        """The clocks, with at least this much left for one player."""
        left = list(self.left)
        left[player] = max(left[player], amount)
        return replace(self, left=tuple(left))

    def hold(self, since: int, until: int) -> Clocks:
        """The clocks as if they had stood still between these moments: the server was down."""
        if self.started is None:
            return self
        held = max(0, until - max(since, self.started))
        return replace(
            self,
            since=tuple(None if start is None else start + held for start in self.since),
            started=self.started + held,
        )

    def run_out(self, now: int) -> tuple[Player, ...]:
        """The players whose time is up."""
        return tuple(player for player, end in self._ends() if end <= now)

    @property
    def deadline(self) -> int | None:
        """When the next clock runs out; None when none runs."""
        return min((end for _, end in self._ends()), default=None)

    def _ends(self) -> Iterable[tuple[Player, int]]:
        return [
            (player, since + left)
            for player, (left, since) in enumerate(zip(self.left, self.since, strict=True))
            if since is not None
        ]
