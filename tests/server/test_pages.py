"""The pages: the browser client where it is built, the plain page where it isn't."""

import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from stampede.server.http.identity import COOKIE
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE

DOCUMENT = "<!doctype html><title>Built</title>"
SCRIPT = "export const long = 'prairie';\n" * 200


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder as Vite leaves it."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(DOCUMENT)
    (folder / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "assets" / "main-0a1b2c.js").write_text(SCRIPT)
    return folder


@pytest.fixture
def client(tmp_path: Path, built: Path) -> Iterator[httpx.Client]:
    with (
        running(settings_for(tmp_path), client=built) as base,
        httpx.Client(base_url=base, timeout=PATIENCE) as found,
    ):
        yield found


@pytest.mark.parametrize(
    "address", ["/", "/new?game=zoff", f"/t/{'A' * 22}", "/replay/x/1", "/replay", "/rules/zoff"]
)
def test_every_page_is_one_document_that_makes_a_guest(client: httpx.Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.text) == (200, DOCUMENT)
    assert answer.headers["cache-control"] == "no-cache"
    assert COOKIE in answer.cookies


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


def test_without_a_built_client_the_plain_page_is_shown_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.WARNING, "stampede.server"),
        running(settings_for(tmp_path), client=tmp_path / "nothing") as base,
        httpx.Client(base_url=base, timeout=PATIENCE) as client,
    ):
        assert "make web" in caplog.text
        answer = client.get("/")
        assert answer.status_code == 200
        assert "/page/" in answer.text
        assert COOKIE in answer.cookies
        assert client.get("/new").status_code == 404
