"""Reviews in the browser: the curve, every decision in words of each language, and the way into the replay."""

import itertools
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import LANGUAGES, PHONE
from tests.web.records import SHORT_BUFFALO, random_record
from tests.web.test_everybody import violations
from tests.web.tour import review_again
from tests.web.visitor import MISSING_KEY, text_of, visiting

LANDSCAPE = (844, 390)


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_every_decision_is_put_into_words_of_every_language(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    with visiting(browser, server.base) as visitor:
        review_again(visitor, game)
        rows = visitor.page.locator("ol li button")
        assert rows.count() > 2, "a random game has mistakes"
        for language in LANGUAGES:
            visitor.it("language").select_option(language)
            expect(visitor.page.locator("html")).to_have_attribute("lang", language)
            for index in range(min(4, rows.count())):
                rows.nth(index).click()
                told = visitor.it("decision").inner_text()
                assert len(told) > 40
            whole = visitor.page.locator("main").inner_text()
            assert not MISSING_KEY.search(whole)
            assert "{{" not in whole
            assert not visitor.scrolls_sideways


def test_a_decision_leads_to_its_place_in_the_replay(
    browser: Browser, server: ServerProcess
) -> None:
    """B2.1: the board shows the position before the move."""
    with visiting(browser, server.base) as visitor:
        review_again(visitor, "buffalo")
        row = visitor.page.locator("ol li button").first
        move = int(
            "".join(letter for letter in row.locator(".when").inner_text() if letter.isdigit())
        )
        row.click()
        slider = visitor.page.locator("input[type=range]")
        expect(slider).to_have_value(str(move - 1))
        visitor.page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(move))


def test_what_is_read_and_the_whole_board_are_in_sight(
    browser: Browser, server: ServerProcess
) -> None:
    """The list is far from what it opens: the page goes there, and back; beside it, all pastures are seen."""
    with visiting(browser, server.base) as visitor:
        page = visitor.page
        review_again(visitor, "zoff")
        page.locator("section ol li button").last.click()
        heading = visitor.it("decision").get_by_role("heading").first
        expect(heading).to_be_in_viewport()
        for field in page.locator("[data-pasture]").all():
            expect(field).to_be_in_viewport(ratio=0.9)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.get_by_role("button", name="Back to the list").click()
        expect(page.locator("h2:focus")).to_have_text("Costliest decisions")
        page.locator("section ol li button").last.click()
        expect(heading).to_be_in_viewport()
        marks = page.locator("figure button")
        boxes: list[Any] = [mark.bounding_box() for mark in marks.all()]
        for one, other in itertools.pairwise(sorted(boxes, key=lambda box: float(box["x"]))):
            assert one["x"] + one["width"] <= other["x"], "numbers don't cover each other"


@pytest.mark.parametrize("game", ["zoff", "buffalo"])
def test_a_costly_decision_is_tried_again_and_the_game_goes_on_from_there(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    """The costliest decisions are exercises with their worth; a table begins at the step that is shown."""
    with visiting(browser, server.base) as visitor:
        review_again(visitor, game)
        page = visitor.page
        visitor.it("retry-open").click()
        if game == "zoff":
            visitor.it("retry-option").first.click()
        else:
            page.locator("[data-testid=board].playable").wait_for()
            for square in visitor.squares:  # until one is picked up that may move
                visitor.click_square(square)
                if page.locator("[data-target]").count() > 0:
                    break
            target = page.locator("[data-target]").first
            visitor.click_square(target.get_attribute("data-target") or "")
        expect(visitor.it("retry-grade")).to_be_visible()
        assert violations(visitor) == []
        page.get_by_role("button", name="Back to the review").click()
        visitor.it("all-decisions").click()
        page.locator("section ol li button").last.click()
        last = visitor.it("decision").get_attribute("data-turn") or ""
        for key in ("Home", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        expect(visitor.it("decision")).not_to_have_attribute("data-turn", last)
        expect(visitor.it("to-analysis")).to_have_attribute("href", re.compile(r"turn=\d+$"))
        shown = (visitor.it("to-analysis").get_attribute("href") or "").rpartition("=")[2]
        visitor.it("play-on-open").click()
        with page.expect_request("**/api/starts") as asked:
            visitor.it("play-on-start").click()
        assert json.loads(asked.value.post_data or "")["turn"] == int(shown)
        expect(page).to_have_url(re.compile("/t/"))
        visitor.it("ready").or_(visitor.it("board")).or_(visitor.it("zoff")).first.wait_for()


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE])
def test_on_a_phone_the_board_shows_what_is_said_of_a_move(
    browser: Browser, server: ServerProcess, size: tuple[int, int]
) -> None:
    """The move and a better one are arrows, on a board that is in sight with the words."""
    with visiting(browser, server.base, size=size) as visitor:
        page = visitor.page
        review_again(visitor, "buffalo")
        row = page.locator("[data-testid=turning-points] button").first
        expect(row.locator("small")).to_contain_text("Better: ")
        row.click()
        expect(page.locator(".arrow.played")).to_have_count(1)
        expect(page.locator(".arrow.best")).to_have_count(1)
        for square in ("a7", "k7", "a1", "k1"):
            expect(page.locator(f"[data-cell={square}]")).to_be_in_viewport(ratio=0.9)
        expect(visitor.it("decision").get_by_role("heading").first).to_be_in_viewport()
        turn = int(visitor.it("decision").get_attribute("data-turn") or "")
        page.keyboard.press("ArrowRight")
        expect(visitor.it("decision")).to_have_attribute("data-turn", str(turn + 1))
        assert not visitor.scrolls_sideways


def test_the_land_shows_a_choice_and_a_better_one(browser: Browser, server: ServerProcess) -> None:
    """Z3.2: a choice's cards lie on its pastures, with those of a better one; each says which it is."""
    with visiting(browser, server.base) as visitor:
        page = visitor.page
        review_again(visitor, "zoff")
        rows = page.locator("section ol li button")
        for row in rows.all():
            row.click()
            if page.locator(".sealed").count() and "??" in row.inner_text():
                break
        marks = page.locator("[data-pasture] .mark").all_inner_texts()
        assert any("✓" in mark for mark in marks)
        assert any("✗" in mark for mark in marks)
        assert violations(visitor) == []


def test_a_broken_record_is_told_with_its_place_below_the_title(
    browser: Browser, server: ServerProcess
) -> None:
    """B2.1: a move from an empty square; the page says which step is wrong and why, in the reader's language."""
    record = json.loads(random_record("buffalo", SHORT_BUFFALO, 5).dumps())
    record["actions"][4] = record["actions"][3]
    text = json.dumps(record).encode()
    with visiting(browser, server.base, language="de", allowed=("422",)) as visitor:
        visitor.visit("/review")
        visitor.it("record-file").set_input_files(
            {"name": "broken.json", "mimeType": "application/json", "buffer": text}
        )
        told = visitor.page.get_by_role("alert")
        what = text_of("de", "replay.fault.illegal").replace("{{clause}}", "B2.1")
        place = text_of("de", "replay.fault.at").replace("{{step}}", "5")
        expect(told).to_contain_text(place.replace("{{what}}", what))
        title: Any = visitor.page.locator("h1").bounding_box()
        found: Any = told.bounding_box()
        assert found["y"] - title["y"] - title["height"] < 100
