"""Ratings are what the log says: which games count, whose they are, and after restarts and kills as well."""

import asyncio
import random
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from stampede.cli.main import build
from stampede.matches import Caller, digest_of
from stampede.matches.commands import Act, Claim
from stampede.server.http.encode import encode
from stampede.server.ops.check import check_database
from stampede.server.ratings.rating_system import _ranks, points, rated_games
from stampede.store import LogEntry
from stampede.store.ratings.ratings import RatedGame
from tests.matches.sitting import clock, zoff
from tests.server.people import (
    browser,
    browsers,
    command,
    keep,
    new_name,
    open_table,
    play_out,
    sit,
)
from tests.server.servers import ServerProcess, running, settings_for

Answer = dict[str, Any]


def recompute(folder: Path, *flags: str) -> Result:
    """`stampede ratings recompute` on a server's database."""
    address = f"sqlite:///{folder / 'tables.db'}"
    words = ["ratings", "recompute", "--database", address, *flags]
    return CliRunner().invoke(build("ratings"), words)


def duel(one: httpx.Client, other: httpx.Client, loser: int, **more: Any) -> str:
    """A rated game of Buffalo that ends by resignation."""
    table = open_table(one, "buffalo", [{}, {}], public=True, rated=True, **more)
    sit(one, table, "-", 0)
    sit(other, table, "-", 1)
    quitter = (one, other)[loser]
    assert command(quitter, table, "resign", player=loser).status_code == 200
    return table


def board(client: httpx.Client, name: str) -> Answer:
    answer: Answer = client.get("/api/ratings", params={"board": name}).json()
    return answer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def two(folder: Path) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """Two people who keep a name."""
    with running(settings_for(folder)) as base, browsers(base, 2) as (ann, bob):
        keep(ann, "Ann")
        keep(bob, "Bob")
        yield ann, bob


def test_a_rated_game_counts_on_both_sides_boards(
    two: tuple[httpx.Client, httpx.Client], folder: Path
) -> None:
    ann, bob = two
    table = duel(ann, bob, loser=1)
    changes = ann.get(f"/api/tables/{table}/ratings?game=1").json()["changes"]
    assert [change["board"] for change in changes] == ["buffalo-buffalo-0", "buffalo-hunter-0"]
    assert changes[0]["before"] == changes[1]["before"] == 1500
    assert changes[0]["after"] > 1500 > changes[1]["after"]
    herd = board(ann, "buffalo-buffalo-0")
    (line,) = herd["lines"]
    assert (line["name"], line["games"], line["wins"], line["you"]) == ("Ann", 1, 1, True)
    assert line["low"] < line["rating"] < line["high"]
    assert line["provisional"] is True
    assert herd["mine"] == line
    assert board(bob, "buffalo-hunter-0")["lines"][0]["name"] == "Bob"
    mine = bob.get("/api/account/ratings").json()["ratings"]
    assert [rating["board"]["id"] for rating in mine] == ["buffalo-hunter-0"]
    seen = ann.get("/api/ratings/player", params={"name": "bob"}).json()
    assert seen == {"name": "Bob", "ratings": mine}
    people = ann.get(f"/api/tables/{table}/people").json()["people"]
    assert [(person["kept"], person["rating"]["rating"]) for person in people] == [
        (True, changes[0]["after"]),
        (True, changes[1]["after"]),
    ]
    assert recompute(folder, "--check").exit_code == 0


def test_a_history_tells_each_game_s_rating_and_no_table(
    two: tuple[httpx.Client, httpx.Client],
) -> None:
    ann, bob = two
    tables = [duel(ann, bob, loser=loser) for loser in (1, 1, 0)]
    changes = [bob.get(f"/api/tables/{table}/ratings?game=1").json()["changes"] for table in tables]
    wanted = {"name": "ANN", "board": "buffalo-buffalo-0"}
    answer = bob.get("/api/ratings/history", params=wanted)
    told = answer.json()
    assert told["name"] == "Ann"
    assert [point["rating"] for point in told["points"]] == [one[0]["after"] for one in changes]
    assert told["points"][-1]["low"] == board(ann, "buffalo-buffalo-0")["lines"][0]["low"]
    assert not any(table in answer.text for table in tables)
    latest = bob.get("/api/ratings/history", params={**wanted, "limit": 2}).json()
    assert latest["points"] == told["points"][1:]
    for wrong in ({**wanted, "name": "nobody"}, {**wanted, "board": "chess"}):
        assert bob.get("/api/ratings/history", params=wrong).status_code == 404


def test_hidden_ratings_are_told_to_their_owner_alone_and_ranks_stay(
    two: tuple[httpx.Client, httpx.Client],
) -> None:
    ann, bob = two
    table = duel(ann, bob, loser=1)
    name = "buffalo-buffalo-0"
    wanted = {"name": "Ann", "board": name}
    told = ann.get("/api/people/Ann").json()
    shown = {"board": board(bob, name), "page": bob.get("/api/people/Ann").json()}
    hidden = ann.post("/api/account/profile", json={"ratings": False})
    assert hidden.json() == {"shown": False, "ratings": False}
    page = bob.get("/api/people/Ann").json()
    assert (page["ratings"], page["ratings_shown"]) == ([], False)
    assert bob.get("/api/ratings/player", params={"name": "Ann"}).json()["ratings"] == []
    assert bob.get("/api/ratings/history", params=wanted).json()["points"] == []
    lines = board(bob, name)["lines"]
    assert lines == [{**line, "name": "", "kind": "hidden"} for line in shown["board"]["lines"]]
    assert board(ann, name)["lines"][0]["name"] == "Ann"
    assert ann.get("/api/people/Ann").json() == {**told, "ratings_shown": False}
    assert len(ann.get("/api/ratings/history", params=wanted).json()["points"]) == 1
    at_table = bob.get(f"/api/tables/{table}/people").json()["people"]
    assert at_table[0]["rating"]["rating"] == told["ratings"][0]["rating"], "opponents see it"
    ann.post("/api/account/profile", json={"shown": True}).raise_for_status()
    assert bob.get("/api/people/Ann").json()["ratings_shown"] is False
    ann.post("/api/account/profile", json={"shown": False, "ratings": True}).raise_for_status()
    assert bob.get("/api/people/Ann").json() == shown["page"]


def test_every_rung_has_its_own_boards(two: tuple[httpx.Client, httpx.Client]) -> None:
    ann, bob = two
    duel(ann, bob, loser=0, rules={"removed": ["a", "k"], "opening_moves": 1})
    duel(ann, bob, loser=0, rules={"removed": [], "opening_moves": 3})
    duel(ann, bob, loser=0, rules={"removed": ["a"], "opening_moves": 3})  # on no rung
    found = [item["id"] for item in ann.get("/api/ratings/boards").json()["boards"]]
    assert found == [
        "buffalo-buffalo--2",
        "buffalo-hunter--2",
        "buffalo-buffalo-2",
        "buffalo-hunter-2",
    ]


def test_only_those_who_keep_a_name_play_rated_games(
    two: tuple[httpx.Client, httpx.Client],
) -> None:
    ann, bob = two
    with browser(str(ann.base_url)) as guest:
        guest.get("/api/me")
        body = {"key": "k", "game": "buffalo", "chairs": [{}, {}], "rated": True}
        refused = guest.post("/api/tables", json=body)
        assert (refused.status_code, refused.json()["error"]) == (403, "name_needed")
        table = open_table(ann, "buffalo", [{}, {}], public=True, rated=True)
        refused = command(guest, table, "claim", name="guest")
        assert (refused.status_code, refused.json()["error"]) == (403, "name_needed")
        assert command(bob, table, "claim", name="b", program=True).status_code == 403
        token = sit(ann, table, "Ann", 0)
        headers = {"Authorization": f"Bearer {token}"}
        move = {"key": "m", "command": {"type": "move_chair", "player": 0}}
        moved = guest.post(f"/api/tables/{table}/commands", json=move, headers=headers)
        assert moved.status_code == 403
        # In a rated game nobody is sent away, either.
        sit(bob, table, "Bob", 1)
        removed = ann.post(f"/api/tables/{table}/remove", json={"key": "r", "player": 1})
        assert removed.status_code == 403


def test_unrated_and_aborted_games_count_for_nothing(
    two: tuple[httpx.Client, httpx.Client],
) -> None:
    ann, bob = two
    plain = open_table(ann, "buffalo", [{}, {}], public=True)
    sit(ann, plain, "-", 0)
    sit(bob, plain, "-", 1)
    command(ann, plain, "resign", player=0)
    aborted = open_table(ann, "buffalo", [{}, {}], public=True, rated=True)
    sit(ann, aborted, "-", 0)
    sit(bob, aborted, "-", 1)
    command(ann, aborted, "vote", player=0, on="abort")
    command(bob, aborted, "vote", player=1, on="abort")
    assert ann.get(f"/api/tables/{aborted}").json()["view"]["phase"] == "over"
    assert ann.get("/api/ratings/boards").json() == {"boards": []}
    assert ann.get(f"/api/tables/{aborted}/ratings?game=1").json()["changes"] == []


def test_bots_are_rated_by_level_and_a_player_who_leaves_comes_last(
    two: tuple[httpx.Client, httpx.Client], folder: Path
) -> None:
    ann, bob = two
    chairs = [{}, {}, {"bot": "random"}, {"bot": "random"}]
    table = open_table(ann, "zoff", chairs, public=True, rated=True, substitute="random")
    sit(ann, table, "-", 0)
    sit(bob, table, "-", 1)
    assert command(bob, table, "leave", player=1).status_code == 200
    play_out(ann, table, random.Random(4))
    lines = {line["name"]: line for line in board(ann, "zoff-4")["lines"]}
    assert lines.keys() == {"Ann", "Bob", "random"}
    assert (lines["random"]["kind"], lines["random"]["games"]) == ("bot", 1)
    changes = ann.get(f"/api/tables/{table}/ratings?game=1").json()["changes"]
    assert [change["player"] for change in changes] == [0, 1, 2, 3]
    assert changes[1]["after"] == min(change["after"] for change in changes)
    assert changes[2]["after"] == changes[3]["after"]
    assert recompute(folder, "--check").exit_code == 0


def test_a_deleted_account_leaves_the_boards_but_no_rating_changes(
    two: tuple[httpx.Client, httpx.Client], folder: Path
) -> None:
    ann, bob = two
    duel(ann, bob, loser=1)
    before = board(ann, "buffalo-buffalo-0")["lines"]
    assert bob.delete("/api/account").status_code == 200
    assert board(ann, "buffalo-hunter-0")["lines"] == []
    assert board(ann, "buffalo-buffalo-0")["lines"] == before
    assert recompute(folder, "--check").exit_code == 0


def test_recomputing_finds_and_mends_what_is_wrong(
    two: tuple[httpx.Client, httpx.Client], folder: Path
) -> None:
    ann, bob = two
    for loser in (0, 1, 1):
        duel(ann, bob, loser)
    right = board(ann, "buffalo-buffalo-0")
    with sqlite3.connect(folder / "tables.db") as database:
        database.execute("UPDATE ratings SET mu = mu + 0.001 WHERE board LIKE '%hunter%'")
        database.execute("DELETE FROM rated_games WHERE rowid = 1")
        database.execute("DELETE FROM ratings WHERE board = 'buffalo-buffalo-0'")
    checked = recompute(folder, "--check")
    assert checked.exit_code == 1
    assert "3 games, 2 ratings: 3 differ" in checked.stdout
    mended = recompute(folder)
    assert (mended.exit_code, "and were corrected" in mended.stdout) == (0, True)
    assert recompute(folder, "--check", "--json").stdout.startswith('{"equal": true, "games": 3')
    assert board(ann, "buffalo-buffalo-0") == right


def test_checking_beside_a_server_tells_no_game_that_ended_meanwhile(
    two: tuple[httpx.Client, httpx.Client], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check has read the log of one table before its game ends and counts."""
    ann, bob = two
    duel(ann, bob, 0)
    address = f"sqlite:///{folder / 'tables.db'}"
    assert board(ann, "buffalo-buffalo-0")["lines"], "it counts"
    stale = [True]

    def read_early(entries: Sequence[LogEntry]) -> list[RatedGame]:
        return [] if stale and stale.pop() else rated_games(entries)

    monkeypatch.setattr("stampede.server.ops.check.rated_games", read_early)
    report = asyncio.run(check_database(address, iter))
    assert (report.findings, [note for note in report.notes if "ratings" in note]) == ([], [])
    with sqlite3.connect(folder / "tables.db") as database:
        database.execute("UPDATE ratings SET mu = mu + 0.001")
    found = asyncio.run(check_database(address, iter)).findings
    assert {finding.where for finding in found} == {"ratings"}


def test_stored_ratings_are_the_logs_after_restarts_and_kills(tmp_path: Path) -> None:
    """The server is killed again and again while rated games are played and end."""
    server = ServerProcess(tmp_path)
    rng = random.Random(11)
    tables: list[str] = []
    with ExitStack() as stack:
        stack.callback(server.kill)  # in the end: what ended last may not be counted yet
        people = [stack.enter_context(browser(server.base)) for _ in range(2)]
        for client in people:
            client.get("/api/me")
            keep(client, new_name())
        players = []
        for client in people:
            for _ in range(2):
                table = open_table(client, "buffalo", [{}, {"bot": "random"}], rated=True)
                sit(client, table, "-", 0)
                tables.append(table)
                work = (client, table, random.Random(rng.random()))
                players.append(threading.Thread(target=play_out, args=work))
        for thread in players:
            thread.start()
        while any(thread.is_alive() for thread in players):
            players[0].join(0.5)
            if server.starts < 3:
                server.kill()
                server.start()
            else:
                for thread in players:
                    thread.join()
    checked = recompute(tmp_path, "--check")
    assert checked.exit_code == 0, checked.stderr
    assert checked.stdout.startswith(f"{len(tables)} games, "), checked.stdout


def test_ranks_put_winners_first_and_leavers_last() -> None:
    assert _ranks([2], [5, 7, 6, 7], [], 4) == [4, 2, 1, 2]
    assert _ranks([0, 1], [9, 9, 3], [], 3) == [1, 1, 3]
    assert _ranks([1], [5, 9, 5, 1], [1], 4) == [1, 4, 1, 3]
    assert _ranks([1], [], [], 2) == [2, 1]


def test_a_player_who_runs_out_of_time_among_several_is_ranked_last() -> None:
    """The others play on; whatever the bot reaches that finishes the game, it isn't the player's."""
    sitting = zoff(3, rated=True, clock=clock("move", 60_000, "forfeit"), seed=6)
    for player in range(3):
        caller = Caller(f"a{player}", "invitation")
        sitting.do(Claim(player, f"Name{player}", digest_of(f"token-{player}")), caller)
    while sitting.phase == "playing":
        sitting.bots_act()
        waiting = [player for player in sitting.awaited() if player]
        if waiting:
            player = waiting[0]
            act = Act(player, sitting.decision, sitting.any_action(player))
            sitting.do(act, Caller(f"a{player}"))
        elif sitting.phase == "playing":
            sitting.wait(60_000)
    (game,) = rated_games([LogEntry(e.seq, encode(e.to_json()).decode()) for e in sitting.log])
    ranks = [player.rank for player in game.players]
    assert ranks[0] == 3
    assert sorted(ranks[1:]) in ([1, 1], [1, 2])


def test_two_hundred_points_win_three_games_of_four() -> None:
    """The scale is about Elo's, once ratings are sure."""
    from openskill.models import PlackettLuce  # noqa: PLC0415

    model = PlackettLuce()
    apart = 200 / (points(26) - points(25))
    strong, weak = model.rating(25 + apart, 0.5), model.rating(25, 0.5)
    assert abs(model.predict_win([[strong], [weak]])[0] - 0.76) < 0.02
