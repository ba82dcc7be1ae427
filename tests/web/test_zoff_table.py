"""The table of Zoff: two touches place, what is sent stands, one take-back is free, and all of it fits every screen."""

import json
import random
import re

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import AXE
from tests.web.test_buffalo import OFFLINE
from tests.web.test_everybody import AXE_RUN
from tests.web.visitor import Visitor, visiting
from tests.web.zoff_player import ASKED, CHOOSING, answer, choose, open_table, sit_down

BOT = "random"
ALLOWED = "[data-testid^=place-][aria-disabled=false]"
SCREENS = ((360, 640), (390, 844), (844, 390), (1280, 860), (1920, 1080))
OUTSIDE = """() => {
    const top = (one) => one.getBoundingClientRect();
    const sheet = top(document.querySelector("[data-sheet]"));
    const beside = sheet.left > 0;
    const [right, bottom] = beside ? [sheet.left, innerHeight] : [innerWidth, sheet.top];
    const plots = [...document.querySelectorAll("[data-plot]")];
    return plots.filter((one) => {
        const box = top(one);
        return box.right > right + 8 || box.bottom > bottom + 8 || box.left < -8 || box.top < 0;
    }).map((one) => one.dataset.plot);
}"""
"""The pastures that aren't all in view; a lit one stands forward by a few pixels."""
SMALL = """() => [...document.querySelectorAll("[data-testid=zoff] button")].filter((one) => {
    const box = one.getBoundingClientRect();
    const after = getComputedStyle(one, "::after");
    const inline = getComputedStyle(one).display === "inline";
    return box.width > 0 && !inline && after.content === "none" && (box.width < 24 || box.height < 24);
}).map((one) => one.outerHTML.slice(0, 120))"""
"""Buttons that are too small for a finger; links inside a sentence may be (WCAG 2.5.8)."""
# Also what moves soon after a touch, which browsers forgive: on a slow line it moves later.
WATCH_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
            const moved = sources.map(({ node, previousRect, currentRect }) =>
                [(node?.outerHTML ?? String(node)).slice(0, 90), previousRect, currentRect]);
            window.shifts.push([value, JSON.stringify(moved)]);
        }
    }).observe({ type: "layout-shift" });
}"""


def alone(visitor: Visitor, players: int = 3, **rules: bool) -> None:
    """Sits down alone against bots."""
    link = open_table(visitor, [None] + [BOT] * (players - 1), rules)
    sit_down(visitor, link, "Ada", 0)


def play_until(visitor: Visitor, *questions: str, seed: int = 3) -> str:
    """Answers until one of these is asked, and says which one."""
    rng = random.Random(seed)
    for _ in range(60):
        visitor.page.locator(ASKED).first.wait_for()
        for question in questions:
            if visitor.it(question).count():
                return question
        answer(visitor, rng)
    raise AssertionError(f"never asked: {questions}")


def test_a_number_shows_what_it_leads_to_and_a_second_touch_places_it(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        play_until(visitor, "place")
        decision = visitor.it("table").get_attribute("data-decision") or ""
        expect(visitor.it("place-go")).to_be_disabled()
        number = visitor.it("place").locator(ALLOWED).last
        cows = int((number.get_attribute("data-testid") or "")[-1])
        number.click()
        visitor.page.mouse.move(0, 0)
        expect(visitor.page.locator(".ghost")).to_have_count(cows)
        expect(visitor.it("place-said")).to_contain_text("Herd of ")
        herd = re.search(r"Herd of (\d+)", visitor.it("place-said").inner_text())
        assert herd is not None
        assert int(herd[1]) >= cows, "those that stand there already count, too"
        expect(visitor.it("table")).to_have_attribute("data-decision", decision)
        visitor.it("place-go").click()
        expect(visitor.it("table")).not_to_have_attribute("data-decision", decision)


def test_a_forbidden_number_stays_in_place_and_says_why(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        rng = random.Random(5)
        forbidden = visitor.page.locator("[data-testid^=place-][aria-disabled=true]")
        for _ in range(60):
            play_until(visitor, "place", "result")
            if forbidden.count():
                break
            answer(visitor, rng)
        forbidden.first.click(force=True)  # Playwright takes it for disabled, as screen readers do
        expect(visitor.it("place-said")).to_contain_text("Not ")
        expect(visitor.it("place-go")).to_be_disabled()
        expect(visitor.page.locator(".ghost")).to_have_count(0)


def test_one_take_back_is_free_against_bots(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        play_until(visitor, "place")
        expect(visitor.it("free-take-back")).to_have_count(0)
        asked = visitor.it("place").locator(".say").inner_text()
        cows = visitor.it("zoff-seats").locator(".numbers b")
        before = cows.all_inner_texts()
        answer(visitor, random.Random(1))
        visitor.page.locator(ASKED).first.wait_for()
        visitor.it("free-take-back").click()
        expect(visitor.it("place").locator(".say")).to_have_text(asked)
        expect(cows).to_have_text(before)
        answer(visitor, random.Random(1))
        visitor.page.locator(ASKED).first.wait_for()


def test_with_another_person_there_is_no_free_take_back(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as ada, visiting(browser, server.base) as ben:
        link = open_table(ada, [None, None, BOT], {})
        sit_down(ada, link, "Ada", 0)
        sit_down(ben, link, "Ben", 1)
        rng = random.Random(2)
        for _ in range(30):
            ready = [one for one in (ada, ben) if one.page.locator(ASKED).count()]
            asked = [answer(one, rng) for one in ready]
            if "place" in asked:
                break
            ada.page.wait_for_timeout(30)
        expect(ada.it("free-take-back")).to_have_count(0)
        expect(ben.it("free-take-back")).to_have_count(0)


def test_what_is_placed_while_the_line_is_cut_stands_and_arrives(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=OFFLINE) as visitor:
        alone(visitor)
        play_until(visitor, "place")
        decision = visitor.it("table").get_attribute("data-decision") or ""
        visitor.context.set_offline(True)
        expect(visitor.it("connection")).to_have_attribute("data-state", "lost")
        number = visitor.it("place").locator(ALLOWED).last
        cows = int((number.get_attribute("data-testid") or "")[-1])
        number.click()
        visitor.it("place-go").click()
        expect(visitor.it("pending")).to_be_visible()
        expect(visitor.page.locator(".pending .ghost")).to_have_count(cows)
        visitor.context.set_offline(False)
        expect(visitor.it("table")).not_to_have_attribute("data-decision", decision)
        expect(visitor.it("pending")).to_have_count(0)


def test_what_is_refused_is_put_back_with_the_reason(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        refusing = [False]

        def meddle(socket: WebSocketRoute) -> None:
            upstream = socket.connect_to_server()

            def pass_on(message: str | bytes) -> None:
                frame = json.loads(message)
                if not refusing[0] or frame.get("type") != "command":
                    upstream.send(message)
                    return
                problem = {"error": "illegal_action", "detail": "no", "status": 422, "view": None}
                socket.send(json.dumps({"type": "error", "key": frame["key"], **problem}))

            socket.on_message(pass_on)

        visitor.page.route_web_socket("**/socket?*", meddle)
        alone(visitor)
        play_until(visitor, "place")
        refusing[0] = True
        number = visitor.it("place").locator(ALLOWED).last
        number.click()
        visitor.it("place-go").click()
        expect(visitor.page.get_by_role("alert")).to_be_visible()
        expect(visitor.it("pending")).to_have_count(0)
        expect(number).to_have_attribute("aria-pressed", "true")
        refusing[0] = False
        decision = visitor.it("table").get_attribute("data-decision") or ""
        visitor.it("place-go").click()
        expect(visitor.it("table")).not_to_have_attribute("data-decision", decision)


def test_cards_fly_from_the_seats_and_can_be_skipped(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        visitor.page.emulate_media(reduced_motion="no-preference")
        visitor.page.locator(CHOOSING).wait_for()
        visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'slow')")
        visitor.page.reload()
        choose(visitor, random.Random(4))
        expect(visitor.page.locator(".flights .card")).to_have_count(6)
        visitor.it("skip").click()
        expect(visitor.page.locator(".flights > *")).to_have_count(0)
        visitor.page.locator(ASKED).first.wait_for()


def test_nothing_flies_with_reduced_motion(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        visitor.page.locator(CHOOSING).wait_for()
        visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'slow')")
        visitor.page.reload()
        choose(visitor, random.Random(4))
        expect(visitor.it("story")).to_have_attribute("data-live", "false")
        expect(visitor.it("told")).to_be_visible()
        assert visitor.page.locator(".flights > *").count() == 0
        visitor.it("skip").click()


@pytest.mark.parametrize("players", [2, 5, 6])
def test_all_pastures_and_the_hand_are_in_view_while_choosing(
    browser: Browser, server: ServerProcess, players: int
) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor, players)
        play_until(visitor, "choose")
        for width, height in SCREENS:
            visitor.page.set_viewport_size({"width": width, "height": height})
            expect(visitor.it("seal")).to_be_in_viewport(ratio=1)
            visitor.page.wait_for_function(f"() => ({OUTSIDE})().length === 0")
            assert visitor.page.evaluate(SMALL) == [], f"too small at {width}"
            assert not visitor.scrolls_sideways
            if height > 500:
                tops = visitor.it("card").evaluate_all(
                    "all => all.map((one) => Math.round(one.offsetTop))"
                )
                assert len(set(tops)) == 1, f"the hand is in one row at {width}"


@pytest.mark.parametrize("rules", [{}, {"auction": True}])
def test_axe_finds_nothing_in_any_phase_by_day_or_dusk_and_nothing_jumps(
    browser: Browser, server: ServerProcess, rules: dict[str, bool]
) -> None:
    """Two players settle, bid and pick as well."""
    with visiting(browser, server.base, size=(390, 844)) as visitor:
        visitor.page.add_init_script(f"({WATCH_SHIFTS})()")
        alone(visitor, 2 if rules else 3, **rules)
        rng = random.Random(6)
        seen: set[str] = set()
        visitor.page.locator(ASKED).first.wait_for()
        visitor.page.evaluate("() => void (window.shifts = [])")  # from the first phase on
        while "result" not in seen:
            visitor.page.locator(ASKED).first.wait_for()
            kind = shown(visitor)
            if kind not in seen:
                seen.add(kind)
                found = findings(visitor.page)
                assert found == {}, f"{kind}: {found}"
            if kind != "result":
                answer(visitor, rng)
        assert {"choose", "place"} <= seen
        shifts: list[tuple[float, str]] = visitor.page.evaluate("() => window.shifts")
        jumps = [one for one in shifts if one[0] > 0.05]
        assert not jumps, json.dumps(jumps)


def shown(visitor: Visitor) -> str:
    kinds = ("result", "choose", "place", "bonus", "pick", "settle", "bid")
    return next(kind for kind in kinds if visitor.it(kind).count())


def findings(page: Page) -> dict[str, list[str]]:
    """What axe finds, by scheme."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        violations = page.evaluate(AXE_RUN)["violations"]
        told = [f"{one['id']}: {one['nodes'][0]['failureSummary']}" for one in violations]
        if told:
            found[scheme] = told
    page.emulate_media(color_scheme="light")
    return found


def test_the_result_says_why_and_where_the_cows_came_from(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        alone(visitor)
        play_until(visitor, "result")
        expect(visitor.it("result-why")).not_to_be_empty()
        rows = visitor.it("score-sheet").locator("tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.first.locator("td").first).not_to_have_text("…")
        for cells in rows.evaluate_all(
            "all => all.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent)))"
        ):
            *sources, _wasted, total = cells
            assert sum(sources) == total
        expect(visitor.it("stampede").locator("svg").first).to_be_hidden()  # reduced motion
