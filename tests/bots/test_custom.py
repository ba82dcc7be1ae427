"""Bots of one's own: by module and class, by entry point, and what a wrong one is told."""

import random
from pathlib import Path
from textwrap import dedent

import pytest

import stampede
from stampede.bots import bot_named, find_bot
from stampede.core.errors import IllegalAction, InputError

MODULE = """
class First:
    name = "first"
    def choose(self, view, rng):
        return next(iter(view.legal))

class Nameless:
    def choose(self, view, rng):
        return None

class Silent:
    name = "silent"

class OneArgument:
    name = "one"
    def choose(self, view):
        return None

class Needy:
    name = "needy"
    def __init__(self, level):
        self.level = level
    choose = First.choose

class Cheat:
    name = "cheat"
    def choose(self, view, rng):
        return "a7a1"

def make():
    return First()

ready = First()
nothing = 3

class Folder:
    Inner = First
"""


@pytest.fixture(autouse=True)
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module `own_bots_for_tests` that can be imported."""
    (tmp_path / "own_bots_for_tests.py").write_text(dedent(MODULE), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "own_bots_for_tests", raising=False)


@pytest.mark.parametrize("what", ["First", "make", "ready", "Folder.Inner"])
def test_a_class_a_function_or_a_bot_will_do(what: str) -> None:
    bot = stampede.bot(f"own_bots_for_tests:{what}")
    game = stampede.new_game("buffalo")
    game.play_bot(bot, random.Random(0))
    assert game.record().seats[0].bot == "first"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("own_bots_for_tests:Missing", "expected module:Class.*has no attribute 'Missing'"),
        ("no_such_module:Bot", "expected module:Class.*No module named 'no_such_module'"),
        ("own_bots_for_tests:", "expected module:Class"),
        (":First", "expected module:Class"),
        ("own_bots_for_tests:Nameless", "to have a name, a text, got None"),
        ("own_bots_for_tests:Silent", r"to have a method choose\(view, rng\), but it has none"),
        ("own_bots_for_tests:OneArgument", r"to have choose\(view, rng\): too many"),
        ("own_bots_for_tests:Needy", "to take no arguments: missing a required argument: 'level'"),
        ("own_bots_for_tests:nothing", r"to have a method choose\(view, rng\)"),
        ("genius", "expected random, buffalo-1 to buffalo-10, zoff-1 to zoff-6, .*or module:Class"),
        ("zoff-7", "expected random, buffalo-1 to buffalo-10, zoff-1 to zoff-6"),
    ],
)
def test_what_is_no_bot_is_told_what_is_expected(what: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        stampede.bot(what)
    assert "\n" not in str(caught.value)


def test_a_bot_that_plays_an_illegal_action_is_named() -> None:
    game = stampede.new_game("buffalo")
    with pytest.raises(IllegalAction, match="cheat: expected one of the legal actions, got 'a7a1'"):
        game.play_bot(stampede.bot("own_bots_for_tests:Cheat"), random.Random(0))
    assert game.turns == []


def test_an_installed_package_can_register_a_bot(tmp_path: Path) -> None:
    installed = tmp_path / "own_bots_for_tests-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: own-bots-for-tests\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[stampede.bots]\nmy-first = own_bots_for_tests:First\n"
    )
    assert find_bot("my-first").name == "first"
    assert "my-first" in stampede.bot_names("zoff")
    with pytest.raises(InputError, match=r"my-first, .*or module:Class"):
        find_bot("my-second")


def test_the_servers_bots_are_the_packages_own() -> None:
    """A name that a client sends must not make the server import a module."""
    with pytest.raises(InputError, match="expected random"):
        bot_named("own_bots_for_tests:First")
