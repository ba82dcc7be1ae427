"""Lessons in the browser: a newcomer finishes each of them, and is told why by wrong answers."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from stampede.games import GAMES
from stampede.lessons import all_lessons, expand_lesson, lesson_named
from tests.server.servers import ServerProcess
from tests.waiting import wait_until
from tests.web.browsers import DESKTOP, LANGUAGES, PHONE
from tests.web.visitor import Visitor, text_of, visiting

Tree = dict[str, Any]
SILENT = {"ladder"}
"""Lessons in which every answer is right."""


def expanded(game: str, name: str) -> Tree:
    return dict(expand_lesson(lesson_named(game, name)))


def give(visitor: Visitor, step: Tree, index: int) -> None:
    """Gives an answer: by its button, or as a move on the board."""
    action = step["answers"][index]["action"]
    if isinstance(action, dict):
        visitor.it("answer").nth(index).click()
        return
    visitor.click_square(action[:2])
    visitor.page.locator(f"[data-target={action[2:]}]").wait_for()
    visitor.click_square(action[2:])


def index_of(step: Tree, *, right: bool) -> int | None:
    """The first answer that is right, or the first that isn't."""
    verdicts = [answer["verdict"] == "right" for answer in step["answers"]]
    return verdicts.index(right) if right in verdicts else None


def finish(visitor: Visitor, lesson: Tree, language: str = "en") -> None:
    """Misses every step once, then solves it."""
    key = f"learn.{lesson['game']}.{lesson['name']}"
    for number, step in enumerate(lesson["steps"], start=1):
        expect(visitor.it("lesson")).to_have_attribute("data-step", str(number))
        expect(visitor.it("task")).to_have_text(text_of(language, f"{key}.{number}.task"))
        visitor.it("lesson-board").wait_for()
        wrong = index_of(step, right=False)
        if wrong is not None:
            give(visitor, step, wrong)
            answer = step["answers"][wrong]
            expect(visitor.it("feedback")).to_have_attribute("data-verdict", answer["verdict"])
            if answer["remark"] or answer["verdict"] == "wrong":
                said = text_of(language, f"{key}.{number}.{answer['remark'] or 'wrong'}")
                expect(visitor.it("feedback-text")).to_have_text(said)
            expect(visitor.it("rule")).to_be_visible()
            visitor.it("again").click()
        right = index_of(step, right=True)
        assert right is not None
        give(visitor, step, right)
        expect(visitor.it("feedback")).to_have_attribute("data-verdict", "right")
        visitor.it("next").click()
    visitor.it("lesson-done").wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_finishes_every_lesson_and_is_told_why(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    names = [lesson.name for lesson in all_lessons() if lesson.game == game]
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/learn/{game}")
        visitor.it("lesson-link").first.click()
        for name in names:
            visitor.page.wait_for_url(f"**/learn/{game}/{name}")
            finish(visitor, expanded(game, name))
            if name != names[-1]:
                visitor.it("next-lesson").click()
        visitor.visit(f"/learn/{game}")
        expect(visitor.page.locator("a.done")).to_have_count(len(names))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "name"), [("zoff", "law-of-herds"), ("buffalo", "blocking")])
def test_lessons_speak_every_language_on_a_phone(
    browser: Browser, server: ServerProcess, language: str, game: str, name: str
) -> None:
    with visiting(browser, server.base, language=language, size=PHONE) as visitor:
        visitor.visit(f"/learn/{game}/{name}")
        visitor.it("lesson-board").wait_for()
        assert not visitor.scrolls_sideways
        finish(visitor, expanded(game, name), language)


def test_a_lesson_needs_only_the_keyboard(browser: Browser, server: ServerProcess) -> None:
    """After an answer the focus is where the lesson goes on."""
    lesson = expanded("zoff", "law-of-herds")
    with visiting(browser, server.base, size=DESKTOP) as visitor:
        visitor.visit("/learn/zoff/law-of-herds")
        visitor.it("lesson-board").wait_for()
        keys = visitor.page.keyboard
        for step in lesson["steps"]:
            right = index_of(step, right=True)
            visitor.it("task").focus()
            for _ in range(40):
                keys.press("Tab")
                if (
                    visitor.it("answer")
                    .nth(right or 0)
                    .evaluate("a => a === document.activeElement")
                ):
                    break
            keys.press("Enter")
            expect(visitor.it("next")).to_be_focused()
            keys.press("Enter")
        visitor.it("lesson-done").wait_for()


def test_showing_the_answer_leads_on(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/learn/buffalo/capture")
        step = expanded("buffalo", "capture")["steps"][0]
        visitor.it("lesson-board").wait_for()
        give(visitor, step, index_of(step, right=False) or 0)
        visitor.it("show").click()
        expect(visitor.it("feedback")).to_have_attribute("data-verdict", "right")
        visitor.it("next").click()
        expect(visitor.it("lesson")).to_have_attribute("data-step", "2")


def test_lessons_that_were_kept_need_no_server(browser: Browser, server: ServerProcess) -> None:
    count = """async () => (await (await caches.open("stampede-lessons")).keys()).length"""
    with visiting(browser, server.base, allowed=("ERR_INTERNET_DISCONNECTED",)) as visitor:
        visitor.visit("/learn")
        visitor.it("learn").wait_for()
        wait_until(
            "all lessons are kept", lambda: visitor.page.evaluate(count) > len(all_lessons())
        )
        visitor.page.locator("a[href='/learn/zoff/filling']").click()
        visitor.it("lesson-board").wait_for()  # its code is here now
        visitor.page.go_back()
        visitor.it("learn").wait_for()
        visitor.context.set_offline(True)
        visitor.page.locator("a[href='/learn/zoff/cascade']").click()
        finish(visitor, expanded("zoff", "cascade"))
        visitor.context.set_offline(False)
