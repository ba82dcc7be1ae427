"""Renders the client's icon, ``web/public/icon.svg``, as the PNG files that the manifest names. Needs Chromium.

Run by ``make icons`` after a change of the drawing. A maskable icon has no round edge: its ground fills the square,
and the drawing lies within the middle 80 %, which every mask leaves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.web.browsers import FLAGS, chromium

PUBLIC: Final = Path(__file__).parents[1] / "web" / "public"
ROUND: Final = ' clip-path="url(#c)"'
GROUND: Final = "#dd8a2e"


def maskable(svg: str) -> str:
    """The drawing on a ground that fills the whole square."""
    if ROUND not in svg:
        raise ValueError(f"expected {ROUND!r} in the icon")
    open_tag, _, inner = svg.partition(">")
    body = inner.removesuffix("\n").removesuffix("</svg>").replace(ROUND, "", 1)
    ground = f'<path fill="{GROUND}" d="M0 0h512v512H0z"/>'
    middle = f'<g transform="translate(51.2 51.2) scale(.8)">{body}</g>'
    return f"{open_tag}>{ground}{middle}</svg>"


def render(page: Page, svg: str, size: int, path: Path) -> None:
    """Writes a drawing as a square PNG."""
    page.set_viewport_size({"width": size, "height": size})
    sized = svg.replace("<svg ", f'<svg width="{size}" height="{size}" style="display:block" ', 1)
    page.set_content(f"<body style='margin:0'>{sized}</body>")
    page.screenshot(path=path, omit_background=True)


def main() -> None:
    """Renders all files."""
    svg = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_page()
        render(page, svg, 192, PUBLIC / "icon-192.png")
        render(page, svg, 512, PUBLIC / "icon-512.png")
        render(page, maskable(svg), 512, PUBLIC / "icon-maskable-512.png")
        render(page, maskable(svg), 180, PUBLIC / "apple-touch-icon.png")
        browser.close()


if __name__ == "__main__":
    main()
