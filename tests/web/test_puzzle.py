"""The puzzle of a day: tried on the board, solved, and looked at."""

from playwright.sync_api import Browser, expect

from stampede.proofs.puzzles.puzzle import puzzle_numbered
from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting

DAY = "2026-11-10"


def try_move(visitor: Visitor, square: str, target: str) -> None:
    """Moves a piece of the puzzle."""
    visitor.click_square(square)
    visitor.page.locator(f"[data-target={target}]").wait_for()
    visitor.click_square(target)


def test_a_wrong_move_is_told_and_the_right_one_shows_the_solution(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/puzzle/{DAY}")
        visitor.it("puzzle").wait_for()
        found = visitor.page.evaluate(
            "async (day) => (await fetch(`/api/puzzles/daily?day=${day}`)).json()", DAY
        )
        puzzle = puzzle_numbered(found["number"])
        right = str(puzzle.solution)
        moves = [f"{square}{to}" for square, all_to in found["moves"].items() for to in all_to]
        wrong = next(move for move in moves if move != right)
        before = visitor.squares
        try_move(visitor, wrong[:2], wrong[2:])
        expect(visitor.it("puzzle-said")).to_contain_text(f"{wrong} doesn't win")
        assert visitor.squares == before
        try_move(visitor, right[:2], right[2:])
        expect(visitor.it("puzzle-said")).to_contain_text(right)
        line = visitor.it("puzzle-line").locator("button")
        assert line.all_inner_texts() == [str(move) for move in puzzle.line]
        line.last.click()
        position = puzzle.position
        for move in puzzle.line:
            position = position.play(move)
        expect(visitor.it("board")).to_have_attribute("data-fen", position.fen().split(" ")[0])


def test_other_days_are_a_click_away_and_nonsense_is_told(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=("404", "422")) as visitor:
        visitor.visit(f"/puzzle/{DAY}")
        visitor.page.get_by_role("link", name="The day before").click()
        visitor.page.wait_for_url("**/2026-11-09")
        visitor.it("puzzle").wait_for()
        visitor.it("share-open").click()
        shown = "picture => picture.complete && picture.naturalWidth > 0"
        picture = visitor.it("share-picture").element_handle()
        visitor.page.wait_for_function(shown, arg=picture)
        visitor.visit("/puzzle/2026-02-31")
        expect(visitor.page.get_by_role("alert")).to_contain_text("no puzzle")


def test_a_player_who_gives_up_sees_the_solution(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/puzzle/{DAY}")
        visitor.it("puzzle-show").click()
        visitor.it("puzzle-line").wait_for()
        found = visitor.page.evaluate(
            "async (day) => (await fetch(`/api/puzzles/daily?day=${day}`)).json()", DAY
        )
        puzzle = puzzle_numbered(found["number"])
        expect(visitor.it("puzzle-said")).to_contain_text(f"The solution: {puzzle.solution}")
        assert visitor.it("puzzle-show").count() == 0
