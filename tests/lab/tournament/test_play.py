"""Tournaments as they are played: duplicate deals, swapped sides, failures, ratings, the sequential test."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from examples.random_player import choose
from stampede.core.errors import InputError
from stampede.core.record import GameRecord, read_records
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.lab.arena.stats import PairScore
from stampede.lab.shards import LocalExecutor
from stampede.lab.tournament.html import html_page
from stampede.lab.tournament.run import Tournament, run_tournament
from stampede.lab.tournament.spec import TournamentSpec
from stampede.lab.tournament.standings import TournamentReport, report_of

HERE = LocalExecutor()
BOTS = "tests.lab.tournament.players"


def play(path: Path, **keys: Any) -> Tournament:
    """Plays a tournament in this process."""
    return run_tournament(TournamentSpec.parse(keys), path, HERE)


def records_of(path: Path) -> list[GameRecord]:
    """The records that a tournament has written, each replayed by the rules."""
    lines = (path / "games.jsonl").read_text("utf-8").splitlines()
    records = [record for _, record in read_records(lines)]
    for record in records:
        replay(game_named(record.game).game, record)
    return records


def report(path: Path, **keys: Any) -> TournamentReport:
    """The report of a tournament that is played in this process."""
    return report_of(play(path, **keys))


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_deal_of_zoff_is_played_from_every_seat(tmp_path: Path, seats: int) -> None:
    players = [{"player": "random", "name": name} for name in "abcdef"[:seats]]
    play(tmp_path, game="zoff", seats=seats, tables="mixed", bouts=2, players=players)
    records = records_of(tmp_path)
    assert len(records) == 2 * seats
    for bout in (records[:seats], records[seats:]):
        assert len({json.dumps(record.setup) for record in bout}) == 1
        for seat in range(seats):
            assert len({record.seats[seat].name for record in bout}) == seats
    assert records[0].setup != records[seats].setup
    assert records[0].meta["tournament"] == "Zoff in Buffalo: round-robin"


def test_an_opening_of_buffalo_is_played_with_both_sides(tmp_path: Path) -> None:
    play(tmp_path, game="buffalo", bouts=3, players=["random", "beginner"])
    records = records_of(tmp_path)
    setups = [json.dumps(record.setup) for record in records]
    assert setups[0::2] == setups[1::2]
    assert len(set(setups)) == 3
    assert [record.seats[0].name for record in records] == ["random", "beginner"] * 3


def test_changed_rules_of_buffalo_begin_at_their_own_start(tmp_path: Path) -> None:
    rules = {"removed": ["f"]}
    play(tmp_path, game="buffalo", bouts=1, players=["random", "beginner"], rules=rules)
    assert [record.rules["removed"] for record in records_of(tmp_path)] == [["f"], ["f"]]


def test_the_games_follow_from_the_seed(tmp_path: Path) -> None:
    """Whatever the number of processes; another seed has other games."""
    keys: dict[str, Any] = {
        "game": "zoff",
        "format": "swiss",
        "rounds": 2,
        "bouts": 2,
        "seats": 3,
        "players": ["random", f"{BOTS}:Slow", f"{BOTS}:First"],
    }
    play(tmp_path / "one", **keys)
    run_tournament(TournamentSpec.parse(keys), tmp_path / "two", LocalExecutor(2))
    play(tmp_path / "other", **keys, seed=1)
    one, two, other = (
        (tmp_path / name / "games.jsonl").read_bytes() for name in ("one", "two", "other")
    )
    assert one == two
    assert one != other


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    keys: dict[str, Any] = {"game": "buffalo", "bouts": 1, "players": ["random", "beginner"]}
    play(tmp_path / "cup", **keys)
    before = {path: path.read_bytes() for path in (tmp_path / "cup").rglob("*") if path.is_file()}
    with pytest.raises(
        InputError, match="expected the folder of this tournament, got one with another seed;"
    ):
        play(tmp_path / "cup", **keys, seed=2)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    with pytest.raises(
        InputError, match="expected a new folder, or one of this tournament, got letter"
    ):
        play(tmp_path / "full", **keys)
    assert before == {path: path.read_bytes() for path in before}


@pytest.mark.parametrize(("game", "seats"), [("buffalo", 2), ("zoff", 3)])
def test_a_player_that_fails_loses_and_the_report_says_why(
    tmp_path: Path, game: str, seats: int
) -> None:
    """The records stay complete: where the rules know no forfeit, a random bot finishes the game."""
    bad = [f"{BOTS}:Raising", f"{BOTS}:Cheating"]
    made = report(
        tmp_path, game=game, seats=seats, tables="mixed", bouts=2, players=["random", *bad]
    )
    reasons = {name.rpartition(":")[2]: why for name, why, _ in made.faults}
    assert reasons["Raising"] == "raised LookupError: lost the thread"
    assert reasons["Cheating"].startswith("illegal action ")
    best, *others = made.standings
    assert (best.name, best.share, best.faults) == ("random", 1.0, 0)
    assert all(each.faults > 0 for each in others)
    assert all(not game.faults or game.reason == "fault" for game in made.games)
    assert any("faults" in record.meta for record in records_of(tmp_path))
    page = html_page(made)
    assert "lost the thread" in page


DYING = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("uciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": sys.exit()
"""


def test_an_engine_that_dies_loses_its_games_only(tmp_path: Path) -> None:
    program = tmp_path / "dying.py"
    program.write_text(DYING, "utf-8")
    good = {"player": f"uci:{sys.executable} -m stampede.cli uci", "name": "good"}
    dying = {"player": f"uci:{sys.executable} {program}", "name": "dying"}
    keys = {"game": "buffalo", "bouts": 1, "nodes": 50, "grace": 120}
    made = report(tmp_path / "cup", **keys, players=["random", good, dying])
    assert {(name, why) for name, why, _ in made.faults} == {("dying", "died before bestmove")}
    assert {each.name: each.share for each in made.standings}["dying"] == 0.0
    assert len(records_of(tmp_path / "cup")) == 6


@contextmanager
def player_on_a_socket(*, leave_after: int = 1_000_000) -> Iterator[str]:
    """A program with the loop of `examples/random_player.py`, at an address."""

    def answer(socket: ServerConnection) -> None:
        for count, text in enumerate(socket):
            view = json.loads(text).get("view")
            decision = view and view["decision"]
            if count >= leave_after:
                return
            if decision and view["you"] in decision["awaited"]:
                act = {"type": "act", "player": view["you"], "decision": decision["id"]}
                command = {**act, "action": choose(view["view"]["legal"])}
                socket.send(json.dumps({"type": "command", "key": str(count), "command": command}))

    with serving(answer) as url:
        yield url


@contextmanager
def serving(answer: Callable[[ServerConnection], None]) -> Iterator[str]:
    """A program at an address."""
    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws:ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("game", "seats", "tables"), [("buffalo", 2, "mixed"), ("zoff", 3, "field")]
)
def test_a_program_behind_a_websocket_plays(
    tmp_path: Path, game: str, seats: int, tables: str
) -> None:
    with player_on_a_socket() as url:
        players = ["beginner", {"player": url, "name": "remote"}]
        made = report(tmp_path, game=game, seats=seats, tables=tables, bouts=1, players=players)
    assert not made.faults
    assert {each.name for each in made.standings if each.chairs} == {"beginner", "remote"}
    records_of(tmp_path)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("castle", "expected JSON, got something else: "),
        ('{"type": "command"}', "expected a command of type act, got "),
        ('{"command": {"type": "act", "action": 1}}', "expected decision and action, got "),
        (
            '{"command": {"type": "act", "decision": ID, "action": NaN}}',
            "expected JSON, got something",
        ),
        ('{"command": {"type": "act", "decision": ID, "action": "a1a2"}}', "illegal action a1a2: "),
    ],
)
def test_a_program_that_answers_nonsense_loses(tmp_path: Path, answer: str, why: str) -> None:
    def answers(socket: ServerConnection) -> None:
        for text in socket:
            if "view" in (frame := json.loads(text)) and frame["view"]["decision"]:
                socket.send(answer.replace("ID", str(frame["view"]["decision"]["id"])))

    with serving(answers) as url:
        players = ["beginner", {"player": url, "name": "remote"}]
        made = report(tmp_path, game="buffalo", bouts=1, players=players)
    assert all(found.startswith(why) for _, found, _ in made.faults), made.faults
    assert sum(count for *_, count in made.faults) == 2


def test_a_program_that_hangs_up_loses(tmp_path: Path) -> None:
    with player_on_a_socket(leave_after=4) as url:
        players = ["beginner", {"player": url, "name": "remote"}]
        made = report(tmp_path, game="buffalo", bouts=1, players=players)
    assert {name for name, _, _ in made.faults} == {"remote"}
    assert all(why.startswith("went away") for _, why, _ in made.faults)


def test_a_sequential_test_ends_the_tournament(tmp_path: Path) -> None:
    keys = {"game": "buffalo", "bouts": 500, "sprt": {"elo0": 0, "elo1": 100}}
    made = report(tmp_path, **keys, players=["beginner", "random"])
    course = made.tournament.course
    assert course is not None
    assert course.verdict == "better"
    assert course.score.pairs <= len(made.tournament.bouts) < 100
    assert course.ratios[-1] >= course.test.bound
    assert all(abs(ratio) < course.test.bound for ratio in course.ratios[:-1])
    assert course.score == PairScore.of(
        bout.won_by("beginner") for bout in made.tournament.bouts[: course.score.pairs]
    )
    assert "better than random by 100 Elo" in html_page(made)


def test_stronger_players_are_rated_higher(tmp_path: Path) -> None:
    keys = {"game": "zoff", "seats": 3, "tables": "mixed", "ranking": "places", "bouts": 6}
    anchor = {"player": "random", "rating": 500}
    players = ["random", "beginner", f"{BOTS}:First"]
    made = report(tmp_path, **keys, players=players, anchor=anchor)
    assert not made.faults
    rated = {each.name: each.rating for each in made.standings}
    assert rated["random"].value == pytest.approx(500)
    assert rated["beginner"].low > 500
    assert [each.rating.value for each in made.standings] == sorted(
        (rating.value for rating in rated.values()), reverse=True
    )
    chairs = Counter({each.name: each.chairs for each in made.standings})
    assert set(chairs.values()) == {6 * 3}
    assert sum(each.wins for each in made.standings) == pytest.approx(len(made.games))
