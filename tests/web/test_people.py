"""A person's page and the list of requests, as a visitor uses them."""

import random

from playwright.sync_api import Browser, expect

from tests.server.people import browser as person_browser
from tests.server.people import keep, new_name, open_table, play_out, sit
from tests.server.servers import ServerProcess
from tests.web.visitor import visiting


def test_a_page_is_shown_as_its_owner_wishes(browser: Browser, server: ServerProcess) -> None:
    name = new_name()
    with person_browser(server.base) as ann, visiting(browser, server.base) as visitor:
        ann.get("/api/me")
        keep(ann, name)
        table = open_table(ann, "buffalo", [{}, {"bot": "random"}], rated=True)
        sit(ann, table, name, 0)
        play_out(ann, table, random.Random(5))
        visitor.visit(f"/u/{name}")
        visitor.it("person").wait_for()
        expect(visitor.it("person")).to_contain_text("keeps their games private")
        assert visitor.it("profile-shown").count() == 0
        ann.post("/api/account/profile", json={"shown": True}).raise_for_status()
        visitor.visit("/leaders?board=buffalo-buffalo-0")
        visitor.page.get_by_role("link", name=name).click()
        expect(visitor.it("results")).to_contain_text("Buffalo, buffaloes")
        visitor.page.get_by_role("link", name="Statistics of this server").click()
        expect(visitor.it("statistics")).to_contain_text("played")


def test_a_request_is_found_with_its_example(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/api")
        routes = visitor.page.locator("[data-route]")
        expect(routes.nth(20)).to_be_visible()
        visitor.it("api-search").fill("post puzzles/{number}/attempt")
        expect(routes).to_have_count(1)
        routes.locator("summary").first.click()
        expect(routes).to_contain_text("curl -b cookies")
        expect(routes).to_contain_text('"refutation"')
