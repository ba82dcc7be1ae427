"""How much a search of Zoff thinks, and what it wants. Plain values: nothing compiled is loaded for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stampede.core.errors import InputError

__all__ = ["BALANCED", "Effort", "Preferences", "with_rounds"]

Preferences = tuple[float, float, float, float, float, float]
"""The weights in a seat's utility function: see `stampede.search.zoff.utilities.utilities`."""
BALANCED: Preferences = (8.0, 1.0, 1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to think: counts, not seconds, so that a decision is reproducible.

    Attributes:
        pool: Good choices drawn for each seat.
        samples: Samples of the others' choices that these are screened against.
        keep: Candidates of each seat that stay for regret matching.
        rounds: Rounds played by regret matching; with 0 the best screened choice is taken.
        leaves: Ends of rounds looked at for a placement or a bonus.
        exact: Whether two players' last round is solved exactly, unless it is very long.
        halving_samples: Samples in the first stage of successive halving, which takes the place of regret matching;
            0: regret matching.
        response_iterations: How often every seat's likely choices are predicted, each time in response to the
            prediction before; with successive halving only.
        answer_playouts: Games played out for each of the best answers to a placement or a bonus; 0: none.
        model_samples: Choices drawn for each other seat as if it erred, by a search with random games
            (`stampede.search.zoff.rivals`); 0: no such model.
    """

    pool: int = 48
    samples: int = 8
    keep: int = 12
    rounds: int = 20_000
    leaves: int = 2_000
    exact: bool = False
    halving_samples: int = 0
    response_iterations: int = 2
    answer_playouts: int = 0
    model_samples: int = 0

    def __post_init__(self) -> None:
        for name in ("pool", "samples", "keep", "leaves", "response_iterations"):
            if getattr(self, name) < 1:
                raise InputError(f"effort.{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("rounds", "halving_samples", "answer_playouts", "model_samples"):
            if getattr(self, name) < 0:
                raise InputError(f"effort.{name}: expected at least 0, got {getattr(self, name)}")


def with_rounds(effort: Effort, rounds: int) -> Effort:
    """The same effort with another budget for regret matching; InputError when it is none."""
    if rounds < 1:
        raise InputError(f"rounds: expected at least 1, got {rounds}")
    return replace(effort, rounds=rounds)
