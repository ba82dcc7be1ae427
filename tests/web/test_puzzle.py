"""Puzzles: the day's with its calendar, a wrong move refuted, the right ones to the end; and puzzles by kind, rated."""

import re

from playwright.sync_api import Browser, expect

from stampede.proofs.puzzles.puzzle import Puzzle, puzzle_numbered, shipped_puzzles
from tests.server.people import PASSPHRASE, new_name
from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting

DAY = "2026-11-10"


def try_move(visitor: Visitor, square: str, target: str) -> None:
    """Moves a piece of the puzzle."""
    visitor.click_square(square)
    visitor.page.locator(f"[data-target={target}]").wait_for()
    visitor.click_square(target)


def named(move: object) -> str:
    """A move as people read it."""
    return f"{str(move)[:2]}–{str(move)[2:]}"


def solve(visitor: Visitor, puzzle: Puzzle) -> None:
    """Plays the solution to the end of the game."""
    for index in range(0, len(puzzle.line), 2):
        move = str(puzzle.line[index])
        try_move(visitor, move[:2], move[2:])
        if index + 1 < len(puzzle.line):
            expect(visitor.it("puzzle-said")).to_contain_text(named(puzzle.line[index + 1]))
    visitor.it("puzzle-line").wait_for()


def shown(visitor: Visitor) -> Puzzle:
    """The puzzle on the page."""
    return puzzle_numbered(int(visitor.it("puzzle").get_attribute("data-number") or 0))


def test_a_wrong_move_is_refuted_and_the_solution_is_played_to_the_end(
    browser: Browser, server: ServerProcess
) -> None:
    puzzle = min(shipped_puzzles(), key=lambda one: (len(one.line), one.number))
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/puzzles/{puzzle.number}")
        visitor.it("puzzle").wait_for()
        before = visitor.squares
        wrong = next(str(move) for move in puzzle.position.legal_moves if move != puzzle.solution)
        try_move(visitor, wrong[:2], wrong[2:])
        expect(visitor.it("puzzle-said")).to_contain_text(f"{named(wrong)} doesn't win")
        expect(visitor.it("puzzle-said")).to_contain_text("refutes it")
        assert visitor.page.locator(".arrow.refutes").count() == 1
        assert visitor.page.locator(".missed").count() == 1
        visitor.it("puzzle-retry").click()
        assert visitor.squares == before
        visitor.it("puzzle-hint").click()
        expect(visitor.it("puzzle-said")).to_contain_text(str(puzzle.solution.from_square))
        solve(visitor, puzzle)
        line = visitor.it("puzzle-line").locator("button")
        assert line.all_inner_texts() == [named(move) for move in puzzle.line]
        position = puzzle.position
        for move in puzzle.line:
            position = position.play(move)
        expect(visitor.it("board")).to_have_attribute("data-fen", position.fen().split(" ")[0])


def test_the_day_s_puzzle_is_marked_in_the_calendar_of_this_device(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=("404", "422")) as visitor:
        visitor.visit(f"/puzzle/{DAY}")
        visitor.it("puzzle").wait_for()
        solve(visitor, shown(visitor))
        day = visitor.it("calendar").locator(f"a[href$='{DAY}']")
        expect(day).to_have_attribute("aria-label", "November 10, 2026, solved")
        visitor.page.get_by_role("link", name="The day before").click()
        visitor.page.wait_for_url("**/2026-11-09")
        visitor.it("puzzle").wait_for()
        visitor.it("share-open").click()
        loaded = "picture => picture.complete && picture.naturalWidth > 0"
        picture = visitor.it("share-picture").element_handle()
        visitor.page.wait_for_function(loaded, arg=picture)
        visitor.page.keyboard.press("Escape")
        visitor.it("puzzle-show").click()
        visitor.it("puzzle-line").wait_for()
        expect(visitor.it("puzzle-said")).to_contain_text(
            f"The solution: {named(shown(visitor).solution)}"
        )
        expect(visitor.it("calendar").locator("a.solved")).to_have_count(1)
        expect(visitor.it("calendar").locator("a.helped")).to_have_count(1)
        visitor.visit("/puzzle/2026-02-31")
        expect(visitor.page.get_by_role("alert")).to_contain_text("no puzzle")


def test_puzzles_come_by_theme_and_count_for_the_rating_of_an_account(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/puzzles")
        visitor.it("puzzle").wait_for()
        expect(visitor.it("rated")).to_be_disabled()
        visitor.it("theme").select_option("sacrifice")
        numbers = "|".join(str(one.number) for one in shipped_puzzles() if one.theme == "sacrifice")
        expect(visitor.it("puzzle")).to_have_attribute("data-number", re.compile(f"^({numbers})$"))
        body = {"name": new_name(), "passphrase": PASSPHRASE}
        visitor.page.request.post(
            f"{server.base}/api/accounts", data=body, headers={"Origin": server.base}
        )
        visitor.visit("/puzzles")
        expect(visitor.it("rated")).to_be_enabled()
        visitor.it("rated").check()
        visitor.it("puzzle-rating").wait_for()
        puzzle = shown(visitor)
        solve(visitor, puzzle)
        expect(visitor.it("puzzle-rating")).to_contain_text("1 of 1 solved")
