"""Nothing irrevocable by accident: what can't be undone asks first, and says what it did."""

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.test_buffalo import advance
from tests.web.visitor import text_of, visiting


def test_resigning_and_leaving_ask_first_and_the_safe_answer_has_the_focus(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        no = visitor.page.locator("[data-testid=confirm-no]:visible")
        for deed in ("resign", "leave", "abort"):
            visitor.it("menu").click()
            visitor.it(deed).click()
            expect(no).to_be_focused()
            visitor.page.keyboard.press("Escape")
            expect(no).to_have_count(0)
            expect(visitor.it("menu")).to_be_focused()
        visitor.move(*advance(visitor))  # the game still runs
        visitor.it("menu").click()
        visitor.it("leave").click()
        visitor.confirm()
        closed = visitor.page.get_by_text(text_of("en", "table.closed.left"))
        expect(closed).to_be_visible()
        assert not visitor.page.get_by_text("host").count(), "no host has closed it"


def test_closing_an_open_table_asks_first(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/new?game=buffalo")
        visitor.page.get_by_label("Seat 2").select_option("")
        visitor.it("create").click()
        visitor.it("close").click()
        expect(visitor.page.locator("[data-testid=confirm-no]:visible")).to_be_focused()
        visitor.page.keyboard.press("Escape")
        expect(visitor.it("table")).to_have_attribute("data-phase", "lobby")
        visitor.it("close").click()
        visitor.confirm()
        expect(visitor.page.get_by_text(text_of("en", "table.closed.text"))).to_be_visible()
