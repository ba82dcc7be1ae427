from hypothesis import given
from hypothesis import strategies as st

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.jit import kernel

words = st.integers(-(2**63), 2**63 - 1)


@kernel
def both(word: int) -> tuple[int, int]:
    return popcount(word), first(word)


@given(words.filter(bool))
def test_compiled_and_plain_functions_agree(word: int) -> None:
    assert both(word) == (popcount(word), first(word))
    squares = [square for square in range(64) if word >> square & 1]
    assert both(word) == (len(squares), squares[0])


@given(st.integers(1, 2**55 - 1))
def test_every_square_of_a_set_is_found_by_its_index(word: int) -> None:
    squares = [square for square in range(64) if word >> square & 1]
    assert [nth(word, index) for index in range(len(squares))] == squares
