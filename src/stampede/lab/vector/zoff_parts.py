"""The parts of Zoff's observations, by name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.zoff.layout import MAX_CARDS, MAX_COLOURS, MAX_PASTURES, MAX_PAYMENTS
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.vector.base import Arrays

__all__ = ["name_parts"]


def name_parts(public: npt.NDArray[np.int8], private: npt.NDArray[np.int8]) -> Arrays:
    """Returns views of the parts of observations by name.

    Args:
        public: int8[N, 1 or P, 260].
        private: int8[N, P, 21].
    """
    shown = public if public.shape[1] > 1 else public[:, 0]
    lead = shown.shape[:-1]

    def part(begin: int, *shape: int) -> npt.NDArray[np.int8]:
        size = int(np.prod(shape))
        found = shown[..., begin : begin + size].reshape(*lead, *shape)
        assert np.shares_memory(found, public), "a reshape that copies shows nothing"
        return found

    def own(begin: int, end: int) -> npt.NDArray[np.int8]:
        return private[..., begin:end]

    return {
        "phase": shown[..., at.PHASE],
        "round": shown[..., at.ROUND],
        "bid_round": shown[..., at.BID_ROUND],
        "half": shown[..., at.HALF],
        "pastures": part(at.PASTURES, MAX_PASTURES, MAX_COLOURS),
        "free": part(at.FREE, MAX_PASTURES),
        "reserves": part(at.RESERVES, MAX_COLOURS),
        "owners": part(at.OWNERS, MAX_COLOURS),
        "held": part(at.HELD, MAX_COLOURS),
        "bids": part(at.STANDING, MAX_COLOURS),
        "seen": part(at.SEEN, MAX_COLOURS, MAX_CARDS),
        "laid": part(at.LAID, MAX_COLOURS, 2, at.PAIR_SIZE),
        "due": part(at.DUE, MAX_PAYMENTS, at.DUE_SIZE),
        "paying": shown[..., at.PAYING],
        "queue": part(at.QUEUE, MAX_PASTURES),
        "hand": own(at.HAND, at.OWN_PAIR),
        "own_pair": own(at.OWN_PAIR, at.OWN_BONUS),
        "own_bonus": own(at.OWN_BONUS, at.DEALT),
        "own_dealt": own(at.DEALT, at.PRIVATE),
    }
