"""Gymnasium environments: one seat is yours, bots have the others.

``make`` plays by the readable rules, against bots of any level; ``make_vec`` by kernels, against random play, the two
lowest levels of Zoff or any bot of Buffalo, and against other bots of Zoff as ``make`` does, one game after another.

Importing this module registers ``Stampede/Zoff-v0`` and ``Stampede/Buffalo-v0``. Gymnasium can import it for you:
``gymnasium.make("stampede.lab.gymnasium:Stampede/Zoff-v0")``.
"""

from __future__ import annotations

from typing import Final

from stampede.core.extras import require

require("gymnasium")

from gymnasium.envs.registration import register, registry  # noqa: E402 - after the check

__all__ = ["register_all"]

_NAMES: Final = {
    "Stampede/Zoff-v0": ("ZoffSeat", "zoff_seats"),
    "Stampede/Buffalo-v0": ("BuffaloSeat", "BuffaloSeats"),
}


def register_all() -> None:
    """Registers both environments, once."""
    for name, (one, several) in _NAMES.items():
        if name not in registry:
            register(
                id=name,
                entry_point=f"stampede.lab.gymnasium.seat:{one}",
                vector_entry_point=f"stampede.lab.gymnasium.seat_vector:{several}",
            )


register_all()
