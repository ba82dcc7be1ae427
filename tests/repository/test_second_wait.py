"""A wait in vain is tried once more; a wrong result isn't (docs/decisions/0014-second-wait.md)."""

import subprocess
import sys
from pathlib import Path

from tests.repository.files import ROOT

TESTS = """
from pathlib import Path

import pytest

from tests.waiting import wait_until


def note(name):
    with Path(__file__).with_name(name).open("a") as file:
        file.write("x")


def test_wrong():
    note("wrong")
    assert 1 + 1 == 3


def test_slow(monkeypatch):
    monkeypatch.setattr("tests.waiting.PATIENCE", 0.1)
    note("slow")
    wait_until("the cows come home", lambda: len(Path(__file__).with_name("slow").read_text()) > 1)


@pytest.mark.timeout(0.2)
def test_hanging():
    note("hanging")
    while len(Path(__file__).with_name("hanging").read_text()) < 2:
        pass


def test_never(monkeypatch):
    monkeypatch.setattr("tests.waiting.PATIENCE", 0.1)
    note("never")
    wait_until("pigs fly", lambda: False)
"""


def test_only_a_wait_in_vain_is_tried_once_more(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0"]
    done = subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    tries = {path.name: len(path.read_text()) for path in tmp_path.iterdir() if not path.suffix}
    assert tries == {"wrong": 1, "slow": 2, "hanging": 2, "never": 2}, done.stdout
    assert "2 failed, 2 passed, 3 rerun" in done.stdout
    assert "saw instead" in done.stdout
