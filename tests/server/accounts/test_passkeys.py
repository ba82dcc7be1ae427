"""Passkeys, with real keys and real bytes: the key's holder is signed in, and every other answer is refused."""

import copy
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.accounts.authenticator import PRESENT, Authenticator, b64
from tests.server.people import account, browser, browsers, keep, new_name
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE


def registered(client: httpx.Client, base: str) -> tuple[str, Authenticator]:
    """A person who signs in by a passkey alone."""
    name, device = new_name(), Authenticator(base)
    options = client.post("/api/accounts/passkey", json={"name": name}).json()["options"]
    body = {"name": name, "passkey": device.create(options), "label": "phone"}
    response = client.post("/api/accounts", json=body)
    assert response.status_code == 201, response.text
    return name, device


def asked(client: httpx.Client) -> dict[str, Any]:
    options: dict[str, Any] = client.post("/api/sessions/passkey").json()["options"]
    return options


def shown(client: httpx.Client, credential: dict[str, Any]) -> httpx.Response:
    return client.post("/api/sessions", json={"passkey": credential})


def test_a_name_kept_by_a_passkey_needs_nothing_else(base: str) -> None:
    with browsers(base, 2) as (ann, elsewhere):
        name, device = registered(ann, base)
        found = account(ann)
        assert found is not None
        assert (found["passphrase"], [key["label"] for key in found["passkeys"]]) == (
            False,
            ["phone"],
        )
        assert shown(elsewhere, device.get(asked(elsewhere))).json() == {"name": name}
        assert account(elsewhere) is not None


def test_the_last_way_in_stays(base: str) -> None:
    with browsers(base, 1) as (ann,):
        registered(ann, base)
        second = Authenticator(base)
        options = ann.post("/api/account/passkeys/options").json()["options"]
        assert len(options["excludeCredentials"]) == 1
        added = ann.post("/api/account/passkeys", json={"passkey": second.create(options)})
        assert added.status_code == 201
        first, other = (key["id"] for key in (account(ann) or {})["passkeys"])
        assert ann.delete(f"/api/account/passkeys/{first}").status_code == 200
        last = ann.delete(f"/api/account/passkeys/{other}")
        assert (last.status_code, last.json()["error"]) == (409, "last_way_in")
        ann.post("/api/account/passphrase", json={"passphrase": "now there is another way"})
        assert ann.delete(f"/api/account/passkeys/{other}").status_code == 200


def test_adding_passkeys_is_limited_by_session(tmp_path: Path) -> None:
    """Verifying one takes processor time, whether it is accepted or not."""
    with running(settings_for(tmp_path, rate=1e-6, burst=60)) as base, browsers(base, 1) as (ann,):
        registered(ann, base)
        body = {"passkey": {}, "label": "phone"}
        statuses = [ann.post("/api/account/passkeys", json=body).status_code for _ in range(11)]
    assert statuses == [*[401] * 10, 429]


def test_an_answer_is_good_once(base: str) -> None:
    """Replay: the same signed answer a second time."""
    with browsers(base, 2) as (ann, eve):
        _, device = registered(ann, base)
        overheard = device.get(asked(ann))
        assert shown(ann, overheard).status_code == 201
        again = shown(eve, overheard)
        assert (again.status_code, again.json()["error"]) == (401, "stale_challenge")
        assert account(eve) is None


def forged(device: Authenticator, options: dict[str, Any], how: str, base: str) -> dict[str, Any]:
    """An answer with one thing wrong."""
    match how:
        case "another key":
            thief = Authenticator(base, credential_id=device.credential_id)
            return thief.get(options)
        case "another site's page":
            device.origin = "https://evil.example"
            return device.get(options)
        case "another site's key":
            return device.get({**options, "rpId": "evil.example"})
        case "nobody touched it":
            device.flags = 0
            return device.get(options)
        case "nobody proved who touches it":
            device.flags = PRESENT
            return device.get(options)
        case "a question of ours, made up":
            return device.get({**options, "challenge": b64(b"x" * 64)})
        case "a copy of the device":
            device.count -= 2
            return device.get(options)
        case "a changed signature":
            answer = copy.deepcopy(device.get(options))
            signature = answer["response"]["signature"]
            answer["response"]["signature"] = signature[:-4] + "AAAA"
            return answer
        case "an unknown key":
            return Authenticator(base).get(options)
        case _:
            raise AssertionError(how)


@pytest.mark.parametrize(
    "how",
    [
        "another key",
        "another site's page",
        "another site's key",
        "nobody touched it",
        "nobody proved who touches it",
        "a question of ours, made up",
        "a copy of the device",
        "a changed signature",
        "an unknown key",
    ],
)
def test_a_forged_answer_opens_nothing(base: str, how: str) -> None:
    with browsers(base, 2) as (ann, eve):
        _, device = registered(ann, base)
        assert shown(ann, device.get(asked(ann))).status_code == 201
        assert shown(ann, device.get(asked(ann))).status_code == 201
        response = shown(eve, forged(device, asked(eve), how, base))
        assert response.status_code == 401, response.text
        assert account(eve) is None


def test_a_passkey_is_added_to_the_account_that_asked_for_it(base: str) -> None:
    with browsers(base, 2) as (ann, eve):
        keep(ann, new_name())
        keep(eve, new_name())
        options = ann.post("/api/account/passkeys/options").json()["options"]
        body = {"passkey": Authenticator(base).create(options)}
        assert eve.post("/api/account/passkeys", json=body).status_code == 401
        assert (account(eve) or {})["passkeys"] == []


def test_a_passkey_confirms_who_is_signed_in_and_nobody_else(base: str) -> None:
    with browsers(base, 2) as (ann, eve):
        _, device = registered(ann, base)
        registered(eve, base)
        own = ann.post("/api/account/confirm", json={"passkey": device.get(asked(ann))})
        assert own.status_code == 200
        others = eve.post("/api/account/confirm", json={"passkey": device.get(asked(eve))})
        assert others.status_code == 401


RUBBISH: list[Any] = [
    {},
    {"response": {}},
    {"response": {"clientDataJSON": "!!!"}},
    {"response": {"clientDataJSON": b64(b"[" * 20_000)}},
    {"response": {"clientDataJSON": b64(b'{"challenge": 7}')}},
    {"rawId": "é", "response": {"clientDataJSON": b64(b"null")}},
]


@pytest.mark.parametrize("credential", RUBBISH)
def test_rubbish_is_refused_calmly(base: str, credential: dict[str, Any]) -> None:
    with browser(base) as eve:
        assert shown(eve, credential).status_code == 401
        body = {"name": new_name(), "passkey": credential}
        assert eve.post("/api/accounts", json=body).status_code == 401


def test_a_program_without_an_origin_makes_no_passkey(base: str) -> None:
    with httpx.Client(base_url=base, timeout=PATIENCE) as program:
        program.get("/api/me")
        response = program.post("/api/accounts/passkey", json={"name": new_name()})
        assert (response.status_code, response.json()["error"]) == (403, "foreign_origin")
