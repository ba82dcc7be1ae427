"""Sets written as bytes: compiled, plain, and by the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stampede.kernels.jit import kernel
from stampede.kernels.put import Bytes, put_set, put_wide


@kernel
def write_wide(memory: Bytes, at: int, members: int) -> None:
    put_wide(memory, at, members)


@kernel
def write_set(memory: Bytes, at: int, members: int) -> None:
    put_set(memory, at, members)


@given(st.integers(0, 2**63 - 1), st.integers(0, 7))
def test_exactly_the_lowest_members_are_written(members: int, at: int) -> None:
    for size, compiled, plain in ((8, write_set, put_set), (32, write_wide, put_wide)):
        expected = [7] * at + [members >> bit & 1 for bit in range(size)] + [7] * (9 - at)
        for write in (compiled, plain):
            memory = np.full(size + 9, 7, dtype=np.int8)
            write(memory, at, members)
            assert memory.tolist() == expected
