"""Training the network: the command that anybody can run again, on a very small scale."""

from pathlib import Path

import numpy as np
import pytest

from stampede.core.errors import InputError
from stampede.lab.buffalo_network.__main__ import main
from stampede.lab.buffalo_network.fit import NetworkFit, make_examples
from stampede.lab.buffalo_network.positions import Batch, read_batches, self_play_job
from stampede.lab.shards import JobFolder
from stampede.search.buffalo.network import HIDDEN, read_network, shipped_network
from stampede.search.buffalo.workspace import PROVEN

SMALL = ["--batches", "3", "--games", "3", "--nodes", "60"]


def trained(folder: Path, out: Path, *more: str) -> int:
    return main(["--folder", str(folder), "--out", str(out), *SMALL, *more])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with positions, and the network that was fitted to them."""
    folder = tmp_path_factory.mktemp("network")
    assert trained(folder / "positions", folder / "network.npz") == 0
    return folder


def test_the_same_command_makes_the_same_file(folder: Path, tmp_path: Path) -> None:
    assert trained(tmp_path / "positions", tmp_path / "network.npz", "--jobs", "2") == 0
    assert (tmp_path / "network.npz").read_bytes() == (folder / "network.npz").read_bytes()
    with (tmp_path / "network.npz").open("rb") as file:
        assert read_network(file).made.endswith("--games 3 --nodes 60 --trust 0.3 --seed net/5000")


def test_positions_of_another_job_are_not_mixed_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / "network.npz").read_bytes()
    assert trained(folder / "positions", folder / "network.npz", "--seed", "other") == 1
    assert "seed" in capsys.readouterr().err
    assert (folder / "network.npz").read_bytes() == before


def test_a_batch_comes_back_as_it_was_written() -> None:
    batch = Batch(
        np.array([-(1 << 63), 5, (1 << 62) + 1], dtype=np.int64),
        np.array([-30_000, 3, 30_000], dtype=np.int16),
        np.array([True, False, True]),
    )
    again = Batch.from_json(batch.to_json())
    assert np.array_equal(again.keys, batch.keys)
    assert np.array_equal(again.scores, batch.scores)
    assert np.array_equal(again.won, batch.won)
    with pytest.raises(InputError, match="keys"):
        Batch.from_json({"scores": "", "won": ""})


def test_targets_follow_the_game_where_nothing_is_proven(folder: Path) -> None:
    """The game's result has its share, except where search knows better or the position isn't of the game."""
    batches = list(read_batches(JobFolder(folder / "positions")))
    scores = np.concatenate([batch.scores for batch in batches]).astype(np.int64)
    won = np.concatenate([batch.won for batch in batches])
    alone = (scores & 1 == 1) | (np.abs(scores) >= PROVEN)
    targets = make_examples(batches, 1.0).targets
    assert 0 < alone.sum() < len(alone)
    assert np.array_equal(targets[~alone], won[~alone].astype(np.float32))
    assert np.all((targets[scores >= PROVEN] > 0.99) & (targets[scores >= PROVEN] < 1.0))


def test_fitting_brings_predictions_nearer_to_what_is_known(folder: Path) -> None:
    examples = make_examples(list(read_batches(JobFolder(folder / "positions"))), 0.3)
    fit = NetworkFit(1)
    before = fit.loss(examples)
    for _ in range(5):
        fit.make_pass(examples, 0.1)
    assert fit.loss(examples) < 0.95 * before
    assert fit.network("test").rows.shape[1] == HIDDEN


def test_the_shipped_network_comes_from_this_command() -> None:
    job = self_play_job(400, 400, 5000, "net/5000")
    assert f"--batches {job.items} --games 400 --nodes 5000" in shipped_network().made
    assert shipped_network().made.endswith(f"--seed {job.seed}")
