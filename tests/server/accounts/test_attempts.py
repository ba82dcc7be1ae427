"""A client that tries too often waits, and no one else: not the owner of the name, not the rest of the server."""

import asyncio
import time
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from stampede.server.accounts.passphrases import Passphrases
from stampede.server.accounts.service import Accounts
from stampede.server.http.limits import RateLimiter
from stampede.server.http.problems import Problem, TooManyRequests

BURST = 10


def asked_from(address: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "client": (address, 5), "headers": []})


def doors() -> Accounts:
    """Accounts of which only the counting of attempts is used."""
    unused: Any = None
    limiter = RateLimiter(1e-6, BURST, time.monotonic)
    return Accounts(unused, unused, unused, unused, unused, limiter, lambda: 0)


def tries(accounts: Accounts, address: str, name: str, number: int) -> int:
    """How many of so many attempts are heard."""
    heard = 0
    for _ in range(number):
        try:
            accounts.count_attempt(asked_from(address), name)
        except TooManyRequests:
            continue
        heard += 1
    return heard


def test_a_stranger_does_not_keep_the_owner_out() -> None:
    accounts = doors()
    assert tries(accounts, "203.0.113.1", "Ann", 100) == BURST
    assert tries(accounts, "203.0.113.1", "Bob", 100) == 0  # an address is one, whatever it tries
    assert tries(accounts, "198.51.100.7", "ann", 3) == 3  # the owner, elsewhere


def test_many_addresses_together_are_limited_by_the_name() -> None:
    accounts = doors()
    heard = sum(tries(accounts, f"203.0.113.{host}", "ANN", 5) for host in range(100))
    assert heard == 5 * BURST


def test_a_flood_of_passphrases_is_told_to_come_back() -> None:
    async def scenario() -> list[bool | BaseException]:
        passphrases = Passphrases(max_waiting=3)
        try:
            return await asyncio.gather(
                *(passphrases.verify(None, "wrong") for _ in range(6)), return_exceptions=True
            )
        finally:
            await passphrases.close()

    answers = asyncio.run(scenario())
    assert answers[:3] == [False] * 3
    for answer in answers[3:]:
        assert isinstance(answer, Problem)
        assert answer.status == 503


@pytest.mark.parametrize(("kept", "typed"), [("Zoë\u0308 rides again", "Zoë̈ rides again")])
def test_a_passphrase_is_the_same_however_the_keyboard_composes_it(kept: str, typed: str) -> None:
    async def scenario() -> tuple[bool, bool, bool]:
        passphrases = Passphrases()
        try:
            hashed = await passphrases.hash(kept)
            assert hashed.startswith("$argon2id$")
            return (
                await passphrases.verify(hashed, typed),
                await passphrases.verify(hashed, kept.upper()),
                passphrases.is_outdated(hashed),
            )
        finally:
            await passphrases.close()

    assert asyncio.run(scenario()) == (True, False, False)
