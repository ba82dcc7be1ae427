"""How long it takes to tell what happened, step by step: clocks wait as long before the next decision.

The browser tells the same steps at its usual speed (``web/src/lib/games/zoff/story/timeline.svelte.ts``, which names
the same figures; a test compares them).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from stampede.core.events import Event
from stampede.zoff.events import BidShown, FinalBonus, Revealed, Sealed, Settled

__all__ = ["STEP_MS", "WEIGHTS", "story_ms"]

STEP_MS: Final = 1900
"""How long an ordinary step is shown."""
WEIGHTS: Final[Mapping[str, int]] = {
    "revealed": 150,
    "precedence": 125,
    "round_ended": 60,
    "bonus_lapsed": 70,
    "settled": 150,
}
"""How long a step is shown in percent of an ordinary one: what has to be read stays longer."""


def story_ms(events: Iterable[Event]) -> int:
    """The time that these events take, in milliseconds. It depends on their kinds and pastures only, which all see."""
    total = 0
    last: Event | None = None
    for event in events:
        if isinstance(event, Sealed):
            continue
        if last is None or not _are_together(last, event):
            kind = getattr(event, "kind", "")
            total += STEP_MS * WEIGHTS.get(kind, 100) // 100
            last = event
    return total


def _are_together(first: Event, second: Event) -> bool:
    """Whether two events are one step: the reveal, the bids, a pasture's final bonus."""
    if isinstance(first, FinalBonus) and isinstance(second, FinalBonus):
        return first.pasture == second.pasture
    return type(first) is type(second) and isinstance(first, Revealed | BidShown | Settled)
