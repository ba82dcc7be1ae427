"""Seats and names: nobody is "You", everyone is ready, proposals are told to all, and earlier games stay reachable."""

import random
import re

from playwright.sync_api import Browser, expect

from stampede.matches.names import PLACEHOLDERS, is_guest_name
from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.test_tables import open_for_two, sit_down
from tests.web.visitor import Visitor, text_of, visiting
from tests.web.zoff_player import QUESTION, answer

SHOWN_NEWS = "[data-testid=news]:not(.none)"


def names_at(visitor: Visitor) -> list[str]:
    """The names beside Buffalo's board, the buffalo side's first."""
    return [
        visitor.it(f"seat-{side}").locator("strong").inner_text() for side in ("buffalo", "hunter")
    ]


def propose_undo(visitor: Visitor) -> None:
    visitor.it("menu").click()
    visitor.page.get_by_role("button", name=text_of("en", "table.menu.undo")).click()


def test_guests_get_names_are_ready_and_hear_how_proposals_end(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base, size=PHONE) as host,
        visiting(browser, server.base) as guest,
        visiting(browser, server.base) as late,
    ):
        # The invitation says what is played, and guests who give no name get one.
        host.visit("/new?game=buffalo")
        host.page.get_by_label("Seat 2").select_option("")
        host.it("options").click()
        host.page.get_by_label("Series").select_option("both_sides")
        host.it("create").click()
        link = host.it("invite").input_value()
        guest.page.goto(link)
        expect(guest.it("facts")).to_contain_text(text_of("en", "create.seriesKind.both_sides"))
        expect(guest.it("facts")).to_contain_text(text_of("en", "seats.facts.noClock"))
        guest.it("sit-1").click()
        # The host is asked before the game begins, and can take another name.
        host.it("ready").wait_for()
        host.it("rename").fill("Ada")
        host.it("rename").blur()
        expect(guest.it("table")).to_contain_text("Ada")
        host.it("ready").click()
        host.my_turn()
        called = names_at(guest)
        assert called[0] == "Ada"
        assert is_guest_name(called[1])
        assert not {name.casefold() for name in called} & PLACEHOLDERS
        # A full table says that you watch.
        late.page.goto(link)
        expect(late.it("watching")).to_have_text(text_of("en", "seats.watchingFull"))
        # A proposal is told to everyone, can be withdrawn, and its refusal is told.
        host.move("a7", "a6")
        propose_undo(host)
        for visitor in (guest, late):
            expect(visitor.it("proposal")).to_contain_text("Ada")
        host.it("withdraw").click()
        expect(late.page.locator(SHOWN_NEWS)).to_contain_text("Ada has withdrawn the proposal.")
        propose_undo(host)
        guest.it("decline").click()
        refused = text_of("en", "seats.proposal.declined.undo").replace("{{name}}", called[1])
        expect(host.page.locator(SHOWN_NEWS)).to_have_text(refused)
        expect(host.it("proposal")).to_have_count(0)


def test_after_the_next_game_earlier_ones_stay_reachable_and_my_games_tell_the_rest(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base, size=PHONE) as host,
        visiting(browser, server.base) as guest,
    ):
        guest.page.goto(open_for_two(host, "Ada"))
        sit_down(guest, host)
        host.my_turn()
        opponent = names_at(guest)[1]
        host.move("a7", "a6")
        guest.resign()
        host.it("next-game").click()
        expect(guest.it("proposal")).to_contain_text("Ada would like another game.")
        guest.it("next-game").click()
        expect(guest.it("next-game")).to_have_count(0)
        guest.it("menu").click()
        guest.it("about").click()
        guest.it("games").get_by_role("link").click()
        guest.page.wait_for_url(re.compile("/replay/[^/]+/1$"))
        # "My games" tells whose turn it is; what is over can be taken off the list.
        guest.visit("/games")
        expect(guest.it("my-table")).to_contain_text("waiting for Ada")
        expect(host.it("next-game")).to_have_count(0)
        host.resign()
        host.it("next-game").wait_for()
        host.visit("/games")
        expect(host.it("my-table")).to_contain_text(f"{opponent} won")
        assert not host.scrolls_sideways
        host.it("remove").click()
        host.confirm()
        expect(host.it("my-table")).to_have_count(0)
        guest.page.reload()
        expect(guest.it("my-table")).to_have_count(1)


def test_a_shared_device_has_a_curtain_for_secrets_only(
    browser: Browser, server: ServerProcess
) -> None:
    """Z3.4: each of two people chooses behind a curtain; placing and bonuses are played in the open."""
    with visiting(browser, server.base) as visitor:
        visitor.visit("/new?game=zoff")
        visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
        visitor.page.get_by_role("button", name="3", exact=True).click()
        visitor.page.get_by_label("Your name").fill("Ada")
        visitor.page.get_by_label("Seat 2").select_option("here")
        visitor.it("name-1").fill("Ben")
        visitor.it("create").click()
        rng = random.Random(7)
        curtains = 0
        asked: set[str] = set()
        place = visitor.page.locator(f"[data-testid=hand-over], {QUESTION}")
        zoff = visitor.page.locator("[data-testid=zoff][data-round='2']")
        while True:
            place.first.wait_for()
            if visitor.it("hand-over").count():
                if zoff.count() or curtains == 2:
                    break
                curtains += 1
                visitor.it("hand-over-ready").click()
                visitor.it("choose").wait_for()
            asked.add(visitor.it("asked").inner_text())
            answer(visitor, rng)
        assert curtains == 2, "one for each choice of the first round"
        assert any(re.match(r"Ada \(\w+\) is up", text) for text in asked)
