"""Link previews: tags in a page's head, in the reader's language, with nothing that a spectator may not see."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from stampede.server.sharing import previews
from tests.server.people import browsers, open_table, play_out, sit
from tests.server.servers import running, settings_for

DOCUMENT = '<!doctype html><html><head><title>Built</title></head><body id="app"></body></html>'
TAG = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />')


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("client")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(DOCUMENT)
    with running(settings_for(tmp_path_factory.mktemp("server")), client=folder) as base:
        yield base


@pytest.fixture
def ann(served: str) -> Iterator[httpx.Client]:
    with browsers(served, 1) as (client,):
        yield client


def tags(client: httpx.Client, path: str, language: str = "en") -> dict[str, str]:
    page = client.get(path, headers={"Accept-Language": language})
    assert page.status_code == 200
    assert page.text.count("<script") == 0
    return {name: unescape(text) for name, text in TAG.findall(page.text)}


def test_a_table_s_link_tells_who_plays_in_the_reader_s_language(ann: httpx.Client) -> None:
    table = open_table(ann, "buffalo", [{}, {"bot": "buffalo-1"}])
    free = tags(ann, f"/t/{table}", "de")
    assert free["og:title"] == "Buffalo: Ein Platz ist frei"
    assert "Clover" in free["og:description"]
    sit(ann, table, "Ann")
    runs = tags(ann, f"/t/{table}", "fr-CH, fr;q=0.9")
    assert runs["og:title"] == "Buffalo : Ann – Clover"
    assert runs["og:locale"] == "fr_FR"
    assert runs["twitter:card"] == "summary_large_image"
    assert runs["og:url"] == f"{str(ann.base_url).rstrip('/')}/t/{table}"
    picture = ann.get(runs["og:image"])
    assert picture.headers["content-type"] == "image/png"
    play_out(ann, table)
    over = tags(ann, f"/t/{table}")
    assert "Winner: " in over["og:description"]
    assert over["og:image"] != runs["og:image"], "so that a preview is fetched anew"
    replay = tags(ann, f"/replay/{table}/1")
    assert replay["og:title"].startswith("Replay: ")
    assert ann.get(replay["og:image"]).status_code == 200


def test_a_name_that_is_markup_stays_inside_its_tag(ann: httpx.Client) -> None:
    table = open_table(ann, "buffalo", [{}, {"bot": "random"}])
    name = '"><script>x</script>'
    sit(ann, table, name)
    assert name in tags(ann, f"/t/{table}")["og:title"]


def test_a_page_is_served_whatever_happens_to_its_preview(
    ann: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    table = open_table(ann, "buffalo", [{}, {"bot": "random"}])
    for name in ("table_moment", "outline_record", "puzzle_moment"):
        monkeypatch.setattr(previews, name, fail)
    assert tags(ann, f"/t/{table}")["og:title"] == "A private table"
    assert tags(ann, "/puzzle")["og:title"] == "Stampede"


def test_a_private_table_s_link_tells_what_that_of_no_table_tells(ann: httpx.Client) -> None:
    table = open_table(ann, "zoff", [{}, {"bot": "random"}], watch=False)
    sit(ann, table, "Ann")
    private, none = tags(ann, f"/t/{table}"), tags(ann, f"/t/{'A' * 22}")
    assert private.pop("og:url") != none.pop("og:url")
    assert private == none
    assert "Ann" not in str(private)
    assert tags(ann, f"/replay/{table}")["og:title"] == private["og:title"]


def test_the_link_of_a_day_s_puzzle_shows_that_puzzle(ann: httpx.Client) -> None:
    first, second = (tags(ann, f"/puzzles/daily/2026-11-{day}") for day in ("10", "11"))
    assert first["og:image"] != second["og:image"]
    answer = ann.get("/api/puzzles/daily", params={"day": "2026-11-10"}).json()
    assert f"/puzzles/{answer['number']}.png" in first["og:image"]
    assert ann.get(first["og:image"]).status_code == 200
    assert tags(ann, "/puzzles/daily/2026-02-31")["og:title"] == "Stampede"


@pytest.mark.parametrize("path", ["/", "/puzzle", "/leaders", "/rules/zoff"])
def test_every_page_has_a_preview_with_a_picture(ann: httpx.Client, path: str) -> None:
    found = tags(ann, path, "nl")
    assert found["og:title"]
    assert found["description"] == found["og:description"]
    assert ann.get(found["og:image"]).status_code == 200


def test_only_embedded_replays_may_be_framed_and_they_set_no_cookie(served: str) -> None:
    for path, framed in (("/", False), (f"/t/{'A' * 22}", False), (f"/embed/{'A' * 22}", True)):
        answer = httpx.get(f"{served}{path}")
        policy = answer.headers["content-security-policy"]
        assert ("frame-ancestors *" in policy) is framed
        assert ("frame-ancestors 'none'" in policy) is not framed
        assert ("x-frame-options" in answer.headers) is not framed
        assert ("set-cookie" in answer.headers) is not framed
        assert "default-src 'none'" in policy


def test_no_other_path_gets_the_frames_policy(served: str) -> None:
    for path in ("/embed", "/embedded/", "/x/embed/", "/api/embed/", "/%65mbed"):
        policy = httpx.get(f"{served}{path}").headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
