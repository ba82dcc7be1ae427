"""The pages of rules, their worked examples and pictures are what the rule book and the rules themselves say."""

import re
from xml.etree import ElementTree

import pytest

from scripts.rules_pages import GAMES, PAGES, PICTURES, make_page, make_pictures
from stampede.buffalo import Position
from stampede.buffalo.pieces import Side
from stampede.rulebook.examples import EXAMPLES, PlayedExample, pastures_of
from stampede.rulebook.scenes import MIDDLE, OPENING, BoardScene, PastureScene, scenes_of
from stampede.zoff.events import BonusPlaced, Filled
from tests.docs.markdown import ROOT

ZOFF = (PAGES / "zoff.md").read_text(encoding="utf-8")
BUFFALO = (PAGES / "buffalo.md").read_text(encoding="utf-8")


def placed(example: PlayedExample) -> dict[str, int]:
    """Cows on pastures by colour at an example's end."""
    found: dict[str, int] = {}
    for pasture in pastures_of(example.after):
        for colour, cows in pasture.herds.items():
            found[colour] = found.get(colour, 0) + cows
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_written_from_the_rule_book(game: str) -> None:
    assert (PAGES / f"{game}.md").read_text(encoding="utf-8") == make_page(game), (
        "run make reference"
    )


def test_every_example_shows_its_steps_and_how_it_begins_and_ends() -> None:
    assert ZOFF.count("```text\n") == 4 * len(EXAMPLES)


def test_the_sums_that_the_page_tells_are_right() -> None:
    text = " ".join(ZOFF.split())
    three = placed(EXAMPLES["three-players"]())
    assert "On pastures: orange {orange}, pink {pink}, green {green}.".format(**three) in text
    two = placed(EXAMPLES["two-players"]())
    ann, ben = two["blue"] + two["green"], two["pink"] + two["orange"]
    assert f"Ann has {two['blue']} blue and {two['green']} green cows on pastures, {ann}" in text
    assert f"Ben has {two['pink']} pink and {two['orange']} orange cows, {ben} in all" in text


def test_the_cascade_goes_as_the_page_tells_it() -> None:
    """Z5.1, Z5.4, Z12.3: in the order in which pastures were filled; ten cows follow one."""
    example = EXAMPLES["cascade"]()
    filled = [event.pasture for event in example.events if isinstance(event, Filled)]
    assert filled == ["Fire-Fields", "Drunk'n-Creek", "Coffee-Canyon"]
    bonuses = [event for event in example.events if isinstance(event, BonusPlaced)]
    gained: dict[str, int] = {}
    for event in bonuses:
        gained[event.colour] = gained.get(event.colour, 0) + len(event.on)
    assert gained == {"orange": 2, "pink": 4, "green": 4}
    assert [(event.source, event.colour) for event in bonuses] == [
        *(("Fire-Fields", colour) for colour in ("orange", "pink", "green")),
        *(("Drunk'n-Creek", colour) for colour in ("pink", "orange", "green")),
        *(("Coffee-Canyon", colour) for colour in ("green", "pink")),
    ]


@pytest.mark.parametrize(
    ("scene", "free", "herds"),
    [
        ("zoff-pasture", 12, {"purple": 3, "blue": 2, "green": 1}),
        ("zoff-example-after", 8, {"green": 4, "purple": 3, "blue": 2, "pink": 1}),
        ("zoff-pair-after", 1, {"orange": 5}),
        ("zoff-full", 0, {"pink": 5, "orange": 3}),
        ("zoff-final-after", 0, {"orange": 7, "pink": 5, "green": 2}),
    ],
)
def test_a_scene_is_the_position_that_its_text_tells(
    scene: str, free: int, herds: dict[str, int]
) -> None:
    """Z1.1, Z4.3, Z5.1, Z7.1, Z12.1: the numbers of the captions."""
    found = scenes_of("zoff")[scene]
    assert isinstance(found, PastureScene)
    (pasture,) = found.pastures
    assert (pasture.free, pasture.herds) == (free, herds)


def test_the_scene_of_precedence_has_the_order_of_the_text() -> None:
    """Z4.2: the herd first, then the earlier letter."""
    found = scenes_of("zoff")["zoff-precedence"]
    assert isinstance(found, PastureScene)
    assert [(one.colour, one.card) for one in found.cards] == [
        ("green", "5F"),
        ("pink", "4G"),
        ("orange", "4M"),
    ]


@pytest.mark.parametrize(
    ("scene", "winner"), [("buffalo-crossed", Side.BUFFALO), ("buffalo-stuck", Side.HUNTER)]
)
def test_a_scene_of_the_end_is_over(scene: str, winner: Side) -> None:
    """B3.1, B3.2: the position is decided as its text says."""
    found = scenes_of("buffalo")[scene]
    assert isinstance(found, BoardScene)
    assert Position.from_fen(found.fen).winner is winner


def test_the_sample_opening_of_buffalo_leads_to_the_position_that_is_told() -> None:
    position = Position.start()
    for move in (*OPENING, *MIDDLE):
        assert move in BUFFALO
        position = position.play(move)
    assert f"`{position.fen().split()[0]}`" in BUFFALO


DRAWN = make_pictures()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_drawn_from_its_position_and_shown_with_a_text(name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == DRAWN[name], "run make reference"
    ElementTree.fromstring(DRAWN[name])  # noqa: S314 - our own picture
    assert re.search(rf"!\[[^\]]+\]\(\.\./images/rules/{name}\)", ZOFF + BUFFALO)


def test_no_picture_is_left_over_and_every_scene_is_shown() -> None:
    assert {path.name for path in PICTURES.iterdir()} == set(DRAWN)
    scenes = {name for game in GAMES for name in scenes_of(game)}
    assert {name.removesuffix(".svg") for name in DRAWN} == scenes


def test_every_picture_of_a_page_has_a_text() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [
        page.name for page in pages if re.search(r"!\[\s*\]\(", page.read_text(encoding="utf-8"))
    ] == []
