"""A lost passphrase is no lost name, and nothing secret lies in the database."""

import sqlite3
from pathlib import Path

import httpx

from tests.server.people import (
    COOKIE,
    PASSPHRASE,
    account,
    browser,
    keep,
    new_name,
    sign_in,
)
from tests.server.servers import running, settings_for


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
