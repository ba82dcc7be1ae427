"""Gymnasium environments: one seat is yours, bots of any level have the others.

Importing this module registers ``Stampede/Zoff-v0`` and ``Stampede/Buffalo-v0``; where Stampede is installed, Gymnasium
finds them without it.
"""

from __future__ import annotations

from typing import Final

from stampede.core.extras import require

require("gymnasium")

from gymnasium.envs.registration import register, registry  # noqa: E402 - after the check

__all__ = ["register_all"]

_NAMES: Final = {"Stampede/Zoff-v0": "ZoffSeat", "Stampede/Buffalo-v0": "BuffaloSeat"}


def register_all() -> None:
    """Registers both environments, once."""
    for name, environment in _NAMES.items():
        if name not in registry:
            register(id=name, entry_point=f"stampede.lab.gymnasium.seat:{environment}")


register_all()
