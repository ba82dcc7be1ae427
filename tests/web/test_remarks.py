"""Bots' remarks: heard by all, in nobody's way, and muted on request."""

from typing import Any

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import PHONE
from tests.web.visitor import text_of, visiting

SIZES = (PHONE, (844, 390), (1280, 800))
GROUND = {"buffalo": "[data-testid=board]", "zoff": "[data-testid=zoff] > .land"}

LISTEN = """() => {
    const heard = [];
    window.heard = heard;
    const round = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
    const note = () => {
        const bubble = document.querySelector("[data-testid=remark]");
        const ground = document.querySelector("[data-testid=board], [data-testid=zoff] > .land");
        if (!bubble || !ground || heard.length) return;
        const box = bubble.getBoundingClientRect();
        const hit = ({ left, right, top, bottom }) =>
            left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        // In its seat it takes the place of the bot's own name: a touch goes through to it.
        const touched = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        const own = (one) => one === touched && bubble.parentElement.contains(one);
        const inTheWay = [...document.querySelectorAll("main a, main button, main input"), ground]
            .filter((one) => one.checkVisibility() && hit(one.getBoundingClientRect()) && !own(one))
            .map((one) => one.outerHTML.slice(0, 120));
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        const text = bubble.textContent.trim();
        heard.push({ text, inTheWay, inside, ground: round(ground.getBoundingClientRect()) });
    };
    // The frame after a change: then everything has its place.
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(note)))
        .observe(document, { subtree: true, childList: true });
}"""
"""Notes the first remark, what it lies over, and where the ground is meanwhile."""


def test_a_bot_greets_from_its_seat_covers_nothing_and_can_be_muted(
    browser: Browser, server: ServerProcess
) -> None:
    greetings = [
        text_of("en", f"bots.remark.{mood}.hello") for mood in ("shy", "merry", "dry", "proud")
    ]
    for size in SIZES:
        for game, ground in GROUND.items():
            with visiting(browser, server.base, size=size) as visitor:
                visitor.context.add_init_script(f"({LISTEN})()")
                visitor.play_now(game)
                visitor.page.wait_for_function("() => window.heard.length")
                heard: dict[str, Any] = visitor.page.evaluate("() => window.heard[0]")
                assert any(heard["text"].endswith(text) for text in greetings)
                assert heard["inTheWay"] == [], f"{game} at {size}"
                assert heard["inside"], f"{game} at {size}"
                visitor.it("menu").click()
                visitor.it("mute-bots").click()
                expect(visitor.it("mute-bots")).to_have_text(text_of("en", "bots.unmute"))
                expect(visitor.it("remark")).to_have_count(0)
                expect(visitor.it("bot-said")).to_have_text("")
                after = visitor.page.locator(ground).bounding_box()
                assert after is not None
                box = [round(after[part]) for part in ("x", "y", "width", "height")]
                assert box == heard["ground"], "nothing moves when the remark goes"
