"""Measures the way from a click on the start page to the first move that the server has, on a slow line.

Run by `python -m tests.web.first_move`; docs/browser.md has the figures. The line has a round trip of 200 ms, and a new
connection costs another one. The move is made as soon as the board takes it.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import DESKTOP, missing, running_chromium
from tests.web.slow_line import slow_line
from tests.web.visitor import visiting

ROUND_TRIP = 0.2
VISITS = 9
PLAY = """() => new Promise((resolve) => {
    const began = performance.now();
    const ready = () => {
        const board = document.querySelector("[data-testid=board].playable");
        if (!board) return requestAnimationFrame(ready);
        const shown = performance.now();
        board.focus();
        const press = (key) =>
            board.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        press("ArrowLeft"); press("Enter"); press("ArrowUp"); press("Enter");
        let sent = false;
        const done = () => {
            const pending = document.querySelector("[data-pending]") !== null;
            sent ||= pending;
            if (!sent || pending) return requestAnimationFrame(done);
            resolve([shown - began, performance.now() - began]);
        };
        done();
    };
    document.querySelector("[data-testid=play-buffalo]").click();
    ready();
})"""
"""Clicks, moves a buffalo by keys: when the board was there, and when the move was accepted."""


def visit(browser: Browser, base: str) -> tuple[float, float]:
    """One first game: milliseconds until the board can be used, and until the first move is accepted."""
    with visiting(browser, base, size=DESKTOP) as visitor:
        visitor.visit("/")
        expect(visitor.it("play-buffalo")).to_be_enabled()
        visitor.page.wait_for_load_state("networkidle")
        shown, accepted = visitor.page.evaluate(PLAY)
    return shown, accepted


def main() -> None:
    """Prints the figures."""
    if reason := missing():
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as place, running_chromium() as browser:
        server = ServerProcess(Path(place))
        try:
            with slow_line(server.base, ROUND_TRIP) as line:
                found = [visit(browser, line.base) for _ in range(VISITS + 1)][1:]
        finally:
            server.stop()
    shown, accepted = ([one[index] for one in found] for index in (0, 1))
    print(f"board after: {statistics.median(shown):.0f} ms median, {max(shown):.0f} ms at most")
    print(
        f"first move accepted after: {statistics.median(accepted):.0f} ms median,"
        f" {max(accepted):.0f} ms at most, of {len(found)} visits"
    )


if __name__ == "__main__":
    main()
