"""The evaluation: what is measured, and the file of what was learned."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import CHIEF, DOGS, KEY
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.features import FEATURE_COUNT, GROUPS, MAX_FEATURES, write_features
from stampede.search.buffalo.weights import Weights, read_weights, shipped_weights, write_weights
from stampede.search.buffalo.workspace import new_workspace
from tests.search.buffalo.plain import midgame, scattered


def features(position: Position) -> list[int]:
    board = new_board(position)
    out = np.full(MAX_FEATURES, -1, dtype=np.int64)
    write_features(board[KEY], board[DOGS], board[CHIEF], out, 0)
    return sorted(out.tolist())


def value(position: Position) -> int:
    board = new_board(position)
    return int(evaluate(new_workspace(shipped_weights().sums), board[KEY]))


def summed(position: Position) -> int:
    """The value by its definition: the features' weights one by one, for the side to move."""
    total = max(-8_000, min(8_000, int(shipped_weights().words[features(position)].sum())))
    return -total if position.turn is Side.HUNTER else total


def test_a_mirror_image_has_the_same_features() -> None:
    rng = random.Random(1)
    for _ in range(100):
        position = midgame(rng)
        assert features(position) == features(position.mirror())


def test_a_value_is_the_sum_of_the_features_weights() -> None:
    """The tables that the search reads hold what was learned, no more and no less."""
    rng = random.Random(3)
    for _ in range(400):
        position = midgame(rng) if rng.random() < 0.5 else scattered(rng, 6, (2, 3, 4, 5, 6, 7))
        assert value(position) == summed(position), position.fen()


def test_every_position_has_features_of_every_group_within_their_ranges() -> None:
    rng = random.Random(2)
    for _ in range(100):
        found = features(midgame(rng))
        assert len(found) == MAX_FEATURES
        for start, end in GROUPS.values():
            assert any(start <= feature < end for feature in found)
        assert 0 <= found[0] <= found[-1] < FEATURE_COUNT


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - -", "bbbb3bbbb/11/11/11/11/3DDCDD3/11 b - -"),
        ("4bbbbbbb/11/11/11/11/CDDDD6/11 b - -", "4bbbbbbb/11/11/7C3/11/DDDD7/11 b - -"),
    ],
)
def test_what_was_learned_knows_what_every_player_knows(better: str, worse: str) -> None:
    """More buffaloes, and a chief far away, are good for the buffalo side."""
    assert value(Position.from_fen(better)) > value(Position.from_fen(worse)) + 50


def test_the_file_is_small_and_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, shipped_weights())
    again = read_weights(path.read_text("utf-8"))
    assert np.array_equal(again.words, shipped_weights().words)
    assert again.made == shipped_weights().made
    assert "train_buffalo" in again.made
    assert path.stat().st_size < 64_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 99}, "version 1, got 99"),
        ({"weights": {}}, "race"),
        ({"weights": {name: [1, 2] for name in GROUPS}}, "of race, got 2"),
        ({"made": None, "weights": 7}, "training"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, Weights(np.zeros(FEATURE_COUNT, dtype=np.int64), "test"))
    data = json.loads(path.read_text("utf-8")) | change
    with pytest.raises(InputError, match=message):
        read_weights(json.dumps(data))


def test_weights_beyond_reason_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(path, Weights(np.full(FEATURE_COUNT, 9_000, dtype=np.int64), "test"))
    with pytest.raises(InputError, match="8000"):
        read_weights(path.read_text("utf-8"))
