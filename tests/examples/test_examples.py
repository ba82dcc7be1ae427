"""Every example runs, and does what it says."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.repository.files import ROOT
from tests.server.clients import guests
from tests.server.servers import running, settings_for

EXAMPLES = ROOT / "examples"


def run_example(name: str, *arguments: str, answers: str = "", folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        input=answers,
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_in_the_terminal_loop() -> None:
    """A wrong move is explained; then the a-file runs, and one buffalo or another crosses."""
    moves = [f"{file}{rank}{file}{rank - 1}" for file in "abcdefghijk" for rank in range(7, 1, -1)]
    out = run_example("play_in_terminal.py", answers="\n".join(["nonsense", *moves * 4]))
    assert "expected a move such as a7a6" in out
    assert "random plays" in out
    assert re.search(r"has won: (crossed|no_move)\n$", out)


def test_the_written_bot_beats_random_ones() -> None:
    out = run_example("write_a_bot.py")
    found = re.search(r"wins ([\d.]+) of 100 games", out)
    assert found is not None, out
    assert float(found[1]) > 60, "a random bot would win about 25"


def test_the_written_bot_plays_on_the_command_line() -> None:
    seats = "write_a_bot:Majority,random,random"
    command = [sys.executable, "-m", "stampede", "simulate", "zoff", "--seats", seats, "-n", "3"]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=True)
    assert "majority" in done.stdout


def test_a_position_is_analysed_and_drawn(tmp_path: Path) -> None:
    out = run_example("analyse_position.py", folder=tmp_path)
    assert "the hunter to move: " in out
    picture = (tmp_path / "position.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "<polygon" in picture, "an arrow shows the best move"


def test_statistics_of_games() -> None:
    out = run_example("statistics_of_games.py", "40")
    assert sum("95 % interval" in line for line in out.splitlines()) >= 3
    assert "Ends: {'rounds': 40}" in out


def test_training_learns_something() -> None:
    """The seed is fixed, so the result is the same on every machine."""
    out = run_example("train_hunter.py")
    found = re.search(r"random hunter wins (\d+)% of 100 games, the trained one (\d+)%", out)
    assert found is not None, out
    assert int(found[1]) < 10
    assert int(found[2]) > 80


def test_the_websocket_bot_is_short() -> None:
    lines = (EXAMPLES / "websocket_bot.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 50


FIRST = """
class First:
    name = "first"
    def choose(self, view, rng):
        return view.legal[0]
"""


def test_bots_play_a_whole_game_over_the_websocket(tmp_path: Path) -> None:
    """A bot of the package in one seat, one of our own in the other."""
    (tmp_path / "first_bot.py").write_text(FIRST, encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (host,):
            opened = await host.open("buffalo", [{}, {}])
            program = str(EXAMPLES / "websocket_bot.py")
            command = [sys.executable, program, base, opened["table"], opened["invite"]]
            programs = [
                subprocess.Popen(
                    [*command, bot],
                    stdout=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "PYTHONPATH": paths},
                )
                for bot in ("random", "first_bot:First")
            ]
            told = [(await asyncio.to_thread(program.communicate))[0] for program in programs]
            assert [program.returncode for program in programs] == [0, 0]
            assert all("winners" in text for text in told)
            names = {
                player["name"] for player in (await host.look(opened["table"]))["view"]["players"]
            }
            assert names == {"random", "first"}

    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))
