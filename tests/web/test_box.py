"""My box in the browser: correct a value, be told of a fault, export, import, and play with it."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from stampede.zoff import Edition
from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import MISSING_KEY, Visitor, text_of, visiting
from tests.web.zoff_player import ASKED, choose


def field(visitor: Visitor, cell: str) -> Locator:
    """The field of a value."""
    return visitor.page.locator(f'[data-cell="{cell}"]')


def correct(visitor: Visitor, cell: str, text: str) -> None:
    """Types another value and leaves the field."""
    field(visitor, cell).fill(text)
    field(visitor, cell).blur()


def test_an_owner_corrects_the_box_takes_it_along_and_plays_with_it(
    browser: Browser, server: ServerProcess, tmp_path: Path
) -> None:
    """Z1.2: without a file on the server, and everyone at the table is told which data is played."""
    with visiting(browser, server.base) as ann:
        ann.visit("/box")
        status = ann.it("box-status")
        expect(status).to_contain_text("71 of 100 values are reconstructed")
        mark = ann.page.locator('.cell:has([data-cell="cow_cards.orange.4"]) [data-source]')
        expect(mark).to_have_attribute("data-source", "reconstructed")
        expect(mark).to_contain_text(text_of("en", "box.mark.reconstructed"))
        correct(ann, "pasture[7].capacity", "3")
        expect(ann.page.get_by_role("alert")).to_have_text(text_of("en", "box.fault.capacity"))
        expect(field(ann, "pasture[7].capacity")).to_have_attribute("aria-invalid", "true")
        expect(status).to_contain_text(text_of("en", "box.notKept"))
        correct(ann, "pasture[7].capacity", "20")
        expect(status).to_contain_text(text_of("en", "box.kept"))
        mark.click()
        expect(mark).to_have_attribute("data-source", "box")
        expect(status).to_contain_text("69 of 100")
        correct(ann, "edition.title", "Ann's box")
        with ann.page.expect_download() as download:
            ann.it("box-export").click()
        file = tmp_path / "box.toml"
        download.value.save_as(file)
        exported = Edition.load(file)
        assert exported.pastures[7].capacity == 20
        assert exported.pastures[7].source.capacity == "box"
        assert exported.title == "Ann's box"

    with visiting(browser, server.base, size=PHONE) as ben:
        ben.visit("/box")
        wrong = tmp_path / "wrong.toml"
        wrong.write_text(file.read_text("utf-8").replace("= 20\n", "= 7\n"), encoding="utf-8")
        ben.it("box-import").set_input_files(wrong)
        expect(ben.page.get_by_role("alert")).to_contain_text("pasture[7].capacity")
        ben.it("box-import").set_input_files(file)
        expect(field(ben, "pasture[7].capacity")).to_have_value("20")
        ben.page.reload()
        expect(field(ben, "pasture[7].capacity")).to_have_value("20")
        ben.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
        ben.page.get_by_role("link", name=text_of("en", "box.play")).click()
        expect(ben.it("edition").locator("option:checked")).to_have_text("Ann's box")
        ben.it("create").click()
        choose(ben, random.Random(1))
        ben.page.locator(ASKED).first.wait_for()
        ben.it("menu").click()
        ben.it("about").click()
        ben.page.locator("dialog[open]").get_by_test_id("edition-line").click()
        about = ben.page.locator("[data-testid=edition-about][open]")
        expect(about).to_contain_text("69 of 100 values are reconstructed")
        expect(about).to_contain_text(text_of("en", "box.hosts"))


def test_the_page_speaks_five_languages(browser: Browser, server: ServerProcess) -> None:
    for language in ("en", "fr", "de", "it", "nl"):
        with visiting(browser, server.base, language=language) as visitor:
            visitor.visit("/box")
            expect(visitor.page.locator("h1")).to_have_text(text_of(language, "box.title"))
            expect(visitor.it("box-status")).to_contain_text("71")
            assert not MISSING_KEY.search(visitor.page.locator("main").inner_text())
