"""Every game of the registry keeps the contract, in every rule set."""

from __future__ import annotations

import pytest

from stampede.core.conformance import check_game
from stampede.core.errors import RuleSetError
from stampede.core.json import Json
from stampede.games import GAMES, game_named

RULE_SETS: dict[str, list[dict[str, Json]]] = {
    "zoff": [
        {"edition": "fx-schmid-1998-r1", "players": players, variant: True}
        for players in (2, 3, 4, 5, 6)
        for variant in ("auction", "fair", "open_discards")
    ],
    "buffalo": [
        {"removed": [], "opening_moves": 1},
        {"removed": ["c", "k"], "opening_moves": 1},
        {"removed": [], "opening_moves": 4},
    ],
}


@pytest.mark.parametrize(
    ("name", "rules"),
    [(name, rules) for name, sets in RULE_SETS.items() for rules in sets],
    ids=str,
)
def test_random_games_keep_the_contract(name: str, rules: dict[str, Json]) -> None:
    game = GAMES[name].game
    for seed in range(2):
        check_game(game, game.read_rules(rules), seed)


def test_every_registered_game_has_rule_sets_to_be_checked() -> None:
    assert set(RULE_SETS) == set(GAMES)
    assert all(spec.name == name for name, spec in GAMES.items())


def test_an_unknown_game_is_refused_with_the_known_names() -> None:
    with pytest.raises(RuleSetError, match="expected zoff or buffalo, got 'chess'"):
        game_named("chess")
