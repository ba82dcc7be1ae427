"""How far the choices seen in a game support the model that a rival errs (`stampede.search.zoff.rivals.random_tree`).

A seen choice is compared with the best of many good ones, by its mean utility against what looks good at first sight.
What it loses is small for a careful player and often large for one who errs: both are taken to be exponentially
distributed, and Bayes' rule gives the probability that a rival errs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import MAX_COLOURS, Choice, SetupRecord, StateRecord
from stampede.search.zoff.candidates import (
    POOL_TEMPERATURE,
    draw_at_first_sight,
    draw_pools,
    screen,
)
from stampede.search.zoff.value import Net, Values

__all__ = ["loss_of_choice", "trust_in_errors"]

CAREFUL_LOSS: Final = (1.0, 0.6)
"""What a careful choice loses on average, in units of utility, with two players and with more: what level 6 loses."""
ERRING_LOSS: Final = (3.5, 1.85)
"""The same for a player who errs: what MCTS loses."""
PRIOR: Final = 0.5
MOST_TRUST: Final = 0.85
"""Never rely on the model alone: the rest of the strategy stays hard to exploit."""
_POOL: Final = 64
_SAMPLES: Final = 12


@kernel
def loss_of_choice(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    choice: Choice,
    net: Net,
    preferences: Values,
    rng: RngState,
) -> float:
    """What a seat's choice loses compared with the best of a pool; 0 if it is better. Plays 780 rounds.

    …, int64, int16[4], float32[NET_SIZE], float64[6], uint64[1], changed → float64.
    """
    pool = np.zeros((MAX_COLOURS, _POOL, 4), dtype=np.int16)
    sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
    draw_pools(setup, state, POOL_TEMPERATURE, 0, rng, pool, sizes)
    others = np.zeros((_SAMPLES, MAX_COLOURS, 4), dtype=np.int16)
    draw_at_first_sight(setup, state, rng, others)
    size = int(sizes[seat])
    compared = np.zeros((size + 1, 4), dtype=np.int16)
    compared[:size] = pool[seat, :size]
    compared[size] = choice
    values = np.empty(size + 1)
    screen(setup, state, net, preferences, seat, compared, size + 1, others, values)
    return max(0.0, float(values[:size].max() - values[size]))


def trust_in_errors(losses: Iterable[float], players: int) -> float:
    """The probability that a rival errs, after choices that lost so much; never more than `MOST_TRUST`."""
    careful, erring = (means[players > 2] for means in (CAREFUL_LOSS, ERRING_LOSS))
    log_odds = math.log(PRIOR / (1 - PRIOR))
    for loss in losses:
        log_odds += math.log(careful / erring) + loss / careful - loss / erring
    return min(MOST_TRUST, 1 / (1 + math.exp(-log_odds)))
