"""Oversized, slow and too many requests; proxies that are believed and those that aren't; answers for browsers."""

import asyncio
import random
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from stampede.server.http.limits import EVICTION_CHANCES, MAX_BUCKETS, RateLimiter, address_of
from stampede.server.http.problems import TooManyRequests
from stampede.server.http.timeouts import MAX_HEADER_BYTES
from tests.server.clients import guests
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A server with little patience; a test on a busy machine may need some between two lines."""
    settings = settings_for(tmp_path_factory.mktemp("hasty"), request_timeout=2)
    with running(settings, send_buffer=4096) as base:
        yield place_of(base)


def place_of(base: str) -> tuple[str, int]:
    """Where a server listens."""
    host, port = base.removeprefix("http://").split(":")
    return host, int(port)


def told(line: socket.socket) -> bytes:
    """Everything that is sent until the other side closes."""
    got = b""
    try:
        while part := line.recv(65536):
            got += part
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize(
    "head", [b"", b"GET / HTT", b"GET /healthz HTTP/1.1\r\nHost: here\r\nX-Slow: "]
)
def test_a_head_that_never_ends_is_cut_off(hasty: tuple[str, int], head: bytes) -> None:
    with socket.create_connection(hasty, timeout=PATIENCE) as line:
        line.sendall(head)
        assert told(line).startswith(b"HTTP/1.1 408 ")


def test_a_second_request_may_be_no_slower_than_the_first(hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, timeout=PATIENCE) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        line.sendall(b"GET /he")
        assert b"HTTP/1.1 408 " in told(line)


def test_a_head_without_bounds_is_refused(base: str) -> None:
    with socket.create_connection(place_of(base), timeout=PATIENCE) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nX-Long: " + b"x" * MAX_HEADER_BYTES)
        assert told(line).startswith(b"HTTP/1.1 431 ")


def test_a_body_that_never_ends_is_cut_off(hasty: tuple[str, int]) -> None:
    with socket.create_connection(hasty, timeout=PATIENCE) as line:
        line.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
            b"Content-Length: 500\r\n\r\n{"
        )
        answer = told(line)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"too_slow"' in answer


def test_a_client_that_reads_nothing_is_disconnected(hasty: tuple[str, int]) -> None:
    """Answers enough to fill every buffer on the way: the server doesn't keep them for ever."""
    address = f"http://{hasty[0]}:{hasty[1]}/api/openapi.json"
    whole = len(httpx.get(address, timeout=PATIENCE).content)
    # A busy machine may be slower than the server's patience: then the client is given longer to read nothing.
    assert any(len(read_late(hasty, seconds)) < whole for seconds in (3, 10, 60)), "never cut off"


def read_late(server: tuple[str, int], seconds: float) -> bytes:
    """Asks for much, reads nothing for a while, then all that there is."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(PATIENCE)
        line.connect(server)
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: here\r\n\r\n" * 3)
        time.sleep(seconds)
        return told(line)


def test_a_body_that_is_too_large_is_refused_unread(base: str) -> None:
    with socket.create_connection(place_of(base), timeout=PATIENCE) as line:
        line.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 9999999999\r\n\r\n"
        )
        assert told(line).startswith(b"HTTP/1.1 413 ")


# --- how many, from where ---


def statuses(base: str, headers: list[dict[str, str]]) -> list[int]:
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        return [client.get("/api/games", headers=given).status_code for given in headers]


def test_invented_tokens_and_guests_don_t_make_an_address_faster(tmp_path: Path) -> None:
    """A client that guesses tokens is as slow as its address, however many it tries."""
    settings = settings_for(tmp_path, rate=0.001, burst=5, address_factor=4)
    headers = [{"Authorization": f"Bearer {secrets.token_urlsafe(24)}"} for _ in range(30)]
    with running(settings) as base:
        assert statuses(base, headers) == [200] * 20 + [429] * 10


def test_every_path_is_counted_by_its_address(tmp_path: Path) -> None:
    """Pages, files and unknown paths; a balancer's health checks are never refused."""
    paths = ["/", "/assets/x.js", "/nowhere", "/api/nowhere", "/api/games"]
    strict = settings_for(
        tmp_path, rate=0.001, burst=4, address_factor=1, trusted_proxies="127.0.0.1"
    )
    with running(strict) as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        for number, path in enumerate(paths):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            codes = [client.get(path, headers=headers).status_code for _ in range(6)]
            assert [code == 429 for code in codes] == [False] * 4 + [True] * 2, path
            refused = client.post(path, content=b"x" * 1000, headers=headers)
            assert (refused.status_code, refused.headers["connection"]) == (429, "close")
            assert refused.json()["error"] == "too_fast"
            for health in ("/healthz", "/readyz"):
                assert client.get(health, headers=headers).status_code == 200


def test_a_forwarded_address_is_believed_only_from_a_trusted_proxy(tmp_path: Path) -> None:
    headers = [{"X-Forwarded-For": f"198.51.100.{number}"} for number in range(10)]
    strict = settings_for(tmp_path, rate=0.001, burst=3)
    with running(strict) as base:
        assert statuses(base, headers) == [200] * 3 + [429] * 7
    with running(strict.model_copy(update={"trusted_proxies": "192.0.2.1"})) as base:
        assert statuses(base, headers)[-1] == 429, "the proxy is another one"
    with running(strict.model_copy(update={"trusted_proxies": "127.0.0.1"})) as base:
        assert statuses(base, headers) == [200] * 10


def test_memory_for_speed_is_bounded() -> None:
    limiter = RateLimiter(1, 1, lambda: 0.0)
    for number in range(MAX_BUCKETS + 500):
        limiter.take(f"guest {number}")
    assert len(limiter) == MAX_BUCKETS
    with pytest.raises(TooManyRequests):
        limiter.take(f"guest {MAX_BUCKETS + 499}")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_a_household_is_one_address(host: str, address: str) -> None:
    scope = {"type": "http", "client": (host, 1), "headers": []}
    assert address_of(HTTPConnection(scope)) == address


def test_one_address_can_t_take_all_the_sockets(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {}])
            async with ann.socket(opened["table"]) as one, ann.socket(opened["table"]) as two:
                assert (await one.next())["type"] == "welcome"
                assert (await two.next())["type"] == "welcome"
                async with ann.socket(opened["table"]) as three:
                    assert (await three.next())["status"] == 429
            async with ann.socket(opened["table"]) as again:
                assert (await again.next())["type"] == "welcome", "who goes makes room"

    with running(settings_for(tmp_path, max_sockets_per_address=2)) as base:
        asyncio.run(scenario(base))


def test_one_guest_can_t_take_all_the_sockets_of_an_address(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, {}], public=True)
            async with ann.socket(opened["table"]) as one, ann.socket(opened["table"]) as two:
                assert (await one.next())["type"] == "welcome"
                assert (await two.next())["type"] == "welcome"
                async with ann.socket(opened["table"]) as three:
                    refusal = await three.next()
                    assert refusal["status"] == 429
                    assert "at most 2 WebSockets from one guest" in refusal["message"]
                async with ben.socket(opened["table"]) as other:
                    assert (await other.next())["type"] == "welcome"

    with running(settings_for(tmp_path, max_sockets_per_guest=2)) as base:
        asyncio.run(scenario(base))


# --- what browsers are told ---


def test_behind_tls_cookies_travel_encrypted_only(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, trusted_proxies="127.0.0.1")) as base:
        with httpx.Client(base_url=base, timeout=PATIENCE) as client:
            plain = client.get("/api/me")
        with httpx.Client(base_url=base, timeout=PATIENCE) as client:
            safe = client.get("/api/me", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" not in plain.headers["set-cookie"]
    assert "strict-transport-security" not in plain.headers
    assert "Secure" in safe.headers["set-cookie"]
    assert safe.headers["strict-transport-security"].startswith("max-age=")


def test_other_sites_are_let_in_nowhere(base: str) -> None:
    """CORS is off: no answer says that another origin may read it, not even to a preflight."""
    other = {"Origin": "https://elsewhere.example"}
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        answers = [
            client.options("/api/tables", headers={**other, **asked}),
            client.get("/api/games", headers=other),
            client.get("/", headers=other),
            client.post("/api/tables", headers=other, json={}),
        ]
    assert not [name for answer in answers for name in answer.headers if "access-control" in name]
    assert answers[-1].status_code in (401, 403)


@pytest.mark.parametrize("path", ["/", "/api/games", "/nowhere", "/api/tables/%00", "/healthz"])
def test_every_answer_carries_the_headers(base: str, path: str) -> None:
    headers = httpx.get(f"{base}{path}", timeout=PATIENCE).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers
    if path.startswith("/api/"):
        assert headers["cache-control"] == "no-store"


def test_a_name_that_is_markup_or_sql_stays_a_name(base: str) -> None:
    """Names reach clients as JSON, and the database as values; nothing runs."""
    names = [
        "<script>alert(1)</script>",
        "Robert'); DROP TABLE entries;--",
        '"><img src=x onerror=a>',
    ]

    async def scenario() -> None:
        async with guests(base, 3) as people:
            opened = await people[0].open("zoff", [{}, {}, {}], public=True)
            rng = random.Random(1)
            for player, (person, name) in enumerate(zip(people, names, strict=True)):
                await person.claim(opened["table"], player, name, opened["invite"])
            seen = await people[rng.randrange(3)].look(opened["table"])
            assert [chair["name"] for chair in seen["view"]["players"]] == names
            answer = await people[0].request("GET", "/api/tables?status=running")
            assert answer.headers["content-type"] == "application/json"

    asyncio.run(scenario())


def test_eviction_spares_callers_who_are_being_limited() -> None:
    now = [0.0]
    limiter = RateLimiter(1, 2, lambda: now[0])
    limiter.take("eager")
    limiter.take("eager")
    for number in range(MAX_BUCKETS + EVICTION_CHANCES):
        limiter.take(f"guest {number}")
        now[0] += 1e-6
    assert len(limiter) == MAX_BUCKETS
    with pytest.raises(TooManyRequests):
        limiter.take("eager")
