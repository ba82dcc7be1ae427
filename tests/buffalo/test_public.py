import doctest
import importlib
import pkgutil

import pytest

from stampede import buffalo
from stampede.buffalo import Move, Piece, Position, Side

MODULES = [
    "stampede.buffalo",
    *(f"stampede.buffalo.{m.name}" for m in pkgutil.iter_modules(buffalo.__path__)),
]


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_sorted_and_exist(name: str) -> None:
    module = importlib.import_module(name)
    names = module.__all__
    constants = [n for n in names if n.isupper()]
    classes = [n for n in names if n[0].isupper() and not n.isupper()]
    functions = [n for n in names if n[0].islower()]
    assert names == sorted(constants) + sorted(classes) + sorted(functions)
    assert all(hasattr(module, n) for n in names)


def test_the_example_of_the_package_is_true() -> None:
    found = doctest.testmod(buffalo)
    assert (found.failed, found.attempted) == (0, 4)


def test_values_can_t_be_changed() -> None:
    with pytest.raises(AttributeError):
        Position.start().turn = Side.HUNTER  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Move.parse("a7a6").to_square = Move.parse("a7a6").from_square  # type: ignore[misc]


def test_sides_and_pieces_know_their_letters_and_each_other() -> None:
    """B1.4: b for buffaloes and their side, C and D for the hunter, w for their side."""
    assert [piece.letter for piece in (Piece.BUFFALO, Piece.CHIEF, Piece.DOG)] == ["b", "C", "D"]
    assert [side.letter for side in Side] == ["b", "w"]
    assert [side.other for side in Side] == [Side.HUNTER, Side.BUFFALO]
    assert [piece.side for piece in Piece] == [Side.BUFFALO, Side.HUNTER, Side.HUNTER]
