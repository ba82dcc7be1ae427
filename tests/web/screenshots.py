"""Takes pictures of the main pages for the documentation: phone and desktop, light and dark.

Run by `make screenshots`: the pictures that README and documentation show, into docs/images. All of them, for looking
at, go to a folder that is named: `make screenshots ARGS=build/pictures`.
"""

import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.server.servers import ServerProcess
from tests.web.browsers import DESKTOP, PHONE, ROOT, missing, running_chromium
from tests.web.test_buffalo import advance
from tests.web.tour import STOPS, go
from tests.web.visitor import Visitor, visiting
from tests.web.zoff_player import ASKED, answer, tap_pasture

KEPT = {
    "home-desktop-light",
    "home-phone-dark",
    "buffalo-desktop-light",
    "buffalo-phone-light",
    "zoff-desktop-light",
    "zoff-phone-dark",
    "again-zoff-desktop-dark",
    "again-buffalo-phone-light",
}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
STEPS = 4
ROUND = 3
"""The round of Zoff that is shown: by then herds stand on the pastures."""


def show(visitor: Visitor, stop: str) -> None:
    """Goes to a page and lets something happen on it."""
    go(visitor, stop)
    if stop == "buffalo":
        for _ in range(STEPS):
            visitor.my_turn()
            visitor.move(*advance(visitor))
        visitor.my_turn()
    elif stop == "zoff":
        play_to(visitor, ROUND)
    elif stop.startswith("again"):
        for _ in range(STEPS * 3):
            visitor.page.keyboard.press("ArrowLeft")
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.mouse.move(0, 0)


def play_to(visitor: Visitor, number: int) -> None:
    """Plays Zoff until a round's choice, and begins to choose."""
    visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
    visitor.page.reload()
    rng = random.Random(7)
    there = visitor.page.locator(f"[data-round='{number}'] [data-testid=choose]")
    visitor.page.locator(ASKED).first.wait_for()
    while not there.count():
        answer(visitor, rng)
        visitor.page.locator(ASKED).first.wait_for()
    tap_pasture(visitor.page, 1)
    visitor.it("card").last.click()


def take_all(browser: Browser, base: str, folder: Path, *, only: set[str] | None) -> None:
    """Takes the pictures, all or only those that are named."""
    for screen, size in SIZES.items():
        for dark in (False, True):
            for stop in STOPS:
                name = f"{stop}-{screen}-{'dark' if dark else 'light'}"
                if only is not None and name not in only:
                    continue
                with visiting(browser, base, size=size, dark=dark, allowed=("404",)) as visitor:
                    show(visitor, stop)
                    whole = only is None
                    visitor.page.screenshot(path=folder / f"{name}.png", full_page=whole)
                print(folder / f"{name}.png")


def main() -> None:
    """Writes the pictures that are kept, or all of them into a folder that is named."""
    if reason := missing():
        sys.exit(reason)
    named = sys.argv[1:]
    folder = Path(named[0]) if named else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, running_chromium() as browser:
        server = ServerProcess(Path(place))
        try:
            take_all(browser, server.base, folder, only=None if named else KEPT)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
