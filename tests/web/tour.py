"""The main pages, as a visitor gets to them: for tests that look at every page, and for pictures."""

import random

from stampede.games import GAMES
from tests.server.people import browser as person_browser
from tests.server.people import keep, new_name, open_table, play_out, sit
from tests.web.records import BUSY_ZOFF, SHORT_BUFFALO, random_record
from tests.web.visitor import Visitor

STOPS = (
    "home",
    "play-zoff",
    "play-buffalo",
    "watch",
    "about",
    "privacy",
    "api",
    "create-zoff",
    "create-buffalo",
    "rules-zoff",
    "rules-buffalo",
    "puzzle",
    "solved",
    "challenge",
    "puzzles",
    "puzzles-zoff",
    "puzzle-zoff",
    "person",
    "statistics",
    "leaders",
    "account",
    "games",
    "box",
    "replay",
    "again-zoff",
    "again-buffalo",
    "review-zoff",
    "review-buffalo",
    "analysis",
    "analysis-edit",
    "analysis-zoff",
    "missing",
    "lobby",
    "buffalo",
    "zoff",
)

REVIEW_PATIENCE = 240_000
"""Milliseconds for a whole review: the engine may have to be compiled first."""


def go(visitor: Visitor, stop: str) -> None:
    """Goes to a page, and waits until all of it is there."""
    kind, _, game = stop.partition("-")
    match kind:
        case "home":
            visitor.visit("/")
            visitor.it("puzzle-box").wait_for()
            visitor.it("watch-box").wait_for()
        case "play":
            visitor.visit(f"/play/{game}")
            visitor.it(f"play-{game}").wait_for()
        case "create":
            visitor.visit(f"/new?game={game}")
            visitor.it("create").wait_for()
        case "rules":
            visitor.visit(f"/rules/{game}")
            visitor.page.locator("main h1").wait_for()
        case (
            "about"
            | "api"
            | "box"
            | "games"
            | "privacy"
            | "watch"
            | "leaders"
            | "replay"
            | "solved"
            | "statistics"
        ):
            visitor.visit(f"/{kind}")
            visitor.page.locator("main h1").wait_for()
        case "puzzle" | "puzzles" | "person" | "challenge":
            study(visitor, kind, game)
        case "account":
            visitor.visit("/account")
            visitor.it("account-go").wait_for()
        case "again":
            look_again(visitor, game)
            visitor.page.keyboard.press("End")
        case "review" | "analysis":
            review_again(visitor, game) if kind == "review" else analyse(visitor, game)
        case "missing":
            visitor.visit("/nowhere")
            visitor.page.get_by_role("alert").wait_for()
        case "lobby":
            visitor.visit("/new?game=buffalo")
            visitor.page.locator("fieldset select").first.select_option("")
            visitor.it("create").click()
            visitor.it("invite").wait_for()
        case _:
            assert stop in GAMES, f"there is no way to {stop}"
            visitor.play_now(stop)
            visitor.it("board" if stop == "buffalo" else "zoff").wait_for()


def study(visitor: Visitor, kind: str, game: str) -> None:
    """Goes to a day's puzzle, to a puzzle by its number, to a game against a proof, or to a person's page."""
    if kind == "challenge":
        visitor.visit("/solved/rung-8")
        visitor.it("challenge").wait_for()
        return
    if kind == "person":
        visitor.visit(f"/u/{shown_person(visitor.base)}")
        visitor.it("results").wait_for()
    elif game:
        visitor.visit(f"/puzzles/{game}/{'daily/2026-11-10' if kind == 'puzzle' else '1'}")
        visitor.it(f"{game}-puzzle").wait_for()
    else:
        visitor.visit("/puzzles/daily/2026-11-10" if kind == "puzzle" else "/puzzles/12")
        visitor.it("board").wait_for()


def shown_person(base: str) -> str:
    """The name of a person who has played a game, and shows their page to everyone."""
    name = new_name()
    with person_browser(base) as ann:
        ann.get("/api/me")
        keep(ann, name)
        table = open_table(ann, "buffalo", [{}, {"bot": "random"}], rated=True)
        sit(ann, table, name, 0)
        play_out(ann, table, random.Random(5))
        ann.post("/api/account/profile", json={"shown": True}).raise_for_status()
    return name


def analyse(visitor: Visitor, what: str) -> None:
    """Opens the analysis board: with an endgame, which may be set up otherwise, or with a game of Zoff."""
    if what == "zoff":
        open_file(visitor, "/analysis", what)
        visitor.it("advice-ask").click()
        visitor.it("advice-change").click(timeout=REVIEW_PATIENCE)
        return
    visitor.visit("/analysis?fen=11/11/11/5b5/11/3DDCDD3/11%20b%20-%20-%200%209")
    visitor.it("verdict").wait_for(timeout=REVIEW_PATIENCE)
    if what == "edit":
        visitor.it("edit").click()


def look_again(visitor: Visitor, game: str) -> None:
    """Opens the replay of a finished game from a file."""
    open_file(visitor, "/replay", game)
    visitor.it("told").wait_for()


def review_again(visitor: Visitor, game: str) -> None:
    """Opens the review of a finished game from a file, and waits until it is complete."""
    open_file(visitor, "/review", game)
    done = visitor.page.locator("[data-testid=review][data-complete=true]")
    done.wait_for(timeout=REVIEW_PATIENCE)


def open_file(visitor: Visitor, page: str, game: str) -> None:
    """Gives a page the file of a finished game."""
    rules = BUSY_ZOFF if game == "zoff" else SHORT_BUFFALO
    text = random_record(game, rules, 5).dumps()
    visitor.visit(page)
    visitor.it("record-file").set_input_files(
        {"name": f"{game}.json", "mimeType": "application/json", "buffer": text.encode()}
    )
