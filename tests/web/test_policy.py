"""The content security policy: whatever is smuggled into a page doesn't run.

That every page keeps to it is looked at in test_everybody.
"""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess, running, settings_for
from tests.waiting import PATIENCE
from tests.web.policy import WATCH_POLICY, policy_violations
from tests.web.visitor import visiting

SMUGGLED = """() => {
    const script = document.createElement("script");
    script.textContent = "window.smuggled = 1";
    document.body.append(script);
    const image = document.createElement("div");
    image.innerHTML = "<img src=data:, onerror='window.smuggled = 2'>";
    document.body.append(image);
}"""
MARKUP = "<img src=x onerror=smuggled=1>"


@pytest.fixture(scope="module")
def not_built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server without the built client."""
    folder = tmp_path_factory.mktemp("not-built")
    with running(settings_for(folder), client=folder / "nothing") as base:
        yield base


def test_the_page_without_a_client_keeps_to_it_too(browser: Browser, not_built: str) -> None:
    with visiting(browser, not_built, allowed=("503",)) as visitor:
        visitor.context.add_init_script(WATCH_POLICY)
        visitor.page.goto(not_built)
        expect(visitor.page.get_by_role("heading")).to_contain_text("isn't built")
        assert policy_violations(visitor.page) == []


@pytest.mark.parametrize("which", ["built", "not_built"])
def test_what_is_smuggled_into_a_page_doesn_t_run(
    browser: Browser, server: ServerProcess, not_built: str, which: str
) -> None:
    base = server.base if which == "built" else not_built
    with visiting(browser, base, allowed=("Content Security Policy", "503")) as visitor:
        visitor.context.add_init_script(WATCH_POLICY)
        visitor.page.goto(base)
        visitor.page.get_by_role("heading").first.wait_for(state="attached")
        visitor.page.evaluate(SMUGGLED)
        visitor.page.wait_for_function("violations.length >= 2")
        assert visitor.page.evaluate("window.smuggled") is None


def test_markup_in_a_name_is_shown_as_it_was_typed(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit(f"/t/{table_of_eve(server.base)}")
        expect(visitor.page.get_by_text(MARKUP).first).to_be_visible()
        assert visitor.page.evaluate("window.smuggled") is None


def table_of_eve(base: str) -> str:
    """A table with a player whose name is markup."""
    with httpx.Client(base_url=base, timeout=PATIENCE) as eve:
        eve.get("/api/me")
        body = {"key": "open", "game": "zoff", "chairs": [{}, {}, {}], "public": True}
        table: str = eve.post("/api/tables", json=body).raise_for_status().json()["table"]
        claim = {"key": "claim", "command": {"type": "claim", "player": 0, "name": MARKUP}}
        eve.post(f"/api/tables/{table}/commands", json=claim).raise_for_status()
        return table
