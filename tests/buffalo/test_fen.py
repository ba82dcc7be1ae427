"""B1.4: position texts, and every way in which one can be wrong."""

import pytest
from hypothesis import given

from stampede.buffalo import START_FEN, Position, Side
from stampede.core.errors import ParseError
from tests.buffalo.arranged import positions

HUNTER = "3DDCDD3"


@given(positions())
def test_reading_and_writing_give_the_same_back(position: Position) -> None:
    """B1.4: position to text to position, and text to position to text."""
    fen = position.fen()
    assert Position.from_fen(fen) == position
    assert Position.from_fen(fen).fen() == fen


def test_the_side_to_move_is_b_for_the_buffalo_side_and_w_for_the_hunter() -> None:
    """B1.4."""
    assert Position.from_fen(START_FEN).turn is Side.BUFFALO
    assert Position.from_fen(START_FEN.replace(" b ", " w ")).turn is Side.HUNTER


def test_the_two_counters_may_be_missing() -> None:
    """B1.4: four fields are enough; what is written has six."""
    assert Position.from_fen(START_FEN.removesuffix(" 0 1")).fen() == START_FEN


def test_the_move_number_is_kept_and_the_other_counter_is_not() -> None:
    """B3.3: Buffalo has no draws, so nothing counts moves without progress; Fairy-Stockfish writes such a count."""
    fen = "bbbbb1bbbbb/5b5/11/11/5C5/3DD1DD3/11 b - - 2 17"
    assert Position.from_fen(fen).fen() == fen.replace(" 2 17", " 0 17")
    assert Position.from_fen(fen).play("a7a6").play("d2d3").fen().endswith(" b - - 0 18")


@pytest.mark.parametrize(
    "fen",
    [
        f"5b5/11/11/11/11/{HUNTER}/11 b - - 0 1",
        f"11/11/11/11/11/{HUNTER}/11 b - - 0 30",
        f"bbbbb6/5bbbbbb/11/11/11/{HUNTER}/11 w - - 0 7",
        f"11/11/11/11/11/{HUNTER}/5b5 w - - 0 20",
        f"b10/11/11/11/11/{HUNTER}/10b w - - 0 20",
    ],
    ids=["one buffalo", "none", "six opening steps", "crossed", "crossed in a corner"],
)
def test_unusual_positions_of_real_games_are_read(fen: str) -> None:
    """B3.1, B3.2, B4.2, B4.3: handicaps and finished games are no errors."""
    assert Position.from_fen(fen).fen() == fen


WRONG = [
    ("", "4 or 6 fields"),
    ("bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0", "4 or 6 fields"),
    (f"{START_FEN} 1", "4 or 6 fields"),
    ("11/11/11/11/3DDCDD3/11 b - - 0 1", "expected 7 ranks between slashes, got 6"),
    ("11/11/11/11/11/11/3DDCDD3/11 b - - 0 1", "expected 7 ranks between slashes, got 8"),
    ("11/10/11/11/11/3DDCDD3/11 b - - 0 1", "expected 11 files on rank 6, got 10 in '10'"),
    ("11/11/11/11/11/3DDCDD4/11 b - - 0 1", "expected 11 files on rank 2, got 12 in '3DDCDD4'"),
    ("11//11/11/11/3DDCDD3/11 b - - 0 1", "expected 11 files on rank 6, got 0"),
    ("11/11/11/11/11/3DDCDD3/99999999999 b - - 0 1", "expected 11 files on rank 1, got 999"),
    (
        "11/11/x10/11/11/3DDCDD3/11 b - - 0 1",
        "b, C, D or a number of empty squares on rank 5, got 'x'",
    ),
    ("B10/11/11/11/11/3DDCDD3/11 b - - 0 1", "empty squares on rank 7, got 'B'"),
    ("11/11/11/11/11/3ddCDD3/11 b - - 0 1", "empty squares on rank 2, got 'd'"),
    ("011/11/11/11/11/3DDCDD3/11 b - - 0 1", "empty squares on rank 7, got '011'"),
    ("0b10/11/11/11/11/3DDCDD3/11 b - - 0 1", "empty squares on rank 7, got '0'"),
    ("b٩b/11/11/11/11/3DDCDD3/11 b - - 0 1", "empty squares on rank 7, got '٩'"),
    (START_FEN.replace(" b ", " B "), "expected b (buffalo side) or w (hunter) to move, got 'B'"),
    (START_FEN.replace("- -", "KQ -"), "expected '- -' after the side to move, got 'KQ -'"),
    (START_FEN.replace("- -", "- e3"), "expected '- -' after the side to move, got '- e3'"),
    (START_FEN.replace("0 1", "-1 1"), "a count from 0 and a move number from 1, got '-1 1'"),
    (START_FEN.replace("0 1", "0 0"), "a count from 0 and a move number from 1, got '0 0'"),
    (START_FEN.replace("0 1", "0 x"), "a count from 0 and a move number from 1, got '0 x'"),
    (START_FEN.replace("0 1", "1.5 1"), "a count from 0 and a move number from 1, got '1.5 1'"),
    (START_FEN.replace("0 1", f"0 {'9' * 5000}"), "a move number from 1"),
]

IMPOSSIBLE = [
    ("11/11/11/11/11/3DD1DD3/11 b - - 0 1", "expected one chief, got 0 (B1.3)"),
    ("11/11/11/11/5C5/3DDCDD3/11 b - - 0 1", "expected one chief, got 2 (B1.3)"),
    ("11/11/11/11/11/3DDCD4/11 b - - 0 1", "expected four dogs, got 3 (B1.3)"),
    ("11/11/11/11/5D5/3DDCDD3/11 b - - 0 1", "expected four dogs, got 5 (B1.3)"),
    ("11/11/11/11/11/3DD1DD3/5C5 b - - 0 1", "the chief on f1 is outside the prairie (B2.4)"),
    ("5C5/11/11/11/11/3DD1DD3/11 b - - 0 1", "the chief on f7 is outside the prairie (B2.4)"),
    ("11/11/11/11/11/4DCDD3/3D7 b - - 0 1", "the dog on d1 is outside the prairie (B2.3)"),
    ("10D/11/11/11/11/3DDCD4/11 b - - 0 1", "the dog on k7 is outside the prairie (B2.3)"),
    (
        "2b8/11/11/2b8/11/3DDCDD3/11 b - - 0 1",
        "buffaloes on c7 and c4, but a file has only one and none leaves its file (B2.2)",
    ),
    ("bbbbbbbbbbb/b10/11/11/11/3DDCDD3/11 b - - 0 1", "buffaloes on a7 and a6"),
    (
        "11/11/11/11/11/3DDCDD3/b9b w - - 0 1",
        "buffaloes on a1, k1, but the first on rank 1 ends the game (B3.1)",
    ),
    (
        "11/11/11/11/11/3DDCDD3/b10 b - - 0 1",
        "the buffalo on a1 has won, so the buffalo side can't be to move (B3.1)",
    ),
]


@pytest.mark.parametrize(("fen", "message"), WRONG)
def test_a_text_that_is_no_fen_is_refused_with_what_was_expected(fen: str, message: str) -> None:
    """B1.4."""
    with pytest.raises(ParseError) as caught:
        Position.from_fen(fen)
    assert message in str(caught.value)


@pytest.mark.parametrize(("fen", "message"), IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_what_is_impossible(fen: str, message: str) -> None:
    """B1.3, B2.2, B2.3, B2.4, B3.1: no game can show these."""
    with pytest.raises(ParseError) as caught:
        Position.from_fen(fen)
    assert str(caught.value).startswith(f"FEN: impossible position: {message}")
