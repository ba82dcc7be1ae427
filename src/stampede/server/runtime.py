"""Time and chance as arguments: the clocks and the entropy of a running server.

Nothing else in `stampede.server` and `stampede.store` asks the system for the time or for random bytes. So a whole
server can be repeated byte for byte: `simulation` hands in a virtual clock and a seeded generator.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from stampede.store.backends import STANDARD, Backends

__all__ = ["STANDARD_COST", "HashingCost", "Runtime", "new_text", "wall_milliseconds"]


def wall_milliseconds() -> int:
    """Returns the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class HashingCost(NamedTuple):
    """What hashing a passphrase costs (argon2id).

    Attributes:
        rounds: How often the memory is filled.
        memory_kib: The memory, in KiB.
    """

    rounds: int = 2
    memory_kib: int = 46 * 1024


STANDARD_COST: Final = HashingCost()


@dataclass(frozen=True, slots=True)
class Runtime:
    """Where a server gets time, chance and its database from.

    Attributes:
        wall: Returns the time in milliseconds since 1970. It may jump.
        monotonic: Returns seconds that never go back, for durations within this process.
        entropy: Returns random bytes that can't be guessed.
        hashing: What hashing a passphrase costs.
        backends: How the store reaches its database.
        interprets: Whether light bots think in a process without compiled code until theirs is there; else they wait.
    """

    wall: Callable[[], int] = wall_milliseconds
    monotonic: Callable[[], float] = time.monotonic
    entropy: Callable[[int], bytes] = os.urandom
    hashing: HashingCost = STANDARD_COST
    backends: Backends = STANDARD
    interprets: bool = False


def new_text(entropy: Callable[[int], bytes], size: int) -> str:
    """Returns random bytes as text that is safe in URLs and cookies."""
    return base64.urlsafe_b64encode(entropy(size)).rstrip(b"=").decode()
