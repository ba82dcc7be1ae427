"""Long jobs: the same bytes however they are run, and nothing made is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards import Job, JobFolder, LocalExecutor, run
from tests.lab.shards.dice import dice

ROOT = Path(__file__).parents[3]
HERE = LocalExecutor()


def test_the_hash_depends_on_the_job_alone(tmp_path: Path) -> None:
    """Not on the number of processes or the size of the shards."""
    first = run(dice(), tmp_path / "a", HERE)
    assert run(dice(), tmp_path / "b", LocalExecutor(2), shard_size=7).sha256 == first.sha256
    assert run(dice(), tmp_path / "c", HERE, shard_size=40).sha256 == first.sha256
    assert run(dice(seed=8), tmp_path / "d", HERE).sha256 != first.sha256
    lines = list(JobFolder(tmp_path / "b").lines())
    assert [index for index, _ in lines] == [json.loads(line)["index"] for _, line in lines]
    assert [index for index, _ in lines] == list(range(40))


def test_a_cut_file_is_continued_after_its_last_whole_line(tmp_path: Path) -> None:
    job, folder = dice(), tmp_path / "job"
    whole = run(job, folder, HERE, shard_size=10)
    shard = whole.folder.shards[1]
    path = whole.folder.finished_path(shard)
    text = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(text) if byte == ord("\n")]
    for kept in (b"", text[: ends[3]], text[: ends[3] + 9], text[: ends[3]] + b"\0\0\0\n", text):
        path.unlink()
        whole.folder.unfinished_path(shard).write_bytes(kept)
        seen: list[int] = []
        again = run(job, folder, HERE, progress=seen.append)
        assert again.sha256 == whole.sha256
        assert path.read_bytes() == text
        assert seen[0] == 30 + sum(end <= len(kept) for end in ends)
        assert seen[-1] == 40
        assert again.made == 40 - seen[0]


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    job = dice(kill=13, mark=str(tmp_path / "mark"))
    result = run(job, tmp_path / "job", LocalExecutor(2), shard_size=10)
    assert (tmp_path / "mark").exists()
    assert result.sha256 == run(dice(), tmp_path / "calm", HERE).sha256


def test_an_item_that_always_kills_its_worker_stops_the_job(tmp_path: Path) -> None:
    job = dice(kill=13, always=True, mark=str(tmp_path / "mark"))
    message = r"item 13: its worker died 3 times.* of 40 items are kept"
    with pytest.raises(JobStopped, match=message):
        run(job, tmp_path / "job", LocalExecutor(2), shard_size=10)
    (tmp_path / "mark").touch()
    assert run(job, tmp_path / "job", HERE).items == 40


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_item_that_raises_is_named_and_the_others_are_kept(jobs: int, tmp_path: Path) -> None:
    with pytest.raises(JobStopped, match="item 13: expected a die, got a coin"):
        run(dice(refuse=13), tmp_path, LocalExecutor(jobs), shard_size=20)
    kept = [index for index, _ in JobFolder(tmp_path).lines()]
    assert kept[:13] == list(range(13))
    assert 13 not in kept


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (dice(seed=8), r"expected a folder of this job, got seed 7 \(this job: 8\)"),
        (dice(items=41), r"got items 40 \(this job: 41\)"),
        (dice(sides=8), r'got parameters {} \(this job: {"sides":8}\)'),
        (replace(dice(), version=2), r"got version 1 \(this job: 2\)"),
        (replace(dice(), package="9.9"), r'got package "[\d.]+" \(this job: "9.9"\)'),
    ],
    ids=["seed", "items", "parameters", "version", "package"],
)
def test_a_folder_of_another_job_is_refused(other: Job, message: str, tmp_path: Path) -> None:
    run(dice(), tmp_path, HERE)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(InputError, match=message):
        run(other, tmp_path, HERE)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(InputError, match=r"expected an empty or a new folder, got letter.txt"):
        run(dice(), tmp_path, HERE)
    with pytest.raises(InputError, match=r"expected the folder of a job, got no manifest.json"):
        JobFolder(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such lock")
def test_a_second_run_at_the_same_time_is_refused(tmp_path: Path) -> None:
    run(dice(), tmp_path, HERE)
    with (
        JobFolder(tmp_path).locked(),
        pytest.raises(InputError, match="another process is working on this job"),
    ):
        run(dice(), tmp_path, HERE)


def test_a_changed_item_is_noticed(tmp_path: Path) -> None:
    result = run(dice(), tmp_path, HERE, shard_size=10)
    path = result.folder.finished_path(result.folder.shards[2])
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"index":25', '"index":26'), encoding="utf-8")
    with pytest.raises(JobStopped, match=r"expected the items that result.json names, got others"):
        run(dice(), tmp_path, HERE)
    path.unlink()
    assert run(dice(), tmp_path, HERE).sha256 == result.sha256


LIMITED = """
import resource, signal, sys
from pathlib import Path
from stampede.core.errors import JobStopped
from stampede.lab.shards import LocalExecutor, run
from tests.lab.shards.dice import dice

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    try:
        run(dice(), Path(sys.argv[1]), LocalExecutor(int(sys.argv[2])), shard_size=20)
    except JobStopped as error:
        sys.exit(str(error))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on the size of files")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_cannot_grow_keeps_what_it_has(jobs: int, tmp_path: Path) -> None:
    """As on a full disk: the system refuses a write half-way."""
    script, folder = tmp_path / "job.py", tmp_path / "job"
    script.write_text(LIMITED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, folder, str(jobs)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "File too large" in done.stderr
    assert "items are kept in" in done.stderr
    kept = dict(JobFolder(folder).lines())
    assert kept
    again = run(dice(), folder, HERE)
    assert again.sha256 == run(dice(), tmp_path / "whole", HERE).sha256
    assert kept.items() <= dict(again.folder.lines()).items()
