"""Strangers at many addresses who try a name lock themselves out, and not its owner."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.server.accounts.devices import Devices
from stampede.server.http.identity import Identities, Signer
from tests.server.people import PASSPHRASE, account, browser, keep, sign_in
from tests.server.servers import running, settings_for

NAME = "Ann"
OWNERS = "198.51.100.7"


@pytest.fixture
def base(tmp_path: Path) -> Iterator[str]:
    """A server behind a proxy, so that callers have addresses; a name takes 25 attempts at once."""
    settings = settings_for(
        tmp_path, rate=0.001, burst=30, address_factor=100, trusted_proxies="127.0.0.1"
    )
    with running(settings) as address:
        yield address


def browser_at(base: str, address: str) -> httpx.Client:
    client = browser(base)
    client.headers["X-Forwarded-For"] = address
    return client


def attack(base: str) -> None:
    """Eight addresses try the name until it takes no more attempts."""
    heard = []
    for host in range(8):
        with browser_at(base, f"203.0.113.{host}") as stranger:
            heard += [sign_in(stranger, NAME, f"wrong wrong {n}").status_code for n in range(6)]
    assert heard.count(401) == 24, "and one of the owner"
    assert set(heard) == {401, 429}


def test_eight_addresses_do_not_lock_the_owner_out(base: str) -> None:
    with browser_at(base, OWNERS) as ann, browser_at(base, OWNERS) as signed_in:
        codes = keep(ann, NAME)
        assert sign_in(signed_in, NAME).status_code == 201
        assert ann.delete("/api/sessions/current").status_code == 200
        attack(base)
        # A device on which the owner has signed in before, also from elsewhere.
        ann.headers["X-Forwarded-For"] = "198.51.100.200"
        assert sign_in(ann, NAME).status_code == 201
        # Inside a session a fresh proof is counted apart.
        confirmed = signed_in.post("/api/account/confirm", json={"passphrase": PASSPHRASE})
        assert confirmed.status_code == 200
        # A recovery code can't be guessed.
        with browser_at(base, "198.51.100.9") as new_device:
            assert sign_in(new_device, NAME).status_code == 429
            body = {"name": NAME, "code": codes[0], "passphrase": PASSPHRASE}
            assert new_device.post("/api/sessions/recover", json=body).status_code == 201
            assert account(new_device) is not None


def test_a_known_device_guesses_no_faster(base: str) -> None:
    with browser_at(base, OWNERS) as ann:
        keep(ann, NAME)
        ann.delete("/api/sessions/current")
        tried = [sign_in(ann, NAME, f"wrong wrong {n}").status_code for n in range(8)]
        assert tried == [401] * 5 + [429] * 3
        ann.headers["X-Forwarded-For"] = "198.51.100.8"
        assert sign_in(ann, NAME).status_code == 429, "the device counts, wherever it is"


def test_a_session_guesses_no_faster(base: str) -> None:
    with browser_at(base, OWNERS) as ann:
        keep(ann, NAME)
        tried = [
            ann.post("/api/account/confirm", json={"passphrase": f"wrong wrong {n}"}).status_code
            for n in range(8)
        ]
        assert tried == [401] * 5 + [429] * 3


def shown(devices: Devices, cookie: str) -> HTTPConnection:
    headers = [(b"cookie", f"{devices.cookie}={cookie}".encode("latin-1"))]
    return HTTPConnection({"type": "http", "client": ("203.0.113.1", 5), "headers": headers})


def test_a_device_is_known_to_the_account_that_signed_in_there_and_to_no_other() -> None:
    chance = random.Random(1).randbytes
    devices = Devices(Identities(Signer(b"5" * 32), secure=False, entropy=chance))
    response = Response()
    devices.remember(shown(devices, ""), response, "a1")
    cookie = response.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert "a1" not in cookie.partition(".")[0]
    number = devices.recognise(shown(devices, cookie), "a1")
    assert number is not None
    assert devices.recognise(shown(devices, cookie), "a2") is None
    for forged in ("", ".", number, f"{number}.", f"x{cookie}", cookie[:-1], "é.é", "x" * 999):
        assert devices.recognise(shown(devices, forged), "a1") is None
    other = Devices(Identities(Signer(b"6" * 32), secure=False, entropy=chance))
    assert other.recognise(shown(other, cookie), "a1") is None
    again = Response()
    devices.remember(shown(devices, cookie), again, "a1")
    assert cookie in again.headers["set-cookie"], "a device keeps its number"
