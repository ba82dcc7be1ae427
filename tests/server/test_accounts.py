"""Names are kept by whoever keeps them: nobody else comes in, and whoever goes leaves no name behind."""

import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from stampede.core.record import read_records
from tests.server.clients import chosen
from tests.server.people import (
    PASSPHRASE,
    account,
    browser,
    browsers,
    command,
    keep,
    names_at,
    new_name,
    open_table,
    sign_in,
    sit,
)
from tests.server.servers import running, settings_for

COOKIE = "stampede_session"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server's address, and the folder of its database."""
    folder = tmp_path_factory.mktemp("accounts")
    with running(settings_for(folder)) as address:
        yield address, folder


@pytest.fixture
def ann(place: tuple[str, Path]) -> Iterator[httpx.Client]:
    with browsers(place[0], 1) as (client,):
        yield client


@pytest.fixture
def eve(place: tuple[str, Path]) -> Iterator[httpx.Client]:
    with browsers(place[0], 1) as (client,):
        yield client


def play_out(client: httpx.Client, table: str) -> None:
    """Plays against bots until the game is over."""
    rng = random.Random(7)
    while True:
        view = client.get(f"/api/tables/{table}").json()["view"]
        if view["phase"] == "over":
            return
        decision = view["decision"]
        if decision is None or view["you"] not in decision["awaited"]:
            continue
        action = chosen(view["view"]["legal"], rng)
        fields = {"player": view["you"], "decision": decision["id"], "action": action}
        assert command(client, table, "act", **fields).status_code in (200, 409)


# --- coming in ---


def test_a_name_is_kept_and_its_owner_comes_back_on_another_device(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    codes = keep(ann, name)
    assert len(set(codes)) == 8
    found = account(ann)
    assert found is not None
    assert (found["name"], found["recovery_codes"], found["fresh"]) == (name, 8, True)
    assert account(eve) is None
    assert sign_in(eve, name.upper()).status_code == 201  # names are compared without case
    assert account(eve) is not None


def test_no_two_keep_names_that_read_alike(ann: httpx.Client, eve: httpx.Client) -> None:
    name = new_name()
    keep(ann, name)
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    for other in (name.lower(), f" {name} ", wide):
        body = {"name": other, "passphrase": PASSPHRASE}
        response = eve.post("/api/accounts", json=body)
        assert (response.status_code, response.json()["error"]) == (409, "name_taken")
        assert eve.get("/api/names", params={"name": other}).json()["free"] is False


def test_a_guest_cannot_sit_down_under_a_kept_name(ann: httpx.Client, eve: httpx.Client) -> None:
    name = new_name()
    keep(ann, name)
    table = open_table(eve, "buffalo", [{}, {}], public=True)
    refused = command(eve, table, "claim", name=name.lower())
    assert (refused.status_code, refused.json()["error"]) == (409, "name_taken")
    sit(ann, table, "somebody else")
    assert names_at(eve, table)[0] == name  # whoever keeps a name sits down under it


def test_unknown_names_and_wrong_passphrases_get_the_same_answer(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    keep(ann, name)
    wrong, unknown = sign_in(eve, name, "not the right passphrase"), sign_in(eve, new_name())
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert "set-cookie" not in {*wrong.headers, *unknown.headers}


@pytest.mark.parametrize("passphrase", ["short", "aaaaaaaaaaaaaaaa", "x" * 201])
def test_a_passphrase_that_anybody_guesses_is_refused(ann: httpx.Client, passphrase: str) -> None:
    response = ann.post("/api/accounts", json={"name": new_name(), "passphrase": passphrase})
    assert response.status_code == 422
    assert passphrase not in response.text


def test_attempts_are_counted_by_address_and_by_name(tmp_path: Path) -> None:
    with (
        running(settings_for(tmp_path, rate=20.0, burst=60)) as base,
        browsers(base, 1) as (eve,),
    ):
        answers = [sign_in(eve, "Ann", f"wrong wrong {n}") for n in range(12)]
        assert [answer.status_code for answer in answers[:10]] == [401] * 10
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) >= 1


# --- sessions ---


def test_signing_in_makes_a_new_secret_whatever_was_planted(
    place: tuple[str, Path], ann: httpx.Client
) -> None:
    """Session fixation: a cookie that somebody else knows is worth nothing after the sign-in."""
    name = new_name()
    keep(ann, name)
    with browser(place[0]) as victim, browser(place[0]) as attacker:
        planted = ann.cookies[COOKIE]
        victim.cookies.set(COOKIE, planted)  # a session, planted
        guest = attacker.get("/api/me").cookies["stampede_guest"]
        victim.cookies.set("stampede_guest", guest)  # and a guest's cookie
        assert sign_in(victim, name).status_code == 201
        fresh = next(c.value for c in victim.cookies.jar if c.name == COOKIE and c.value != planted)
        assert fresh != planted
        assert account(ann) is None  # what was planted has ended
        assert account(attacker) is None
        # A table that the victim opens now isn't the planted guest's.
        table = open_table(victim, "buffalo", [{}, {}])
        sit(victim, table, name, 0)
        assert attacker.get(f"/api/tables/{table}").json()["players"] == []


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(
    place: tuple[str, Path],
) -> None:
    with browser(place[0]) as client:
        body = {"name": new_name(), "passphrase": PASSPHRASE}
        headers = client.post("/api/accounts", json=body).headers.get_list("set-cookie")
        (session,) = [header for header in headers if header.startswith(COOKIE)]
        assert "HttpOnly" in session
        assert "SameSite=lax" in session


def test_behind_tls_the_cookie_is_bound_to_this_host(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, secure_cookies=True)) as base, browser(base) as client:
        body = {"name": new_name(), "passphrase": PASSPHRASE}
        headers = client.post("/api/accounts", json=body).headers.get_list("set-cookie")
        (session,) = [header for header in headers if header.startswith("__Host-stampede_session")]
        assert "Secure" in session
        assert "Path=/" in session
        assert "Domain" not in session


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_sites_page_changes_nothing(ann: httpx.Client, headers: dict[str, str]) -> None:
    """CSRF: with the victim's cookie, but another page's origin."""
    name = new_name()
    keep(ann, name)
    requests: list[tuple[str, str, Any]] = [
        ("POST", "/api/account/name", {"name": new_name()}),
        ("POST", "/api/account/passphrase", {"passphrase": "a passphrase of the attacker"}),
        ("POST", "/api/account/recovery-codes", None),
        ("POST", "/api/sessions", {"name": name, "passphrase": PASSPHRASE}),
        ("POST", "/api/blocks", {"name": name}),
        ("DELETE", "/api/sessions/current", None),
        ("DELETE", "/api/account", None),
        ("GET", "/api/account/export", None),
    ]
    for method, path, body in requests:
        response = ann.request(method, path, json=body, headers=headers)
        assert (response.status_code, response.json()["error"]) == (403, "foreign_origin"), path
    found = account(ann)
    assert found is not None
    assert found["name"] == name


def test_a_form_of_another_site_is_no_json(ann: httpx.Client) -> None:
    keep(ann, new_name())
    text = json.dumps({"name": "Mallory"})
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        response = ann.post("/api/account/name", content=text, headers={"Content-Type": kind})
        assert response.status_code == 422


def test_sessions_are_listed_and_ended_one_by_one_and_all_at_once(
    place: tuple[str, Path], ann: httpx.Client
) -> None:
    name = new_name()
    keep(ann, name)
    with browser(place[0], "phone") as phone, browser(place[0], "laptop") as laptop:
        sign_in(phone, name)
        sign_in(laptop, name)
        listed = ann.get("/api/sessions").json()["sessions"]
        assert sorted(item["device"] for item in listed) == ["laptop", "phone", "test browser"]
        assert [item["device"] for item in listed if item["current"]] == ["test browser"]
        of_phone = next(item["id"] for item in listed if item["device"] == "phone")
        assert ann.delete(f"/api/sessions/{of_phone}").json() == {"done": True}
        assert account(phone) is None
        assert account(laptop) is not None
        assert ann.delete("/api/sessions").json() == {"count": 1}
        assert account(laptop) is None
        assert ann.delete("/api/sessions/current").status_code == 200
        assert account(ann) is None
        assert ann.get("/api/sessions").status_code == 401


def test_nobody_ends_the_session_of_somebody_else(ann: httpx.Client, eve: httpx.Client) -> None:
    keep(ann, new_name())
    keep(eve, new_name())
    (mine,) = ann.get("/api/sessions").json()["sessions"]
    assert eve.delete(f"/api/sessions/{mine['id']}").status_code == 404
    assert account(ann) is not None


def test_guessed_and_altered_cookies_open_nothing(ann: httpx.Client, eve: httpx.Client) -> None:
    keep(ann, new_name())
    secret = ann.cookies[COOKIE]
    assert len(secret) >= 43  # 256 bits
    for guess in (secret[:-1], secret + "A", secret.swapcase(), "", "a" * 43, "x" * 5000):
        headers = {"Cookie": f"{COOKIE}={guess}"}
        assert eve.get("/api/account", headers=headers).json()["account"] is None


# --- recovery ---


def test_a_recovery_code_opens_once_and_ends_every_session(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    codes = keep(ann, name)
    fresh = "a quite different passphrase"
    body = {"name": name, "code": codes[3].upper().replace("-", " "), "passphrase": fresh}
    assert eve.post("/api/sessions/recover", json=body).status_code == 201
    assert account(ann) is None
    assert sign_in(ann, name).status_code == 401
    assert sign_in(ann, name, fresh).status_code == 201
    again = eve.post("/api/sessions/recover", json=body)
    assert (again.status_code, again.json()["error"]) == (401, "wrong_code")
    found = account(ann)
    assert found is not None
    assert found["recovery_codes"] == 7


def test_new_recovery_codes_make_the_old_ones_void(ann: httpx.Client, eve: httpx.Client) -> None:
    name = new_name()
    (old, *_) = keep(ann, name)
    (new, *_) = ann.post("/api/account/recovery-codes").json()["recovery_codes"]
    body = {"name": name, "passphrase": "another good passphrase"}
    assert eve.post("/api/sessions/recover", json={**body, "code": old}).status_code == 401
    assert eve.post("/api/sessions/recover", json={**body, "code": new}).status_code == 201


def test_nothing_secret_is_kept_in_the_clear(place: tuple[str, Path], ann: httpx.Client) -> None:
    codes = keep(ann, new_name(), "a passphrase only for this test")
    with sqlite3.connect(place[1] / "tables.db") as database:
        dump = "\n".join(database.iterdump())
    for secret in (ann.cookies[COOKIE], "a passphrase only for this test", *codes):
        assert secret not in dump
    assert "$argon2id$" in dump


def test_what_protects_an_account_asks_for_a_fresh_proof(tmp_path: Path) -> None:
    clock = [1_000_000_000_000]
    with running(settings_for(tmp_path), now=lambda: clock[0]) as base, browser(base) as ann:
        name = new_name()
        keep(ann, name)
        clock[0] += 16 * 60 * 1000
        guarded = [
            ("POST", "/api/account/passphrase", {"passphrase": "another good passphrase"}),
            ("POST", "/api/account/recovery-codes", None),
            ("POST", "/api/account/passkeys/options", None),
            ("DELETE", "/api/account", None),
        ]
        for method, path, body in guarded:
            response = ann.request(method, path, json=body)
            assert response.json()["error"] == "confirm_first", path
        wrong = ann.post("/api/account/confirm", json={"passphrase": "wrong wrong wrong"})
        assert wrong.status_code == 401
        right = ann.post("/api/account/confirm", json={"passphrase": PASSPHRASE})
        assert right.json() == {"done": True}
        assert ann.post("/api/account/recovery-codes").status_code == 200
        clock[0] += 91 * 24 * 3600 * 1000  # nobody has used it for three months
        assert account(ann) is None


# --- seats, games, going ---


def test_a_guests_seats_come_along_when_he_keeps_a_name(
    place: tuple[str, Path], ann: httpx.Client
) -> None:
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


def test_signing_in_as_somebody_who_sits_there_already_keeps_both_seats(
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


def test_a_player_takes_his_finished_games_along_and_nobody_elses(
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


def test_whoever_deletes_himself_leaves_games_without_his_name(
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
