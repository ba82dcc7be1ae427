"""The network of the evaluation: what it reads, what the search makes of it, and its file."""

import io
import random
from pathlib import Path

import numpy as np
import pytest

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import CHIEF, DOGS, KEY
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.network import (
    CHIEF_ROWS,
    DOG_ROWS,
    HIDDEN,
    OUTPUT_UNIT,
    ROW_COUNT,
    ROWS,
    UNIT,
    Network,
    list_rows,
    read_network,
    shipped_network,
    write_network,
)
from stampede.search.buffalo.plain import evaluate_plainly
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace
from tests.search.buffalo.plain import midgame, scattered

START = Position.start()
CHIEF_IN_THE_MIDDLE = Position.from_fen("4b6/bbb2b1bbb1/2Db2b2Db/1D9/5D5/5C5/11 b - - 0 14")


def rows(position: Position) -> list[int]:
    board = new_board(position)
    out = np.full(ROWS, -1, dtype=np.int16)
    list_rows(board[KEY], board[DOGS], board[CHIEF], out)
    return sorted(out.tolist())


def correction(network: Network, position: Position) -> int:
    """What the network adds, by its definition: rows one by one, a hidden layer, outputs; for the buffalo side."""
    sums = network.rows[rows(position)].astype(np.int64).sum(axis=0)
    outputs = network.outputs[int(position.turn is Side.HUNTER)].astype(np.int64)
    return int(np.clip(sums, 0, UNIT) @ outputs) // (UNIT * OUTPUT_UNIT)


def some_positions(count: int) -> list[Position]:
    rng = random.Random(11)
    drawn = [
        midgame(rng) if rng.random() < 0.5 else scattered(rng, 7, (2, 3, 4, 5, 6, 7))
        for _ in range(count)
    ]
    return [START, START.with_turn(Side.HUNTER), CHIEF_IN_THE_MIDDLE, *drawn]


def extreme_network(seed: int) -> Network:
    """Every weight at the end of its range, where sums of neighbouring neurons would run into each other."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(np.array([-1023, 1023], dtype=np.int16), (ROW_COUNT, HIDDEN))
    return Network(chosen, rng.integers(-3_000, 3_000, (2, HIDDEN)).astype(np.int16), "test")


@pytest.mark.parametrize("network", [shipped_network(), extreme_network(1), extreme_network(2)])
def test_the_search_adds_what_the_network_is_defined_to_say(network: Network) -> None:
    space = new_workspace(shipped_weights().sums, network=network.words())
    seen = set()
    for position in some_positions(300):
        total = evaluate_plainly(position) + correction(network, position)
        sign = -1 if position.turn is Side.HUNTER else 1
        found = int(evaluate(space, new_board(position)[KEY]))
        assert found == sign * max(-8_000, min(8_000, total)), position.fen()
        seen.add(correction(network, position))
    assert len(seen) > 50


def test_a_mirror_image_has_the_same_rows() -> None:
    for position in some_positions(300):
        assert rows(position) == rows(position.mirror()), position.fen()
        assert -1 not in rows(position)


def test_rows_tell_apart_what_differs() -> None:
    """A column, the dogs, the chief and the side to move each have their rows."""
    found = rows(START)
    assert [len([row for row in found if low <= row < high]) for low, high in (
        (0, DOG_ROWS), (DOG_ROWS, CHIEF_ROWS), (CHIEF_ROWS, ROW_COUNT),
    )] == [11, 4, 1]  # fmt: skip
    assert len(set(found) - set(rows(START.with_turn(Side.HUNTER)))) == 1


def test_the_file_is_small_and_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    write_network(path, shipped_network())
    with path.open("rb") as file:
        again = read_network(file)
    assert np.array_equal(again.rows, shipped_network().rows)
    assert np.array_equal(again.outputs, shipped_network().outputs)
    assert again.made == shipped_network().made
    assert again.made.startswith("python -m stampede.lab.buffalo_network --batches 400")
    assert path.stat().st_size < 128_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": np.int64(2)}, "expected version 1, got 2"),
        (
            {"rows": np.zeros((3, HIDDEN), dtype=np.int16)},
            r"rows int16\[\d+, 32\], got int16\[3, 32\]",
        ),
        ({"rows": np.zeros((ROW_COUNT, HIDDEN))}, "got float64"),
        (
            {"rows": np.full((ROW_COUNT, HIDDEN), -1024, dtype=np.int16)},
            "no rows beyond ±1023, got 1024",
        ),
        (
            {"outputs": np.full((2, HIDDEN), -32768, dtype=np.int16)},
            "no outputs beyond ±30000, got 32768",
        ),
        ({"made": None}, "a file that the training writes"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(change: dict[str, object], message: str) -> None:
    arrays: dict[str, object] = {
        "version": np.int64(1),
        "made": np.str_("test"),
        "rows": np.zeros((ROW_COUNT, HIDDEN), dtype=np.int16),
        "outputs": np.zeros((2, HIDDEN), dtype=np.int16),
    }
    given = {name: value for name, value in (arrays | change).items() if value is not None}
    file = io.BytesIO()
    np.savez(file, **given)  # type: ignore[arg-type] # whatever a file may hold
    file.seek(0)
    with pytest.raises(InputError, match=message):
        read_network(file)


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="a file that the training writes"):
        read_network(io.BytesIO(data))
