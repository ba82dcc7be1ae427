"""What the baselines' networks see: observations of the vector environments as numbers around 1.

Made from a seat's observation alone, so that the same code serves environments and views.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.vector import layout as buffalo_at
from stampede.kernels.zoff.layout import MAX_CARDS, MAX_COLOURS, MAX_PASTURES
from stampede.kernels.zoff.vector import layout as zoff_at

__all__ = ["BUFFALO_INPUTS", "buffalo_inputs", "held_squares", "zoff_input_count", "zoff_inputs"]

Bytes = npt.NDArray[np.int8]
Inputs = npt.NDArray[np.float32]

BUFFALO_INPUTS: Final = 4 * buffalo_at.SQUARES + 3 + 11
_FILES: Final = 11
_RANKS: Final = 7
_PHASES: Final = 8
_ROUNDS: Final = 7
_HERD: Final = 8.0
_CARDS: Final = 5.0


def buffalo_inputs(observation: Bytes) -> Inputs:
    """int8[n, 91] → float32[n, 322]: a plane for each piece, one for runners, the turn, and the opening turn.

    A runner is a buffalo with no dog and no chief ahead of it on its file.
    """
    board = observation[:, : buffalo_at.SQUARES]
    planes = [board == piece for piece in (1, 2, 3)]
    planes.append(planes[0] & ~held_squares(board))
    rest = observation[:, buffalo_at.TURN :].astype(np.float32)
    rest[:, 1] /= 66
    rest[:, 2] /= 11
    return np.concatenate([*planes, rest], axis=1, dtype=np.float32)


def held_squares(board: Bytes) -> npt.NDArray[np.bool_]:
    """The squares from which a buffalo would find a dog or the chief ahead on its file. int8[n, 77] → bool[n, 77]."""
    ranks = (board > buffalo_at.BUFFALO_CELL).reshape(-1, _RANKS, _FILES)
    held: npt.NDArray[np.bool_] = np.maximum.accumulate(ranks, axis=1).reshape(board.shape)
    return held


def zoff_inputs(observation: Bytes, bonus: Bytes) -> Inputs:
    """int8[n, 281], rotated for the seat, and the printed bonuses, int8[12, 4] → float32[n, `zoff_input_count`()].

    Besides what is observed: by pasture the strongest rival herd, the lead over it, the bonus of the own herd's rank,
    and the cows that wait to be placed there.
    """
    count = len(observation)
    seen, own = observation[:, : zoff_at.PUBLIC], observation[:, zoff_at.PUBLIC :]
    herds = seen[:, zoff_at.PASTURES : zoff_at.FREE].reshape(count, MAX_PASTURES, MAX_COLOURS)
    free = seen[:, zoff_at.FREE : zoff_at.RESERVES].astype(np.float32)
    rival = herds[:, :, 1:].max(axis=2)
    rank = (herds[:, :, 1:] > herds[:, :, :1]).sum(axis=2)
    table = np.concatenate([bonus, np.zeros((MAX_PASTURES, 3), np.int8)], axis=1)
    paid = np.where(herds[:, :, 0] > 0, table[np.arange(MAX_PASTURES), rank], 0)
    parts = [
        _one_hot(seen[:, zoff_at.PHASE], _PHASES),
        _one_hot(seen[:, zoff_at.ROUND], _ROUNDS),
        seen[:, zoff_at.HALF : zoff_at.HALF + 1],
        herds.reshape(count, MAX_PASTURES * MAX_COLOURS) / _HERD,
        free / _HERD,
        free == 0,
        seen[:, zoff_at.RESERVES : zoff_at.OWNERS] / 48.0,
        seen[:, zoff_at.HELD : zoff_at.STANDING] / 10.0,
        rival / _HERD,
        (herds[:, :, 0] - rival) / _HERD,
        paid / 4.0,
        _waiting(seen),
        seen[:, zoff_at.DUE + 2 : zoff_at.DUE + 3] / _CARDS,
        own[:, zoff_at.HAND : zoff_at.OWN_PAIR],
        _one_hot(own[:, zoff_at.OWN_PAIR], MAX_PASTURES + 1),
        _one_hot(own[:, zoff_at.OWN_PAIR + 1], MAX_CARDS + 1),
        _count(own[:, zoff_at.OWN_BONUS : zoff_at.DEALT]),
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def zoff_input_count() -> int:
    """How many numbers `zoff_inputs` makes."""
    empty = np.zeros((1, zoff_at.PUBLIC + zoff_at.PRIVATE), np.int8)
    return int(zoff_inputs(empty, np.zeros((MAX_PASTURES, 4), np.int8)).shape[1])


def _waiting(seen: Bytes) -> Inputs:
    """By pasture: own cows that wait there, the rivals', and 1 where it is this pasture's turn. float32[n, 36]."""
    count = len(seen)
    end = zoff_at.LAID + MAX_COLOURS * 2 * zoff_at.PAIR_SIZE
    laid = seen[:, zoff_at.LAID : end].reshape(count, MAX_COLOURS, 2, zoff_at.PAIR_SIZE)
    found = np.zeros((count, 3, MAX_PASTURES + 1), np.float32)
    rows = np.arange(count)
    for seat in range(MAX_COLOURS):
        for half in range(2):
            pasture, _, cows, when = laid[:, seat, half].T
            waits = (when == zoff_at.LATER) | (when == zoff_at.IN_LINE)
            found[rows, int(seat > 0), pasture] += waits * cows / _CARDS
            found[rows, 2, pasture] += when == zoff_at.IN_LINE
    return found[:, :, 1:].reshape(count, 3 * MAX_PASTURES)


def _one_hot(numbers: Bytes, size: int) -> npt.NDArray[np.bool_]:
    hot: npt.NDArray[np.bool_] = numbers[:, None] == np.arange(size, dtype=np.int8)
    return hot


def _count(pastures: Bytes) -> Bytes:
    """How often each pasture is named: int8[n, k] of numbers from 1, 0 for none → int8[n, 12]."""
    named = pastures[:, :, None] == np.arange(1, MAX_PASTURES + 1, dtype=np.int8)
    counted: Bytes = named.sum(axis=1, dtype=np.int8)
    return counted
