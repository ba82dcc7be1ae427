"""The main pages, as a visitor gets to them: for tests that look at every page, and for pictures."""

from tests.web.visitor import Visitor

STOPS = (
    "home",
    "create-zoff",
    "create-buffalo",
    "rules-zoff",
    "rules-buffalo",
    "replay",
    "missing",
    "lobby",
    "buffalo",
    "zoff",
)


def go(visitor: Visitor, stop: str) -> None:
    """Goes to a page, and waits until all of it is there."""
    kind, _, game = stop.partition("-")
    match kind:
        case "home":
            visitor.visit("/")
            visitor.it("play-buffalo").wait_for()
        case "create":
            visitor.visit(f"/new?game={game}")
            visitor.it("create").wait_for()
        case "rules":
            visitor.visit(f"/rules/{game}")
            visitor.page.locator("main h1").wait_for()
        case "replay":
            visitor.visit("/replay")
            visitor.page.locator("main h1").wait_for()
        case "missing":
            visitor.visit("/nowhere")
            visitor.page.get_by_role("alert").wait_for()
        case "lobby":
            visitor.visit("/new?game=buffalo")
            visitor.page.locator("fieldset select").first.select_option("")
            visitor.it("create").click()
            visitor.it("invite").wait_for()
        case _:
            visitor.play_now(stop)
            visitor.it("board" if stop == "buffalo" else "zoff").wait_for()
