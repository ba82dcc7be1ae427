"""The learned weights of the evaluation: a small JSON file in the package, checked when it is read.

They come with or without the network that corrects their sum (see `network`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words
from stampede.search.buffalo.evaluation_sums import sum_weights
from stampede.search.buffalo.features import GROUPS
from stampede.search.buffalo.network import shipped_network

__all__ = [
    "VERSION",
    "Weights",
    "read_weights",
    "shipped_weights",
    "strongest_weights",
    "write_weights",
]

VERSION: Final = 1
_FILE: Final = "weights.json"
_LARGEST: Final = 8_000


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of the evaluation.

    Attributes:
        words: A weight for each feature, in hundredths, for the buffalo side: int64[FEATURE_COUNT], read-only.
        made: How they were made: the command, seed, number of games and so on.
        network: The words of the network that corrects the sum, int64[NETWORK_WORDS]; None for the sum alone.
        sums: The sums of weights that the search reads: int64[EVALUATION_WORDS], read-only.
    """

    words: Words
    made: str
    network: Words | None = None
    sums: Words = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sums", sum_weights(self.words))


@cache
def shipped_weights() -> Weights:
    """The weights that ship with the package, without the network."""
    return read_weights(resources.files(__package__).joinpath(_FILE).read_text("utf-8"))


@cache
def strongest_weights() -> Weights:
    """The shipped weights with the shipped network: the strongest evaluation there is."""
    weights, network = shipped_weights(), shipped_network().words()
    network.flags.writeable = False
    return Weights(weights.words, weights.made, network)


def read_weights(text: str) -> Weights:
    """Reads a file of weights; InputError when it is malformed or doesn't fit these features."""
    try:
        data = json.loads(text)
        version, groups = data["version"], data["weights"]
        parts = [np.array(groups[name], dtype=np.int64) for name in GROUPS]
        made = str(data["made"])
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError(
            f"weights: expected a file that the training writes, got {error}"
        ) from error
    if version != VERSION:
        raise InputError(f"weights: expected version {VERSION}, got {version!r}")
    for (name, (start, end)), part in zip(GROUPS.items(), parts, strict=True):
        if part.shape != (end - start,):
            raise InputError(f"weights: expected {end - start} of {name}, got {part.size}")
    words = np.concatenate(parts)
    if np.abs(words).max() > _LARGEST:
        raise InputError(f"weights: expected none beyond ±{_LARGEST}, got {np.abs(words).max()}")
    words.flags.writeable = False
    return Weights(words, made)


def write_weights(path: Path, weights: Weights) -> None:
    """Writes a file of weights, a line for each group."""
    lines = [f'"version": {VERSION}', f'"made": {json.dumps(weights.made)}']
    groups = [
        f'  "{name}": {json.dumps(weights.words[start:end].tolist(), separators=(",", ":"))}'
        for name, (start, end) in GROUPS.items()
    ]
    body = ",\n".join(groups)
    lines.append(f'"weights": {{\n{body}\n}}')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
