"""Measures the first visit: bytes of scripts and styles, and the time until the start page can be used.

Run by `python -m tests.web.first_load`; docs/browser.md has the figures. Each visit has a context of its own, so
nothing is cached. Usable is when the button that starts a game is on the page: it comes together with what it does.
It needs the built client (`make web`) and Chromium.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.server.servers import ServerProcess
from tests.web.browsers import DESKTOP, missing, running_chromium
from tests.web.visitor import visiting

VISITS = 15
WATCH = """() => {
    const look = () => {
        if (!document.querySelector("[data-testid=play-zoff]")) return false;
        window.usable = performance.now();
        return true;
    };
    new MutationObserver((_, observer) => look() && observer.disconnect())
        .observe(document, { childList: true, subtree: true });
}"""


def visit(browser: Browser, base: str) -> tuple[float, int]:
    """One first visit: milliseconds until the page can be used, and the packed bytes of scripts and styles."""
    with visiting(browser, base, size=DESKTOP) as visitor:
        visitor.page.add_init_script(f"({WATCH})()")
        visitor.visit("/")
        visitor.it("play-zoff").wait_for()
        milliseconds: float = visitor.page.evaluate("() => window.usable")
        packed: int = visitor.page.evaluate(
            """() => performance.getEntriesByType("resource")
                .filter((one) => /[.](js|css)$/.test(one.name))
                .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
        )
    return milliseconds, packed


def main() -> None:
    """Prints the figures."""
    if reason := missing():
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as place, running_chromium() as browser:
        server = ServerProcess(Path(place))
        try:
            found = [visit(browser, server.base) for _ in range(VISITS + 1)][1:]
        finally:
            server.stop()
    times = sorted(time for time, _ in found)
    print(f"scripts and styles: {found[0][1] / 1000:.1f} kB packed")
    print(
        f"usable after: {statistics.median(times):.0f} ms median, {times[-1]:.0f} ms at most,"
        f" of {len(times)} first visits"
    )


if __name__ == "__main__":
    main()
