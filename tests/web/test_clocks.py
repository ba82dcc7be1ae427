"""Clocks in the browser: the time that is left by the server's clock, and none lost while a round is told."""

import random

from playwright.sync_api import Browser, Locator, expect

from tests.server.servers import ServerProcess
from tests.web.test_tables import open_for_two, sit_down
from tests.web.visitor import Visitor, text_of, visiting
from tests.web.zoff_player import choose

WRONG_CLOCK = "Date.now = () => 0;"
"""A device that believes it is 1970."""


def seconds_left(clock: Locator) -> int:
    return int(clock.get_attribute("data-left") or -1)


def own_clock(visitor: Visitor) -> Locator:
    places = ("li.mine", "[data-testid^=seat-]:has-text('you,')")
    return visitor.page.locator(", ".join(f"{place} [data-testid=clock]" for place in places))


def test_a_spectator_who_comes_late_sees_the_time_that_is_left(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base) as host,
        visiting(browser, server.base) as guest,
        visiting(browser, server.base) as late,
    ):
        late.context.add_init_script(WRONG_CLOCK)
        link = open_for_two(host, "Ada", clock="game5")
        guest.page.goto(link)
        sit_down(guest, host)
        host.my_turn()
        clock = own_clock(host)
        expect(clock).to_have_attribute("data-state", "runs")
        expect(clock).not_to_have_attribute("data-left", "300")
        before = seconds_left(clock)
        late.page.goto(link)
        watched = late.it("clock").first
        expect(watched).to_have_attribute("data-state", "runs")
        assert 0 < seconds_left(watched) <= before < 300
        host.page.reload()
        expect(own_clock(host)).to_have_attribute("data-state", "runs")
        assert 0 < seconds_left(own_clock(host)) <= before


def test_no_time_runs_while_a_round_is_told(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as ada:
        ada.visit("/new?game=zoff")
        ada.page.get_by_label("Clock").select_option("game15")
        expect(ada.page.get_by_text(text_of("en", "create.timeOut.casual"))).to_be_visible()
        ada.it("create").click()
        choose(ada, random.Random(3))
        expect(ada.it("story")).to_have_attribute("data-live", "false")
        # A bot may be asked first: then the clock stands. It doesn't run before the story is over.
        expect(own_clock(ada)).not_to_have_attribute("data-state", "runs")
