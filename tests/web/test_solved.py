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
        expect(ladder.locator("[data-rung]")).to_have_count(21)
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


def test_an_open_rung_tells_what_is_known_and_leads_to_a_game_of_its_own(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/solved")
        ladder = visitor.it("ladder")
        ladder.wait_for()
        known = visitor.it("known--10")
        known.click()
        expect(known).to_have_attribute("aria-expanded", "true")
        rung = ladder.locator("[data-rung='-10']")
        expect(rung).to_contain_text("Likely, not proven")
        expect(rung).to_contain_text("None of this is a proof")
        expect(ladder.locator("[data-rung='3']").get_by_text("What is known")).to_have_count(0)
        visitor.it("known-1").click()
        expect(rung).not_to_contain_text("Likely, not proven")
        expect(ladder.get_by_role("link", name="Try without e")).to_have_attribute(
            "href", "/new?game=buffalo&removed=e"
        )
        visitor.it("known-move-f").click()
        moves = visitor.it("first-moves")
        expect(moves).to_contain_text("None of this is a proof")
        expect(moves.get_by_text("Against itself, the engine won")).to_have_count(1)
        ladder.locator("[data-rung='-3']").get_by_role("link").click()
        expect(visitor.it("handicap-opening_moves")).to_have_value("4")
