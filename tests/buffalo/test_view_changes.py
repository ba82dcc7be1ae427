"""What a move changes in a view is what differs between the views before and after it."""

from __future__ import annotations

import random

import pytest

from stampede.buffalo.game import BuffaloGame
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.view import view_changes
from stampede.core.json import JsonObject, canonical

RULES = (
    BuffaloRules(),
    BuffaloRules(removed=("a", "f")),
    BuffaloRules(opening_moves=4),
    BuffaloRules(removed=("b", "c", "k"), opening_moves=8),
)


def differing(before: JsonObject, after: JsonObject) -> JsonObject:
    return {name: part for name, part in after.items() if part != before[name] and name != "legal"}


@pytest.mark.parametrize("rules", RULES)
def test_changes_name_what_differs_in_the_order_of_the_view(rules: BuffaloRules) -> None:
    game, rng = BuffaloGame(), random.Random(5)
    captures = 0
    for _ in range(20):
        state = game.initial(rules, game.draw(rules, rng))
        while True:
            (seat,) = game.to_act(state)
            legal = game.legal(state, seat)
            takes = [move for move in legal if state.position.is_capture(move)]
            move = rng.choice(takes) if takes else legal.sample(rng)
            captures += bool(takes)
            before, state = state, game.apply(state, seat, move).state
            if game.outcome(state) is not None:
                break
            expected = differing(
                game.view(before, None).to_json(), game.view(state, None).to_json()
            )
            assert canonical(view_changes(before, state)) == canonical(expected)
    assert captures
