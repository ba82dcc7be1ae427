"""Tables for several people: invitations, wrong links, and a server that is away."""

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.visitor import Visitor, text_of, visiting

NO_TABLE = "A" * 22


def open_for_two(host: Visitor, name: str, *, clock: str = "none") -> str:
    """Opens a table of Buffalo for another person; returns the link to send."""
    host.visit("/new?game=buffalo")
    host.page.get_by_label("Your name").fill(name)
    host.page.get_by_label("Seat 2").select_option("")
    host.page.get_by_label("Clock").select_option(clock)
    host.it("create").click()
    return host.it("invite").input_value()


def sit_down(guest: Visitor, host: Visitor) -> None:
    """Takes the last chair; the game begins when the host is ready, too."""
    guest.it("sit-1").click()
    host.it("ready").click()


def test_a_friend_joins_by_the_link_and_both_play(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as host, visiting(browser, server.base) as guest:
        link = open_for_two(host, "Ada")
        guest.page.goto(link)
        guest.it("name").fill("Grace")
        sit_down(guest, host)
        for visitor in (host, guest):
            expect(visitor.it("seat-buffalo")).to_contain_text("Ada")
            expect(visitor.it("seat-hunter")).to_contain_text("Grace")
        host.my_turn()
        host.move("a7", "a6")
        guest.my_turn()
        guest.move("f2", "f3")
        expect(host.page.locator("[data-square=f3]")).to_have_attribute("data-piece", "chief")
        expect(guest.page).to_have_title("Waiting for Ada · Buffalo · Stampede")
        expect(host.page).to_have_title("● Your turn · Buffalo · Stampede")


def test_a_player_who_looks_elsewhere_is_told_when_it_is_their_turn(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as host, visiting(browser, server.base) as guest:
        guest.context.grant_permissions(["notifications"], origin=server.base)
        guest.page.add_init_script(
            """window.told = [];
            window.Notification = class extends Notification {
                static permission = "granted";  // Chromium's headless shell denies it whatever a context grants
                constructor(title, options) { super(title, options); told.push(options.body); }
            };
            Object.defineProperty(document, "hidden", { get: () => true });"""
        )
        guest.page.goto(open_for_two(host, "Ada"))
        sit_down(guest, host)
        guest.it("menu").click()
        guest.it("notify").click()
        expect(guest.page.get_by_text(text_of("en", "table.menu.notified"))).to_be_visible()
        assert guest.page.evaluate("() => told") == []
        host.my_turn()
        host.move("a7", "a6")
        expect(guest.page).to_have_title("● Your turn · Buffalo · Stampede")
        assert guest.page.evaluate("() => told") == [text_of("en", "table.yourTurn")]


def test_the_link_of_a_full_table_lets_look_on(browser: Browser, server: ServerProcess) -> None:
    with (
        visiting(browser, server.base) as host,
        visiting(browser, server.base) as guest,
        visiting(browser, server.base) as late,
    ):
        link = open_for_two(host, "Ada")
        guest.page.goto(link)
        sit_down(guest, host)
        host.my_turn()
        late.page.goto(link)
        late.it("board").wait_for()
        assert late.page.locator(".can").count() == 0


def test_a_guest_gives_an_answer_to_a_proposal(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as host, visiting(browser, server.base) as guest:
        link = open_for_two(host, "Ada")
        guest.page.goto(link)
        sit_down(guest, host)
        host.my_turn()
        host.move("a7", "a6")
        host.page.get_by_role("button", name="More").click()
        host.page.get_by_role("button", name=text_of("en", "table.menu.undo")).click()
        guest.page.get_by_role("button", name=text_of("en", "table.agree")).click()
        expect(host.page.locator("[data-square=a7]")).to_have_attribute("data-piece", "buffalo")
        expect(host.it("moves").locator("li")).to_have_count(0)


def test_an_unknown_table_says_what_to_do_next(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, language="de") as visitor:
        visitor.visit(f"/t/{NO_TABLE}")
        alert = visitor.page.get_by_role("alert")
        expect(alert).to_contain_text(text_of("de", "table.refused.unknown"))
        alert.get_by_role("link", name=text_of("de", "common.home")).click()
        visitor.it("play-buffalo").wait_for()


def test_an_invitation_that_was_replaced_says_whom_to_ask(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base) as host,
        visiting(browser, server.base, language="it", allowed=("403", "404")) as late,
    ):
        old = open_for_two(host, "Ada")
        host.it("renew").click()
        expect(host.it("invite")).not_to_have_value(old)
        late.page.goto(old)
        sit = late.it("sit-1")
        alert = late.page.get_by_role("alert")
        sit.or_(alert).first.wait_for()
        if sit.count():  # a table that may be watched shows its lobby, but the seat isn't to be had
            sit.click()
            expect(alert).to_contain_text(text_of("it", "errors.invitation"))
        else:
            expect(alert).to_contain_text(text_of("it", "table.refused.expired"))


def test_a_closed_table_says_so_and_leads_to_its_games(
    browser: Browser, server: ServerProcess
) -> None:
    with (
        visiting(browser, server.base) as host,
        visiting(browser, server.base, language="nl") as guest,
    ):
        guest.page.goto(open_for_two(host, "Ada"))
        guest.it("name").wait_for()
        host.it("close").click()
        host.confirm()
        alert = guest.page.get_by_role("alert")
        expect(alert).to_contain_text(text_of("nl", "table.closed.title"))


def test_a_part_of_the_page_that_does_not_arrive_leaves_no_blank_page(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, language="fr", allowed=("net::ERR",)) as visitor:
        visitor.visit("/")
        visitor.it("play-buffalo").wait_for()
        visitor.context.route("**/assets/Create-*", lambda route: route.abort())
        visitor.page.get_by_role("link", name=text_of("fr", "home.create")).first.click()
        alert = visitor.page.get_by_role("alert")
        expect(alert).to_contain_text(text_of("fr", "common.chunk.title"))
        visitor.context.unroute("**/assets/Create-*")
        alert.get_by_role("button", name=text_of("fr", "common.again")).click()
        visitor.it("create").wait_for()


def test_a_pasted_link_leads_to_the_table(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as host, visiting(browser, server.base) as guest:
        link = open_for_two(host, "Ada")
        guest.visit("/")
        guest.it("join-link").fill("https://example.org/")
        guest.it("join-go").click()
        expect(guest.page.get_by_text(text_of("en", "home.join.wrong"))).to_be_visible()
        guest.it("join-link").fill(link)
        guest.it("join-go").click()
        guest.it("sit-1").wait_for()


def test_a_mistyped_address_gets_a_friendly_page(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base, language="fr", allowed=("404",)) as visitor:
        visitor.visit("/tabel/x")
        alert = visitor.page.get_by_role("alert")
        expect(alert).to_contain_text(text_of("fr", "common.missing.title"))


def test_a_server_that_is_away_is_told_on_the_start_page(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, allowed=("net::ERR",)) as visitor:
        visitor.visit("/")
        visitor.context.set_offline(True)
        visitor.it("play-buffalo").click()
        expect(visitor.page.get_by_text(text_of("en", "common.away"))).to_be_visible()
        visitor.context.set_offline(False)
        visitor.it("play-buffalo").click()
        visitor.it("table").wait_for()
