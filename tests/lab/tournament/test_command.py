"""`stampede tournament`: its files and tables, and what it does after SIGKILL."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import invoke
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
SPEC = """
name = "Cup <of> three"
game = "zoff"
seats = 3
tables = "mixed"
format = "swiss"
rounds = 2
bouts = 6
players = ["random", "tests.lab.tournament.players:First", "tests.lab.tournament.players:Slow"]
"""


@pytest.fixture
def spec_file(tmp_path: Path) -> Path:
    """A small tournament."""
    path = tmp_path / "cup.toml"
    path.write_text(SPEC, "utf-8")
    return path


def test_a_killed_tournament_continues_where_it_was(tmp_path: Path, spec_file: Path) -> None:
    """SIGKILL in the first round, with two processes: the finished folder is the same, byte for byte."""
    calm = invoke("tournament", spec_file, "--out", tmp_path / "calm")
    assert calm.exit_code == 0, calm.output
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "stampede.cli", "tournament", spec_file, "--out", folder]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "STAMPEDE_TEST_SLOW": "0.1"}
    process = subprocess.Popen([*map(str, command), "--jobs", "2"], env=environment)
    shards = folder / "stage-000"

    def bouts() -> int:
        return sum(path.read_bytes().count(b"\n") for path in shards.glob("shard-*"))

    try:
        wait_until("a bout is kept", lambda: bouts() > 0, lambda: list(folder.rglob("*")))
    finally:
        process.kill()
        process.wait()
    kept = {path.name: path.read_bytes() for path in shards.glob("shard-*.jsonl")}
    assert not (folder / "report.json").exists()
    so_far = invoke("tournament", spec_file, "--out", folder, "--report", "--json")
    assert so_far.exit_code == 0, so_far.output
    assert json.loads(so_far.stdout)["over"] is False
    assert 0 < json.loads(so_far.stdout)["bouts"] < 12
    again = invoke("tournament", spec_file, "--out", folder, "--jobs", "2")
    assert again.exit_code == 0, again.output
    assert {name: (shards / name).read_bytes() for name in kept} == kept
    for name in ("games.jsonl", "report.json", "report.html"):
        assert (folder / name).read_bytes() == (tmp_path / "calm" / name).read_bytes(), name


def test_the_report_names_everyone(tmp_path: Path, spec_file: Path) -> None:
    shown = invoke("tournament", spec_file, "--out", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    assert "36 games in 12 bouts" in shown.output
    told = invoke("tournament", spec_file, "--out", tmp_path / "out", "--json")
    data = json.loads(told.stdout)
    assert data == json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert {each["player"] for each in data["standings"]} == {
        "random",
        "tests.lab.tournament.players:First",
        "tests.lab.tournament.players:Slow",
    }
    assert not data["faults"]
    assert sum(each["wins"] for each in data["standings"]) == pytest.approx(36, abs=0.01)
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Cup &lt;of&gt; three" in page
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', ""), "it loads nothing"


def test_there_is_no_report_before_the_first_bout(tmp_path: Path, spec_file: Path) -> None:
    shown = invoke("tournament", spec_file, "--out", tmp_path / "out", "--report")
    assert shown.exit_code == 2
    assert "expected the folder of a tournament, got no tournament.json" in " ".join(
        shown.output.split()
    )
    assert not (tmp_path / "out").exists()


def test_a_dry_run_plays_little_and_keeps_nothing(tmp_path: Path, spec_file: Path) -> None:
    shown = invoke("tournament", spec_file, "--dry-run", "--out", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    assert "12 bouts, 36 games, about" in shown.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seats = 3", "seats = 7"), "seats: expected 2, 3, 4, 5, 6"),
        (("rounds", "rouns"), "rouns: unknown; expected one of"),
        (('"random"', '"nobody"'), "players: nobody: bot: expected random"),
    ],
)
def test_bad_input_changes_nothing(
    tmp_path: Path, spec_file: Path, change: tuple[str, str], message: str
) -> None:
    spec_file.write_text(SPEC.replace(*change), "utf-8")
    shown = invoke("tournament", spec_file, "--out", tmp_path / "out")
    assert shown.exit_code == 2
    assert message in " ".join(shown.output.split())
    assert not (tmp_path / "out").exists()
