"""`stampede warmup` and a server that still compiles: whatever ends them, none of their processes is left."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stampede.cli.server import warmup
from stampede.tablebase.endgames.endgame import open_endgame
from stampede.tablebase.endgames.spec import EndgameSpec
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
TAG = "STAMPEDE_TEST_FAMILY"


def family(tag: str) -> list[int]:
    """The processes that have inherited a tag in their environment, dead ones left out."""
    mark = f"{TAG}={tag}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # another user's, or it has just ended
            continue
    return found


@contextmanager
def compiling(folder: Path, *command: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Runs a command with empty caches, until its worker processes compile; kills what is left in the end."""
    tag = secrets.token_hex(8)
    environment = {
        **os.environ,
        TAG: tag,
        "NUMBA_CACHE_DIR": str(folder / "numba"),
        "STAMPEDE_TABLEBASES": str(folder / "tablebases"),
        "STAMPEDE_DATABASE_URL": f"sqlite:///{folder / 'tables.db'}",
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "stampede.cli", *command],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    numba = folder / "numba"
    try:
        wait_until(
            "something is compiled",
            lambda: any(path.is_file() for path in numba.rglob("*")),
            lambda: (process.poll(), (folder / "log").read_bytes()[-2000:]),
        )
        yield process, tag
    finally:
        process.kill()
        process.wait(PATIENCE)
        for left in family(tag):
            os.kill(left, signal.SIGKILL)


def test_endgames_are_built_where_analysis_looks_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STAMPEDE_TABLEBASES", str(tmp_path))
    warmup.build_endgames("endgame/3/2/1", quiet=False)
    assert "endgame-3-2-1.table" in capsys.readouterr().out
    assert open_endgame(tmp_path / "endgame-3-2-1.table", check=True).spec.columns == 3
    assert EndgameSpec.parse(warmup.ENDGAMES) == EndgameSpec(11, 3, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "number"),
    [
        (("warmup",), signal.SIGTERM),
        (("serve", "--port", "0"), signal.SIGTERM),
        (("serve", "--port", "0"), signal.SIGKILL),
    ],
    ids=["warmup, SIGTERM", "serve, SIGTERM", "serve, SIGKILL"],
)
def test_no_process_is_left_when_compiling_is_interrupted(
    tmp_path: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    with compiling(tmp_path, *command) as (process, tag):
        assert len(family(tag)) > 1, "other processes compile"
        process.send_signal(number)
        process.wait(PATIENCE)
        wait_until("all its processes have ended", lambda: not family(tag), lambda: family(tag))
