"""The form for a new table: house rules, colours and handicaps, only those that fit."""

from typing import Any

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import Visitor, text_of, visiting


def opened(host: Visitor) -> dict[str, Any]:
    """Opens the table; returns the settings that the page asked for."""
    with host.page.expect_request("**/api/tables") as asked:
        host.it("create").click()
    host.page.wait_for_url("**/t/*")
    settings: dict[str, Any] | None = asked.value.post_data_json
    assert settings is not None
    return settings


def test_a_table_is_made_with_house_rules_and_a_colour(
    browser: Browser, server: ServerProcess
) -> None:
    """Z5.2, Z10.1, Z10.5, Z11.1: what doesn't fit the players and the variants isn't offered."""
    with visiting(browser, server.base) as host:
        host.visit("/new?game=zoff")
        host.it("options").click()
        expect(host.it("house-must_place")).not_to_be_checked()
        expect(host.it("house-one_last_card")).to_have_count(0)
        expect(host.it("house-rebid_among_tied")).to_have_count(0)
        host.it("variant-auction").check()
        expect(host.it("house-rebid_among_tied")).to_be_checked()
        expect(host.it("colour")).to_have_count(0)
        host.it("variant-auction").uncheck()
        host.page.get_by_role("button", name="2", exact=True).click()
        host.it("house-one_last_card").check()
        host.it("house-must_place").check()
        host.it("colour").select_option("pink")
        asked = opened(host)
        assert {name: on for name, on in asked["rules"].items() if on} == {
            "must_place": True,
            "one_last_card": True,
        }
        assert asked["chairs"][0] == {"colour": "pink"}


def test_a_single_game_of_buffalo_has_a_handicap(browser: Browser, server: ServerProcess) -> None:
    """B4.2, B4.3: missing buffaloes and opening moves, but not where a series sets its own."""
    with visiting(browser, server.base) as host:
        host.visit("/new?game=buffalo")
        host.it("options").click()
        host.page.get_by_label("Series").select_option("ladder")
        expect(host.it("handicap-removed")).to_have_count(0)
        host.page.get_by_label("Series").select_option("rematch")
        for file in ("f", "c"):
            host.it("handicap-removed").get_by_role("button", name=file, exact=True).click()
        host.it("handicap-opening_moves").select_option("2")
        assert opened(host)["rules"] == {"removed": ["c", "f"], "opening_moves": 2}
        expect(host.page.locator("[data-piece=buffalo]")).to_have_count(9)


def test_the_bots_temperament_is_chosen_and_shown_at_their_seats(
    browser: Browser, server: ServerProcess
) -> None:
    """It is offered once a bot has one; the table says what it means."""
    with visiting(browser, server.base) as host:
        host.visit("/new?game=zoff")
        expect(host.it("temperament")).to_have_count(0)
        host.page.get_by_label("Seat 2").select_option("zoff-3")
        expect(host.it("temperament-text")).to_contain_text("its own")
        host.it("temperament").select_option("spoiler")
        expect(host.it("temperament-text")).to_contain_text("leader")
        assert opened(host)["temperament"] == "spoiler"
        expect(host.it("zoff-seats").locator("li", has_text="Etta")).to_contain_text("spoiler")
        host.page.get_by_role("button", name="About this table").first.click()
        expect(host.it("bots").locator("li", has_text="Etta")).to_contain_text("Holds the leader")


def test_a_bots_seat_says_what_it_wants_when_touched_on_a_phone(
    browser: Browser, server: ServerProcess
) -> None:
    """There is no room for the word, and nothing to hover with."""
    with visiting(browser, server.base, size=PHONE) as host:
        host.visit("/new?game=zoff")
        host.page.get_by_label("Seat 2").select_option("zoff-3")
        host.it("temperament").select_option("farmer")
        host.it("create").click()
        host.it("zoff-seats").locator("li", has_text="Etta").tap()
        expect(host.it("bot-card")).to_contain_text(
            f"farmer: {text_of('en', 'bots.temperament.farmer.text')}"
        )


def test_the_lobby_says_what_the_bots_want(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, size=PHONE) as host:
        host.visit("/new?game=zoff")
        host.page.get_by_label("Seat 2").select_option("")
        host.page.get_by_label("Seat 3").select_option("zoff-3")
        host.it("temperament").select_option("settler")
        host.it("create").click()
        host.it("invite").wait_for()
        expect(host.it("bot-wants").first).to_contain_text(
            text_of("en", "bots.temperament.settler.text")
        )
