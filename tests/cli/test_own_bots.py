"""Bots of one's own at the terminal: `stampede play --bot module:Class`."""

import json
from pathlib import Path

import pytest

from tests.cli.helpers import invoke, lines, records_in

BOTS = """
class Last:
    name = "last"
    def choose(self, view, rng):
        return list(view.legal)[-1]

class Cheat:
    name = "cheat"
    def choose(self, view, rng):
        from stampede.buffalo import Move
        return Move.parse("f2f7")

class Mute:
    name = "mute"

class Nameless:
    def choose(self, view, rng):
        return None
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of bots, which is the current one; saved games go below it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    module = f"bots_of_{abs(hash(tmp_path))}"
    (tmp_path / f"{module}.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def module(folder: Path) -> str:
    (path,) = folder.glob("bots_of_*.py")
    return path.stem


@pytest.mark.parametrize(("game", "human"), [("buffalo", "--as"), ("zoff", "--human")])
def test_a_bot_of_your_own_plays_a_whole_game(
    folder: Path, module: str, game: str, human: str
) -> None:
    file = folder / "game.json"
    done = invoke("play", game, human, "none", "--bot", f"{module}:Last", "--save", file)
    assert done.exit_code == 0, done.output
    (record,) = records_in(file)
    assert record.result is not None
    assert {seat.bot for seat in record.seats} == {f"{module}:Last"}


def test_a_game_against_a_bot_of_your_own_goes_on_when_you_name_the_bot_again(
    folder: Path, module: str
) -> None:
    """A file that someone sends you makes no command import a module."""
    file, bot = folder / "game.json", f"{module}:Last"
    begun = invoke("play", "buffalo", "--bot", bot, "--save", file, answers=lines(["a", "quit"]))
    how = f"stampede play buffalo --resume {file} --bot {bot}"
    assert how in begun.output
    data = json.loads(file.read_text())
    data["seats"][1]["bot"] = "antigravity:fly"
    other = folder / "other.json"
    other.write_text(json.dumps(data))
    for refused in (
        invoke("play", "--resume", file),
        invoke("play", "buffalo", "--resume", other, "--bot", bot),
    ):
        assert refused.exit_code == 2
        assert "if it is yours and you trust it: `stampede play buffalo" in refused.stderr
    done = invoke(*how.split()[1:], answers=lines(["b", "quit"]))
    assert done.exit_code == 0, done.output
    assert len(records_in(file)[0].actions) == 4


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("{}:Mute", "to have a method choose(view, rng), but it has none"),
        ("{}:Nameless", "to have a name"),
        ("{}:Missing", "expected module:Class"),
        ("no_such_module:Bot", "expected module:Class"),
        ("nine", "expected random, buffalo-1 to buffalo-10"),
        ("{}:Cheat", "expected a legal action"),
    ],
)
def test_a_bot_that_cannot_play_is_one_line(module: str, bot: str, why: str) -> None:
    done = invoke("play", "buffalo", "--as", "none", "--bot", bot.format(module))
    assert done.exit_code == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
