"""What a table can be, and what it can't."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stampede.matches
from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import Json, JsonObject
from stampede.matches import ChairPlan, Clock, ClockKind, Expiry, TableSettings, open_table
from stampede.matches.commands import Open, read_command
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import BUFFALO_RULES, HOST, SECRET, zoff_rules

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
    chairs=st.tuples(*[st.builds(ChairPlan, st.none() | st.just("easy"))] * 3),
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
        ({"chairs": [{}]}, "chairs: expected 2, got 1"),
        ({"chairs": [{}, {"bot": "godlike"}]}, r"chairs\[1\].bot: expected one of random"),
        ({"substitute": "godlike"}, "substitute"),
        ({"series": "league"}, "series: expected one of rematch, ladder, both_sides"),
        ({"rated": True, "hot_seat": True}, "hot_seat"),
        ({"pace_ms": -1}, "pace_ms: expected 0"),
        ({"patience_ms": 5}, "patience_ms"),
        ({"clock": {"kind": "move", "limit_ms": 1}}, "clock.limit_ms"),
        ({"clock": {"kind": "round", "limit_ms": 5000}}, "has no rounds"),
        ({"clock": {"kind": "sand"}}, "clock.kind: expected one of none, move"),
        ({"clock": {"kind": "move", "limit_ms": True}}, "whole number"),
        ({"rated": "yes"}, "rated: expected true or false"),
        ({"chairs": None}, "chairs: expected a list"),
        ({"game": "zoff", "rules": zoff_rules(9)}, "players: expected 2 to 6"),
        (
            {
                "game": "zoff",
                "rules": zoff_rules(2),
                "clock": {"kind": "move", "limit_ms": 5000, "expiry": "forfeit"},
            },
            "can't be forfeited",
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
