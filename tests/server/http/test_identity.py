"""A cookie makes you a guest and nothing else, whatever it says and however it was signed."""

from __future__ import annotations

import random

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.server.http.identity import COOKIE, Identities, Signer

IDENTITIES = Identities(Signer(b"5" * 32), secure=False, entropy=random.Random(1).randbytes)


def shown(cookie: str) -> HTTPConnection:
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())]
    scope = {"type": "http", "client": ("203.0.113.1", 5), "headers": headers}
    return HTTPConnection({**scope, "scheme": "http", "server": ("t", 80), "path": "/"})


@pytest.mark.parametrize("value", ["a" * 33, "a1", "system", "d123", "G1"])
def test_a_signed_value_that_is_no_guest_is_nobody(value: str) -> None:
    connection = shown(IDENTITIES.signer.sign(value))
    assert IDENTITIES.caller(connection).guest is None
    response = Response()
    assert IDENTITIES.welcome(connection, response).startswith("g")
    assert COOKIE in response.headers["set-cookie"], "a new guest's cookie"


@pytest.mark.parametrize("guest", ["g1", "g" + "0" * 32])
def test_cookies_of_guests_stay_valid(guest: str) -> None:
    connection = shown(IDENTITIES.signer.sign(guest))
    assert IDENTITIES.caller(connection).guest == guest
    response = Response()
    assert IDENTITIES.welcome(connection, response) == guest
    assert "set-cookie" not in response.headers
