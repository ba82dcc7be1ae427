"""The page of rules in every language: contents, anchors, search, print; and clauses that open in place."""

import pytest
from playwright.sync_api import Browser, Page, expect

from stampede.games import GAMES
from stampede.rulebook import LANGUAGES, read_book
from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.test_everybody import violations
from tests.web.tour import look_again
from tests.web.visitor import Visitor, typeset, visiting

IN_VIEW = """clause => {
    const top = document.getElementById(clause).getBoundingClientRect().top;
    return top >= 0 && top < innerHeight / 2;
}"""


def open_rules(visitor: Visitor, game: str, anchor: str = "") -> None:
    visitor.visit(f"/rules/{game}{anchor}")
    visitor.it("rule").first.wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_whole_in_the_readers_language(
    browser: Browser, server: ServerProcess, game: str
) -> None:
    with visiting(browser, server.base, language="nl") as visitor:
        open_rules(visitor, game)
        for language in reversed(tuple(LANGUAGES)):
            visitor.it("language").select_option(language)
            book = read_book(game, language)
            titles = [typeset(language, section.title) for section in book.sections]
            links = visitor.it("contents").get_by_role("link")
            expect(links).to_have_text(titles)
            expect(visitor.page.locator("main h1")).to_have_text(typeset(language, book.title))
            ids = visitor.it("rule").locator(".id").all_inner_texts()
            assert ids == [clause.id for clause in book.clauses()]
            assert visitor.page.locator("section > h2").all_inner_texts() == titles


@pytest.mark.parametrize("size", [(1280, 860), PHONE])
def test_an_address_leads_to_its_clause_and_links_do_too(
    browser: Browser, server: ServerProcess, size: tuple[int, int]
) -> None:
    with visiting(browser, server.base, size=size) as visitor:
        open_rules(visitor, "zoff", "#z5-4")
        visitor.page.wait_for_function(IN_VIEW, arg="z5-4")
        visitor.page.locator("#z11-2 a[href='#z7-1']").click()
        visitor.page.wait_for_function(IN_VIEW, arg="z7-1")
        assert visitor.page.url.endswith("/rules/zoff#z7-1")
        expect(visitor.page.locator("#z7-1")).to_be_focused()
        visitor.page.go_back()
        visitor.page.wait_for_function(IN_VIEW, arg="z5-4")
        assert not visitor.scrolls_sideways


def test_a_search_leaves_what_has_the_words_and_a_link_ends_it(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, language="fr") as visitor:
        open_rules(visitor, "zoff")
        visitor.it("rules-search").fill("graine buffle")
        expect(visitor.it("rule")).to_have_count(0)
        visitor.it("rules-search").fill("graine TABLE")
        expect(visitor.it("rule").locator(".id")).to_have_text(["Z11.1"])
        expect(visitor.it("rules-found")).to_contain_text("1")
        visitor.it("contents").get_by_role("link").nth(2).click()
        expect(visitor.it("rules-search")).to_have_value("")
        visitor.page.wait_for_function(IN_VIEW, arg="z1")


def test_pictures_are_the_real_boards_and_say_what_they_show(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, language="nl") as visitor:
        open_rules(visitor, "buffalo", "#b3-1")
        board = visitor.page.locator("#b3-1 [data-testid=board]")
        scene = read_book("buffalo").scenes["buffalo-crossed"]
        expect(board).to_have_attribute("data-fen", getattr(scene, "fen", ""))
        expect(visitor.page.locator("#b3-1 figcaption")).to_contain_text("de overkant")
        open_rules(visitor, "zoff", "#z4-2")
        expect(visitor.page.locator("#z4-2 [data-pasture=Coffee-Canyon]")).to_be_visible()


def test_on_paper_there_is_no_navigation(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        open_rules(visitor, "zoff")
        expect(visitor.it("contents")).to_be_visible()
        visitor.page.emulate_media(media="print")
        for place in ("#app > header", "#app > footer", "main nav", "[role=search]"):
            for found in visitor.page.locator(place).all():
                expect(found).to_be_hidden()
        expect(visitor.page.locator("#z4-4")).to_be_visible()


def test_the_rules_stay_readable_without_the_server(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=("ERR_FAILED", "net::")) as visitor:
        open_rules(visitor, "zoff")
        visitor.page.route("**/api/rules/**", lambda route: route.abort())
        open_rules(visitor, "zoff", "#z4-4")
        expect(visitor.page.locator("#z4-4")).to_be_visible()


def clause_button(page: Page) -> str:
    """The first clause that the story cites."""
    button = page.locator("button[data-clause]").first
    button.wait_for()
    found = button.get_attribute("data-clause")
    assert found is not None
    return found


def test_a_clause_opens_in_place_by_keyboard_in_every_language(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        look_again(visitor, "zoff")
        for _ in range(40):
            if visitor.page.locator("button[data-clause]").count():
                break
            visitor.page.keyboard.press("ArrowRight")
        clause = clause_button(visitor.page)
        for language in LANGUAGES:
            visitor.it("language").select_option(language)
            button = visitor.page.locator("button[data-clause]").first
            button.focus()
            visitor.page.keyboard.press("Enter")
            dialog = visitor.it("clause")
            dialog.wait_for()
            book = read_book("zoff", language)
            section = next(s for s in book.sections if clause.split(".")[0].lower() == s.id)
            expect(dialog).to_contain_text(typeset(language, section.title))
            anchor = clause.lower().replace(".", "-")
            expect(visitor.it("clause-page")).to_have_attribute("href", f"/rules/zoff#{anchor}")
            if language == "en":
                assert violations(visitor) == []
            visitor.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            expect(button).to_be_focused()
