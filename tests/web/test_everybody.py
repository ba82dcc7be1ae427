"""Accessibility: five languages, phones, screen readers, slow connections."""

import gzip
import json
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect

from stampede.server.http.web_client import BUILT
from tests.server.servers import ServerProcess
from tests.web.browsers import AXE, DESKTOP, LANGUAGES, LOCALES, PHONE, missing
from tests.web.policy import WATCH_POLICY, policy_violations
from tests.web.tour import STOPS, go
from tests.web.visitor import MISSING_KEY, Visitor, text_of, visiting

BUDGET = 120_000
"""Bytes of scripts, styles and fonts, packed, that a first visit may load."""
FONTS = ("bitter-latin-700", "atkinson-hyperlegible-latin-400")
"""The fonts of the start page."""
LOOKS: tuple[tuple[Literal["light", "dark"], tuple[int, int]], ...] = (
    ("light", DESKTOP),
    ("dark", PHONE),
)
"""What axe looks at: both schemes, both sizes, in two runs instead of four."""
AXE_RUN = """async () => {
    // Colours that are just changing are of neither scheme, and what fades in isn't there yet.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const ends = (one) => Number.isFinite(one.effect?.getComputedTiming().endTime);
    const moving = document.getAnimations().filter((one) => one.playState === "running" && ends(one));
    await Promise.allSettled(moving.map((one) => one.finished));
    return axe.run(document, { resultTypes: ["violations"] });
}"""
NO_PAGE = ("404",)
"""What Chromium says of the page that isn't there."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_is_spoken_from_the_first_page_on(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    with visiting(browser, server.base, language=language) as visitor:
        visitor.visit("/")
        expect(visitor.it("play-zoff")).to_have_text(text_of(language, "home.playNow"))
        assert visitor.page.locator("html").get_attribute("lang") == language


@pytest.mark.parametrize("stop", STOPS)
def test_every_page_speaks_five_languages_fits_a_phone_and_keeps_to_axe_and_the_policy(
    browser: Browser, server: ServerProcess, stop: str
) -> None:
    """One visit for all that holds on every page: getting there takes longer than looking."""
    with visiting(browser, server.base, size=PHONE, allowed=NO_PAGE) as visitor:
        visitor.context.add_init_script(WATCH_POLICY)
        go(visitor, stop)
        assert stop == "home" or visitor.page.title() != "Stampede"
        assert visitor.page.locator("h1").count() == 1
        for language in LANGUAGES:
            visitor.it("language").select_option(language)
            expect(visitor.page.locator("html")).to_have_attribute("lang", language)
            found = MISSING_KEY.findall(visitor.page.title() + visitor.page.inner_text("body"))
            assert found == [], f"{language}: texts are missing"
            assert not visitor.scrolls_sideways, f"{language}: wider than a phone"
            assert english_left(visitor, language) == [], f"{language}: not translated"
        for scheme, (width, height) in LOOKS:
            visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            visitor.page.set_viewport_size({"width": width, "height": height})
            assert violations(visitor) == [], (scheme, width)
        assert policy_violations(visitor.page) == []


def english_left(visitor: Visitor, language: str) -> list[str]:
    """Headings, buttons and titles that are still in English, where the language has other words for them."""
    if language == "en":
        return []
    shown = set(visitor.page.locator("main h1, main h2, main button").all_inner_texts())
    shown.update(visitor.page.title().removeprefix("● ").split(" · "))
    return sorted(shown & (texts("en") - texts(language)))


def texts(language: str) -> set[str]:
    """All texts of a language's catalogues."""

    def leaves(tree: Any) -> Iterator[str]:
        values = tree.values() if isinstance(tree, dict) else tree
        for value in values:
            if isinstance(value, str):
                yield value
            else:
                yield from leaves(value)

    files = sorted((LOCALES / language).glob("*.json"))
    return {text for file in files for text in leaves(json.loads(file.read_text("utf-8")))}


def test_the_language_is_changed_without_a_reload_and_remembered(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.it("language").select_option("nl")
        expect(visitor.it("status")).to_have_text(text_of("nl", "buffalo.yours.buffalo"))
        visitor.visit("/")
        expect(visitor.it("play-zoff")).to_have_text(text_of("nl", "home.playNow"))


def test_axe_finds_nothing_in_dialogs(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("zoff")
        visitor.it("choose").wait_for()
        visitor.page.keyboard.press("?")
        visitor.it("keys-close").wait_for()
        assert violations(visitor) == []
        visitor.it("keys-close").click()
        visitor.it("menu").click()
        visitor.it("notify").wait_for()
        assert violations(visitor) == []
        visitor.page.keyboard.press("Escape")
        visitor.page.locator("footer button").first.click()
        visitor.page.get_by_role("dialog").wait_for()
        assert violations(visitor) == []


def violations(visitor: Visitor) -> list[str]:
    """What axe-core finds on the page that is shown."""
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = visitor.page.evaluate(AXE_RUN)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]} {one['nodes'][0].get('failureSummary', '')}"
        for one in found["violations"]
    ]


def test_keys_work_after_the_mouse_skip_to_the_content_and_can_be_switched_off(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        keyboard = visitor.page.keyboard
        visitor.play_now("buffalo")
        visitor.my_turn()
        visitor.move("a7", "a6")  # by mouse
        visitor.my_turn()
        keyboard.press("ArrowLeft")
        expect(visitor.it("past")).to_be_visible()
        keyboard.press("End")
        expect(visitor.it("past")).to_have_count(0)
        keyboard.press("?")
        visitor.it("keys-on").uncheck()
        visitor.it("keys-close").click()
        visitor.page.reload()
        visitor.my_turn()
        keyboard.press("f")
        keyboard.press("?")
        address = visitor.page.url
        keyboard.press("Tab")
        expect(visitor.page.locator(".skip")).to_be_focused()
        keyboard.press("Enter")
        expect(visitor.page.locator("main")).to_be_focused()
        assert visitor.page.url == address
        expect(visitor.page.get_by_role("dialog")).to_have_count(0)


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
    for font in FONTS:
        (path,) = BUILT.glob(f"assets/{font}-*.woff2")
        sizes[path.name] = path.stat().st_size
    assert any(name.endswith(".js") for name in sizes)
    assert any(name.endswith(".css") for name in sizes)
    assert sum(sizes.values()) <= BUDGET, sizes
