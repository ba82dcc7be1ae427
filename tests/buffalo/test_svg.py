from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from stampede.buffalo import Move, Position, svg
from tests.buffalo.arranged import positions

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own text


def piece_places(picture: str) -> dict[str, set[str]]:
    places: dict[str, set[str]] = {}
    for use in parsed(picture).iter(f"{SVG}use"):
        places.setdefault(use.attrib["href"], set()).add(use.attrib["transform"])
    return places


@given(positions())
def test_the_picture_has_every_piece_once_at_a_place_of_its_own(position: Position) -> None:
    """B1.1, B1.2, B1.3: the kinds are drawn apart, not only coloured."""
    places = piece_places(svg.board(position))
    counts = {
        "#stampede-buffalo": len(position.buffaloes),
        "#stampede-dog": 4,
        "#stampede-chief": 1,
    }
    assert {kind: len(found) for kind, found in places.items()} == {
        k: n for k, n in counts.items() if n
    }
    assert len(set().union(*places.values())) == len(position.pieces)


def test_every_piece_that_is_used_is_drawn_in_the_picture_itself() -> None:
    picture = parsed(svg.board(Position.start()))
    drawn = {f"#{group.get('id')}" for group in picture.iter(f"{SVG}g")}
    assert {use.attrib["href"] for use in picture.iter(f"{SVG}use")} <= drawn


@pytest.mark.parametrize(
    ("flip", "buffalo_on_a7", "chief_on_f2"),
    [
        (False, "translate(48 48)", "translate(288 302)"),
        (True, "translate(528 364)", "translate(288 110)"),
    ],
)
def test_squares_lie_where_the_rivers_leave_room_and_the_board_can_be_turned_round(
    flip: bool, buffalo_on_a7: str, chief_on_f2: str
) -> None:
    """B1.1: the rivers take space between ranks; turned round, a7 is at the lower right."""
    places = piece_places(svg.board(Position.start("bcdefghijk"), flip=flip))
    assert places["#stampede-buffalo"] == {buffalo_on_a7}
    assert places["#stampede-chief"] == {chief_on_f2}


def test_the_last_move_and_arrows_are_drawn_over_the_board() -> None:
    move = Move.parse("f7f6")
    after = Position.start().play(move)
    plain = svg.board(after)
    marked = svg.board(after, last_move=move, arrows=[Move.parse("f2f3"), Move.parse("d2g5")])
    assert marked.count("<rect") == plain.count("<rect") + 2
    assert marked.count("<polygon") == 2
    assert "<polygon" not in plain


def test_a_notebook_shows_the_position_and_its_size_can_be_chosen() -> None:
    position = Position.start()
    assert position._repr_svg_() == svg.board(position)
    picture = parsed(svg.board(position, size=288))
    assert (picture.get("width"), picture.get("viewBox")) == ("288", "0 0 576 412")
    title = picture.find(f"{SVG}title")
    assert title is not None
    assert title.text == f"Buffalo: {position.fen()}"
