"""Sessions: no planted, guessed or foreign request passes for that of a signed-in person."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.people import (
    COOKIE,
    PASSPHRASE,
    account,
    browser,
    keep,
    new_name,
    open_table,
    sign_in,
    sit,
)
from tests.server.servers import running, settings_for


def test_signing_in_makes_a_new_secret_whatever_was_planted(
    place: tuple[str, Path], ann: httpx.Client
) -> None:
    """Session fixation: a cookie that another person knows is worth nothing after the sign-in."""
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


def test_no_one_ends_another_person_s_session(ann: httpx.Client, eve: httpx.Client) -> None:
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
