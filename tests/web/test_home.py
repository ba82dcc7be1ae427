"""The start page: quick starts, what it shows of running games, offline use, and what follows a game."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from stampede.games import GAMES
from tests.server.servers import ServerProcess
from tests.waiting import wait_until
from tests.web.browsers import PHONE
from tests.web.test_everybody import FONTS
from tests.web.visitor import Visitor, text_of, visiting

SHIFTS = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    // Buffered entries arrive before the next frame is drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})"""
PREFETCHED = """() => {
    const names = performance.getEntriesByType("resource").map(({ name }) => name);
    return ["Table", "BuffaloTable", "texts-en", "table", "zoff"].every((part) =>
        names.some((name) => name.includes(`/assets/${part}-`)));
}"""
"""Whether the table's page, its game and all texts have come."""
MOST_SHIFT = 0.05


def look(visitor: Visitor) -> dict[str, Any]:
    """The table that is shown, as its player may see it."""
    found: dict[str, Any] = visitor.page.evaluate(
        "async (table) => (await fetch(`/api/tables/${table}`)).json()", visitor.table
    )
    return found


def option(visitor: Visitor, name: str, value: str | int) -> Any:
    """A choice of a quick start."""
    return visitor.page.locator(f"input[name={name}][value='{value}']")


def test_a_quick_start_of_zoff_keeps_the_last_choice(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        faces = visitor.page.locator("input[name=level-zoff]")
        faces.first.wait_for(state="attached")
        strongest = faces.last.get_attribute("value")
        option(visitor, "players-zoff", 3).locator("xpath=..").click()
        faces.first.locator("xpath=..").click()
        weakest = faces.first.get_attribute("value")
        assert weakest != strongest
        visitor.it("play-zoff").click()
        visitor.it("zoff").wait_for()
        view = look(visitor)["view"]
        assert [player["level"] for player in view["players"]] == [None, weakest, weakest]
        visitor.visit("/")
        expect(option(visitor, "players-zoff", 3)).to_be_checked()
        expect(faces.first).to_be_checked()


@pytest.mark.parametrize(("side", "player"), [("buffalo", 0), ("hunter", 1)])
def test_a_quick_start_of_buffalo_gives_the_side_that_was_chosen(
    browser: Browser, server: ServerProcess, side: str, player: int
) -> None:
    with visiting(browser, server.base, size=PHONE) as visitor:
        visitor.visit("/play/buffalo")
        option(visitor, "side-buffalo", side).locator("xpath=..").tap()
        visitor.it("play-buffalo").tap()
        visitor.it("board").wait_for()
        assert look(visitor)["players"] == [player]


def test_a_quick_start_works_by_keyboard_alone(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/play/zoff")
        option(visitor, "players-zoff", 4).focus()
        visitor.page.keyboard.press("ArrowRight")
        expect(option(visitor, "players-zoff", 5)).to_be_checked()
        visitor.page.keyboard.press("Tab")  # to the faces
        visitor.page.keyboard.press("Tab")
        expect(visitor.it("play-zoff")).to_be_focused()
        visitor.page.keyboard.press("Enter")
        visitor.it("zoff").wait_for()
        assert len(look(visitor)["view"]["players"]) == 5


def test_one_request_opens_the_table_and_takes_the_seat(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        visitor.page.locator("input[name=level-buffalo]").first.wait_for(state="attached")
        visitor.page.wait_for_function(PREFETCHED)
        visitor.page.wait_for_load_state("networkidle")
        asked: list[str] = []
        visitor.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
        visitor.it("play-buffalo").click()
        visitor.it("board").wait_for()
        changing = [line for line in asked if line.startswith("POST")]
        assert changing == [f"POST {server.base}/api/tables"]
        assert not any(line.endswith("/api/me") for line in asked)
        assert not any("/assets/" in line and line.endswith(".js") for line in asked), asked


def test_the_start_page_shows_a_game_that_goes_on(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        board = visitor.page.locator(".watch")
        board.wait_for()
        before = int(board.get_attribute("data-seq") or "0")
        visitor.it("watch-box").scroll_into_view_if_needed()
        wait_until("the bots play on", lambda: int(board.get_attribute("data-seq") or "0") > before)


def test_a_running_game_can_be_continued_from_the_start_page(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        table = visitor.table
        visitor.visit("/")
        expect(visitor.it("continue")).to_contain_text(text_of("en", "home.continue.turn"))
        expect(visitor.it("continue").locator("[data-fen]")).to_have_count(1)
        visitor.it("continue").click()
        visitor.it("board").wait_for()
        assert visitor.table == table


@pytest.mark.parametrize("size", [PHONE, (360, 640), (844, 390), (1280, 860), (1920, 1080)])
def test_nothing_moves_while_the_start_page_loads(
    browser: Browser, server: ServerProcess, size: tuple[int, int]
) -> None:
    with visiting(browser, server.base, size=size) as visitor:
        visitor.visit("/")
        visitor.it("puzzle-box").wait_for()
        visitor.it("watch-box").wait_for()
        assert visitor.page.evaluate(SHIFTS) <= MOST_SHIFT
        assert not visitor.scrolls_sideways
        assert small_targets(visitor.page) == []


def small_targets(page: Page) -> list[str]:
    """Links and controls that are smaller than 24 pixels in one direction (WCAG 2.5.8)."""
    found: list[str] = page.locator("main a, main button, main label, footer a").evaluate_all(
        """all => all.filter((one) => {
            const { width, height } = one.getBoundingClientRect();
            return width > 0 && (width < 24 || height < 24); // 0: not on this screen
        }).map((one) => one.outerHTML.slice(0, 80))"""
    )
    return found


def test_the_start_page_loads_two_fonts(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        visitor.it("watch-box").wait_for()
        names: list[str] = visitor.page.evaluate(
            """async () => {
                await document.fonts.ready;
                return performance.getEntriesByType("resource")
                    .map(({ name }) => name).filter((name) => name.endsWith(".woff2"));
            }"""
        )
        assert sorted(name.rpartition("/")[2].rpartition("-normal")[0] for name in names) == sorted(
            FONTS
        )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/puzzle", "/puzzles/daily"),
        ("/puzzle/2026-11-10", "/puzzles/daily/2026-11-10"),
    ],
)
def test_old_addresses_lead_to_the_new_ones(
    browser: Browser, server: ServerProcess, old: str, new: str
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit(old)
        visitor.it("board").wait_for()
        assert visitor.page.url == server.base + new


def test_after_a_game_sides_are_swapped_and_levels_rise(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        first = look(visitor)
        visitor.resign()
        visitor.it("swap-sides").click()
        another_table(visitor, first)
        visitor.it("board").wait_for()
        second = look(visitor)
        assert (first["players"], second["players"]) == ([0], [1])
        visitor.resign()
        visitor.it("level-up").click()
        another_table(visitor, second)
        visitor.it("board").wait_for()
        third = look(visitor)
        assert third["players"] == [1]
        assert third["view"]["players"][0]["level"] > second["view"]["players"][0]["level"]


def another_table(visitor: Visitor, old: dict[str, Any]) -> None:
    """Waits until another table than the old one is shown."""
    visitor.page.wait_for_url(lambda url: old["view"]["table"] not in url)


OFFLINE = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "Failed to load resource", "WebSocket")


@pytest.mark.parametrize("game", GAMES)
def test_the_client_opens_offline_and_shows_the_rules(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    with visiting(browser, server.base, installed=True, allowed=OFFLINE) as visitor:
        visitor.visit("/")
        visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        kept = """async (path) => (await caches.match(path)) !== undefined"""
        rules = f"/api/rules/{game}/en"
        wait_until("the rules are kept", lambda: visitor.page.evaluate(kept, rules))
        visitor.context.set_offline(True)
        visitor.page.reload()
        visitor.it("play-zoff").wait_for()
        expect(visitor.page.get_by_role("status").first).to_contain_text("offline")
        visitor.visit(f"/rules/{game}")
        expect(visitor.page.locator("main h2").first).to_be_visible()


def test_no_answer_about_a_table_is_kept_on_the_device(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, installed=True) as visitor:
        visitor.visit("/")
        visitor.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        visitor.it("play-buffalo").click()
        visitor.it("board").wait_for()
        visitor.visit("/")
        visitor.it("continue").wait_for()
        paths: list[str] = visitor.page.evaluate(
            """async () => {
                const found = [];
                for (const name of await caches.keys())
                    for (const { url } of await (await caches.open(name)).keys())
                        found.push(new URL(url).pathname);
                return found;
            }"""
        )
        assert any(path.startswith("/assets/") for path in paths)
        answers = [path for path in paths if path.startswith("/api/")]
        allowed = ("/api/games", "/api/rules/", "/api/puzzles/daily", "/api/editions")
        assert all(path.startswith(allowed) for path in answers), answers
