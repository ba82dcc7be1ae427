"""On a full disk a study, a training and a tournament say which file it was, and leave what was there before.

A limit on the size of files stands in for the disk: the system refuses a write in the same way.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stampede.lab.baselines import Trainer, TrainingPlan, read_learned
from tests.cli.helpers import invoke

resource = pytest.importorskip("resource", reason="needs a limit on the size of files")
BYTES = 1024


@contextmanager
def full_disk() -> Iterator[None]:
    """Meanwhile, no file can grow beyond a kilobyte."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_study_keeps_its_former_figures(tmp_path: Path) -> None:
    study = ("study", "buffalo-rungs", "--games", "8", "--out", tmp_path)
    assert invoke(*study).exit_code == 0
    kept = _contents(tmp_path)
    with full_disk():
        done = invoke(*study, "--seed", "2")
    assert done.exit_code != 0
    assert f"{tmp_path / 'buffalo-rungs-rungs.svg'}: File too large" in done.stderr
    assert _contents(tmp_path) == kept


def test_a_training_keeps_its_former_checkpoint(tmp_path: Path) -> None:
    trainer = Trainer(TrainingPlan("buffalo", games=4, steps=8, batch=16, hidden=8, rounds=2))
    file = tmp_path / "checkpoint.npz"
    rounds = trainer.run()
    next(rounds)
    trainer.save(file)
    kept = _contents(tmp_path)
    next(rounds)
    with full_disk(), pytest.raises(OSError, match=r"File too large: '.*checkpoint.npz'"):
        trainer.save(file)
    assert _contents(tmp_path) == kept
    assert Trainer.resume(file).rounds == 1
    assert read_learned(file).plan == trainer.plan


def test_a_tournament_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    spec, out = tmp_path / "cup.toml", tmp_path / "cup"
    spec.write_text('game = "buffalo"\nbouts = 2\nplayers = ["random", "1"]\n', "utf-8")
    with full_disk():
        done = invoke("tournament", spec, "--out", out)
    assert done.exit_code != 0
    assert "File too large" in done.stderr
    assert not (out / "report.html").exists()
    assert invoke("tournament", spec, "--out", out).exit_code == 0
    assert (out / "report.html").exists()
    assert not [name for name in _contents(out) if "part" in name]
