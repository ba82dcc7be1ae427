"""A small network that corrects the sum of features: what it reads, its file, and its words for the search.

A sum of weights can't tell what columns far apart, the dogs and the chief mean together. A hidden layer can: each of
its HIDDEN neurons adds up a weight for every *row* of a position, is cut off below 0 and above 1, and counts by an
output weight of the side to move. A position has ROWS rows, and its mirror image has the same ones (`is_mirrored`):

- **columns**, 11: the chief's file, the column's file, its buffalo's rank, and its guard as in `features`;
- **dogs**, 4: the square;
- **chief**, 1: the square and the side to move. The neurons' biases are in these weights.

The search adds four neurons at a time: a word holds four sums of 16 bits each. Every weight is stored with OFFSET
added to it, so that no sum is negative and borrows from its neighbour. The compiler makes vectors of the eight words.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, Final

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.kernels.bits import first
from stampede.kernels.buffalo.layout import CHIEF_AT as KEY_CHIEF_AT
from stampede.kernels.buffalo.layout import DOGS_AT as KEY_DOGS_AT
from stampede.kernels.buffalo.layout import FILE_BITS, SQUARE_BITS
from stampede.kernels.buffalo.lookups import PLACES, WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo.features import DIGITS, GUARDS, HALF, RANKS

__all__ = [
    "HIDDEN",
    "NETWORK_WORDS",
    "ROWS",
    "ROW_COUNT",
    "Network",
    "is_mirrored",
    "list_rows",
    "read_network",
    "shipped_network",
    "write_network",
]

Small = npt.NDArray[np.int16]

HIDDEN: Final = 32
ROWS: Final = WIDTH + 4 + 1
"""How many rows every position has."""
UNIT: Final = 128
"""The steps of a weight in which a neuron's sum of 1 is counted."""
OUTPUT_UNIT: Final = 8
"""The steps of an output weight in a hundredth of a point."""
LARGEST: Final = 1023
"""The largest weight of a row, positive or negative, so that the sums of all rows fit into 16 bits."""
LARGEST_OUTPUT: Final = 30_000
_VERSION: Final = 1
_FILE: Final = "network.npz"
_SQUARE_MASK: Final = (1 << SQUARE_BITS) - 1
_DIGIT_MASK: Final = (1 << FILE_BITS) - 1
_HALF_HERD: Final = (1 << (FILE_BITS * (HALF - 1))) - 1
"""The buffaloes on one side of the middle file."""

# --- rows as they are learned ---
HELD: Final = DIGITS * GUARDS
"""What a column can hold: the buffalo's rank or none, by its guard."""
DOG_ROWS: Final = HALF * WIDTH * HELD
CHIEF_ROWS: Final = DOG_ROWS + PLACES
ROW_COUNT: Final = CHIEF_ROWS + 2 * HALF * RANKS

# --- rows as the search reads them: by the chief's file as it is, so that nothing has to be mirrored ---
OFFSET: Final = LARGEST + 1
ROW_WORDS: Final = HIDDEN // 4
LANE_BITS: Final = 16
COLUMNS_AT: Final = 0
"""By the chief's file, or WIDTH for the middle file of a mirrored board; by the column's file and what it holds."""
DOGS_AT: Final = COLUMNS_AT + (WIDTH + 1) * WIDTH * HELD * ROW_WORDS
"""By whether the board is mirrored, and the square."""
CHIEF_AT: Final = DOGS_AT + 2 * PLACES * ROW_WORDS
"""By the side to move, and the square."""
OUTPUTS_AT: Final = CHIEF_AT + 2 * PLACES * ROW_WORDS
"""By the side to move: a word for each neuron, all first neurons of the words first, then all second ones and so on."""
NETWORK_WORDS: Final = OUTPUTS_AT + 2 * HIDDEN


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network's weights.

    Attributes:
        rows: A weight for each row and neuron, in steps of 1/UNIT: int16[ROW_COUNT, HIDDEN].
        outputs: The output weights by side to move, in steps of 1/OUTPUT_UNIT hundredths for the buffalo side:
            int16[2, HIDDEN].
        made: How they were made: the command with its settings.
    """

    rows: Small
    outputs: Small
    made: str

    def __post_init__(self) -> None:
        for name, array, shape, largest in (
            ("rows", self.rows, (ROW_COUNT, HIDDEN), LARGEST),
            ("outputs", self.outputs, (2, HIDDEN), LARGEST_OUTPUT),
        ):
            if array.dtype != np.int16 or array.shape != shape:
                raise InputError(
                    f"network: expected {name} int16{list(shape)}, got {array.dtype}{list(array.shape)}"
                )
            most = int(np.abs(array.astype(np.int64)).max())
            if most > largest:
                raise InputError(f"network: expected no {name} beyond ±{largest}, got {most}")

    def words(self) -> Words:
        """What the search reads: int64[NETWORK_WORDS]."""
        squares, files = np.arange(PLACES), np.arange(WIDTH)
        rows = self.rows.astype(np.int64)
        columns = rows[:DOG_ROWS].reshape(HALF, WIDTH, HELD, HIDDEN)
        dogs = rows[DOG_ROWS:CHIEF_ROWS].reshape(RANKS, WIDTH, HIDDEN)
        chief = rows[CHIEF_ROWS:].reshape(2, RANKS, HALF, HIDDEN)
        halves = np.minimum(files, WIDTH - 1 - files)
        parts = (
            columns,
            columns[HALF - 2 :: -1, ::-1],
            columns[HALF - 1, ::-1],
            dogs,
            dogs[:, ::-1],
            chief[:, squares // WIDTH, halves[squares % WIDTH]],
        )
        lanes = np.concatenate([part.reshape(-1, ROW_WORDS, 4) for part in parts]) + OFFSET
        packed = (lanes << (LANE_BITS * np.arange(4))).sum(axis=2)
        outputs = self.outputs.astype(np.int64).reshape(2, ROW_WORDS, 4).transpose(0, 2, 1)
        return np.concatenate([packed.reshape(-1), outputs.reshape(-1)])


@bare
def is_mirrored(key: int) -> bool:
    """Whether a position's rows are those of its mirror image: of two images one is chosen, always the same one.

    The chief stands in the left half or in the middle. In the middle, the herd's left half counts at least as much as
    its right half, as numbers of octal digits from the edge; if the herd is symmetric, the dogs decide.
    """
    file = ((key >> KEY_CHIEF_AT) & _SQUARE_MASK) % WIDTH
    if file != HALF - 1:
        return file >= HALF
    left, right = key & _HALF_HERD, (key >> (FILE_BITS * HALF)) & _HALF_HERD
    right = (
        (right & 7) << 12
        | (right & 0o70) << 6
        | right & 0o700
        | (right & 0o7000) >> 6
        | right >> 12
    )  # fmt: skip
    if left != right:
        return left < right
    dogs, images = 0, 0
    for number in range(4):
        dog = (key >> (KEY_DOGS_AT + SQUARE_BITS * number)) & _SQUARE_MASK
        dogs |= 1 << dog
        images |= 1 << (dog + WIDTH - 1 - 2 * (dog % WIDTH))
    return dogs < images


@bare
def list_rows(key: int, dogs: int, chief: int, out: Small) -> None:
    """Writes a position's rows to int16[ROWS]: the definition of what the search adds up. Key, set, square."""
    side = 1 if key < 0 else 0
    mirrored = is_mirrored(key)
    file = chief % WIDTH
    file = WIDTH - 1 - file if mirrored else file
    out[ROWS - 1] = CHIEF_ROWS + (side * RANKS + chief // WIDTH) * HALF + file
    guards, count = 0, WIDTH
    # Lowest rank first, so that of two dogs in a column the one nearer to the buffalo counts.
    while dogs:
        dog = first(dogs)
        dogs &= dogs - 1
        column, rank = dog % WIDTH, dog // WIDTH
        place = 2 * column
        gap = ((key >> (FILE_BITS * column)) & _DIGIT_MASK) - rank - 3
        if gap >= 0:
            guards = (guards & ~(3 << place)) | (min(gap, 2) + 1) << place
        out[count] = DOG_ROWS + rank * WIDTH + (WIDTH - 1 - column if mirrored else column)
        count += 1
    for column in range(WIDTH):
        digit, guard = (key >> (FILE_BITS * column)) & _DIGIT_MASK, (guards >> (2 * column)) & 3
        seen = WIDTH - 1 - column if mirrored else column
        out[column] = (file * WIDTH + seen) * HELD + digit * GUARDS + guard


@cache
def shipped_network() -> Network:
    """The network that ships with the package."""
    with resources.files(__package__).joinpath(_FILE).open("rb") as file:
        return read_network(file)


def read_network(file: IO[bytes]) -> Network:
    """Reads a network's file; InputError when it is malformed or doesn't fit these rows."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            version = int(arrays["version"])
            rows, outputs, made = arrays["rows"], arrays["outputs"], str(arrays["made"])
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"network: expected a file that the training writes, got {error}"
        ) from error
    if version != _VERSION:
        raise InputError(f"network: expected version {_VERSION}, got {version}")
    return Network(rows, outputs, made)


def write_network(path: Path, network: Network) -> None:
    """Writes a network's file."""
    np.savez_compressed(
        path,
        version=np.int64(_VERSION),
        made=np.str_(network.made),
        rows=network.rows,
        outputs=network.outputs,
    )
