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
    """B4.3: one opening step more for the buffalo side, against the same bot."""
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        lost_before(visitor, "buffalo", 2, "")
        visitor.my_turn()
        visitor.resign()
        easier = visitor.it("easier")
        expect(easier).to_contain_text("third one in a row")
        before = visitor.page.url
        easier.get_by_role("button", name="head start").click()
        expect(visitor.page).not_to_have_url(before)
        expect(visitor.it("status")).to_contain_text("2")


def test_who_loses_zoff_three_times_is_offered_gentler_bots(
    browser: Browser, server: ServerProcess
) -> None:
    """Zoff has no handicap: the level below is the easier game."""
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, "zoff-2", "zoff-2"], {}), "Ann", 0)
        lost_before(visitor, "zoff", 3, f"{visitor.table}/1")
        play([visitor], random.Random(3))
        easier = visitor.it("easier")
        expect(easier).to_contain_text("third one in a row")
        before = visitor.page.url
        easier.get_by_role("button", name="One level down").click()
        expect(visitor.page).not_to_have_url(before)
        expect(visitor.it("zoff-seats")).to_contain_text("Tenderfoot")
