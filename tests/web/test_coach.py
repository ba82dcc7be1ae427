"""The coach: comes to the first game by itself, speaks at the moments that matter, and only once."""

import random

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import Visitor, text_of, visiting
from tests.web.zoff_player import QUESTION, answer

ALWAYS = {"choose", "revealed", "place", "roundEnded", "ended"}
"""What every game of Zoff gives reason to say."""


def hear(visitor: Visitor, heard: list[str]) -> None:
    """Listens to the coach until there is nothing more to say."""
    coach = visitor.it("coach")
    while coach.count():
        moment = coach.get_attribute("data-moment") or ""
        heard.append(moment)
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


def test_a_whole_coached_game_says_each_moment_once(
    browser: Browser, server: ServerProcess
) -> None:
    heard: list[str] = []
    rng = random.Random(5)
    with visiting(browser, server.base, coached=True) as visitor:
        visitor.visit("/")
        visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
        visitor.play_now("zoff")
        visitor.it("coach").wait_for()
        for _ in range(200):
            hear(visitor, heard)
            if answer(visitor, rng) == "result":
                break
        expect(visitor.it("result")).to_be_visible()
        hear(visitor, heard)
    assert set(heard) >= ALWAYS
    assert len(heard) == len(set(heard))
