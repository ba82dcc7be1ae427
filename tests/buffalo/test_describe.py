import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import BuffaloRules
from stampede.buffalo.describe import describe
from stampede.core.events import Event
from tests.buffalo.arranged import random_game, rule_sets, with_moves


def told(moves: str, start: str, rules: BuffaloRules | None = None) -> list[str]:
    return [describe(event) for event in with_moves(rules or BuffaloRules(), moves, start).events]


def test_what_happens_is_told_in_english_with_the_clauses() -> None:
    """B2.4, B2.5, B3.1: captures, blocks and a crossing."""
    assert told(
        "f2e3 b2b1",
        "11/11/11/11/4b6/1b1DDCDD3/11 w - - 0 1",
    ) == [
        "The chief moves from f2 to e3.",
        "The chief captures the buffalo on e3 (B2.4).",
        "The buffalo moves from b2 to b1.",
        "The buffalo side wins: a buffalo has reached b1 (B3.1).",
    ]
    assert told("d2d5", "b10/3b7/11/11/11/3DDCDD3/11 w - - 0 1") == [
        "The dog moves from d2 to d5.",
        "The dog on d5 blocks the buffalo on d6 (B2.5).",
    ]


def test_why_the_hunter_has_won_is_told() -> None:
    """B3.2: blocked or captured."""
    assert told("f2e3", "b10/D10/11/11/4b6/4DCDD3/11 w - - 0 1")[-1] == (
        "The hunter wins: no buffalo can move, 1 blocked and 1 captured (B3.2)."
    )
    assert told("f2e3", "11/11/11/11/4b6/3DDCDD3/11 w - - 0 1")[-1] == (
        "The hunter wins: every buffalo is captured (B3.2)."
    )


def test_the_end_of_an_opening_turn_is_told() -> None:
    """B4.3."""
    two = BuffaloRules(opening_moves=2)
    start = "bb9/11/11/11/11/4DCDD1D1/11 b - - 0 1"
    assert told("a7a6 b7b6", start, two)[-1] == "The opening turn is over after 2 steps (B4.3)."
    start = "b10/11/11/11/11/4DCDD1D1/11 b - - 0 1"
    assert told("a7a6", start, two)[-1] == (
        "The opening turn is over after 1 step; no other buffalo can step (B4.3)."
    )


@given(st.integers(0, 2**32), rule_sets())
def test_every_event_is_one_sentence(seed: int, rules: BuffaloRules) -> None:
    for event in random_game(random.Random(seed), rules).events:
        assert re.fullmatch(r"The [^\n{}]+\.", describe(event))


def test_an_event_of_another_game_is_refused() -> None:
    with pytest.raises(TypeError, match="expected an event of Buffalo"):
        describe(Event(kind="sealed"))
