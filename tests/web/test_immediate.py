"""A move stands at once: on a line that is slow, held or cut, refused, or chosen while the other side thinks."""

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.server.servers import ServerProcess
from tests.web.slow_line import slow_line
from tests.web.test_buffalo import OFFLINE, advance
from tests.web.visitor import Visitor, visiting

ROUND_TRIP = 0.2


def pick(visitor: Visitor) -> tuple[str, str]:
    """Moves the foremost buffalo by two clicks, and doesn't wait for the server."""
    square, target = advance(visitor)
    visitor.click_square(square)
    visitor.click_square(target)
    return square, target


def test_a_move_stands_before_the_server_has_it(browser: Browser, server: ServerProcess) -> None:
    with slow_line(server.base, ROUND_TRIP) as line, visiting(browser, line.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        line.hold()
        square, target = pick(visitor)
        assert visitor.squares[target] == "buffalo"
        assert square not in visitor.squares
        expect(visitor.page.locator(f"[data-pending={square}{target}]")).to_have_count(1)
        line.release()
        expect(visitor.page.locator("[data-pending]")).to_have_count(0)
        visitor.my_turn()
        assert visitor.squares[target] == "buffalo"


def test_a_move_that_a_cut_line_swallowed_is_sent_again_and_played_once(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        slow_line(server.base, ROUND_TRIP) as line,
        visiting(browser, line.base, allowed=OFFLINE) as visitor,
    ):
        visitor.play_now("buffalo")
        visitor.my_turn()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        line.hold()
        square, target = pick(visitor)
        expect(visitor.page.locator("[data-pending]")).to_have_count(1)
        line.cut()
        line.release()
        visitor.my_turn()
        expect(visitor.page.locator("[data-pending]")).to_have_count(0)
        played = visitor.it("moves").locator(f"[data-move={square}{target}]")
        expect(played).to_have_count(1)


def test_a_refused_move_goes_back_with_the_reason(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.page.route_web_socket("**/socket?*", _spoil_moves)
        visitor.play_now("buffalo")
        visitor.my_turn()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        before = visitor.squares
        pick(visitor)
        expect(visitor.page.get_by_role("alert")).to_contain_text("rules don't allow")
        assert visitor.squares == before
        assert visitor.my_turn()


def _spoil_moves(route: WebSocketRoute) -> None:
    """Sends the server another move than the player's: one that the rules refuse."""
    server = route.connect_to_server()

    def spoil(message: str | bytes) -> None:
        text = message if isinstance(message, str) else message.decode()
        if '"type":"act"' in text:
            head, _, tail = text.partition('"action":"')
            text = f'{head}"action":"a7a1{tail[4:]}'
        server.send(text)

    route.on_message(spoil)


def test_a_move_is_planned_while_the_other_side_thinks(
    browser: Browser, server: ServerProcess
) -> None:
    with slow_line(server.base, 0) as line, visiting(browser, line.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        visitor.page.locator("[data-square=a7]").wait_for()
        line.hold()
        visitor.click_square("a7")
        visitor.click_square("a6")
        # The opponent can't have answered yet: plan the next step of another buffalo, and change the plan.
        visitor.click_square("k7")
        visitor.click_square("k6")
        expect(visitor.it("planned")).to_contain_text("k7–k6")
        visitor.it("cancel-premove").click()
        expect(visitor.it("planned")).to_have_count(0)
        visitor.click_square("b7")
        visitor.click_square("b6")
        expect(visitor.page.locator("[data-planned=b7b6]")).to_have_count(1)
        line.release()
        expect(visitor.it("moves").locator("[data-move=b7b6]")).to_have_count(1)
        expect(visitor.it("planned")).to_have_count(0)
        visitor.my_turn()
        assert visitor.moves[0].endswith("a7–a6")
        assert visitor.moves[2].endswith("b7–b6")


def test_a_move_against_a_bot_is_taken_back(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        start = visitor.squares
        visitor.move(*advance(visitor))
        visitor.my_turn()
        visitor.it("take-back").click()
        visitor.expect_moves([])
        assert visitor.squares == start
        assert visitor.my_turn()


def test_a_reason_is_shown_for_an_illegal_try(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        visitor.page.locator("[data-square=a7].can").wait_for()
        visitor.click_square("a7")
        visitor.click_square("a4")
        expect(visitor.it("why-not")).to_contain_text("can't go to a4")
        visitor.click_square("a7")
        expect(visitor.it("why-not")).to_have_count(0)
