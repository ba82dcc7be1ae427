"""Reviews in the browser: the curve, every decision in words of each language, and the way into the replay."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import LANGUAGES
from tests.web.test_everybody import violations
from tests.web.tour import review_again
from tests.web.visitor import MISSING_KEY, visiting


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_every_decision_is_put_into_words_of_every_language(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    with visiting(browser, server.base) as visitor:
        review_again(visitor, game)
        rows = visitor.page.locator("ol li button")
        assert rows.count() > 2, "a random game has mistakes"
        for language in LANGUAGES:
            visitor.it("language").select_option(language)
            expect(visitor.page.locator("html")).to_have_attribute("lang", language)
            for index in range(min(4, rows.count())):
                rows.nth(index).click()
                told = visitor.it("decision").inner_text()
                assert len(told) > 40
            whole = visitor.page.locator("main").inner_text()
            assert not MISSING_KEY.search(whole)
            assert "{{" not in whole
            assert not visitor.scrolls_sideways


def test_a_decision_leads_to_its_place_in_the_replay(
    browser: Browser, server: ServerProcess
) -> None:
    """B2.1: the board shows the position before the move."""
    with visiting(browser, server.base) as visitor:
        review_again(visitor, "buffalo")
        row = visitor.page.locator("ol li button").first
        move = int(
            "".join(letter for letter in row.locator(".when").inner_text() if letter.isdigit())
        )
        row.click()
        slider = visitor.page.locator("input[type=range]")
        expect(slider).to_have_value(str(move - 1))
        visitor.page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(move))


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_a_costly_decision_is_tried_again_and_the_game_goes_on_from_there(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    """The costliest decisions are exercises with their worth; a table begins where the reader looks."""
    with visiting(browser, server.base) as visitor:
        review_again(visitor, game)
        page = visitor.page
        visitor.it("retry-open").click()
        if game == "zoff":
            visitor.it("retry-option").first.click()
        else:
            page.locator("[data-testid=board].playable").wait_for()
            for square in visitor.squares:  # until one is picked up that may move
                visitor.click_square(square)
                if page.locator("[data-target]").count() > 0:
                    break
            target = page.locator("[data-target]").first
            visitor.click_square(target.get_attribute("data-target") or "")
        expect(visitor.it("retry-grade")).to_be_visible()
        assert violations(visitor) == []
        page.get_by_role("button", name="Back to the review").click()
        page.locator("ol li button").first.click()
        visitor.it("play-on-open").click()
        visitor.it("play-on-start").click()
        expect(page).to_have_url(re.compile("/t/"))
        visitor.it("ready").or_(visitor.it("board")).or_(visitor.it("choose")).first.wait_for()
