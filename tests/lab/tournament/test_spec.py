"""The file of a tournament: what it means, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stampede.core.errors import InputError
from stampede.lab.tournament.contestants import check_programs, contestants_of
from stampede.lab.tournament.spec import TournamentSpec, read_spec

EXAMPLES = Path(__file__).parents[3] / "examples"
PAIR: dict[str, Any] = {"game": "buffalo", "players": ["random", "beginner"]}
TABLE: dict[str, Any] = {"game": "zoff", "seats": 3, "players": ["random", "beginner", "zoff-1"]}


@pytest.mark.parametrize("name", ["zoff_tournament", "buffalo_tournament"])
def test_the_examples_survive_being_written_and_read(name: str) -> None:
    spec = read_spec(EXAMPLES / f"{name}.toml")
    assert TournamentSpec.parse(spec.to_json()) == spec
    contestants_of(spec)


def test_a_house_rule_that_is_off_stays_off() -> None:
    """New auctions have rebid_among_tied on: workers must not turn it on again."""
    rules = {"auction": True, "rebid_among_tied": False}
    spec = TournamentSpec.parse({**TABLE, "rules": rules})
    assert "rebid_among_tied" not in spec.rules
    assert TournamentSpec.parse(spec.to_json()) == spec
    usual = TournamentSpec.parse({**TABLE, "rules": {"auction": True}})
    assert usual.rules["rebid_among_tied"] is True


def test_budgets_are_for_those_that_take_them() -> None:
    engine = {"player": "engine", "seconds": 2}
    players = ["random", "engine", {**engine, "name": "slow"}, "ws:ws://localhost:1"]
    spec = TournamentSpec.parse({**PAIR, "players": players, "nodes": 500, "seconds": 9})
    found = [(player.nodes, player.seconds) for player in spec.players]
    assert found == [(None, None), (500, 9.0), (None, 2.0), (None, 9.0)]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rouns": 3}, "rouns: unknown; expected one of name, game, format"),
    ({"game": "go"}, "game: expected .*buffalo.*, got 'go'"),
    ({"format": "knockout"}, "format: expected round-robin or gauntlet or swiss, got 'knockout'"),
    ({"players": ["random"]}, "players: expected a list of at least two, got"),
    ({"players": ["random", "random"]}, "players: expected different names, got 'random' twice"),
    ({"players": ["random", {"player": "engine", "node": 5}]}, "players.node: unknown"),
    ({"players": ["random", {"player": "beginner", "nodes": 5}]}, "players.nodes: expected for"),
    ({"seats": 3}, "seats: expected 2 in Buffalo, got 3"),
    ({"bouts": 0}, "bouts: expected a whole number from 1, got 0"),
    ({"bouts": True}, "bouts: expected a whole number from 1, got True"),
    ({"seed": 1.5}, "seed: expected a number or a text, got 1.5"),
    ({"format": "swiss"}, "rounds: expected a whole number from 1, got None"),
    ({"rounds": 2}, "rounds: expected in a swiss tournament only"),
    ({"challengers": ["random"]}, "challengers: expected in a gauntlet only"),
    (
        {"format": "gauntlet", "challengers": ["x"]},
        "challengers: expected some of random, beginner",
    ),
    ({"openings": ["k"]}, "openings: k: "),
    ({"openings": []}, "openings: expected a file or a list of FENs"),
    ({"rules": {"dogs": 4}}, "rules.dogs: unknown; expected one of "),
    ({"sprt": {"elo0": 5, "elo1": 1}}, "sprt: expected two rising Elo differences"),
    ({"sprt": {"elo1": "many"}}, "sprt.elo1: expected a number, got 'many'"),
    ({"anchor": {"player": "nobody"}}, "anchor.player: expected one of random, beginner"),
    ({"anchor": {"player": "random", "rating": "high"}}, "anchor.rating: expected a number"),
    ({"grace": -1}, "grace: expected a number above 0, got -1"),
]


@pytest.mark.parametrize(("keys", "message"), WRONG, ids=[each[1][:24] for each in WRONG])
def test_a_mistake_is_named(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TournamentSpec.parse({**PAIR, **keys})


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"seats": 7}, "seats: expected 2, 3, 4, 5, 6 in .*, got 7"),
        (
            {"seats": 4, "tables": "mixed"},
            "players: expected at least 4 for mixed tables of 4, got 3",
        ),
        ({"openings": "tuning"}, "openings: expected none, as Zoff in Buffalo is dealt"),
        ({"sprt": {}}, "sprt: expected two players at tables of two"),
    ],
)
def test_a_mistake_in_zoff_is_named(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TournamentSpec.parse({**TABLE, **keys})


@pytest.mark.parametrize(
    ("game", "player", "message"),
    [
        ("zoff", "buffalo-3", "players: buffalo-3: bot: expected random, zoff-1 to zoff-6"),
        ("buffalo", "nobody", "players: nobody: bot: expected random, buffalo-1 to buffalo-10"),
        ("buffalo", "no_such_module:Bot", "players: .*expected module:Class"),
        ("zoff", "uci:stockfish", "as UCI engines play Buffalo only"),
        (
            "buffalo",
            "ws:localhost",
            "expected ws:ws://HOST:PORT or ws:wss://HOST, got ws:localhost",
        ),
    ],
)
def test_an_unknown_player_is_named(game: str, player: str, message: str) -> None:
    spec = TournamentSpec.parse({"game": game, "players": ["random", player]})
    with pytest.raises(InputError, match=message):
        contestants_of(spec)


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("uci:no-such-program", "but it can't be started: No such file"),
        ("uci:true", "but it died"),
        ("ws:ws://127.0.0.1:9", "but it can't be reached at ws://127.0.0.1:9: "),
    ],
)
def test_a_program_that_does_not_answer_is_found_before_the_first_game(
    player: str, message: str
) -> None:
    spec = TournamentSpec.parse({**PAIR, "players": ["random", {"player": player, "name": "it"}]})
    with pytest.raises(
        InputError, match=f"players: it: expected a program that answers, {message}"
    ):
        check_programs(spec)


def test_files_are_read_beside_the_specification(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    text = 'game = "buffalo"\nplayers = ["random", "beginner"]\nopenings = "mine.txt"\n'
    file.write_text(text, "utf-8")
    with pytest.raises(FileNotFoundError):
        read_spec(file)
    fen = read_spec(EXAMPLES / "buffalo_tournament.toml").openings[0]
    (tmp_path / "mine.txt").write_text(f"{fen}  # the first\n", "utf-8")
    assert read_spec(file).openings == (fen,)
    file.write_text("game = buffalo", "utf-8")
    with pytest.raises(InputError, match=r"cup.toml: expected TOML, but "):
        read_spec(file)
