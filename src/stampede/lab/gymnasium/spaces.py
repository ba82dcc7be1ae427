"""The spaces that all adapters share: what a seat observes with its mask, and the atoms."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

__all__ = ["action_space", "observation_space", "seen_space"]


def observation_space(size: int, atoms: int) -> Any:
    """Returns a ``Dict`` of ``observation``, int8[size], and ``action_mask``, int8[atoms]."""
    return spaces.Dict(
        {
            "observation": seen_space(size),
            "action_mask": spaces.Box(0, 1, (atoms,), np.int8),
        }
    )


def seen_space(size: int) -> Any:
    """Returns the ``Box`` of what is observed, int8[size]."""
    return spaces.Box(0, 127, (size,), np.int8)


def action_space(atoms: int) -> Any:
    """Returns the ``Discrete`` of all atoms."""
    return spaces.Discrete(atoms)
