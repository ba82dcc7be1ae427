"""A user with a browser: pages without errors, and moves on the Buffalo board."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Route,
    expect,
)

from tests.web.browsers import LOCALES, PATIENCE, PHONE

MISSING_KEY = re.compile(
    r"\b(?:common|home|create|table|buffalo|zoff|replay|rules|analysis|keys|errors|account|leaders|puzzle|chat|seats|games|box|learn|bots|share|notices|about|solved|people|api|why|review):\w+"
)
BLOCKED_WORKER = "Service Worker registration blocked by Playwright"
"""What Playwright says where the service worker isn't part of the test."""
MIDDLE = """(board, square) => {
    const all = board.getBoundingClientRect();
    const cell = board.querySelector(`[data-cell=${square}]`).getBoundingClientRect();
    return [cell.x - all.x + cell.width / 2, cell.y - all.y + cell.height / 2];
}"""
"""Where the middle of a square is, seen from the board's corner."""


NO_COACH = "try { localStorage.setItem('stampede.coach', 'off') } catch { /* in a frame */ }"


def text_of(language: str, key: str) -> str:
    """A text of the catalogues, such as ``home.playNow``."""
    area, *names = key.split(".")
    found: Any = json.loads((LOCALES / language / f"{area}.json").read_text(encoding="utf-8"))
    for name in names:
        found = found[name]
    assert isinstance(found, str)
    return typeset(language, found)


def typeset(language: str, text: str) -> str:
    """A text as the client shows it: see ``web/src/lib/i18n/typeset.ts``."""
    if language in ("fr", "it"):
        text = re.sub(r"(?<=[^\W\d_])'", "’", text)
    if language == "fr":
        text = re.sub(r" (?=[;:!?»%])", "\u202f", text).replace("« ", "«\u202f")
    return text


class Visitor:
    """A user with their own browser: cookies, storage, language, screen."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.context = context
        self.base = base
        self.complaints: list[str] = []
        self.page = self.open()

    def open(self) -> Page:
        """A new tab; what it complains about is kept."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and BLOCKED_WORKER not in message.text:
            self.complaints.append(message.text)

    def visit(self, path: str) -> None:
        """Goes to a page of the server, and waits until the client is there."""
        self.page.goto(self.base + path)
        self.page.locator("main > *").first.wait_for(state="attached")

    def it(self, testid: str) -> Locator:
        """An element by the name that tests know it by."""
        return self.page.get_by_test_id(testid)

    def play_now(self, game: str) -> None:
        """Starts a game against bots by one click on the start page."""
        self.visit("/")
        self.it(f"play-{game}").click()
        self.it("table").wait_for()

    @property
    def table(self) -> str:
        """The id of the table that is shown."""
        return urlsplit(self.page.url).path.removeprefix("/t/")

    @property
    def moves(self) -> list[str]:
        """The moves that the list shows."""
        found: list[str] = self.it("moves").locator("[data-ply]").all_inner_texts()
        return found

    @property
    def squares(self) -> dict[str, str]:
        """Which piece stands where, as it is drawn."""
        pieces = self.it("board").locator("[data-piece]")
        found = pieces.evaluate_all(
            "all => all.map(one => [one.dataset.square, one.dataset.piece])"
        )
        return dict(found)

    def click_square(self, square: str) -> None:
        """Clicks the middle of a square, whatever is drawn above it, as soon as the board stands still."""
        board = self.it("board")
        x, y = board.evaluate(MIDDLE, square)
        board.click(position={"x": x, "y": y})

    def resign(self) -> None:
        """Resigns, and means it."""
        self.it("menu").click()
        self.it("resign").click()
        self.confirm()

    def confirm(self) -> None:
        """Says yes to the question that comes before what can't be undone."""
        self.page.locator("[data-testid=confirm-yes]:visible").click()

    def expect_moves(self, moves: list[str]) -> None:
        """Waits until the list shows these moves and no others."""
        expect(self.it("moves").locator("[data-ply]")).to_have_text(moves)

    def my_turn(self) -> bool:
        """Waits until it's my turn or the game is over; tells whether it goes on."""
        ready = self.page.locator("[data-testid=board].playable, [data-testid=next-game]")
        ready.first.wait_for()
        return self.it("next-game").count() == 0

    def move(self, square: str, target: str) -> None:
        """Moves by two clicks, and waits until the move is played."""
        before = self.fen
        self.click_square(square)
        self.page.locator(f"[data-target={target}]").wait_for()
        self.click_square(target)
        expect(self.it("board")).not_to_have_attribute("data-fen", before)
        expect(self.page.locator("[data-pending]")).to_have_count(0)

    @property
    def fen(self) -> str:
        """The position that is shown."""
        fen = self.it("board").get_attribute("data-fen")
        assert fen is not None
        return fen

    @property
    def scrolls_sideways(self) -> bool:
        """Whether the page is wider than the screen."""
        wide: bool = self.page.evaluate(
            "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        return wide


@contextmanager
def visiting(
    browser: Browser,
    base: str,
    *,
    language: str = "en",
    size: tuple[int, int] = (1280, 800),
    allowed: tuple[str, ...] = (),
    dark: bool = False,
    touch: bool = False,
    coached: bool = False,
    installed: bool = False,
) -> Iterator[Visitor]:
    """Opens a browser on the server; at the end no page may have reported an error.

    Args:
        browser: A running Chromium.
        base: The server's address.
        language: What the browser says that its user speaks.
        size: The screen's width and height.
        allowed: Parts of complaints that are expected.
        dark: Whether the system is set to dark.
        touch: Whether the screen takes fingers; a phone's does.
        coached: Whether the coach comes to the first game; else it stays away from this device.
        installed: Whether the client may install its service worker; with one, requests can't be routed.
    """
    context = browser.new_context(
        locale=language,
        viewport={"width": size[0], "height": size[1]},
        has_touch=touch or size == PHONE,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        service_workers="allow" if installed else "block",
    )
    context.set_default_timeout(PATIENCE)
    if not coached:
        context.add_init_script(NO_COACH)
    if not installed:
        context.route("**/api/tables", _hurry_bots)
    visitor = Visitor(context, base)
    try:
        yield visitor
    finally:
        context.close()
    told = [text for text in visitor.complaints if not any(part in text for part in allowed)]
    assert told == [], f"the page complained: {told}"


def _hurry_bots(route: Route, request: Request) -> None:
    """Bots at these tables don't pretend to think; nothing else about a request changes."""
    if request.method != "POST":
        route.continue_()
        return
    body = json.loads(request.post_data or "{}")
    route.continue_(post_data=json.dumps({**body, "pace_ms": 0}))
