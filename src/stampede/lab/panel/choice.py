"""How players of the panel choose among options that they value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["best_of"]

T = TypeVar("T")


def best_of(options: Iterable[T], worth: Callable[[T], float], rng: random.Random) -> T:
    """One of the options that are worth most."""
    valued = [(worth(option), option) for option in options]
    most = max(value for value, _ in valued)
    return rng.choice([option for value, option in valued if value == most])
