import pytest
from hypothesis import given

from stampede.buffalo import START_FEN, Piece, Position, Side, Square
from stampede.core.errors import ParseError
from tests.buffalo.arranged import positions

BOARD = """\
7  b b b b b b b b b b b
   ~~~~~~~~~~~~~~~~~~~~~
6  . . . . . . . . . . .
5  . . . . . . . . . . .
4  . . . . . . . . . . .
3  . . . . . . . . . . .
2  . . . D D C D D . . .
   ~~~~~~~~~~~~~~~~~~~~~
1  . . . . . . . . . . .
   a b c d e f g h i j k"""


def test_the_start_is_that_of_the_rules() -> None:
    """B1.2, B1.3: eleven buffaloes fill rank 7; the chief is on f2 with two dogs on either side."""
    start = Position.start()
    assert [str(square) for square in start.buffaloes] == [f"{file}7" for file in "abcdefghijk"]
    assert str(start.chief) == "f2"
    assert [str(square) for square in start.dogs] == ["d2", "e2", "g2", "h2"]
    assert (start.turn, start.number, start.is_over) == (Side.BUFFALO, 1, False)
    assert start.fen() == START_FEN
    assert Position.from_fen(START_FEN) == start


def test_the_start_can_lack_buffaloes() -> None:
    """B4.2: the chosen files have none."""
    assert Position.start("ak").fen() == "1bbbbbbbbb1/11/11/11/11/3DDCDD3/11 b - - 0 1"
    assert Position.start(["c"]).files == "abdefghijk"


@pytest.mark.parametrize("removed", ["l", "A", ["cd"], ["c", ""]])
def test_only_files_of_the_board_can_be_removed(removed: str) -> None:
    with pytest.raises(ParseError, match="expected files from a to k"):
        Position.start(removed)


def test_the_text_board_shows_ranks_files_and_rivers() -> None:
    """B1.1: the rivers run between ranks 7 and 6 and between ranks 2 and 1."""
    assert str(Position.start()) == BOARD


def test_the_sample_opening_of_the_rules_page() -> None:
    """B2.2, B2.3, B2.4: the line that docs/rules/buffalo.md shows leads to the position that it shows."""
    position = Position.start()
    for move in ["a7a6", "d2a5", "k7k6", "h2k5", "f7f6", "f2f3", "f6f5", "f3f4", "e7e6", "f4f5"]:
        position = position.play(move)
    assert position.fen() == "1bbb2bbbb1/b3b5b/D4C4D/11/11/4D1D4/11 b - - 0 6"


def test_positions_are_equal_by_pieces_and_side_not_by_history() -> None:
    """Two dogs that changed places are the same two dogs, and the move's number doesn't count."""
    one = (
        Position.start()
        .play("a7a6")
        .play("d2d3")
        .play("b7b6")
        .play("e2d2")
        .play("c7c6")
        .play("d3e2")
    )
    other = Position.start().play("c7c6").play("d2d3").play("b7b6").play("d3d2").play("a7a6")
    assert one.with_turn(Side.HUNTER) == other
    assert hash(one.with_turn(Side.HUNTER)) == hash(other)
    assert one != other
    assert Position.from_fen(other.fen().replace(" 0 4", " 0 99")) == other


@given(positions())
def test_pieces_are_found_by_their_squares(position: Position) -> None:
    for number in range(77):
        square = Square(number)
        assert position.piece_at(square) is position.pieces.get(square)
    kinds = list(position.pieces.values())
    assert (kinds.count(Piece.CHIEF), kinds.count(Piece.DOG)) == (1, 4)


@given(positions())
def test_mirroring_twice_gives_the_position_back(position: Position) -> None:
    assert position.mirror().mirror() == position
    assert position.mirror().fen().split()[1:] == position.fen().split()[1:]
