"""Buffalo in a browser: a whole game, by mouse and by keyboard, through reloads, cut lines and a killed server."""

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting

OFFLINE = ("net::ERR", "WebSocket")
"""What Chromium says of a line that the test has cut."""


def advance(visitor: Visitor) -> tuple[str, str]:
    """A move for the buffalo side: the foremost buffalo that may go on."""
    able = visitor.page.locator("[data-piece=buffalo].can")
    squares: list[str] = able.evaluate_all("all => all.map(one => one.dataset.square)")
    square = min(squares, key=lambda found: (int(found[1]), found))
    return square, f"{square[0]}{int(square[1]) - 1}"


def test_a_whole_game_against_a_bot_begins_with_one_click(
    browser: Browser, server: ServerProcess
) -> None:
    """B2.1, B3.1, B3.2: the buffalo side steps ahead until one has crossed or none can move."""
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        while visitor.my_turn():
            visitor.move(*advance(visitor))
        expect(visitor.it("end")).to_contain_text("You")
        played = visitor.moves
        assert len(played) >= 9, "a buffalo needs five steps to cross, and the hunter answers"
        visitor.page.reload()
        visitor.it("next-game").wait_for()
        visitor.expect_moves(played)
        visitor.it("next-game").click()
        expect(visitor.it("next-game")).to_have_count(0)
        assert visitor.my_turn()
        visitor.expect_moves([])


def test_a_reload_in_the_middle_of_a_game_changes_nothing(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.play_now("buffalo")
        for _ in range(2):
            visitor.my_turn()
            visitor.move(*advance(visitor))
        visitor.my_turn()
        expect(visitor.it("moves").locator("li")).to_have_count(2)
        squares, moves = visitor.squares, visitor.moves
        visitor.page.reload()
        visitor.my_turn()
        visitor.expect_moves(moves)
        assert visitor.squares == squares


def test_a_cut_line_is_shown_and_a_move_made_meanwhile_is_kept(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=OFFLINE) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        visitor.context.set_offline(True)
        expect(visitor.it("connection")).to_have_attribute("data-state", "lost")
        square, target = advance(visitor)
        visitor.click_square(square)
        visitor.click_square(target)
        expect(visitor.it("connection")).to_contain_text("kept")
        piece = visitor.page.locator(f"[data-square={target}]")
        expect(piece).to_have_attribute("data-piece", "buffalo")
        expect(visitor.page.locator(f"[data-pending={square}{target}]")).to_have_count(1)
        visitor.context.set_offline(False)
        expect(visitor.page.locator("[data-pending]")).to_have_count(0)
        expect(piece).to_have_attribute("data-piece", "buffalo")
        visitor.my_turn()
        played = visitor.it("moves").locator(f"[data-move={square}{target}]")
        expect(played).to_have_count(1)


def test_a_killed_server_is_waited_for_and_the_game_goes_on(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=OFFLINE) as visitor:
        visitor.play_now("buffalo")
        visitor.my_turn()
        visitor.move(*advance(visitor))
        visitor.my_turn()
        before = visitor.squares
        server.kill()
        expect(visitor.it("connection")).to_have_attribute("data-state", "lost")
        server.start()
        expect(visitor.it("connection")).to_have_attribute("data-state", "open")
        assert visitor.squares == before
        visitor.move(*advance(visitor))


def test_a_move_is_made_by_keyboard_alone(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        keyboard = visitor.page.keyboard
        tab_to(visitor, "play-buffalo")
        keyboard.press("Enter")
        visitor.it("table").wait_for()
        visitor.my_turn()
        tab_to(visitor, "board")
        keyboard.press("ArrowLeft")  # the cursor appears beside the middle of the near bank
        spoken = visitor.page.locator("[aria-live=assertive]")
        expect(spoken).to_contain_text("buffalo")
        square = spoken.inner_text()[:2]
        keyboard.press("Enter")
        target = visitor.page.locator("[data-target]")
        expect(target).to_have_count(1)
        keyboard.press("ArrowUp")
        expect(spoken).to_contain_text("can go here")
        before = visitor.fen
        keyboard.press("Enter")
        expect(visitor.it("board")).not_to_have_attribute("data-fen", before)
        assert square not in visitor.squares


def tab_to(visitor: Visitor, testid: str) -> None:
    """Presses Tab until an element has the focus, which is seen."""
    wanted = visitor.it(testid)
    wanted.wait_for()
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            outline = wanted.evaluate("one => getComputedStyle(one).outlineStyle")
            assert outline != "none", f"{testid} has the focus, but no visible outline"
            return
    raise AssertionError(f"{testid} isn't reached by Tab")
