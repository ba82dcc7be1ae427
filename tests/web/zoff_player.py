"""Plays Zoff in a browser as a person would: taps pastures and cards, and takes what is offered."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.web.visitor import Visitor

CHOOSING = "[data-testid=choose][data-sealed=false]"
QUESTION = (
    f"{CHOOSING}, [data-testid=place], [data-testid=bonus], [data-testid=pick], "
    "[data-testid=settle] [data-testid=seal], [data-testid=bid-input], [data-testid=pending]"
)
"""What shows that a player is asked for something, or that the answer is still on its way."""
ASKED = f"{QUESTION}, [data-testid=result]"
"""The same, or that it is over."""
PICKABLE = ".pickable [data-testid=pasture]"


def open_table(
    visitor: Visitor, chairs: list[str | None], rules: dict[str, bool], *, hot_seat: bool = False
) -> str:
    """Opens a table by the interface that the client uses; a bot's level or None a chair. Answers the invitation."""
    visitor.visit("/")
    visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
    opened = visitor.page.evaluate(
        """async ([chairs, rules, hot_seat]) => {
            await fetch("/api/me");
            const body = { key: crypto.randomUUID(), game: "zoff", rules, hot_seat, pace_ms: 0,
                chairs: chairs.map((bot) => (bot === null ? {} : { bot })) };
            const headers = { "Content-Type": "application/json" };
            const answer = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(body) });
            return await answer.json();
        }""",
        [chairs, rules, hot_seat],
    )
    return f"/t/{opened['table']}#invite={opened['invite']}"


def sit_down(visitor: Visitor, link: str, name: str, chair: int) -> None:
    """Takes a chair by an invitation."""
    visitor.visit("/")
    visitor.page.evaluate("() => localStorage.setItem('stampede.zoff.speed', 'instant')")
    visitor.page.goto(visitor.base + link)
    visitor.it("name").fill(name)
    visitor.it(f"sit-{chair}").click()
    expect(visitor.it(f"sit-{chair}")).to_have_count(0)
    visitor.page.reload()  # the chair is kept by a cookie
    visitor.it("table").wait_for()


def tap_pasture(page: Page, index: int) -> None:
    """Taps one of the pastures that can be chosen."""
    pastures = page.locator(PICKABLE)
    pastures.first.wait_for()
    pastures.nth(index % pastures.count()).click(position={"x": 40, "y": 14})


def choose(visitor: Visitor, rng: random.Random) -> None:
    """Waits until pairs are asked for, puts them together and seals them."""
    page = visitor.page
    page.locator(CHOOSING).wait_for()
    count = page.locator(PICKABLE).count()
    if count > 1:
        first, second = rng.sample(range(count), 2)
        tap_pasture(page, first)
        tap_pasture(page, second)
    for _ in range(page.locator(".slot").count()):
        page.locator("[data-testid=card][aria-pressed=false]").last.click()
    visitor.it("seal").click()


def settle(visitor: Visitor) -> None:
    """Two players: colours the first three cows, both colours used."""
    fields = visitor.it("settle").locator("fieldset")
    for index in range(fields.count()):
        fields.nth(index).locator("label").nth(index % 2).click()
    visitor.it("seal").click()


@contextmanager
def answering(visitor: Visitor) -> Iterator[None]:
    """Waits until something is asked, or all is over; and in the end until the server knows the answer.

    That others have done something meanwhile proves nothing: the question itself has to be gone.
    """
    visitor.page.locator(ASKED).first.wait_for()
    decision = visitor.it("table").get_attribute("data-decision") or ""
    yield
    asked = visitor.page.locator(f"[data-testid=table][data-decision='{decision}']")
    expect(asked.locator(QUESTION)).to_have_count(0)


def answer(visitor: Visitor, rng: random.Random) -> str:
    """Waits until something is asked, answers it, waits until that is known, and says what it was."""
    with answering(visitor):
        return _answer(visitor, rng)


def play(visitors: list[Visitor], rng: random.Random) -> list[str]:
    """Plays until all players see the result; returns what was asked, in order."""
    asked: list[str] = []
    while True:
        if all(visitor.it("result").count() for visitor in visitors):
            return asked
        ready = [one for one in visitors if one.page.locator(QUESTION).count()]
        asked.extend(answer(visitor, rng) for visitor in ready)
        if not ready:  # each player has their own page, so there is nothing that all could wait for
            visitors[0].page.wait_for_timeout(30)


def _answer(visitor: Visitor, rng: random.Random) -> str:
    page = visitor.page
    if visitor.it("result").count():
        return "result"
    if visitor.it("choose").count():
        choose(visitor, rng)
        return "choose"
    if visitor.it("place").count():
        visitor.it("place").locator("[data-testid^=place-][aria-disabled=false]").last.click()
        visitor.it("place-go").click()
        return "place"
    if visitor.it("bonus").count():
        if page.locator(PICKABLE).count():
            tap_pasture(page, 0)
        while visitor.it("bonus-place").is_disabled():  # one cow more, lest two herds be equal
            tap_pasture(page, 0)
        visitor.it("bonus-place").click()
        return "bonus"
    if visitor.it("pick").count():
        visitor.it("pick").locator("button").first.click()
        return "pick"
    if visitor.it("bid-input").count():
        visitor.it("bid-input").fill(f"{rng.randrange(3)},{rng.randrange(1, 9999):04d}")
        visitor.it("seal").click()
        return "bid"
    settle(visitor)
    return "settle"
