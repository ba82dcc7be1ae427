import random
from collections import Counter

import pytest
from hypothesis import given

from stampede.buffalo import BuffaloRules, Move, Position
from stampede.buffalo.geometry import SQUARES
from stampede.core.errors import ParseError
from stampede.core.events import plain
from tests.buffalo.arranged import positions, with_moves


@pytest.mark.parametrize("text", ["a7a6", "d2d6", "f2e3", "k1a7"])
def test_a_move_is_read_from_its_text(text: str) -> None:
    """B1.5: from-square and to-square."""
    assert str(Move.parse(text)) == text
    assert Move.parse(text).to_json() == text


@pytest.mark.parametrize(
    "text", ["", "a7", "a7a", "a7-a6", "a7a6 ", "A7A6", "l7l6", "a7a8", "0000"]
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    """B1.5: nothing but two squares, and the message shows what was got."""
    with pytest.raises(ParseError, match=f"expected a move such as a7a6 .*got '{text}'"):
        Move.parse(text)


def test_the_legal_moves_can_be_counted_tested_indexed_and_told() -> None:
    moves = Position.start().legal_moves
    assert len(moves) == 11
    assert Move.parse("a7a6") in moves
    assert Move.parse("a7a5") not in moves
    assert [str(move) for move in moves][:2] == [str(moves[0]), str(moves[1])] == ["a7a6", "b7b6"]
    assert repr(moves).startswith("<LegalMoves (11): a7a6, b7b6, ")


def test_legal_moves_are_given_to_a_board_as_destinations() -> None:
    moves = Position.from_fen("11/11/11/11/10C/DDDD6b/11 w - - 0 1").legal_moves
    assert moves.to_json() == {
        "moves": {
            "k3": ["k4", "k2", "j2", "j3", "j4"],
            "a2": ["a3", "a4", "a5", "a6", "b3", "c4", "d5", "e6"],
            "b2": ["b3", "b4", "b5", "b6", "c3", "d4", "e5", "f6", "a3"],
            "c2": ["c3", "c4", "c5", "c6", "d3", "e4", "f5", "g6", "b3", "a4"],
            "d2": [
                *("d3", "d4", "d5", "d6", "e3", "f4", "g5", "h6"),
                *("e2", "f2", "g2", "h2", "i2", "j2", "c3", "b4", "a5"),
            ],
        },
        "refused": [],
    }
    assert sum(len(ends) for ends in moves.destinations().values()) == len(moves)


def test_every_legal_move_is_drawn_about_equally_often() -> None:
    rng = random.Random(1)
    moves = Position.start().legal_moves
    drawn = Counter(moves.sample(rng) for _ in range(11_000))
    assert set(drawn) == set(moves)
    assert max(drawn.values()) < 1.2 * min(drawn.values())


def test_mirroring_a_move_twice_gives_it_back() -> None:
    for start in SQUARES:
        move = Move(start, SQUARES[(start * 5 + 3) % 77])
        assert move.mirror().mirror() == move
    assert str(Move.parse("a7b6").mirror()) == "k7j6"


def refused(fen: str) -> list[tuple[tuple[str, ...], str, str]]:
    legal = Position.from_fen(fen).legal_moves.describe()
    return [(group.squares, group.reason.code, group.reason.clause) for group in legal.refused]


def test_blocked_buffaloes_are_named_with_the_reason() -> None:
    """B2.5: those on a7 and b7 have something in front."""
    blocked = "bbb8/DC9/11/11/11/1D1DD6/11 b - - 0 1"
    assert refused(blocked) == [(("a7", "b7"), "piece_in_front", "B2.5")]


def test_enclosed_pieces_of_the_hunter_are_named_with_the_reason() -> None:
    """B2.3, B2.4: the chief is cornered by dogs; a dog is shut in by pieces."""
    assert refused("10b/11/11/11/1DD8/CD1D7/11 w - - 0 1") == []
    assert refused("10b/11/11/11/DD9/CD1D7/11 w - - 0 1") == [(("a2",), "enclosed", "B2.4")]
    assert refused("10b/11/11/11/bb9/DCDDD6/11 w - - 0 1") == [(("a2",), "enclosed", "B2.3")]


def test_buffaloes_that_have_stepped_in_the_opening_turn_are_named() -> None:
    """B4.3."""
    state = with_moves(BuffaloRules(opening_moves=3), "a7a6 c7c6").state
    (group,) = state.legal_moves.describe().refused
    assert (group.squares, group.reason.code) == (("a6", "c6"), "has_stepped")


@given(positions())
def test_every_piece_can_move_or_has_a_reason(position: Position) -> None:
    legal = position.legal_moves.describe()
    if not legal.moves:
        return
    stuck = {square for group in legal.refused for square in group.squares}
    own = {str(square) for square, piece in position.pieces.items() if piece.side is position.turn}
    assert stuck == own - set(legal.moves)
    assert legal.to_json() == plain({"moves": legal.moves, "refused": legal.refused})
