"""Puzzles of Zoff in the browser: by keys and by taps, wrong choices played out, the reason in the end, a day's."""

from typing import Any

from playwright.sync_api import Browser, expect

from stampede.proofs.puzzles.zoff_notation import read_word
from stampede.proofs.puzzles.zoff_puzzle import (
    ZoffPuzzle,
    ZoffPuzzleKind,
    shipped_zoff_puzzles,
    zoff_puzzle_numbered,
)
from stampede.zoff import ZoffGame
from stampede.zoff.actions import Choose, PlaceBonus
from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, visiting

LETTERS = "abcdefghijkl"


def first_of(kind: ZoffPuzzleKind) -> ZoffPuzzle:
    """A puzzle of a kind with as few players as there are."""
    fitting = (puzzle for puzzle in shipped_zoff_puzzles() if puzzle.kind == kind)
    return min(fitting, key=lambda puzzle: (puzzle.players, puzzle.number))


def press_solution(visitor: Visitor, puzzle: ZoffPuzzle) -> None:
    """Answers by keys: digits place cows, letters name pastures, digits behind them cards."""
    state = puzzle.state()
    seat = ZoffGame().to_act(state)[0]
    names = state.setup.pasture_names
    action = read_word(state, seat, puzzle.solution)
    if isinstance(action, Choose):
        keys = [
            key
            for pair in action.pairs
            for key in (LETTERS[names.index(pair.pasture)], str(pair.card)[0])
        ]
    elif isinstance(action, PlaceBonus):
        keys = [LETTERS[names.index(name)] for name in action.on]
    else:
        keys = [puzzle.solution]
    for key in [*keys, "Enter"]:
        visitor.page.keyboard.press(key)


def test_a_wrong_number_is_played_out_and_the_right_one_is_explained(
    browser: Browser, server: ServerProcess
) -> None:
    puzzle = first_of("place")
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/puzzles/zoff/{puzzle.number}")
        visitor.it("place").wait_for()
        visitor.it("puzzle-hint").click()
        expect(visitor.it("puzzle-aim")).to_contain_text("You win with")
        expect(visitor.it("puzzle-look")).to_contain_text("Look at the")
        wrong = "1" if puzzle.solution == "0" else "0"
        visitor.it(f"place-{wrong}").click()
        visitor.it("place-go").click()
        expect(visitor.it("puzzle-said")).to_contain_text("Not the best")
        visitor.page.keyboard.press("End")
        expect(visitor.it("told")).to_contain_text("The end")
        visitor.it("puzzle-retry").click()
        visitor.it("place").wait_for()
        press_solution(visitor, puzzle)
        expect(visitor.it("puzzle-said")).to_contain_text("Right")
        expect(visitor.it("puzzle-why")).to_contain_text("instead of")
        assert visitor.it("puzzle-choices").locator("tbody tr").count() >= 3
        visitor.it("puzzles-buffalo").click()
        visitor.it("board").wait_for()


def test_on_a_phone_no_pasture_is_hidden_by_what_is_said_of_a_wrong_answer(
    browser: Browser, server: ServerProcess
) -> None:
    puzzle = first_of("place")
    with visiting(browser, server.base, size=(390, 844)) as visitor:
        visitor.visit(f"/puzzles/zoff/{puzzle.number}")
        visitor.it("place").wait_for()
        visitor.it(f"place-{'1' if puzzle.solution == '0' else '0'}").click()
        visitor.it("place-go").click()
        visitor.it("puzzle-retry").wait_for()
        visitor.it("told").wait_for()
        rail: Any = visitor.page.locator("[data-sheet]").bounding_box()
        for pasture in visitor.page.locator("[data-pasture]").all():
            box: Any = pasture.bounding_box()
            assert box["y"] + box["height"] <= rail["y"] + 1


def test_pairs_and_bonuses_are_found_by_keys_and_a_day_is_marked(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        for kind in ("choose", "bonus"):
            puzzle = first_of(kind)
            visitor.visit(f"/puzzles/zoff/{puzzle.number}")
            visitor.it(kind).wait_for()
            assert visitor.it("puzzle-held").count() == (kind == "choose")
            press_solution(visitor, puzzle)
            expect(visitor.it("zoff-puzzle")).to_have_attribute("data-solved", "true")
        expect(visitor.it("row").locator("b")).to_have_text("2")
        visitor.it("players").select_option("3")
        expect(visitor.it("zoff-puzzle")).to_have_attribute("data-solved", "false")
        number = int(visitor.it("zoff-puzzle").get_attribute("data-number") or 0)
        assert zoff_puzzle_numbered(number).players == 3
        visitor.visit("/puzzles/zoff/daily/2026-11-10")
        visitor.it("puzzle-show").click()
        day = visitor.it("calendar").locator("a[href='/puzzles/zoff/daily/2026-11-10']")
        expect(day).to_have_attribute("aria-label", "November 10, 2026, solved with help")
