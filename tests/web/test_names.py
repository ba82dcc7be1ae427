"""A name of one's own: kept, used, protected, given up; its ratings; and how people treat each other."""

from uuid import uuid4

from playwright.sync_api import Browser, Page, expect

from tests.server.servers import ServerProcess
from tests.web.test_tables import open_for_two, sit_down
from tests.web.visitor import Visitor, text_of, visiting

PHRASE = "buffaloes cross at dawn"
REFUSED = ("401", "403", "409", "404")
"""What Chromium says of an answer that the test wants to be a refusal."""
HEAR = """() => {
    const bubble = document.querySelector("[data-testid=heard]");
    window.heard = [];
    new MutationObserver(() => heard.push(bubble.textContent))
        .observe(bubble, { childList: true, characterData: true, subtree: true });
}"""
"""Keeps messages that are shown for a few seconds only, so that a test can read them later."""


def fresh_name(start: str) -> str:
    """A name that isn't registered yet."""
    return f"{start}{uuid4().hex[:8]}"


def keep(visitor: Visitor, name: str) -> list[str]:
    """Keeps a name by a passphrase; the answer is its recovery codes."""
    visitor.visit("/account")
    visitor.it("account-name").fill(name)
    visitor.it("account-passphrase").fill(PHRASE)
    visitor.it("account-go").click()
    visitor.it("codes").wait_for()
    codes: list[str] = visitor.it("codes").locator("code").all_inner_texts()
    visitor.it("codes-kept").click()
    expect(visitor.page.locator("h1")).to_contain_text(name)
    return codes


def sign_in(visitor: Visitor, name: str, phrase: str) -> None:
    """Signs in by a passphrase."""
    visitor.visit("/account")
    visitor.it("way-enter").click()
    visitor.it("account-name").fill(name)
    visitor.it("account-passphrase").fill(phrase)
    visitor.it("account-go").click()


def test_a_name_is_kept_left_entered_renamed_recovered_and_deleted(
    browser: Browser, server: ServerProcess
) -> None:
    name, second = fresh_name("Ada"), fresh_name("Countess")
    with (
        visiting(browser, server.base, allowed=REFUSED) as here,
        visiting(browser, server.base, language="de", allowed=REFUSED) as there,
    ):
        codes = keep(here, name)
        assert len(set(codes)) == len(codes) >= 6
        sign_in(there, name, "not the right phrase")
        expect(there.page.get_by_role("alert")).to_have_text(text_of("de", "errors.wrong_sign_in"))
        sign_in(there, name, PHRASE)
        expect(there.page.locator("h1")).to_contain_text(name)
        here.page.reload()
        expect(here.it("sessions").locator("li")).to_have_count(2)
        here.it("end-others").click()
        expect(here.it("sessions").locator("li")).to_have_count(1)
        here.it("rename").fill(second)
        here.it("rename-go").click()
        expect(here.page.locator("h1")).to_contain_text(second)
        here.it("sign-out").click()
        here.it("way-recover").click()
        here.it("account-name").fill(second)
        here.it("account-code").fill(codes[0])
        here.it("account-passphrase").fill("another long phrase")
        here.it("account-go").click()
        expect(here.page.locator("h1")).to_contain_text(second)
        here.page.get_by_text(text_of("en", "account.delete.title")).click()
        here.it("sure").fill(second)
        here.it("delete").click()
        expect(here.page.get_by_text(text_of("en", "account.delete.done"))).to_be_visible()
        sign_in(here, second, "another long phrase")
        expect(here.page.get_by_role("alert")).to_have_text(text_of("en", "errors.wrong_sign_in"))


def with_authenticator(visitor: Visitor) -> Page:
    """Gives the browser a device that makes passkeys without asking."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return visitor.page


def test_a_name_is_kept_and_entered_by_a_passkey(browser: Browser, server: ServerProcess) -> None:
    base = server.base.replace(
        "127.0.0.1", "localhost"
    )  # passkeys are made for names, not for numbers
    with visiting(browser, base, allowed=REFUSED) as visitor:
        page = with_authenticator(visitor)
        name = fresh_name("Grace")
        visitor.visit("/account")
        visitor.it("account-name").fill(name)
        visitor.it("account-passkey").click()
        visitor.it("codes-kept").click()
        expect(page.locator("h1")).to_contain_text(name)
        visitor.it("sign-out").click()
        visitor.it("way-enter").click()
        visitor.it("account-passkey").click()
        expect(page.locator("h1")).to_contain_text(name)


def test_a_rated_game_changes_ratings_and_makes_a_leaderboard(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base, allowed=REFUSED) as ada,
        visiting(browser, server.base, allowed=REFUSED) as ben,
    ):
        names = [fresh_name("Ada"), fresh_name("Ben")]
        for visitor, name in zip((ada, ben), names, strict=True):
            keep(visitor, name)
        ada.visit("/new?game=buffalo")
        ada.page.get_by_label("Seat 2").select_option("")
        ada.it("options").click()
        ada.it("rated").check()
        ada.it("create").click()
        ben.page.goto(ada.it("invite").input_value())
        sit_down(ben, ada)
        ada.my_turn()
        ada.resign()
        expect(ben.it("rating-changes")).to_contain_text(names[1])
        ben.visit("/leaders?board=buffalo-hunter-0")
        expect(ben.page.locator("header a[href='/account']")).to_have_text(names[1])
        line = ben.it("leaders").locator("tr", has_text=names[1])
        expect(line).to_contain_text("you")
        bounds = line.get_by_role("img").get_attribute("aria-label") or ""
        low, high = (int(part) for part in bounds.split(" to "))
        assert low < int(line.locator("b").inner_text()) < high
        ben.visit("/account")
        expect(ben.it("my-ratings")).to_contain_text("hunter")
        with ben.page.expect_download() as download:
            ben.it("export").click()
        assert download.value.path().read_text(encoding="utf-8").count("stampede-record/1") == 1


def test_phrases_are_heard_in_ones_own_language_and_free_text_needs_both(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base) as ada,
        visiting(browser, server.base, language="fr") as ben,
    ):
        ben.page.goto(open_for_two(ada, "Ada"))
        sit_down(ben, ada)
        ada.my_turn()
        ben.it("board").wait_for()
        ben.it("talk").wait_for()  # the socket has reconnected since Ben took a chair
        ben.page.evaluate(HEAR)
        ada.it("talk").click()
        assert ada.it("free-text").count() == 0
        ada.it("phrase-well_played").click()
        phrase = text_of("fr", "chat.phrase.well-played")
        ben.page.wait_for_function("phrase => heard.some(one => one.includes(phrase))", arg=phrase)
        ada.it("agree").click()
        ben.it("talk").click()
        assert ben.it("free-text").count() == 0
        ben.it("agree").click()
        script = "<img src=x onerror=alert(1)> salut"
        ben.it("free-text").fill(script)
        ben.it("free-send").click()
        expect(ada.it("said")).to_contain_text(script)
        assert ada.page.locator("img[src=x]").count() == 0
        ben.it("agree").click()
        expect(ada.it("free-text")).to_have_count(0)


def test_people_are_reported_blocked_and_sent_away(browser: Browser, server: ServerProcess) -> None:
    with (
        visiting(browser, server.base) as ada,
        visiting(browser, server.base, allowed=(*REFUSED, "WebSocket")) as ben,
    ):
        ben.page.goto(open_for_two(ada, "Ada"))
        sit_down(ben, ada)
        ada.my_turn()
        ada.it("menu").click()
        ada.it("people").click()
        ada.it("report-1").focus()
        ada.page.keyboard.press("ArrowDown")  # chooses a reason, and sends nothing
        expect(ada.it("report-1")).to_have_value("abuse")
        ada.it("report-go-1").click()
        no = ada.page.locator("[data-testid=confirm-no]:visible")
        expect(no).to_be_focused()
        ada.page.keyboard.press("Escape")
        expect(no).to_have_count(0)
        expect(ada.it("people-said")).to_have_text("")
        ada.it("report-go-1").click()
        ada.confirm()
        expect(ada.it("people-said")).to_have_text(text_of("en", "chat.people.reported"))
        ada.it("block-1").click()
        expect(ada.it("people-said")).to_have_text(text_of("en", "chat.people.blocked"))
        expect(ada.it("block-1")).to_be_disabled()
        ada.it("remove-1").click()
        ada.confirm()
        expect(ada.it("people-said")).to_have_text(text_of("en", "chat.people.removed"))
        expect(ben.page.locator(".can")).to_have_count(0)
