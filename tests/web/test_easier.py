"""After three losses in a row the end of a game offers an easier one."""

import random

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting
from tests.web.zoff_player import open_table, play, sit_down


def lost_before(visitor: Visitor, game: str, count: int, latest: str) -> None:
    """This device remembers losses in a row, up to the game that is named."""
    visitor.page.evaluate(
        "([game, streak]) => localStorage.setItem('stampede.losses', JSON.stringify({ [game]: streak }))",
        [game, {"count": count, "latest": latest}],
    )


def test_who_loses_buffalo_three_times_is_offered_a_head_start(
    browser: Browser, server: ServerProcess
) -> None:
    """B4.3: one opening step more for the buffalo side, against the same bot. Random moves are no gentler level."""
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        lost_before(visitor, "buffalo", 2, "")
        visitor.my_turn()
        visitor.resign()
        easier = visitor.it("easier")
        expect(easier).to_contain_text("last three got away")
        expect(easier.get_by_role("button")).to_have_text(["With a head start", "With the coach"])
        before = visitor.page.url
        easier.get_by_role("button", name="head start").click()
        expect(visitor.page).not_to_have_url(before)
        expect(visitor.it("status")).to_contain_text("2")


def test_who_loses_zoff_three_times_is_offered_fewer_opponents(
    browser: Browser, server: ServerProcess
) -> None:
    """Zoff has no handicap, and below the first level there is none: fewer opponents, the coach or a lesson help."""
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, "zoff-1", "zoff-1"], {}), "Ann", 0)
        lost_before(visitor, "zoff", 3, f"{visitor.table}/1")
        play([visitor], random.Random(3))
        easier = visitor.it("easier")
        expect(easier).to_contain_text("last three got away")
        fewer, coach = "Against one opponent", "With the coach"
        expect(easier.get_by_role("button")).to_have_text([fewer, coach])
        expect(easier.get_by_role("link")).to_have_attribute("href", "/learn/zoff")
        before = visitor.page.url
        easier.get_by_role("button", name=fewer).click()
        expect(visitor.page).not_to_have_url(before)
        expect(visitor.it("zoff-seats").locator("[data-seat]")).to_have_count(2)
