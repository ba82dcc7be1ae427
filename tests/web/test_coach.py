"""The coach: comes to the first game by itself, once, and can be called back."""

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import text_of, visiting
from tests.web.zoff_player import QUESTION


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
