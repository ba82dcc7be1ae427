"""Zoff in the browser: whole games in every mode, choices that can be changed, and secrets that stay secret."""

import random

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import MISSING_KEY, Visitor, text_of, visiting
from tests.web.zoff_player import (
    ASKED,
    answer,
    answering,
    choose,
    open_table,
    play,
    sit_down,
    tap_pasture,
)

BOT = "random"


def scores(visitor: Visitor) -> list[str]:
    """The totals that the result shows, best first."""
    found: list[str] = visitor.it("result").locator("tbody td:last-child").all_inner_texts()
    return found


def test_three_people_and_two_bots_play_a_whole_game(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base) as ada,
        visiting(browser, server.base, size=PHONE) as ben,
        visiting(browser, server.base, language="de") as cleo,
    ):
        link = open_table(ada, [None, None, None, BOT, BOT], {})
        for chair, (visitor, name) in enumerate([(ada, "Ada"), (ben, "Ben"), (cleo, "Cleo")]):
            sit_down(visitor, link, name, chair)
        asked = play([ada, ben, cleo], random.Random(5))
        assert asked.count("choose") == 15
        assert scores(ada) == scores(ben) == scores(cleo)
        assert len(scores(ada)) == 5


@pytest.mark.parametrize(
    ("chairs", "rules", "language"),
    [
        (2, {}, "fr"),
        (2, {"auction": True, "fair": True}, "it"),
        (4, {"auction": True, "open_discards": True}, "nl"),
        (6, {"fair": True}, "en"),
    ],
)
def test_every_mode_can_be_played_to_the_end_on_a_phone(
    browser: Browser, server: ServerProcess, chairs: int, rules: dict[str, bool], language: str
) -> None:
    with visiting(browser, server.base, language=language, size=PHONE) as visitor:
        sit_down(visitor, open_table(visitor, [None] + [BOT] * (chairs - 1), rules), "Ada", 0)
        asked = play([visitor], random.Random(chairs))
        assert asked.count("choose") == (6 if chairs == 2 else 5)
        assert ("settle" in asked) == (chairs == 2)
        assert ("bid" in asked) == bool(rules.get("auction"))
        assert not visitor.scrolls_sideways
        assert not MISSING_KEY.search(visitor.page.locator("main").inner_text())


def test_a_sealed_choice_survives_a_reload_and_can_be_changed(
    browser: Browser, server: ServerProcess
) -> None:
    """Z3.4: until the last one is in."""
    with visiting(browser, server.base) as ada, visiting(browser, server.base) as ben:
        link = open_table(ada, [None, None, BOT], {})
        sit_down(ada, link, "Ada", 0)
        sit_down(ben, link, "Ben", 1)
        ada.it("choose").wait_for()
        choose(ada, random.Random(1))
        acknowledged = text_of("en", "zoff.choose.takeBack")
        expect(ada.it("take-back")).to_have_text(acknowledged)
        sealed = ada.page.locator(".slots").inner_text()
        ada.page.reload()
        expect(ada.it("take-back")).to_have_text(acknowledged)
        assert ada.page.locator(".slots").inner_text() == sealed
        assert "4" in sealed or "5" in sealed
        ada.it("take-back").click()
        ada.it("seal").click()
        ada.it("take-back").wait_for()
        choose(ben, random.Random(2))
        expect(ada.it("take-back")).to_have_count(0)


def test_pairs_can_be_made_by_keys_alone(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, BOT, BOT], {}), "Ada", 0)
        visitor.it("choose").wait_for()
        pastures = visitor.page.locator(".pickable [data-testid=pasture]")
        cards = visitor.it("card")
        with answering(visitor):
            for target in (pastures.nth(0), cards.nth(0), pastures.nth(2), cards.nth(4)):
                target.focus()
                visitor.page.keyboard.press("Enter")
            expect(visitor.it("seal")).to_be_enabled()
            visitor.it("seal").focus()
            visitor.page.keyboard.press("Enter")
        visitor.page.wait_for_function("document.activeElement !== document.body")


def test_the_round_can_be_walked_back_and_forth(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, BOT, BOT], {}), "Ada", 0)
        rng = random.Random(3)
        second = visitor.page.locator("[data-round='2'] [data-testid=choose]")
        visitor.page.locator(ASKED).first.wait_for()
        cows = visitor.it("zoff-seats").locator(".numbers b")
        dealt = cows.all_inner_texts()
        while not second.count():
            answer(visitor, rng)
            visitor.page.locator(ASKED).first.wait_for()
        placed = cows.all_inner_texts()
        assert placed != dealt
        told = visitor.page.locator("details ol button").all_text_contents()
        assert any(line.startswith("You ") for line in told)  # to others she is Ada
        assert not any("Ada" in line for line in told)
        visitor.it("look").click()
        visitor.it("speed").select_option("slow")
        visitor.it("step-play").click()
        expect(visitor.it("story")).to_have_attribute("data-live", "false")
        visitor.it("step-play").click()  # it stands still, so that nothing depends on time
        back = visitor.it("step-back")
        while back.is_enabled():
            back.click()
        expect(visitor.it("choose")).to_have_count(0)
        expect(cows).to_have_text(dealt)
        visitor.it("skip").click()
        expect(visitor.it("story")).to_have_attribute("data-live", "true")
        expect(cows).to_have_text(placed)
        visitor.it("choose").wait_for()


def test_one_device_hides_a_hand_until_it_is_passed_on(
    browser: Browser, server: ServerProcess
) -> None:
    """Z3.4: the others learn only that a choice was made."""
    with visiting(browser, server.base) as visitor:
        link = open_table(visitor, [None, None, BOT], {}, hot_seat=True)
        sit_down(visitor, link, "Ada", 0)
        sit_down(visitor, link, "Ben", 1)
        visitor.it("hand-over-ready").click()
        visitor.it("choose").wait_for()
        tap_pasture(visitor.page, 0)
        choose(visitor, random.Random(4))
        visitor.it("hand-over").wait_for()
        assert visitor.it("card").count() == 0
        visitor.it("hand-over-ready").click()
        visitor.it("choose").wait_for()
        assert visitor.page.locator("[data-testid=card][aria-pressed=true]").count() == 0
