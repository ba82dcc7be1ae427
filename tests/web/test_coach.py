"""The coach: comes to the first game by itself, once, and can be called back."""

import random

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import DESKTOP, PHONE
from tests.web.test_buffalo import advance
from tests.web.visitor import Visitor, text_of, visiting
from tests.web.zoff_player import ASKED, QUESTION, answer

SIDEWAYS = (844, 390)
WATCH = """() => {
    window.saidByCoach = [];
    const look = () => {
        const moment = document.querySelector("[data-testid=coach]")?.dataset.moment;
        if (moment && window.saidByCoach.at(-1) !== moment) window.saidByCoach.push(moment);
    };
    new MutationObserver(look).observe(document.body,
        { childList: true, subtree: true, attributes: true, attributeFilter: ["data-moment"] });
    look();
}"""
"""Notes which moments the coach speaks of, in order."""
HIDDEN = """(kept) => {
    const box = document.querySelector("[data-testid=coach]").getBoundingClientRect();
    return [...document.querySelectorAll(kept)].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
    }).length;
}"""
"""How many of these elements the coach lies over."""
KEPT = {
    "zoff": "[data-seat], [data-pasture], [data-sheet]",
    "buffalo": "[data-testid=board], .buffalo > .near, .buffalo > .far, [data-testid=status]",
}


def said(visitor: Visitor) -> list[str]:
    """The moments that the coach has spoken of."""
    found: list[str] = visitor.page.evaluate("() => window.saidByCoach")
    return found


def listen(visitor: Visitor) -> None:
    """Reads all that the coach has to say now."""
    coach = visitor.it("coach")
    while coach.count():
        moment = coach.get_attribute("data-moment")
        visitor.it("coach-next").click()
        expect(visitor.page.locator(f"[data-moment={moment}]")).to_have_count(0)


def test_one_tap_leads_to_a_coached_decision(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, coached=True, size=PHONE) as visitor:
        visitor.play_now("zoff")
        said = text_of("en", "learn.coach.zoff.choose")
        expect(visitor.it("coach")).to_contain_text(said)
        visitor.it("coach-skip").click()
        expect(visitor.it("coach")).to_have_count(0)
        visitor.play_now("zoff")
        visitor.page.locator(QUESTION).first.wait_for()
        expect(visitor.it("coach")).to_have_count(0)  # once
        visitor.it("menu").click()
        visitor.it("call-coach").click()
        expect(visitor.it("coach")).to_contain_text(said)


def test_the_coach_of_buffalo_names_the_goal_and_speaks_the_language(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, language="de", coached=True) as visitor:
        visitor.play_now("buffalo")
        said = text_of("de", "learn.coach.buffalo.buffaloes")
        expect(visitor.it("coach")).to_contain_text(said)


@pytest.mark.parametrize("game", sorted(KEPT))
@pytest.mark.parametrize("size", [DESKTOP, PHONE, SIDEWAYS])
def test_the_coach_lies_over_nothing_that_is_played_with(
    browser: Browser, server: ServerProcess, game: str, size: tuple[int, int]
) -> None:
    with visiting(browser, server.base, coached=True, size=size, touch=size != DESKTOP) as visitor:
        visitor.play_now(game)
        visitor.it("coach").wait_for()
        assert visitor.page.locator(KEPT[game]).count() > 3
        visitor.page.wait_for_function(f"kept => ({HIDDEN})(kept) === 0", arg=KEPT[game])
        assert not visitor.scrolls_sideways


def test_a_whole_coached_game_of_zoff_speaks_of_each_moment_once(
    browser: Browser, server: ServerProcess
) -> None:
    rng = random.Random(3)
    with visiting(browser, server.base, coached=True) as visitor:
        visitor.visit("/")
        visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
        visitor.play_now("zoff")
        visitor.it("coach").wait_for()
        visitor.page.evaluate(WATCH)
        while not visitor.it("result").count():
            listen(visitor)
            answer(visitor, rng)
            visitor.page.locator(ASKED).first.wait_for()
        expect(visitor.it("coach")).to_have_count(1)
        listen(visitor)
        moments = said(visitor)
        assert {"choose", "place", "roundEnded", "ended"} <= set(moments)
        assert len({"othersHerd", "equal", "bonus"} & set(moments)) > 1, "the guides see to it"
        assert len(moments) == len(set(moments))


def test_a_whole_coached_game_of_buffalo_ends_with_the_coach(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, coached=True) as visitor:
        visitor.play_now("buffalo")
        visitor.it("coach").wait_for()
        visitor.page.evaluate(WATCH)
        while visitor.my_turn():
            listen(visitor)
            visitor.move(*advance(visitor))
        visitor.it("coach").wait_for()
        listen(visitor)
        moments = said(visitor)
        assert moments[0] == "buffaloes"
        assert moments[-1] == "ended"
        assert len(moments) == len(set(moments))
