"""The table as text and as a picture: all that a view holds is there, and nothing else."""

from xml.etree import ElementTree

import pytest

from stampede.zoff import ZoffRules
from stampede.zoff.board import draw_board
from stampede.zoff.palette import SHADES, letters_of
from stampede.zoff.svg import draw_table
from stampede.zoff.view import ZoffView, view_of
from tests.zoff.arranged import GAME, arranged, played

SVG = "{http://www.w3.org/2000/svg}"
CASES = [ZoffRules(players) for players in (2, 3, 6)] + [ZoffRules(4, auction=True)]


def views(rules: ZoffRules) -> list[ZoffView]:
    """A spectator's views of moments of a random game, the end included."""
    game = played(rules, 3)
    return [view_of(turn.state, None) for turn in game.turns[::7]] + [view_of(game.state, None)]


@pytest.mark.parametrize("rules", CASES, ids=str)
def test_the_text_shows_every_cow_and_every_free_space(rules: ZoffRules) -> None:
    for view in views(rules):
        lines = draw_board(view).splitlines()
        for pasture, line in zip(view.pastures, lines[3:], strict=False):
            assert line.startswith(pasture.name)
            assert line.count("·") == pasture.free
            herds = line.removeprefix(pasture.name).split()[0]
            assert len(herds) == pasture.capacity
        assert len({line.index("free") for line in lines if " free " in line}) == 1


@pytest.mark.parametrize("rules", CASES, ids=str)
def test_the_picture_is_well_formed_and_shows_every_cow_and_space(rules: ZoffRules) -> None:
    for view in views(rules):
        root = ElementTree.fromstring(draw_table(view))  # noqa: S314 - our own drawing
        cows = sum(sum(pasture.herds.values()) for pasture in view.pastures)
        badges = sum(len(seat.colours) for seat in view.seats)
        assert len(root.findall(f"{SVG}use")) == cows + badges
        spaces = sum(pasture.free for pasture in view.pastures)
        assert len(root.findall(f"{SVG}circle")) == spaces
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for shape in root.iter(f"{SVG}use"):
            assert 0 < float(shape.attrib["x"]) < width
            assert 0 < float(shape.attrib["y"]) < height


def test_herds_stand_largest_first_with_the_bonus_of_their_rank() -> None:
    rules = ZoffRules(3)
    state = arranged(rules, {"Fire-Fields": {"orange": 2, "green": 5}})
    line = next(line for line in draw_board(view_of(state, None)).splitlines() if "Fire" in line)
    assert line.split() == ["Fire-Fields", "GGGGGOO·······", "7", "G:1", "O:2", "-:1"]


def test_two_colours_never_share_a_letter_and_all_shipped_ones_have_a_shade() -> None:
    edition = next(iter(GAME.editions.values()))
    letters = letters_of(edition.colours)
    assert len(set(letters.values())) == len(edition.colours)
    assert list(SHADES) == list(edition.colours), "the terminal's letters are the same"


def test_names_of_an_edition_are_escaped_in_the_picture() -> None:
    view = view_of(arranged(ZoffRules(3), {"Drunk'n-Creek": {"pink": 1}}), None)
    assert "Drunk&#x27;n Creek" in draw_table(view)
