"""The opening explorer: mirror images are one, the file comes back as it was, and what ships is what was stated."""

from stampede.buffalo import Move, Position
from stampede.oracle.explorer import (
    ExplorerBudget,
    build_explorer,
    mirror_move,
    read_explorer,
    shipped_explorer,
)


def test_a_small_explorer_is_the_same_again_and_from_its_file() -> None:
    """B2.1: every legal move has a value, and a move's mirror image has the same."""
    budget = ExplorerBudget(nodes=200, widths=(2,), entries=1 << 10)
    seen: list[tuple[int, int]] = []
    built = build_explorer(budget, lambda done, known: seen.append((done, known)))
    assert built == build_explorer(budget)
    assert read_explorer(built.dumps()) == built
    assert seen[-1] == (len(built.positions), len(built.positions))
    start = Position.start()
    values = {one.move: one.score for one in built.find(start)}
    assert set(values) == set(start.legal_moves)
    assert all(values[mirror_move(move)] == score for move, score in values.items())
    best = built.find(start)[0].move
    after, image = start.after(best), start.after(mirror_move(best))
    assert {one.move: one.score for one in built.find(image)} == {
        mirror_move(one.move): one.score for one in built.find(after)
    }


def test_the_shipped_explorer_knows_the_first_moves_by_its_budget() -> None:
    shipped = shipped_explorer()
    assert shipped.budget == ExplorerBudget()
    assert len(shipped.find(Position.start())) == 11
    answered = Position.start().after(Move.parse("f7f6"))
    assert {one.move for one in shipped.find(answered)} == set(answered.legal_moves)
    assert shipped.find(Position.from_fen("11/11/11/5b5/11/3DDCDD3/11 b - - 0 9")) == ()
