"""Without the extras: the rules, records and bots of one's own work, and what is missing is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from stampede.core.extras import EXTRA_OF

# A newer Typer than ours, which imports pydantic, may be installed.
HIDDEN = set(EXTRA_OF) - {"pydantic", "pydantic_core", "typing_extensions"}
# Hides the packages of all extras, as if they weren't installed.
WITHOUT_EXTRAS = f"""
import sys

class Hidden:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {HIDDEN!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden)
"""
COMMAND = f"{WITHOUT_EXTRAS}\nfrom stampede.cli.main import main\nmain()"


def run_base(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_rules_records_and_simulations_need_no_extra(tmp_path: Path) -> None:
    for command in (
        "--help",
        "simulate zoff --games 2 --players 3 --records games.jsonl",
        "record check games.jsonl",
        "record show games.jsonl --game 1",
        "rules buffalo",
        "perft --depth 2",
        "buffalo show --svg board.svg",
        "zoff edition check",
        "puzzles show 1",
    ):
        done = run_base(tmp_path, *command.split())
        assert (done.returncode, done.stderr) == (0, ""), command


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("simulate zoff --bot zoff-5", "engine"),
        ("analyse", "engine"),
        ("match --a 1 --b 2", "engine"),
        ("uci", "engine"),
        ("solve results", "engine"),
        ("warmup", "engine"),
        ("serve", "server"),
        ("db check", "server"),
        ("ratings recompute", "server"),
    ],
)
def test_a_missing_extra_is_named_with_its_command(
    command: str, extra: str, tmp_path: Path
) -> None:
    done = run_base(tmp_path, *command.split())
    assert done.returncode == 2
    assert done.stderr.startswith("stampede: ")
    assert done.stderr.count("\n") == 1
    assert f"pip install 'stampede[{extra}]'" in done.stderr


def test_the_front_door_names_a_missing_extra() -> None:
    code = (
        f"{WITHOUT_EXTRAS}\nimport stampede, random\n"
        "game = stampede.new_game('zoff', players=3, seed=1)\n"
        "game.play_bot(stampede.bot('random'), random.Random(1))\n"
        "try: stampede.bot('zoff-5')\n"
        "except stampede.StampedeError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'stampede[engine]'" in done.stdout
