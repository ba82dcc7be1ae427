"""Landscape phones and enlarged pages: the board fits, the page scrolls, nothing jumps, and every tap is answered."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.test_buffalo import advance
from tests.web.visitor import MIDDLE, Visitor, visiting
from tests.web.zoff_player import (
    ASKED,
    CHOOSING,
    answer,
    answering,
    open_table,
    sit_down,
    tap_pasture,
)

LANDSCAPE = ((844, 390), (667, 375), (640, 430))
"""Two phones on their side, and 1280 × 860 at 200 %."""

WATCH_SHIFTS = """selector => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            for (const { node, previousRect, currentRect } of entry.sources)
                if (node?.nodeType === 1 && node.closest(selector))
                    window.shifts.push([previousRect.y, currentRect.y]);
    }).observe({ type: "layout-shift", buffered: false });
}"""
"""Notes every move of something that the page itself moved, as the browser measures layout shifts."""


def middle(visitor: Visitor, square: str) -> tuple[float, float]:
    """The middle of a square on the screen."""
    board = visitor.it("board")
    box: Any = board.bounding_box()
    x, y = board.evaluate(MIDDLE, square)
    return box["x"] + x, box["y"] + y


def slide(visitor: Visitor, *way: tuple[float, float]) -> None:
    """Slides a finger over the screen."""
    session = visitor.page.context.new_cdp_session(visitor.page)
    for index, (x, y) in enumerate(way):
        touch = {"type": "touchMove" if index else "touchStart", "touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


@pytest.mark.parametrize("size", LANDSCAPE)
def test_the_whole_board_is_seen_on_its_side_and_swipes_scroll_the_page(
    browser: Browser, server: ServerProcess, size: tuple[int, int]
) -> None:
    with visiting(browser, server.base, size=size, touch=True) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        box: Any = visitor.it("board").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1], "the whole board is in sight"
        assert box["height"] > 0.6 * size[1], "and no smaller than it has to be"
        assert not visitor.scrolls_sideways
        square, target = advance(visitor)
        before = visitor.fen
        (x, y), (_, end) = middle(visitor, square), middle(visitor, target)
        slide(visitor, *((x, y + part * (end - y)) for part in (0, 0.3, 0.7, 1)))
        expect(visitor.it("board")).not_to_have_attribute("data-fen", before)
        assert visitor.page.evaluate("() => scrollY") == 0, "a piece under the finger stays on it"
        visitor.my_turn()
        square, target = advance(visitor)
        visitor.click_square(square)
        visitor.page.locator(f"[data-target={target}]").wait_for()
        before = visitor.fen
        x, y = middle(visitor, target)
        slide(visitor, *((x, y - step) for step in range(0, 130, 10)))
        visitor.page.wait_for_function("() => scrollY > 50")  # even where a tap would move
        assert visitor.fen == before


def test_pastures_stay_where_they_are_and_dimmed_ones_say_why_not(
    browser: Browser, server: ServerProcess
) -> None:
    """Z3.2: a full pasture can't be chosen; it says so wherever it is tapped."""
    with visiting(browser, server.base, size=PHONE) as visitor:
        page = visitor.page
        sit_down(visitor, open_table(visitor, [None, *["random"] * 4], {}), "Ada", 0)
        page.locator(CHOOSING).wait_for()
        page.wait_for_load_state("networkidle")
        page.evaluate(WATCH_SHIFTS, "[data-pasture]")
        tap_pasture(page, 0)
        tap_pasture(page, 3)
        expect(page.locator(".chosen .mark")).to_have_count(2)
        page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))")
        assert page.evaluate("() => window.shifts") == []
        for _ in range(2):
            page.locator("[data-testid=card][aria-pressed=false]").last.click()
        with answering(visitor):
            visitor.it("seal").click()
        rng = random.Random(3)
        dimmed = page.locator(".dim")
        page.locator(ASKED).first.wait_for()
        while not (page.locator(CHOOSING).count() and dimmed.count()):
            assert answer(visitor, rng) != "result", "a pasture fills before the game is over"
            page.locator(ASKED).first.wait_for()
        name = dimmed.first.get_attribute("data-pasture") or ""
        dimmed.first.locator("header").click(force=True)
        expect(visitor.it("why-not")).to_have_text(
            f"{name.replace('-', ' ')}: there is no free space (Z3.2)."
        )
        expect(dimmed.first.locator(".refusal")).to_be_visible()
        assert not page.locator("dialog[open]").count()
        for width, height in LANDSCAPE:
            page.set_viewport_size({"width": width, "height": height})
            assert not visitor.scrolls_sideways
