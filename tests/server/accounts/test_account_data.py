"""What belongs to a name comes along, can be taken away, and leaves no name behind."""

import sqlite3
from pathlib import Path

import httpx
import pytest

from stampede.core.record import read_records
from tests.server.people import (
    PASSPHRASE,
    account,
    browser,
    command,
    keep,
    names_at,
    new_name,
    open_table,
    play_out,
    sign_in,
    sit,
)


def test_a_guest_s_seats_move_to_the_account(place: tuple[str, Path], ann: httpx.Client) -> None:
    table = open_table(ann, "buffalo", [{}, {}])
    token = sit(ann, table, "passing guest", 0)
    old_cookie = ann.cookies["stampede_guest"]
    name = new_name()
    keep(ann, name)
    assert ann.get("/api/me").json()["tables"] == [table]
    assert ann.get(f"/api/tables/{table}").json()["players"] == [0]
    with browser(place[0]) as elsewhere:
        sign_in(elsewhere, name)
        assert elsewhere.get(f"/api/tables/{table}").json()["players"] == [0]
    with browser(place[0]) as stale:
        # What opened the seat before doesn't any more: neither the guest's cookie nor the old link.
        headers = {"Cookie": f"stampede_guest={old_cookie}", "Authorization": f"Bearer {token}"}
        assert stale.get(f"/api/tables/{table}", headers=headers).json()["players"] == []


def test_a_host_who_never_sat_stays_the_host_with_an_account(
    place: tuple[str, Path], ann: httpx.Client, eve: httpx.Client
) -> None:
    table = open_table(ann, "buffalo", [{}, {}], public=True)
    keep(ann, new_name())
    assert ann.get("/api/me").json()["tables"] == [table]
    change = {"player": 1, "level": "random"}
    assert command(eve, table, "set_chair", **change).status_code == 403
    assert command(ann, table, "set_chair", **change).status_code == 200
    with browser(
        place[0]
    ) as stranger:  # a second table, whose guest signs in to a name that is known
        stranger.get("/api/me")
        other = open_table(stranger, "buffalo", [{}, {}], public=True)
        name = new_name()
        keep(eve, name)
        assert sign_in(stranger, name).status_code == 201
        assert command(stranger, other, "invite").status_code == 200
        assert command(ann, other, "invite").status_code == 403


def test_signing_in_as_a_player_of_the_same_table_keeps_both_seats(
    place: tuple[str, Path], ann: httpx.Client
) -> None:
    name = new_name()
    keep(ann, name)
    table = open_table(ann, "zoff", [{}, {}, {}], public=True)
    sit(ann, table, name, 0)
    with browser(place[0]) as other:
        other.get("/api/me")
        token = sit(other, table, "another guest", 1)
        assert sign_in(other, name).status_code == 201
        assert other.get(f"/api/tables/{table}").json()["players"] == [0]
        headers = {"Authorization": f"Bearer {token}"}  # the other one by its link
        assert other.get(f"/api/tables/{table}", headers=headers).json()["players"] == [0, 1]


def test_a_player_exports_their_finished_games_and_no_one_else_s(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    keep(ann, new_name())
    finished = open_table(ann, "buffalo", [{}, {"bot": "random"}])
    sit(ann, finished, "Ann", 0)
    play_out(ann, finished)
    assert command(ann, finished, "vote", player=0, on="next").status_code == 200  # goes on
    running_one = open_table(ann, "zoff", [{}, {"bot": "random"}, {"bot": "random"}])
    sit(ann, running_one, "Ann", 0)
    assert command(ann, finished, "leave", player=0).status_code == 200
    response = ann.get("/api/account/export")
    assert response.headers["content-type"] == "application/x-ndjson"
    records = [record for _, record in read_records(response.text.splitlines())]
    assert {record.meta["table"] for record in records} == {finished}
    assert all(record.result is not None for record in records)
    games = ann.get("/api/account/games").json()["tables"]
    assert {item["table"] for item in games} == {finished, running_one}
    keep(eve, new_name())
    assert eve.get("/api/account/export").text == ""
    assert eve.get("/api/account/games?before=0").json() == {"tables": [], "before": None}


def test_a_refused_claim_shows_nothing_of_a_private_table(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    table = open_table(ann, "buffalo", [{}, {}], watch=False)
    keep(eve, new_name())
    assert command(eve, table, "claim", name="-").status_code == 403
    assert eve.get("/api/account/games").json()["tables"] == []
    assert eve.get(f"/api/tables/{table}").status_code == 404


def test_the_export_takes_no_path_from_anybody(ann: httpx.Client) -> None:
    """Path traversal: what is exported is said by the session alone, and the file's name is fixed."""
    keep(ann, new_name())
    for query in ("?file=../../etc/passwd", "?table=../../etc/passwd", "/../../../etc/passwd"):
        response = ann.get(f"/api/account/export{query}")
        assert response.text == "" or response.status_code == 404
    wanted = 'attachment; filename="stampede-games.jsonl"'
    assert ann.get("/api/account/export").headers["content-disposition"] == wanted


def test_a_deleted_account_leaves_games_without_its_name(
    place: tuple[str, Path], ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    guest_name = f"guest {name[-6:]}"
    early = open_table(ann, "buffalo", [{}, {}], public=True)
    sit(ann, early, guest_name, 0)
    keep(ann, name)
    table = open_table(ann, "buffalo", [{}, {}], public=True)
    sit(ann, table, name, 0)
    sit(eve, table, "Eve", 1)
    assert command(eve, table, "resign", player=1).status_code == 200
    assert name in eve.get(f"/api/tables/{table}/record").text
    assert ann.delete("/api/account").json() == {"done": True}
    assert account(ann) is None
    assert sign_in(ann, name).status_code == 401
    record = eve.get(f"/api/tables/{table}/record").json()
    assert [seat["name"] for seat in record["seats"]] == ["deleted player", "Eve"]
    assert record["result"]["winner"] == 0
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/events", "/api/tables?status=over"):
        assert name not in eve.get(path).text
    with sqlite3.connect(place[1] / "tables.db") as database:
        dump = "\n".join(database.iterdump())
    assert name not in dump
    assert name.lower() not in dump
    assert guest_name not in dump
    keep(eve, name)  # the name is free again


def test_a_name_can_be_changed(ann: httpx.Client, eve: httpx.Client) -> None:
    name, other = new_name(), new_name()
    keep(ann, name)
    keep(eve, other)
    taken = ann.post("/api/account/name", json={"name": other})
    assert (taken.status_code, taken.json()["error"]) == (409, "name_taken")
    same = ann.post("/api/account/name", json={"name": name.upper()})
    assert same.json() == {"name": name.upper()}
    assert sign_in(ann, name).status_code == 201


SQL = ["x'; DROP TABLE accounts; --", '" OR ""="', "Robert'); DELETE FROM entries;--", "%' OR 1=1"]
SCRIPT = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)//<b>"]


@pytest.mark.parametrize("name", [*SQL, *SCRIPT])
def test_sql_and_script_in_names_are_names_or_nothing(eve: httpx.Client, name: str) -> None:
    """SQL never leaves a parameter, and a name that is kept has no sign that a page would read as markup."""
    refused = eve.post("/api/accounts", json={"name": name[:60], "passphrase": PASSPHRASE})
    assert refused.status_code == 422
    assert sign_in(eve, name).status_code == 401
    table = open_table(eve, "buffalo", [{}, {}], public=True)
    shown = name[:40].strip()
    sit(eve, table, shown, 0)  # a passing guest's name is free text, and always told as JSON
    response = eve.get(f"/api/tables/{table}")
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert names_at(eve, table)[0] == shown
    assert eve.get("/api/names", params={"name": name}).json()["free"] is False
