"""The commands on top of the search, as a user calls them."""

import json

import pytest
from typer.testing import CliRunner, Result

from stampede.buffalo import Position
from stampede.cli.main import build

THREAT = "bbbbbbbbb1b/11/11/11/9b1/3DDCD1D2/11 w - - 0 9"
OVER = "11/11/11/11/11/3DDCDD3/b10 w - - 0 1"


def run(*words: str) -> Result:
    return CliRunner().invoke(build(words[0]), words)


def test_analyse_shows_moves_and_says_what_threatens() -> None:
    done = run("analyse", THREAT, "--depth", "4", "--lines", "2")
    assert done.exit_code == 0
    assert "threatens to step to j2" in done.stdout
    assert "i2j2" in done.stdout


def test_analyse_writes_one_json_object() -> None:
    done = run("analyse", "--depth", "3", "--lines", "4", "--json")
    told = json.loads(done.stdout)
    assert told["fen"] == Position.start().fen()
    assert len(told["lines"]) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("analyse", "nonsense"), "FEN: expected"),
        (("analyse", "bbbbbbbbbbb/11/11/11/11/3DDDDD3/11 b - -"), "chief"),
        (("analyse", OVER), "isn't over"),
        (("analyse", "--nodes", "0"), "above 0"),
        (("analyse", "--seconds", "-1"), "above 0"),
        (("match", "--a", "11", "--b", "1"), "1 to 10"),
        (("match", "--a", "1", "--b", "2", "--openings", "no-such-file"), "no-such-file"),
        (("match", "--a", "1", "--b", "2", "--sprt", "x"), "sprt"),
        (("play", "buffalo", "--bot", "12"), "buffalo-1 to buffalo-10"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
