"""The positions that proofs are about: starts of boards, with fewer buffaloes or more opening steps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import signed
from stampede.kernels.buffalo.layout import CHIEF_AT, DOGS_AT, FILE_BITS, SQUARE_BITS

__all__ = ["NARROWEST", "missing_files", "opening_key", "start_key"]

NARROWEST = 5
_BANK = 7


def start_key(width: int = len(FILES), missing: Iterable[str] = ()) -> int:
    """The key of a board's start, without the buffaloes of some files (B4.2).

    A narrow board is the real one up to its last file. Its row of buffaloes is full, the chief is in the middle
    (right of it when the width is even), with two dogs on each side.
    """
    if not NARROWEST <= width <= len(FILES):
        raise InputError(f"expected a board of {NARROWEST} to {len(FILES)} columns, got {width}")
    absent = set(missing)
    if not absent <= set(FILES[:width]):
        raise InputError(f"expected files from a to {FILES[width - 1]}, got {sorted(absent)}")
    rows = (_BANK << (FILE_BITS * at) for at in range(width) if FILES[at] not in absent)
    middle = width // 2
    key = sum(rows) | middle << CHIEF_AT
    for index, dog in enumerate((middle - 2, middle - 1, middle + 1, middle + 2)):
        key |= dog << (DOGS_AT + SQUARE_BITS * index)
    return key


def opening_key(steps: Iterable[int], missing: Iterable[str] = ()) -> int:
    """The key of the real start after these steps of the files a, b, …, the hunter to move."""
    key = start_key(len(FILES), missing)
    for at, count in enumerate(steps):
        key -= count << (FILE_BITS * at)
    return signed(key | 1 << 63)


def missing_files(count: int) -> tuple[str, ...]:
    """The ways to leave out so many buffaloes, as files, one of each mirror pair."""
    kept = []
    for files in combinations(FILES, count):
        mirrored = tuple(sorted(FILES[len(FILES) - 1 - FILES.index(file)] for file in files))
        if files <= mirrored:
            kept.append("".join(files))
    return tuple(kept)
