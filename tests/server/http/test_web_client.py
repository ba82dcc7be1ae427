"""The pages: the browser client where it is built, else how to build it."""

import logging
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from stampede.server.http.identity import COOKIE
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE

DOCUMENT = "<!doctype html><title>Built</title>"
SCRIPT = "export const long = 'prairie';\n" * 200


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as Vite leaves it."""
    folder = tmp_path_factory.mktemp("client") / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(DOCUMENT)
    (folder / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "sounds").mkdir()
    (folder / "sounds" / "moo.wav").write_bytes(b"RIFF")
    (folder / "assets" / "main-0a1b2c.js").write_text(SCRIPT)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[str]:
    """The address of a server with that client."""
    with running(settings_for(tmp_path_factory.mktemp("server")), client=built) as base:
        yield base


@pytest.fixture
def client(served: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served, timeout=PATIENCE) as found:
        yield found


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/new?game=zoff",
        f"/t/{'A' * 22}",
        "/replay/x/1",
        "/replay",
        "/review/x/1",
        "/review",
        "/rules/zoff",
    ],
)
def test_every_page_is_one_document_that_makes_a_guest(client: httpx.Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.text) == (200, DOCUMENT)
    assert answer.headers["cache-control"] == "private, no-cache", "a cookie is nobody else's"
    assert COOKIE in answer.cookies
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "address",
    ["/", "/new", "/icon.svg", "/sounds/moo.wav", "/assets/main-0a1b2c.js", "/healthz", "/readyz"],
)
def test_every_page_answers_head_as_get_without_a_body(client: httpx.Client, address: str) -> None:
    client.get("/")  # so that neither sets a cookie
    got, head = client.get(address), client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    kept = ("content-length", "content-type", "cache-control")
    assert [head.headers.get(name) for name in kept] == [got.headers.get(name) for name in kept]


def test_a_page_without_a_cookie_is_the_same_for_everyone(client: httpx.Client) -> None:
    client.get("/")
    answer = client.get("/")
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers


def test_hashed_files_are_packed_and_kept_for_good(client: httpx.Client) -> None:
    answer = client.get("/assets/main-0a1b2c.js", headers={"Accept-Encoding": "gzip"})
    assert answer.text == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    missing = client.get("/assets/main-other.js")
    assert (missing.status_code, missing.json()["error"]) == (404, "unknown_page")
    assert "immutable" not in missing.headers.get("cache-control", "")


def test_the_icon_is_asked_for_again(client: httpx.Client) -> None:
    answer = client.get("/icon.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["cache-control"] == "no-cache"


def test_nothing_outside_the_client_is_served(client: httpx.Client) -> None:
    for address in ("/assets/%2e%2e/index.html", "/assets/..%2f..%2ftables.db", "/tables.db"):
        assert client.get(address).status_code == 404


TRAVERSALS = [
    "/assets/..%2f..%2fapp.py",
    "/assets/%2e%2e/%2e%2e/app.py",
    "/assets/..%2f..%2fsettings.py",
    "/assets/....//app.py",
    "/api/records/..%2f..%2f..%2fetc%2fpasswd",
    "/api/tables/..%2f..%2fetc%2fpasswd/record",
    "/assets//etc/passwd",
    "/assets/%00",
    "/..%5c..%5cwindows",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_pages(served: str, path: str) -> None:
    # http.client sends the path as it is; httpx would normalise it.
    connection = HTTPConnection(served.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", path)
    with closing(connection), connection.getresponse() as response:
        body = response.read()
        assert response.status in (404, 405), body[:200]
    assert b"root:" not in body
    assert b"import" not in body


def test_a_mistyped_address_is_a_page_for_people_and_an_error_for_programs(
    client: httpx.Client,
) -> None:
    people = client.get("/tabel", headers={"Accept": "text/html,*/*"})
    assert (people.status_code, people.text) == (404, DOCUMENT)
    programs = client.get("/tabel")
    assert (programs.status_code, programs.json()["error"]) == (404, "unknown_page")
    api = client.get("/api/tabel", headers={"Accept": "text/html"})
    assert (api.status_code, api.json()["error"]) == (404, "unknown_page")


def test_pages_may_load_nothing_from_elsewhere_and_run_nothing_inline(client: httpx.Client) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "connect-src 'self';" in policy


@pytest.fixture
def unbuilt(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[httpx.Client]:
    """A client of a server whose browser client isn't built."""
    with (
        caplog.at_level(logging.WARNING, "stampede.server"),
        running(settings_for(tmp_path), client=tmp_path / "nothing") as base,
        httpx.Client(base_url=base, timeout=PATIENCE) as found,
    ):
        assert "make web" in caplog.text
        yield found


@pytest.mark.parametrize("address", ["/", "/new", f"/t/{'A' * 22}", "/account"])
def test_without_a_built_client_every_page_says_how_to_build_it(
    unbuilt: httpx.Client, address: str
) -> None:
    answer = unbuilt.get(address)
    assert answer.status_code == 503
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "make web" in answer.text
    assert not answer.cookies


def test_without_a_built_client_the_api_works(unbuilt: httpx.Client) -> None:
    assert unbuilt.get("/api/games").status_code == 200
    mistyped = unbuilt.get("/tabel", headers={"Accept": "text/html"})
    assert (mistyped.status_code, mistyped.json()["error"]) == (404, "unknown_page")
