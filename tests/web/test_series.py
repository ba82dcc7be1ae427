"""Several games of Buffalo one after another on one device: the ladder's handicaps, and the match on both sides."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting


def open_shared(visitor: Visitor, series: str) -> None:
    """Opens a table of Buffalo for two people on this device."""
    visitor.visit("/new?game=buffalo")
    visitor.it("options").click()
    visitor.page.get_by_label("Series").select_option(series)
    visitor.page.get_by_label("Your name").fill("Ada")
    visitor.page.get_by_label("Seat 2").select_option("here")
    visitor.it("name-1").fill("Ben")
    visitor.it("create").click()
    visitor.it("board").wait_for()


def resign(visitor: Visitor) -> None:
    """Lets the player to move resign."""
    visitor.my_turn()
    visitor.resign()
    visitor.it("next-game").wait_for()


def begin_next(visitor: Visitor, number: int) -> None:
    """Begins the next game, and waits until it is there."""
    visitor.it("next-game").click()
    expect(visitor.it("series")).to_contain_text(f"game {number}")
    visitor.my_turn()


@pytest.fixture
def ada_and_ben(browser: Browser, server: ServerProcess) -> Iterator[Visitor]:
    """Two people at one browser."""
    with visiting(browser, server.base) as visitor:
        yield visitor


def test_a_ladder_of_four_games_brings_both_handicaps(ada_and_ben: Visitor) -> None:
    """B4.1, B4.2, B4.3: roles stay; who wins with the buffaloes has fewer of them, who loses opens with more steps."""
    visitor = ada_and_ben
    open_shared(visitor, "ladder")
    expect(visitor.it("series")).to_have_attribute("data-rung", "0")
    visitor.my_turn()
    visitor.move("f7", "f6")
    resign(visitor)  # the hunter is to move, and gives up
    expect(visitor.it("series")).to_have_attribute("data-rung", "1")
    expect(visitor.it("next-game")).to_be_disabled()
    visitor.page.get_by_role("button", name="k", exact=True).click()
    begin_next(visitor, 2)
    assert "k7" not in visitor.squares
    expect(visitor.it("series")).to_contain_text("k")
    resign(visitor)
    begin_next(visitor, 3)
    expect(visitor.it("series")).to_have_attribute("data-rung", "0")
    assert len([piece for piece in visitor.squares.values() if piece == "buffalo"]) == 11
    resign(visitor)
    begin_next(visitor, 4)
    expect(visitor.it("status")).to_contain_text("2 more buffaloes")
    visitor.move("a7", "a6")
    visitor.move("b7", "b6")
    expect(visitor.it("status")).to_contain_text("chief or a dog")


def test_sides_are_swapped_and_winning_with_each_wins_the_match(
    ada_and_ben: Visitor,
) -> None:
    """B4.4."""
    visitor = ada_and_ben
    open_shared(visitor, "both_sides")
    resign(visitor)  # Ada's buffaloes: Ben has won with the hunter
    begin_next(visitor, 2)
    expect(visitor.it("seat-buffalo")).to_contain_text("Ben")
    visitor.move("a7", "a6")
    resign(visitor)  # Ada's hunter: Ben has won with the buffaloes, too
    expect(visitor.it("match-won")).to_contain_text("Ben has won with both sides")


def test_two_people_at_one_device_move_in_turns_and_need_no_curtain(ada_and_ben: Visitor) -> None:
    """Buffalo has no secrets: the board is there for both."""
    visitor = ada_and_ben
    open_shared(visitor, "rematch")
    for square, target in (("f7", "f6"), ("f2", "f3"), ("f6", "f5"), ("d2", "d5")):
        visitor.my_turn()
        visitor.move(square, target)
        assert visitor.it("hand-over").count() == 0
    visitor.expect_moves(["f7–f6", "f2–f3", "f6–f5", "d2–d5"])


def test_a_running_game_can_be_walked_through_and_played_on(ada_and_ben: Visitor) -> None:
    visitor = ada_and_ben
    open_shared(visitor, "rematch")
    start = visitor.squares
    for square, target in (("f7", "f6"), ("e2", "f3"), ("a7", "a6")):
        visitor.my_turn()
        visitor.move(square, target)
    now = visitor.squares
    visitor.page.locator("[data-ply='1']").click()
    expect(visitor.it("past")).to_contain_text(re.compile("1.*3"))
    assert visitor.squares == {
        **{key: piece for key, piece in start.items() if key != "f7"},
        "f6": "buffalo",
    }
    assert visitor.page.locator(".can").count() == 0
    visitor.page.keyboard.press("Home")
    expect(visitor.it("past")).to_contain_text(re.compile("0.*3"))
    assert visitor.squares == start
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.it("past")).to_contain_text(re.compile("2.*3"))
    assert visitor.squares["f3"] == "dog"
    visitor.page.keyboard.press("End")
    expect(visitor.it("past")).to_have_count(0)
    assert visitor.squares == now
    visitor.move("f2", "e3")


def test_the_board_turns_and_sounds_stay_as_they_were_set(ada_and_ben: Visitor) -> None:
    visitor = ada_and_ben
    open_shared(visitor, "rematch")
    bank = visitor.page.locator("[data-cell=a7]")
    near = bank.get_attribute("y") or ""
    visitor.page.keyboard.press("f")
    expect(bank).not_to_have_attribute("y", near)
    visitor.it("flip").click()
    expect(bank).to_have_attribute("y", near)
    visitor.page.keyboard.press("m")
    expect(visitor.it("sound")).to_have_attribute("aria-pressed", "false")
    visitor.page.reload()
    expect(visitor.it("sound")).to_have_attribute("aria-pressed", "false")
    visitor.page.keyboard.press("?")
    expect(visitor.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
