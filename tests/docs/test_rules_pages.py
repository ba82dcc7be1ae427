"""The worked examples and pictures of the rules pages are what the rules themselves say."""

import re
from xml.etree import ElementTree

import pytest

from stampede.buffalo import Position
from stampede.zoff.events import BonusPlaced, Filled
from tests.docs.markdown import ROOT
from tests.docs.rules_pictures import FOLDER, MIDDLE, OPENING, make_pictures
from tests.docs.worked_rounds import BLOCK, EXAMPLES, PAGE, Worked, make_page

ZOFF = PAGE.read_text(encoding="utf-8")
BUFFALO = (PAGE.parent / "buffalo.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return ZOFF.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def placed(worked: Worked) -> dict[str, int]:
    """Cows on pastures by colour at an example's end."""
    rows = worked.after.herds
    return {
        colour: sum(row[number] for row in rows)
        for number, colour in enumerate(worked.after.setup.colours)
    }


def test_the_tables_of_the_examples_come_from_the_rules() -> None:
    assert make_page(ZOFF) == ZOFF, "run make reference"


def test_every_example_shows_its_steps_and_how_it_begins_and_ends() -> None:
    shown = {found["name"] for found in BLOCK.finditer(ZOFF)}
    assert shown == {f"{name} {part}" for name in EXAMPLES for part in ("before", "steps", "after")}


def test_the_choices_that_the_page_shows_are_those_that_are_played() -> None:
    names = {"A round, step by step": "three players", "Two players, step by step": "two players"}
    for title, name in names.items():
        steps = EXAMPLES[name]().tables()["steps"]
        (laid,) = [
            block
            for block in re.findall(r"```text\n(.*?)```", section(title), re.DOTALL)
            if "capacity" not in block and "becomes" not in block
        ]
        pairs = re.findall(r"([A-Z][\w'-]+-[A-Z]\w+) +(\d[A-Z])", laid)
        assert len(pairs) == {"three players": 6, "two players": 4}[name]
        for pasture, card in pairs:
            assert re.search(rf"{card} +{pasture} ", steps), (pasture, card)


def test_the_sums_that_the_page_tells_are_right() -> None:
    three = placed(EXAMPLES["three players"]())
    assert "On pastures: orange {orange}, pink {pink}, green {green}.".format(**three) in ZOFF
    two = placed(EXAMPLES["two players"]())
    ann, ben = two["blue"] + two["green"], two["pink"] + two["orange"]
    text = " ".join(section("Two players, step by step").split())
    assert f"Ann has {two['blue']} blue and {two['green']} green cows on pastures, {ann}" in text
    assert f"Ben has {two['pink']} pink and {two['orange']} orange cows, {ben} in all" in text


def test_the_cascade_goes_as_the_page_tells_it() -> None:
    """Z5.1, Z5.4: in the order in which pastures were filled; ten cows follow one."""
    worked = EXAMPLES["cascade"]()
    filled = [event.pasture for event in worked.events if isinstance(event, Filled)]
    assert filled == ["Fire-Fields", "Drunk'n-Creek", "Coffee-Canyon"]
    bonuses = [event for event in worked.events if isinstance(event, BonusPlaced)]
    gained: dict[str, int] = {}
    for event in bonuses:
        gained[event.colour] = gained.get(event.colour, 0) + len(event.on)
    assert gained == {"orange": 2, "pink": 4, "green": 4}
    assert [(event.source, event.colour) for event in bonuses] == [
        *(("Fire-Fields", colour) for colour in ("orange", "pink", "green")),
        *(("Drunk'n-Creek", colour) for colour in ("pink", "orange", "green")),
        *(("Coffee-Canyon", colour) for colour in ("green", "pink")),
    ]


def test_the_sample_opening_of_buffalo_leads_to_the_position_that_is_told() -> None:
    position = Position.start()
    for move in (*OPENING, *MIDDLE):
        assert move in BUFFALO
        position = position.play(move)
    assert f"`{position.fen().split()[0]}`" in BUFFALO


PICTURES = make_pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_from_its_position_and_shown_with_a_text(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PICTURES[name], "run make reference"
    ElementTree.fromstring(PICTURES[name])  # noqa: S314 - our own picture
    assert re.search(rf"!\[[^\]]+\]\(\.\./images/rules/{name}\)", ZOFF + BUFFALO)


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PICTURES)


def test_every_picture_of_a_page_has_a_text() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [
        page.name for page in pages if re.search(r"!\[\s*\]\(", page.read_text(encoding="utf-8"))
    ] == []
