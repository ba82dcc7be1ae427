"""Wall clocks that are wrong: skew, drift, and jumps. Monotonic time is the virtual time."""

from __future__ import annotations

from simulation.world import EPOCH_MS, World

__all__ = ["WallClock"]


class WallClock:
    """A machine's wall clock.

    Attributes:
        offset_ms: How far it is off, in milliseconds; jumps change it.
        drift: How much faster than real time it runs.
    """

    def __init__(self, world: World, offset_ms: int = 0, drift: float = 0.0) -> None:
        self.offset_ms = offset_ms
        self.drift = drift
        self._world = world

    def __call__(self) -> int:
        """Returns milliseconds since 1970, as this machine believes."""
        return EPOCH_MS + self.offset_ms + int(self._world.now * 1000 * (1.0 + self.drift))
