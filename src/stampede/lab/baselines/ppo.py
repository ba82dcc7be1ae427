"""Proximal policy optimisation (Schulman et al., 2017): the loss with its gradient, and advantages.

Seats answer at different times, and several at once. So a seat's trajectory is the sequence of its own decisions, and
what it earns between two of them belongs to the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.lab.baselines.network import Floats, Parameters, backward, forward

__all__ = ["LossSettings", "Rollout", "estimate_advantages", "log_policy", "loss_and_gradient"]

_NEVER = -1e9
"""The logit of an illegal atom."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """Decisions to learn from, n of them.

    Attributes:
        inputs: float[n, inputs].
        mask: bool[n, atoms].
        atoms: int[n], those that were chosen.
        log_chances: float[n], of these atoms when they were chosen.
        advantages: float[n].
        returns: float[n], what the value should be.
    """

    inputs: Floats
    mask: npt.NDArray[np.bool_]
    atoms: npt.NDArray[np.int64]
    log_chances: Floats
    advantages: Floats
    returns: Floats


@dataclass(frozen=True, slots=True)
class LossSettings:
    """What the loss is made of.

    Attributes:
        clip: How far the chance of an atom may go from what it was, as a share, before it stops counting.
        entropy: The worth of a policy that stays open.
        value: The weight of the value's squared error.
    """

    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5


def log_policy(logits: Floats, mask: npt.NDArray[np.bool_]) -> Floats:
    """Logarithms of the chances of all atoms; those of illegal ones are very low. float[n, atoms] → the same."""
    masked = np.where(mask, logits, logits.dtype.type(_NEVER))
    masked = masked - masked.max(axis=1, keepdims=True)
    logs: Floats = masked - np.log(np.exp(masked).sum(axis=1, keepdims=True))
    return logs


def loss_and_gradient(
    own: Parameters, batch: Rollout, settings: LossSettings
) -> tuple[float, Parameters]:
    """The loss of a batch, and its gradient by all parameters."""
    count = len(batch.atoms)
    rows = np.arange(count)
    passed = forward(own, batch.inputs)
    logs = log_policy(passed.logits, batch.mask)
    chances = np.exp(logs)
    # 1. The clipped surrogate: no gain from a chance that has already moved far enough.
    ratio = np.exp(logs[rows, batch.atoms] - batch.log_chances)
    near = np.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    gains = np.minimum(ratio * batch.advantages, near * batch.advantages)
    counts = ratio * batch.advantages <= near * batch.advantages
    by_log = -np.where(counts, ratio * batch.advantages, 0) / count
    by_logits = -by_log[:, None] * chances
    by_logits[rows, batch.atoms] += by_log
    # 2. Entropy.
    entropy = -np.where(batch.mask, chances * logs, 0).sum(axis=1)
    open_minded = chances * (np.where(batch.mask, logs, 0) + entropy[:, None])
    by_logits += settings.entropy / count * open_minded
    # 3. The value.
    error = passed.value - batch.returns
    by_value = settings.value / count * error
    loss = (
        -gains.mean() - settings.entropy * entropy.mean() + 0.5 * settings.value * (error**2).mean()
    )
    by_logits = by_logits.astype(passed.logits.dtype, copy=False)
    return float(loss), backward(own, passed, by_logits, by_value.astype(passed.logits.dtype))


def estimate_advantages(  # noqa: PLR0913 - arrays of one rollout
    acting: npt.NDArray[np.bool_],
    values: Floats,
    rewards: Floats,
    ended: npt.NDArray[np.bool_],
    last_values: Floats,
    *,
    discount: float,
    smoothing: float,
) -> Floats:
    """Generalised advantage estimates (Schulman et al., 2016) of all decisions of a rollout.

    Args:
        acting: bool[T, N, P]: where a seat decides.
        values: float[T, N, P]: what its value was then; anything elsewhere.
        rewards: float[T, N, P]: what it earned in this step, decision or not.
        ended: bool[T, N]: whether the game ended in this step.
        last_values: float[N, P]: the values after the last step.
        discount: What the value of a seat's next decision counts in this one.
        smoothing: λ: 0 trusts the next value, 1 waits for the end of the game.

    Returns:
        float[T, N, P], 0 where a seat doesn't decide.
    """
    advantages = np.zeros_like(rewards)
    following, running = last_values.copy(), np.zeros_like(last_values)
    earned = np.zeros_like(last_values)
    for step in range(len(rewards) - 1, -1, -1):
        over = ended[step][:, None]
        following = np.where(over, 0, following)
        running = np.where(over, 0, running)
        earned = np.where(over, 0, earned) + rewards[step]
        surprise = earned + discount * following - values[step]
        here = acting[step]
        running = np.where(here, surprise + discount * smoothing * running, running)
        advantages[step] = np.where(here, running, 0)
        following = np.where(here, values[step], following)
        earned = np.where(here, 0, earned)
    return advantages
