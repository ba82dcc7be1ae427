import pytest

from stampede.buffalo import Square
from stampede.buffalo.geometry import (
    AHEAD,
    BEHIND,
    BETWEEN,
    BIT,
    FAR_BANK_BITS,
    PRAIRIE,
    PRAIRIE_BITS,
    RAYS,
    SQUARES,
    STEPS,
)
from stampede.core.errors import ParseError


def squares(names: str) -> set[Square]:
    return {Square.parse(name) for name in names.split()}


def test_the_board_has_eleven_files_and_seven_ranks_with_the_prairie_between_the_rivers() -> None:
    """B1.1: 77 squares; ranks 2 to 6 are the prairie, 11 × 5."""
    assert " ".join(str(square) for square in SQUARES[:12]) == "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 a2"
    assert len(SQUARES) == 77
    assert str(SQUARES[-1]) == "k7"
    assert list(PRAIRIE) == list(range(11, 66))
    assert {square.rank for square in PRAIRIE} == {2, 3, 4, 5, 6}
    assert sum(BIT[square] for square in SQUARES if square.rank < 7) == PRAIRIE_BITS | FAR_BANK_BITS


@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_a_square_is_read_from_its_text_and_its_file_and_rank(square: Square) -> None:
    assert Square.parse(str(square)) == square
    assert Square.at(square.file, square.rank) == square
    assert eval(repr(square), {"Square": Square}) == square  # noqa: S307 - that is what repr promises
    assert square.mirror().mirror() == square
    assert square.mirror().file + square.file == 10


@pytest.mark.parametrize("text", ["", "a", "a0", "a8", "l1", "A7", "a77", " a7", "a٧", "7a"])
def test_a_text_that_names_no_square_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="expected a square from a1 to k7"):
        Square.parse(text)


@pytest.mark.parametrize("number", [-1, 77])
def test_a_number_beyond_the_board_is_no_square(number: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 76"):
        Square(number)


def test_lines_and_steps_stay_on_the_prairie() -> None:
    """B2.3, B2.4: no ray and no step of chief or dogs leads to a bank."""
    ends = {square for start in SQUARES for ray in RAYS[start] for square in ray}
    assert ends == set(PRAIRIE)
    assert not any(RAYS[start] or STEPS[start] for start in SQUARES if not start.in_prairie)
    assert set(STEPS[Square.parse("a2")]) == squares("a3 b3 b2")
    assert set(STEPS[Square.parse("f4")]) == squares("e3 e4 e5 f3 f5 g3 g4 g5")


def test_rays_run_from_the_nearest_square_outwards() -> None:
    """B2.3: the line from d2 towards k9 is e3, f4, g5, h6."""
    rays = {" ".join(str(square) for square in ray) for ray in RAYS[Square.parse("d2")]}
    assert rays == {"d3 d4 d5 d6", "e3 f4 g5 h6", "e2 f2 g2 h2 i2 j2 k2", "c2 b2 a2", "c3 b4 a5"}


def test_what_lies_between_two_squares_in_line() -> None:
    start = Square.parse("d2")
    between = BETWEEN[start][Square.parse("g5")]
    assert between == BIT[Square.parse("e3")] | BIT[Square.parse("f4")]
    assert Square.parse("e4") not in BETWEEN[start]


def test_ahead_and_behind_are_each_other_s_reverse() -> None:
    """B2.2: ahead of a buffalo is one rank lower on its file, across both rivers."""
    assert AHEAD[Square.parse("c7")] == Square.parse("c6")
    assert AHEAD[Square.parse("c2")] == Square.parse("c1")
    assert [square for square in SQUARES if AHEAD[square] is None] == list(range(11))
    assert [square for square in SQUARES if BEHIND[square] is None] == list(range(66, 77))
    assert all(
        BEHIND[ahead] == square for square in SQUARES if (ahead := AHEAD[square]) is not None
    )
