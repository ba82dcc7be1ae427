"""Who wins Buffalo: the ladder, a proof checked in the browser, and a game against a certificate."""

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import visiting


def test_the_ladder_is_there_and_the_browser_checks_a_proof(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/solved")
        ladder = visitor.it("ladder")
        ladder.wait_for()
        assert ladder.locator("[data-rung]").count() == 21
        expect(ladder.locator("[data-rung='3']")).to_contain_text("The hunter wins")
        visitor.it("check-opening-abc-3").click()
        expect(visitor.it("checked-opening-abc-3")).to_contain_text("Proven in your browser: 129")
        with visitor.page.expect_download() as download:
            visitor.page.locator("#certificate-opening-abc-3 a[download]").click()
        assert download.value.suggested_filename == "opening-abc-3.cert"
        ladder.locator("[data-rung='2'] a[href^='#']").click()
        expect(visitor.page.locator("li:focus")).to_be_in_viewport()


def test_a_game_against_a_proof_is_answered_and_taken_back(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=("404",)) as visitor:
        visitor.visit("/solved/opening-abc-3")
        visitor.it("challenge").wait_for()
        before = visitor.squares
        visitor.click_square("f2")
        visitor.page.locator("[data-target=f3]").wait_for()
        visitor.click_square("f3")
        expect(visitor.it("challenge-said")).to_contain_text("answer of the certificate")
        assert visitor.squares != before
        visitor.page.get_by_role("button", name="Take back").click()
        expect(visitor.it("challenge-said")).to_contain_text("Your move")
        assert visitor.squares == before
        visitor.visit("/solved/nothing-like-this")
        expect(visitor.page.get_by_role("alert")).to_contain_text("no such proof")
