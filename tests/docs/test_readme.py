"""What the README claims about Buffalo is what the page of verified certificates says."""

import re

from tests.docs.markdown import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SOLVED = (ROOT / "docs" / "solved.md").read_text(encoding="utf-8")


def claims() -> str:
    return " ".join(README.split("## Who wins Buffalo?", 1)[1].split("\n## ", 1)[0].split())


def test_the_start_is_called_open_as_long_as_it_is() -> None:
    assert re.search(r"^\| 0 \| none: the game itself \|.*\| open \|$", SOLVED, re.MULTILINE)
    assert "No one knows yet whether the buffaloes or the hunter win from the start." in claims()


def test_narrow_boards_are_won_by_the_hunter() -> None:
    won = re.findall(r"^\| (\d+) \| the hunter \| `columns-", SOLVED, re.MULTILINE)
    assert [int(columns) for columns in won] == list(range(int(won[0]), int(won[-1]) + 1))
    assert f"boards of {won[0]} to {won[-1]} columns" in claims()


def test_fewer_buffaloes_are_beaten_as_the_readme_says() -> None:
    rungs = re.findall(r"^\| (\d+) \| (\d+) buffalo.*\*\*the hunter wins\*\*", SOLVED, re.MULTILINE)
    assert {int(left) for _, left in rungs} == set(range(1, 10))
    assert "against any nine buffaloes or fewer" in claims()
    missing = re.findall(r"^\| 10 \| (\w) \| the hunter \|", SOLVED, re.MULTILINE)
    assert f"the one on {', '.join(missing[:-1])} or {missing[-1]} is missing" in claims()


def test_two_steps_of_all_win_for_the_buffaloes() -> None:
    assert re.search(r"^\| `11/11/b{11}/.*\| the buffalo side \| `opening-all-2` \|", SOLVED, re.M)
    assert "wins when all eleven buffaloes have made two steps" in claims()
    assert re.search(r"the buffalo side \| `opening-abjk-2` \|", SOLVED)
    assert "when a, b, j and k have made two and the others one" in claims()


def test_the_readme_shows_a_picture_before_it_shows_code() -> None:
    assert 0 < README.index("![") < README.index("```")
