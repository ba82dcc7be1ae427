"""Hints for Zoff, and "why?" at the table: a reason in words, its clause, a picture; by keys alone, too."""

import random

from playwright.sync_api import Browser, Locator, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, text_of, visiting
from tests.web.zoff_player import ASKED, CHOOSING, answer, open_table, sit_down


def opened(visitor: Visitor) -> Locator:
    """The reason that has just been opened."""
    dialog = visitor.page.locator("dialog[open][data-testid=why-dialog]")
    dialog.wait_for()
    assert dialog.get_attribute("aria-label")
    expect(dialog.get_by_test_id("why-more").locator("p.quiet")).to_have_count(0)
    return dialog


def close(visitor: Visitor) -> None:
    """Closes the dialog by the key that closes dialogs."""
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("dialog[open]")).to_have_count(0)


def test_the_coach_suggests_pairs_and_every_step_says_why(
    browser: Browser, server: ServerProcess
) -> None:
    """Z4.4: by keys alone, with the clause that opens in place."""
    rng = random.Random(5)
    with visiting(browser, server.base) as visitor:
        page = visitor.page
        link = open_table(visitor, [None, "zoff-2", "zoff-2"], {})
        sit_down(visitor, link, "Ann", 0)
        page.locator(CHOOSING).wait_for()
        page.keyboard.press("t")
        candidates = visitor.it("candidate")
        expect(candidates).to_have_count(2)
        expect(candidates.first.locator("li").first).to_be_visible()
        expect(visitor.it("hint-dialog")).to_contain_text(text_of("en", "why.hint.about"))
        visitor.it("hint-take").first.press("Enter")
        visitor.it("seal").click()  # what was taken is whole

        page.locator(ASKED).first.wait_for()
        asked: set[str] = set()
        while {"why-step", "why-number"} - asked and not visitor.it("result").count():
            page.locator(ASKED).first.wait_for()
            if visitor.it("place").count():
                refused = visitor.it("place").locator("[aria-disabled=true]").first
                if refused.count() and "why-number" not in asked:
                    refused.click(force=True)
                    page.keyboard.press("w")
                    dialog = opened(visitor)
                    expect(
                        dialog.get_by_test_id("why-picture").locator("svg").first
                    ).to_be_visible()
                    dialog.locator("[data-clause]").first.press("Enter")
                    expect(page.locator("dialog[open][data-testid=clause]")).to_be_visible()
                    page.keyboard.press("Escape")
                    close(visitor)
                    asked.add("why-number")
                if visitor.it("why-step").count() and "why-step" not in asked:
                    visitor.it("why-step").press("Enter")
                    expect(opened(visitor).get_by_test_id("why-lines")).to_be_visible()
                    close(visitor)
                    expect(visitor.it("why-step")).to_be_focused()
                    asked.add("why-step")
            answer(visitor, rng)
        assert asked == {"why-step", "why-number"}


def test_a_bot_explains_its_move(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, language="de") as visitor:
        visitor.play_now("buffalo")
        assert visitor.my_turn()
        visitor.move("f7", "f6")
        visitor.it("why-move").wait_for()
        visitor.page.keyboard.press("w")
        dialog = opened(visitor)
        expect(dialog).to_contain_text(text_of("de", "why.buffalo.engine"))
        expect(dialog.get_by_test_id("why-picture").locator("svg")).to_be_visible()
        assert dialog.get_by_test_id("why-lines").locator("[data-clause]").count() > 0
        close(visitor)
