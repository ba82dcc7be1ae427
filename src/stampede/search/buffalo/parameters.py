"""What the search decides by besides the evaluation: how far it prunes, passes and reduces.

The shipped values are the defaults. Others are for sequential tests (`stampede match --a nodes=8000,reverse_depth=7`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Final

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words

__all__ = [
    "FUTILITY_MARGIN",
    "LATE_MOVE_BASE",
    "LATE_MOVE_FACTOR",
    "NULL_MOVE_DEPTH",
    "NULL_MOVE_DIVISOR",
    "NULL_MOVE_REDUCTION",
    "PARAMETER_WORDS",
    "REDUCTIONS",
    "REVERSE_DEPTH",
    "SearchParameters",
    "parameter_words",
    "parse_parameters",
]

# --- words ---
FUTILITY_MARGIN: Final = 0
REVERSE_DEPTH: Final = 1
NULL_MOVE_DEPTH: Final = 2
NULL_MOVE_REDUCTION: Final = 3
NULL_MOVE_DIVISOR: Final = 4
LATE_MOVE_BASE: Final = 5
LATE_MOVE_FACTOR: Final = 6
REDUCTIONS: Final = 8
"""Late-move reductions in plies, by side, depth and the move's number in its list: 2 * 64 * 64 words."""
PARAMETER_WORDS: Final = REDUCTIONS + 2 * 64 * 64

_LARGEST: Final = 1_000


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """The parameters of a search; margins in hundredths, depths and reductions in plies.

    Attributes:
        futility_margin: How much one move is expected to change the evaluation at most.
        reverse_depth: The largest depth at which an evaluation far above the window ends a line (reverse futility).
        null_move_depth: The least depth at which the hunter tries to pass; 1000 for never.
        null_move_reduction: How much less deep the search after a pass is.
        null_move_divisor: At a depth of this many plies it is one ply less deep again, and so on.
        late_move_base: How many moves the hunter looks at, with little depth left, before quiet ones are skipped.
        late_move_factor: How many more for the square of the depth.
        buffalo_slope: How quickly late-move reductions of the buffalo side grow.
        hunter_slope: The same of the hunter.
    """

    futility_margin: int = 90
    reverse_depth: int = 4
    null_move_depth: int = 3
    null_move_reduction: int = 3
    null_move_divisor: int = 4
    late_move_base: int = 4
    late_move_factor: int = 4
    buffalo_slope: float = 0.40
    hunter_slope: float = 0.65

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if not 0 <= value <= _LARGEST:
                raise InputError(f"{one.name}: expected 0 to {_LARGEST}, got {value}")
        if not self.null_move_divisor:
            raise InputError("null_move_divisor: expected at least 1, got 0")


_NAMES: Final = tuple(one.name for one in fields(SearchParameters))


@cache
def parameter_words(parameters: SearchParameters) -> Words:
    """The words that the search reads: int64[PARAMETER_WORDS], read-only."""
    words = np.zeros(PARAMETER_WORDS, dtype=np.int64)
    words[:REDUCTIONS] = (
        parameters.futility_margin,
        parameters.reverse_depth,
        parameters.null_move_depth,
        parameters.null_move_reduction,
        parameters.null_move_divisor,
        parameters.late_move_base,
        parameters.late_move_factor,
        0,
    )
    slopes = (parameters.buffalo_slope, parameters.hunter_slope)
    lookup = words[REDUCTIONS:].reshape(2, 64, 64)
    for side, slope in enumerate(slopes):
        for depth in range(1, 64):
            for number in range(1, 64):
                lookup[side, depth, number] = int(0.3 + slope * math.log(depth) * math.log(number))
    words.flags.writeable = False
    return words


def parse_parameters(texts: Mapping[str, str]) -> SearchParameters:
    """The parameters with some of them changed; InputError when a name or a value is wrong."""
    shipped = SearchParameters()
    found = shipped
    for name, text in texts.items():
        if name not in _NAMES:
            raise InputError(f"parameter: expected one of {', '.join(_NAMES)}, got {name!r}")
        read = float if isinstance(getattr(shipped, name), float) else int
        try:
            found = replace(found, **{name: read(text)})  # type: ignore[arg-type] # int or float, by name
        except ValueError as error:
            raise InputError(f"{name}: expected a number, got {text!r}") from error
    return found
