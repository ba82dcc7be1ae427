"""Zoff by finger, by keys, through cut lines and on shared devices: no choice is lost, and none is seen by others."""

import random
import re

from playwright.sync_api import Browser, Locator, WebSocket, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.test_buffalo import OFFLINE
from tests.web.visitor import Visitor, visiting
from tests.web.zoff_player import ASKED, answering, choose, open_table, sit_down

BOT = "random"
HAND = 10


def middle(thing: Locator) -> tuple[float, float]:
    """Where the middle of the upper part of an element is, once it stands still."""
    thing.element_handle().wait_for_element_state("stable")
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 30)


def drag_by_finger(visitor: Visitor, card: str, pasture: str) -> None:
    """Drags a card by touch, as a phone tells it.

    The finger is quick in between: where it rests near an edge, the landscape rolls as long as it rests.
    """
    session = visitor.context.new_cdp_session(visitor.page)
    field = visitor.page.locator(f"[data-pasture='{pasture}']")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    x, y = middle(visitor.page.locator(f"[data-card='{card}']"))
    touch("touchStart", (x, y))
    touch("touchMove", (x + 12, y))
    expect(visitor.page.locator(".carried[inert]")).to_be_visible()
    touch("touchMove", middle(field))
    expect(field).to_have_class(re.compile(r"\bover\b"))
    touch("touchEnd")
    expect(visitor.page.locator(".carried")).to_have_count(0)


def slots(visitor: Visitor) -> list[str]:
    """What the pairs show."""
    return [text.replace("\n", " ") for text in visitor.page.locator(".slot").all_inner_texts()]


def test_cards_are_dragged_to_pastures_by_finger(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, size=PHONE) as visitor:
        sit_down(visitor, open_table(visitor, [None, BOT, BOT], {}), "Ada", 0)
        visitor.it("choose").wait_for()
        visitor.page.evaluate("() => scrollTo(0, 0)")
        cards = visitor.it("card").evaluate_all("all => all.map(one => one.dataset.card)")
        names = visitor.page.locator("[data-drop]").evaluate_all(
            "all => all.map(one => one.dataset.drop)"
        )
        with answering(visitor):
            for index, card in ((0, cards[0]), (1, cards[-1])):
                drag_by_finger(visitor, card, names[index])
                slot = visitor.page.locator(".slot").nth(index)
                expect(slot).to_contain_text(names[index].replace("-", " "))
                expect(slot).to_contain_text(card)
            visitor.it("seal").click()


def test_whole_rounds_are_played_by_keys_alone(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, BOT, BOT], {}), "Ada", 0)
        keyboard = visitor.page.keyboard
        third = visitor.page.locator("[data-round='3'] [data-testid=choose]")
        asked: list[str] = []
        visitor.page.locator(ASKED).first.wait_for()
        while not third.count():
            with answering(visitor):
                asked.append(prepare_by_keys(visitor))
                keyboard.press("Enter")
            visitor.page.locator(ASKED).first.wait_for()
        assert asked.count("choose") == 2
        keyboard.press("ArrowLeft")
        expect(visitor.it("story")).to_have_attribute("data-live", "false")
        keyboard.press("End")
        expect(visitor.it("story")).to_have_attribute("data-live", "true")


def prepare_by_keys(visitor: Visitor) -> str:
    """Makes an answer to what is asked by keys, and says what it was; Enter would send it."""
    keyboard = visitor.page.keyboard
    if visitor.it("choose").count():
        letters = visitor.page.locator(".pickable kbd").all_inner_texts() or ["a", "b"]
        numbers = visitor.it("card").evaluate_all("all => all.map(one => one.dataset.card[0])")
        for key in (letters[0], numbers[0], letters[1], numbers[-1]):
            keyboard.press(key.lower())
        expect(visitor.it("seal")).to_be_enabled()
        return "choose"
    if visitor.it("place").count():
        number = visitor.it("place").locator("[data-testid^=place-][aria-disabled=false]").last
        keyboard.press((number.get_attribute("data-testid") or "")[-1])
        expect(number).to_have_attribute("aria-pressed", "true")
        return "place"
    expect(visitor.it("bonus-place")).to_be_enabled()
    return "bonus"


def test_half_a_choice_survives_a_reload(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        sit_down(visitor, open_table(visitor, [None, BOT, BOT], {}), "Ada", 0)
        visitor.it("choose").wait_for()
        for key in ("c", "5", "b"):
            visitor.page.keyboard.press(key)
        expect(visitor.page.locator(".slot").nth(1)).not_to_contain_text("tap")
        before = slots(visitor)
        visitor.page.reload()
        expect(visitor.page.locator(".slot").nth(1)).not_to_contain_text("tap")
        assert slots(visitor) == before


def test_a_choice_that_is_sealed_while_the_line_is_cut_arrives_once(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base, allowed=OFFLINE) as ada,
        visiting(browser, server.base) as ben,
    ):
        link = open_table(ada, [None, None, BOT], {})
        sit_down(ada, link, "Ada", 0)
        sit_down(ben, link, "Ben", 1)
        ada.it("choose").wait_for()
        ada.context.set_offline(True)
        expect(ada.it("connection")).to_have_attribute("data-state", "lost")
        choose(ada, random.Random(1))
        expect(ada.it("connection")).to_contain_text("kept")
        chosen = slots(ada)
        ada.context.set_offline(False)
        ada.it("take-back").wait_for()
        assert slots(ada) == chosen
        choose(ben, random.Random(2))
        expect(ada.it("take-back")).to_have_count(0)


def test_neither_bytes_nor_page_show_a_sealed_hand_to_the_next_at_the_device(
    browser: Browser, server: ServerProcess
) -> None:
    """Z3.4, on one device: what Ben's browser gets and shows holds nothing of what Ada chose."""
    with visiting(browser, server.base) as visitor:
        received: list[str] = []

        def listen(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: received.append(str(frame)))

        link = open_table(visitor, [None, None, BOT], {}, hot_seat=True)
        sit_down(visitor, link, "Ada", 0)
        sit_down(visitor, link, "Ben", 1)
        visitor.it("hand-over-ready").click()
        visitor.it("choose").wait_for()
        hand = visitor.it("card").evaluate_all("all => all.map(one => one.dataset.card)")
        assert len(hand) == HAND
        choose(visitor, random.Random(4))
        visitor.it("hand-over").wait_for()
        curtain = visitor.page.content()
        visitor.page.on("websocket", listen)  # Ada and Ben each have a socket
        visitor.it("hand-over-ready").click()
        visitor.it("choose").wait_for()
        page = visitor.page.content()
        frames = "".join(received)
        assert "Ben" in frames
        for card in hand:
            assert f'"{card}"' not in frames
            assert f'data-card="{card}"' not in page
            assert f">{card}<" not in curtain
        assert visitor.page.locator("[data-testid=card][aria-pressed=true]").count() == 0
