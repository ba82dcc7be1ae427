"""How long it takes to tell what happened, step by step: clocks wait as long before the next decision.

The browser tells the same steps at its usual speed (``web/src/lib/games/zoff/story/pace.ts``, which names the same
figures; a test compares them).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from stampede.core.events import Event
from stampede.zoff.events import (
    BidShown,
    BonusPlaced,
    FinalBonus,
    Placed,
    Precedence,
    Revealed,
    Sealed,
    Settled,
)

__all__ = ["STEP_MS", "TRIVIAL", "WEIGHTS", "story_ms"]

STEP_MS: Final = 1900
"""How long an ordinary step is shown."""
WEIGHTS: Final[Mapping[str, int]] = {
    "revealed": 180,
    "precedence": 125,
    "filled": 110,
    "bonus_placed": 120,
    "round_ended": 60,
    "bonus_lapsed": 70,
    "settled": 150,
}
"""How long a step is shown in percent of an ordinary one: what has to be read stays longer."""
TRIVIAL: Final = 50
"""The same for what could not have been otherwise: one alone on a pasture, a forced answer."""


def story_ms(events: Iterable[Event]) -> int:
    """The time that these events take, in milliseconds. It depends on what all see, never on a card."""
    total = 0
    last: Event | None = None
    for event in events:
        if isinstance(event, Sealed):
            continue
        if last is None or not _are_together(last, event):
            total += STEP_MS * _weight(event) // 100
            last = event
    return total


def _weight(event: Event) -> int:
    if isinstance(event, Precedence) and len(event.turns) == 1:
        return TRIVIAL
    if isinstance(event, Placed | BonusPlaced) and event.forced:
        return TRIVIAL
    return WEIGHTS.get(getattr(event, "kind", ""), 100)


def _are_together(first: Event, second: Event) -> bool:
    """Whether two events are one step: the reveal, the bids, a pasture's final bonus, one alone who places."""
    if isinstance(first, Precedence) and isinstance(second, Placed):
        return len(first.turns) == 1 and first.pasture == second.pasture
    if isinstance(first, FinalBonus) and isinstance(second, FinalBonus):
        return first.pasture == second.pasture
    return type(first) is type(second) and isinstance(first, Revealed | BidShown | Settled)
