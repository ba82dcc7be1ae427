"""The analysis board in the browser: set up, try out, keep, share, and what Zoff's rounds could have been."""

import re

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.records import BUSY_ZOFF, random_record
from tests.web.tour import REVIEW_PATIENCE
from tests.web.visitor import MISSING_KEY, text_of, visiting

ENDGAME = "11/11/11/5b5/11/3DDCDD3/11 b - - 0 9"


def test_a_position_is_set_up_tried_out_kept_and_shared(
    browser: Browser, server: ServerProcess
) -> None:
    """B1.4: a FEN that can't be is told with its place; B2.2, B2.4: moves grow a tree."""
    with visiting(
        browser, server.base, allowed=("429",)
    ) as visitor:  # it asks again a second later
        page = visitor.page
        visitor.visit("/analysis")
        expect(visitor.it("explorer").locator("tbody tr").first).to_be_visible()
        visitor.it("fen").fill("11/11/4x6/5b5/11/3DDCDD3/11 b - - 0 9")
        visitor.it("fen-set").click()
        wrong = text_of("en", "analysis.fen.letter")
        expect(visitor.it("fen-problem")).to_have_text(
            wrong.replace("{{rank}}", "5").replace("{{got}}", "x")
        )
        visitor.it("fen").fill(ENDGAME)
        visitor.it("fen-set").click()
        visitor.it("edit").click()
        visitor.it("tool-dog").click()
        page.locator('[data-put="a4"]').focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(visitor.it("fen-problem")).to_have_text(
            text_of("en", "analysis.fen.dogs").replace("{{number}}", "5")
        )
        page.locator('[data-put="b4"]').click()
        visitor.it("edit").click()
        expect(visitor.it("verdict")).to_be_visible(timeout=REVIEW_PATIENCE)
        for square, target in (("f4", "f3"), ("f2", "e2")):
            visitor.click_square(square)
            legal = page.locator("[data-target]").first
            legal.wait_for()
            chosen = target if square == "f4" else legal.get_attribute("data-target") or ""
            visitor.click_square(chosen)
        expect(visitor.it("variations").locator("[data-move]")).to_have_count(2)
        visitor.it("keep-name").fill("Two moves")
        visitor.it("keep").click()
        visitor.visit("/analysis")
        visitor.it("kept").get_by_text("Two moves").click()
        expect(visitor.it("variations").locator("[data-move]")).to_have_count(2)
        visitor.it("play-from-here").click()
        visitor.it("play-on-start").click()
        expect(page).to_have_url(re.compile("/t/"))


def test_on_a_phone_on_its_side_the_whole_board_stands_beside_its_tools(
    browser: Browser, server: ServerProcess
) -> None:
    """The board needs no scrolling, neither to look at it nor to set it up."""
    with visiting(browser, server.base, size=(844, 390), allowed=("429",)) as visitor:
        visitor.visit("/analysis")
        visitor.it("edit").click()
        for square in ("a7", "k7", "a1", "k1"):
            cell = visitor.page.locator(f"[data-cell={square}]")
            expect(cell).to_be_in_viewport(ratio=0.9)
        for tool in ("tool-buffalo", "tool-dog", "tool-chief", "tool-erase"):
            expect(visitor.it(tool)).to_be_in_viewport(ratio=0.9)


def test_a_round_of_zoff_is_asked_about_with_other_herds(
    browser: Browser, server: ServerProcess
) -> None:
    """Z4.4: herds of the same size can't be, and the page says so."""
    text = random_record("zoff", BUSY_ZOFF, 5).dumps()
    with visiting(browser, server.base, language="de") as visitor:
        visitor.visit("/analysis")
        visitor.page.locator("details summary").click()
        visitor.it("record-file").set_input_files(
            {"name": "zoff.json", "mimeType": "application/json", "buffer": text.encode()}
        )
        round_three = text_of("de", "replay.round").replace("{{round}}", "3")
        visitor.page.get_by_role("button", name=round_three).click()
        visitor.it("advice-ask").click()
        expect(visitor.it("advice").locator("ol li").first).to_be_visible(timeout=REVIEW_PATIENCE)
        visitor.it("advice-change").click()
        for herd in visitor.page.locator("table input").all()[:2]:
            herd.fill("2")
            herd.blur()
        visitor.it("advice-ask").click()
        expect(visitor.it("advice-refused")).to_contain_text("gleich groß")
        expect(visitor.it("play-from-here")).to_be_disabled()
        visitor.it("walk-last").click()
        expect(visitor.it("advice-refused")).to_have_count(0)
        expect(visitor.it("play-from-here")).to_be_enabled()
        assert not MISSING_KEY.search(visitor.page.locator("main").inner_text())
