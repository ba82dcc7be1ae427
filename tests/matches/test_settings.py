"""What a table can be, and what it can't."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stampede.matches
from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import Json, JsonObject
from stampede.games import GAMES
from stampede.matches import ChairPlan, Clock, ClockKind, Expiry, TableSettings, open_table
from stampede.matches.commands import Open, read_command
from stampede.matches.settings import fill_settings
from stampede.zoff import ZoffGame, ZoffRules
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import BUFFALO_RULES, HOST, SECRET, zoff_rules
from tests.zoff.drawn_editions import draw_edition

OPEN: list[Json] = [{}, {}]
GOOD: JsonObject = {"game": "buffalo", "rules": BUFFALO_RULES, "chairs": OPEN}


def opened(settings: JsonObject, secret: str = SECRET, table: str = "t") -> None:
    command = Open(table, TableSettings.from_json(settings), "guest", secret)
    open_table(CATALOGUE, command, HOST, "key", 0)


clocks = st.builds(
    Clock, st.sampled_from(ClockKind), st.integers(1000, 10**6), st.sampled_from(Expiry)
)
tables = st.builds(
    TableSettings,
    game=st.just("zoff"),
    rules=st.just(zoff_rules(3)),
    chairs=st.tuples(
        *[st.builds(ChairPlan, st.none() | st.just("easy"), st.none() | st.just("blue"))] * 3
    ),
    clock=clocks,
    rated=st.booleans(),
    hot_seat=st.booleans(),
    pace_ms=st.integers(0, 5000),
)


@given(tables)
def test_settings_and_commands_are_read_as_they_were_written(settings: TableSettings) -> None:
    assert TableSettings.from_json(settings.to_json()) == settings
    command = Open("t", settings, None, SECRET)
    assert read_command(command.to_json()) == command


def test_a_table_has_sensible_settings_by_itself() -> None:
    opened(GOOD)
    usual = TableSettings("buffalo", BUFFALO_RULES, (ChairPlan(), ChairPlan()))
    assert TableSettings.from_json(GOOD) == usual
    assert set(usual.to_json()) == {field.name for field in fields(TableSettings)}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"game": "chess"}, "game: expected one of zoff, buffalo"),
        ({"rules": {"removed": ["z"]}}, "removed"),
        ({"rules": {"colour": "red"}}, "rules: expected only removed, opening_moves, got 'colour'"),
        ({"rules": {"x" * 9000: 1}}, "rules: expected only removed, opening_moves, got 'x{40}'$"),
        ({"game": "zoff", "rules": {**zoff_rules(2), "A": 1}}, "rules: expected only edition, p"),
        ({"chairs": [{}]}, "chairs: expected 2, got 1"),
        ({"chairs": [{}, {"bot": "godlike"}]}, r"chairs\[1\].bot: expected one of random"),
        ({"substitute": "godlike"}, "substitute"),
        ({"temperament": "wild"}, "temperament: expected nothing, got 'wild'"),
        ({"series": "league"}, "series: expected one of rematch, ladder, both_sides"),
        ({"rated": True, "hot_seat": True}, "hot_seat"),
        (
            {
                "game": "zoff",
                "rules": zoff_rules(2),
                "rated": True,
                "substitute": "easy",
            },
            "substitute: expected random, the weakest, at a rated table",
        ),
        ({"pace_ms": -1}, "pace_ms: expected 0"),
        ({"patience_ms": 5}, "patience_ms"),
        (
            {"patience_ms": 60_000, "rated": True},
            "patience_ms: expected at least 3600000 at a rated",
        ),
        ({"clock": {"kind": "move", "limit_ms": 1}}, "clock.limit_ms"),
        (
            {"clock": {"kind": "round", "limit_ms": 5000}},
            "clock.kind: expected one of none, move, game, days in buffalo, got 'round'",
        ),
        ({"clock": {"kind": "sand"}}, "clock.kind: expected one of none, move"),
        ({"clock": {"kind": "move", "limit_ms": True}}, "whole number"),
        ({"rated": "yes"}, "rated: expected true or false"),
        ({"chairs": None}, "chairs: expected a list"),
        ({"game": "zoff", "rules": zoff_rules(9)}, "players: expected 2 to 6"),
        (
            {"clock": {"kind": "move", "limit_ms": 5000, "increment_ms": 1}},
            "clock.increment_ms: expected 0 unless kind is game, got 1",
        ),
        (
            {"clock": {"kind": "game", "limit_ms": 5000, "increment_ms": 400_000}},
            "clock.increment_ms: expected 0 to 300000",
        ),
        ({"clock": {"kind": "move", "limit_ms": 5000, "lapses": 0}}, "clock.lapses: expected 1 to"),
        (
            {"rated": True, "clock": {"kind": "move", "limit_ms": 5000, "expiry": "bot"}},
            "clock.expiry: expected forfeit at a rated table",
        ),
    ],
)
def test_a_table_that_cannot_be_says_why(changes: dict[str, Json], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        opened({**GOOD, **changes})


def test_wrong_rules_are_the_games_own_error() -> None:
    with pytest.raises(RuleSetError):
        opened({**GOOD, "rules": {"opening_moves": 99}})


def test_a_secret_is_never_repeated_in_an_error() -> None:
    with pytest.raises(InputError) as caught:
        opened(GOOD, secret="too-short-secret")  # noqa: S106 - a wrong one
    assert "too-short-secret" not in str(caught.value)


@pytest.mark.parametrize("table", ["", "x" * 65, "a\nb"])
def test_a_table_has_an_id(table: str) -> None:
    with pytest.raises(InputError, match="table"):
        opened(GOOD, table=table)


@pytest.mark.parametrize(
    "command",
    [{}, None, {"type": "fly"}, {"type": "act"}, {"type": "vote", "player": 0, "on": "war"}],
)
def test_a_command_that_is_none_is_refused(command: Json) -> None:
    with pytest.raises(InputError, match="expected"):
        read_command(command)


def test_the_public_names_are_sorted_and_there() -> None:
    names = stampede.matches.__all__
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(stampede.matches, name) for name in names)


def test_rules_are_filled_in_with_the_data_of_a_known_edition() -> None:
    """Z1.2: the log has to tell it, as the file may be gone when the table is read again; such games aren't rated."""
    edition = draw_edition(random.Random(1))
    spec = replace(GAMES["zoff"], game=ZoffGame([edition]))
    catalogue = replace(CATALOGUE, games={**CATALOGUE.games, "zoff": spec})
    rules = {**zoff_rules(3), "edition": edition.id}
    plain = TableSettings.from_json({"game": "zoff", "rules": rules, "chairs": [{}, {}, {}]})
    settings = fill_settings(catalogue, plain)
    assert settings.rules == {
        **ZoffRules(3).to_json(),
        **rules,
        "edition_data": edition.to_json(),
    }
    opened(settings.to_json())  # a server that doesn't know it opens the table all the same
    with pytest.raises(InputError, match="rated: expected false"):
        opened({**settings.to_json(), "rated": True})
    with pytest.raises(RuleSetError, match="or edition_data"):
        opened(plain.to_json())
    unknown = replace(plain, game="chess")
    assert fill_settings(catalogue, unknown) == unknown


@pytest.mark.parametrize(
    ("players", "colours", "problem"),
    [
        (3, ["red", None, None], "colour: expected one of orange, .*, got 'red'"),
        (3, ["yellow", None, None], "colour: expected one of"),
        (3, ["blue", "blue", None], "colour: expected different ones, got blue twice"),
        (2, ["green", None], "colour: expected one of blue, pink, got 'green'"),
    ],
)
def test_a_colour_that_cannot_be_had_is_refused(
    players: int, colours: list[str | None], problem: str
) -> None:
    """Z2.2, Z10.1, Z11.4."""
    chairs: list[Json] = [{} if colour is None else {"colour": colour} for colour in colours]
    with pytest.raises(RuleSetError, match=problem):
        opened({"game": "zoff", "rules": zoff_rules(players), "chairs": chairs})


def test_colours_are_for_games_that_have_some_and_do_not_sell_them() -> None:
    """Z11.1: in an auction colours are bought."""
    chairs: list[Json] = [{"colour": "blue"}, {}]
    with pytest.raises(RuleSetError, match="as colours are bought in an auction"):
        opened({"game": "zoff", "rules": zoff_rules(2, auction=True), "chairs": chairs})
    with pytest.raises(RuleSetError, match="buffalo has no colours to choose"):
        opened({**GOOD, "chairs": chairs})
