import pytest

from stampede.buffalo import BuffaloRules
from stampede.core.errors import RuleSetError


def test_the_ordinary_rule_set_has_no_handicap() -> None:
    assert BuffaloRules() == BuffaloRules(removed=(), opening_moves=1)


def test_removed_files_are_kept_in_the_order_of_the_board() -> None:
    """B4.2: the same choice is the same rule set."""
    assert BuffaloRules(("k", "a", "c")) == BuffaloRules(("a", "c", "k"))


@pytest.mark.parametrize(
    ("removed", "steps"), [(tuple("abcdefghij"), 1), ((), 11), (("a",), 10), (tuple("abcde"), 6)]
)
def test_handicaps_up_to_their_bounds_are_allowed(removed: tuple[str, ...], steps: int) -> None:
    """B4.2: at most 10 fewer. B4.3: at most 11 steps, and no more than there are buffaloes."""
    assert BuffaloRules(removed, steps).opening_moves == steps


@pytest.mark.parametrize(
    ("removed", "steps", "message"),
    [
        (tuple("abcdefghijk"), 1, r"removed: expected at most 10 \(B4.2\), got 11"),
        (("l",), 1, "removed: expected files from a to k, got 'l'"),
        (("ab",), 1, "removed: expected files from a to k, got 'ab'"),
        (("",), 1, "removed: expected files from a to k, got ''"),
        (("a", "c", "a"), 1, "removed: expected different files, got a, c, a"),
        ((), 0, r"opening_moves: expected 1 to 11, one for each buffalo at most \(B4.3\), got 0"),
        ((), 12, "opening_moves: expected 1 to 11, .*got 12"),
        (("a", "b"), 10, "opening_moves: expected 1 to 9, .*got 10"),
        ((), True, "opening_moves: expected 1 to 11, .*got True"),
    ],
)
def test_a_rule_set_that_no_game_has_is_refused(
    removed: tuple[str, ...], steps: int, message: str
) -> None:
    """B4.2, B4.3."""
    with pytest.raises(RuleSetError, match=message):
        BuffaloRules(removed, steps)
