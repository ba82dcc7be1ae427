"""What the registry says about a game agrees with its rules."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.core.json import Json
from stampede.core.series import REMATCH
from stampede.core.spec import GameSpec, OptionKind, RuleOption
from stampede.games import GAMES, game_named
from stampede.matches import Catalogue

every_game = pytest.mark.parametrize("spec", GAMES.values(), ids=lambda spec: spec.name)


@every_game
def test_the_default_rules_are_rules_for_that_many_players(spec: GameSpec) -> None:
    for players in spec.seats:
        rules = spec.game.read_rules(spec.default_rules(players))
        assert spec.game.seats(rules) == players
        assert spec.game.write_rules(rules) == spec.default_rules(players)


@every_game
def test_the_options_are_the_keys_of_the_rules_with_their_defaults(spec: GameSpec) -> None:
    rules = spec.default_rules(spec.seats[0])
    assert [option.name for option in spec.options if not option.house] == list(rules)
    for option in spec.options:
        if option.name != "players" and not option.house:
            assert rules[option.name] == option.default


@every_game
def test_every_value_within_an_options_limits_is_a_rule_set(spec: GameSpec) -> None:
    for option in spec.options:
        for value in _ends(option):
            players = value if option.name == "players" else spec.seats[0]
            assert isinstance(players, int)
            rules = {**spec.default_rules(players), option.name: value}
            written = spec.game.write_rules(spec.game.read_rules(rules))
            assert written.get(option.name, False if option.house else None) == value


def test_a_new_game_has_the_usual_house_rules_where_they_matter() -> None:
    """Z11.1: rebids among the tied are usual for new auctions; a rule set that doesn't name them means without."""
    zoff = game_named("zoff")
    assert "rebid_among_tied" in zoff.new_rules(4, {"auction": True})
    assert zoff.new_rules(4, {"auction": True})["rebid_among_tied"] is True
    assert "rebid_among_tied" not in zoff.new_rules(4, {})
    assert "rebid_among_tied" not in zoff.new_rules(4, {"auction": True, "rebid_among_tied": False})
    assert zoff.new_rules(2, {"one_last_card": True})["one_last_card"] is True
    assert zoff.new_rules(4, {"auction": True, "must_place": "yes"})["must_place"] == "yes"
    assert not set(zoff.house_rules) & set(zoff.variants)
    matters = {option.name: option for option in zoff.options}["one_last_card"].matters
    assert matters({}, 2)
    assert not matters({}, 3)


def _ends(option: RuleOption) -> list[Json]:
    match option.kind:
        case OptionKind.FLAG:
            return [True, False]
        case OptionKind.NUMBER:
            return [option.minimum, option.maximum]
        case OptionKind.CHOICE:
            return list(option.choices)
        case OptionKind.SUBSET:
            return [[], list(option.choices[: option.maximum])]


@every_game
def test_every_series_begins_with_every_player_seated(spec: GameSpec) -> None:
    assert spec.series[0] is REMATCH
    for players in spec.seats:
        rules = spec.default_rules(players)
        for series in spec.series:
            begun = spec.begin_series(series.name, rules, players)
            assert sorted(begun.seating) == list(range(players))
            assert begun.to_json()["series"] == series.name
            assert series.choice == "" or series.choice in [o.name for o in spec.options]
    with pytest.raises(KeyError):
        spec.begin_series("knockout", spec.default_rules(spec.seats[0]), spec.seats[0])


@every_game
def test_a_default_game_is_rated_on_known_boards(spec: GameSpec) -> None:
    names = [board.name for board in spec.rating_boards]
    assert len(names) == len(set(names))
    for players in spec.seats:
        boards = spec.rating_boards_of(spec.game.read_rules(spec.default_rules(players)))
        assert boards is not None
        assert len(boards) == players
        assert set(boards) <= set(spec.rating_boards)
        assert len({board.pool for board in boards}) == 1
        assert [board.side for board in boards] == list(spec.sides or [None] * players)


def test_a_mixed_handicap_is_on_no_board() -> None:
    spec = game_named("buffalo")
    read = spec.game.read_rules
    assert spec.rating_boards_of(read({"removed": ["a"], "opening_moves": 3})) is None
    hunter = spec.rating_boards_of(read({"removed": ["a", "b"], "opening_moves": 1}))
    assert hunter is not None
    assert hunter[1].name == "buffalo-hunter-2"
    assert hunter[1].pool == "buffalo-2"


@every_game
def test_clocks_by_the_round_are_for_games_with_rounds(spec: GameSpec) -> None:
    assert ("round" in spec.clock_kinds) == spec.rounds == (spec.round_of is not None)


def test_a_catalogue_knows_its_games_and_bots() -> None:
    catalogue = Catalogue(GAMES, dict.fromkeys(GAMES, ("weak", "middling", "strong")))
    assert catalogue.usual_level("zoff") == "middling"
    catalogue.check_level("zoff", None, "level")
    with pytest.raises(InputError, match="level: expected one of weak, middling, strong"):
        catalogue.check_level("zoff", "godlike", "level")
    with pytest.raises(InputError, match="game: expected one of zoff, buffalo"):
        catalogue.game_named("chess")
