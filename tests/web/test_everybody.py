"""For everybody: five languages, phones, people who can't see the page, slow lines."""

import gzip
import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from stampede.server.client import BUILT
from tests.server.servers import ServerProcess
from tests.web.browsers import AXE, LANGUAGES, PHONE, missing
from tests.web.tour import STOPS, go
from tests.web.visitor import MISSING_KEY, Visitor, text_of, visiting

BUDGET = 250_000
"""Bytes of scripts and styles, packed, that a first visit may load."""
SERIOUS = ("serious", "critical")
AXE_RUN = "() => axe.run(document, { resultTypes: ['violations'] })"
NO_PAGE = ("404",)
"""What Chromium says of the page that isn't there."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_language_with_every_text_and_fits_a_phone(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    with visiting(browser, server.base, language=language, size=PHONE, allowed=NO_PAGE) as visitor:
        for stop in STOPS:
            go(visitor, stop)
            assert visitor.page.locator("html").get_attribute("lang") == language
            found = MISSING_KEY.findall(visitor.page.inner_text("body"))
            assert found == [], f"{stop}: texts are missing"
            assert not visitor.scrolls_sideways, f"{stop} is wider than a phone"
            if stop == "home":
                button = visitor.it("play-zoff")
                expect(button).to_have_text(text_of(language, "home.playNow"))
            if stop == "buffalo":
                expect(visitor.it("status")).to_have_text(
                    text_of(language, "buffalo.yours.buffalo")
                )


def test_the_language_is_changed_without_a_reload_and_remembered(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.it("language").select_option("nl")
        expect(visitor.it("status")).to_have_text(text_of("nl", "buffalo.yours.buffalo"))
        visitor.visit("/")
        expect(visitor.it("play-zoff")).to_have_text(text_of("nl", "home.playNow"))


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_violation(
    browser: Browser, server: ServerProcess, dark: bool
) -> None:
    with visiting(browser, server.base, dark=dark, allowed=NO_PAGE) as visitor:
        for stop in STOPS:
            go(visitor, stop)
            assert violations(visitor) == [], stop


def violations(visitor: Visitor) -> list[str]:
    """What axe-core finds on the page that is shown."""
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = visitor.page.evaluate(AXE_RUN)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]} {one['nodes'][0].get('failureSummary', '')}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]


def test_a_first_visit_loads_little() -> None:
    if reason := missing():
        pytest.skip(reason)
    manifest: dict[str, Any] = json.loads(
        (BUILT / ".vite" / "manifest.json").read_text(encoding="utf-8")
    )
    files: set[str] = set()
    todo = ["index.html"]
    while todo:
        part = manifest[todo.pop()]
        if part["file"] not in files:
            files.update((part["file"], *part.get("css", ())))
            todo += part.get("imports", ())
    sizes = {name: len(gzip.compress((BUILT / name).read_bytes())) for name in files}
    assert any(name.endswith(".js") for name in sizes)
    assert any(name.endswith(".css") for name in sizes)
    assert sum(sizes.values()) <= BUDGET, sizes
