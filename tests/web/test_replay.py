"""Finished games looked at again: by link, from a file, kept by the server; in every language, with every reason."""

import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import LANGUAGES
from tests.web.records import random_record
from tests.web.test_buffalo import advance
from tests.web.tour import look_again
from tests.web.visitor import MISSING_KEY, text_of, visiting

WALK = """async () => {
    const told = [];
    for (let at = null; ;) {
        const replay = document.querySelector("[data-testid=replay]");
        if (replay.dataset.at === at) return told;
        at = replay.dataset.at;
        told.push(document.querySelector("[data-testid=told]").parentElement.innerText);
        document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
        await new Promise((done) => setTimeout(done));
    }
}"""
"""Walks to the end, and tells what was told at each step."""


def test_every_step_of_a_game_is_told_with_its_reasons_in_every_language(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        look_again(visitor, "zoff")
        for language in LANGUAGES:
            visitor.it("language").select_option(language)
            expect(visitor.page.locator("html")).to_have_attribute("lang", language)
            visitor.page.keyboard.press("Home")
            expect(visitor.it("replay")).to_have_attribute("data-at", "0")
            told: list[str] = visitor.page.evaluate(WALK)
            assert len(told) > 60
            assert all(text.strip() for text in told)
            assert not [text for text in told if MISSING_KEY.search(text) or "{{" in text]
            whole = "\n".join(told)
            for clause in ("Z4.2", "Z4.4", "Z8.1"):
                assert clause in whole, "why is told by its rule"


def test_a_finished_game_is_shared_by_a_link_to_one_of_its_steps(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as ada, visiting(browser, server.base) as friend:
        ada.play_now("buffalo")
        ada.my_turn()
        ada.move(*advance(ada))
        ada.my_turn()
        ada.resign()
        ada.visit(f"/replay/{ada.table}/1")
        ada.it("replay").wait_for()
        ada.page.keyboard.press("End")
        expect(ada.it("told")).to_contain_text("resigned")
        ada.page.wait_for_url("**at=2")
        friend.page.goto(ada.page.url)
        expect(friend.it("replay")).to_have_attribute("data-at", "2")
        with friend.page.expect_download() as download:
            friend.it("record").click()
        assert "stampede-record/1" in download.value.path().read_text(encoding="utf-8")
        friend.page.keyboard.press("ArrowLeft")
        expect(friend.it("replay")).to_have_attribute("data-at", "1")
        fen = friend.fen
        friend.it("to-analysis").click()
        friend.page.wait_for_url(re.compile(r"/analysis\?"))
        expect(friend.it("board").first).to_have_attribute("data-fen", fen)


def test_a_record_that_the_server_keeps_has_a_link_of_its_own(
    browser: Browser, server: ServerProcess, tmp_path: Path
) -> None:
    record = random_record("buffalo", {"removed": [], "opening_moves": 3}, 4)
    path = tmp_path / "games.jsonl"
    path.write_text(record.dumps() + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "stampede.cli", "db", "import", str(path)]
    environment = {
        **os.environ,
        "STAMPEDE_DATABASE_URL": f"sqlite:///{server.log.parent / 'tables.db'}",
    }
    subprocess.run(command, env=environment, check=True, capture_output=True)
    with visiting(browser, server.base, allowed=("404",)) as visitor:
        visitor.visit(f"/replay/record/{record_id(record.dumps())}?at=1")
        expect(visitor.it("replay")).to_have_attribute("data-at", "1")
        visitor.it("analyse").click()  # in the middle of an opening turn of three steps
        expect(visitor.it("no-opinion")).to_be_visible()
        visitor.page.keyboard.press("ArrowRight")
        visitor.page.keyboard.press("ArrowRight")
        visitor.page.keyboard.press("ArrowRight")
        expect(visitor.it("verdict")).to_be_visible()
        visitor.visit(f"/replay/record/{'0' * 32}")
        alert = visitor.page.get_by_role("alert")
        expect(alert).to_contain_text(text_of("en", "replay.problem.unknown"))


def record_id(text: str) -> str:
    """Under which id the server keeps a record."""
    return sha256(text.encode()).hexdigest()[:32]


def test_a_game_from_a_file_is_analysed_at_the_step_that_is_shown(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as visitor:
        look_again(visitor, "zoff")
        visitor.page.keyboard.press("End")
        link = visitor.it("to-analysis")
        expect(link).to_have_attribute("href", re.compile(r"record=file&turn=\d+"))
        link.click()
        visitor.it("zoff-analysis").wait_for()
        at, last = visitor.it("walk-at").inner_text().split(" / ")
        assert at == last
