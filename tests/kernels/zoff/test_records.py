"""Records: fields as declared, copies that are copies, and a kernel's own states that live as long as it runs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stampede.kernels.jit import kernel
from stampede.kernels.zoff.bridge import encode
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    MAX_PASTURES,
    SETUP,
    STATE,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.records import copy_record, new_state, state_array
from stampede.zoff import ZoffRules
from tests.kernels.zoff.side_by_side import opened

SIZE = STATE.itemsize


def filled(seed: int) -> StateRecord:
    """A state with random numbers throughout."""
    numbers = np.random.default_rng(seed).bytes(STATE.itemsize)
    state: StateRecord = np.frombuffer(bytearray(numbers), dtype=STATE)[0]
    return state


@kernel
def copy_through_two(state: StateRecord, result: StateRecord) -> int:
    """Copies by way of two states of its own, with other memory used in between."""
    first, second = new_state(), new_state()
    copy_record(first, state)
    copy_record(second, first)
    first.phase = 7
    noise = np.full(SIZE, 255, dtype=np.uint8)
    copy_record(result, second)
    return int(first.phase) + int(noise[0])


@pytest.mark.parametrize(
    ("record", "dtype"), [(SetupRecord, SETUP), (StateRecord, STATE)], ids=["setup", "state"]
)
def test_every_field_is_described(record: type, dtype: np.dtype[np.void]) -> None:
    described = (record.__doc__ or "").split("Attributes:")[1]
    listed = [
        line.split(":")[0].strip() for line in described.splitlines() if line.startswith("    " * 2)
    ]
    assert [name for name in listed if name in (dtype.names or ())] == list(dtype.names or ())


def test_fields_have_the_declared_shapes_and_lie_side_by_side() -> None:
    state = encode(opened(ZoffRules(players=4), random.Random(1)))
    assert state.herds.shape == (MAX_PASTURES, MAX_COLOURS)
    assert np.ndim(state.phase) == 0
    assert STATE.itemsize == sum(STATE[name].itemsize for name in STATE.names or ())


def test_a_copy_is_a_copy() -> None:
    source, target = filled(1), filled(2)
    copy_record(target, source)
    assert target.tobytes() == source.tobytes()
    target.free[0] += 1
    assert target.tobytes() != source.tobytes()


def test_a_kernel_has_states_of_its_own() -> None:
    """Numba frees arrays after their last mention; these aren't arrays, and don't overlap."""
    for seed in range(20):
        source, result = filled(seed), filled(99)
        before = source.tobytes()
        assert copy_through_two(source, result) == 7 + 255
        assert result.tobytes() == before == source.tobytes()


def test_an_array_of_states_holds_copies() -> None:
    source = filled(3)
    states = state_array(source, source)
    states[0].free[0] += 1
    assert states[1].tobytes() == source.tobytes() != states[0].tobytes()
