"""Chromium for tests, and what the browser client is built of."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from stampede.server.http.web_client import BUILT
from tests import waiting

ROOT = Path(__file__).resolve().parents[2]
LOCALES = ROOT / "web" / "src" / "lib" / "i18n" / "locales"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
LANGUAGES = ("en", "fr", "de", "it", "nl")
PHONE = (360, 740)
DESKTOP = (1280, 800)

PATIENCE = 2000 * waiting.PATIENCE
"""Milliseconds that anything may take, bots being compiled included: only what never gets there fails. Twice as long as
elsewhere, since a page waits for its server."""

FLAGS = (
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # A test talks only to its own server.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Where Chromium is: ``CHROMIUM``, else on the path. The shell draws no windows, so it needs less time."""
    names = [
        os.environ.get("CHROMIUM", ""),
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def missing() -> str | None:
    """Why browser tests can't run here; None when they can."""
    if chromium() is None:
        return "no Chromium on the path: install it (Debian: apt-get install chromium)"
    if not (BUILT / "index.html").is_file():
        return "the browser client isn't built: make web"
    return None


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Runs Chromium without a window. Whatever is expected of its pages may take its time."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=list(FLAGS), timeout=PATIENCE
        )
        yield browser
        browser.close()
