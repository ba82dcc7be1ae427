"""Sharing: a dialog with link, pictures and a frame; the frame works in another site's page."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.test_buffalo import advance
from tests.web.visitor import Visitor, visiting


@contextmanager
def another_site(markup: str) -> Iterator[str]:
    """A page of another site with this markup in it."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><title>Blog</title>{markup}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}/"
        finally:
            server.shutdown()


def finish_a_game(visitor: Visitor) -> None:
    visitor.play_now("buffalo")
    visitor.my_turn()
    visitor.move(*advance(visitor))
    visitor.my_turn()
    visitor.resign()
    visitor.visit(f"/replay/{visitor.table}/1")
    visitor.it("replay").wait_for()


def test_a_step_is_shared_by_link_picture_and_frame(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base) as ada:
        finish_a_game(ada)
        ada.page.keyboard.press("End")
        ada.page.wait_for_url("**at=2*")
        ada.it("share-open").click()
        picture = ada.it("share-picture")
        expect(picture).to_be_visible()
        expect(picture).to_have_js_property("naturalWidth", 1200)
        with ada.page.expect_download() as download:
            ada.it("share-svg").click()
        assert download.value.path().read_text(encoding="utf-8").startswith("<svg")
        ada.page.locator("summary").click()
        markup = ada.it("share-embed").input_value()
    with another_site(markup) as blog, visiting(browser, server.base) as reader:
        reader.page.goto(blog)
        frame = reader.page.frame_locator("iframe")
        expect(frame.get_by_test_id("embed")).to_have_attribute("data-at", "2")
        expect(frame.get_by_test_id("told")).to_contain_text("resigned")
        assert reader.context.cookies() == [], "a frame makes no guest"


def test_no_other_page_can_be_framed(browser: Browser, server: ServerProcess) -> None:
    with (
        another_site(f'<iframe src="{server.base}/"></iframe>') as blog,
        visiting(browser, server.base, allowed=("frame", "ancestor")) as reader,
    ):
        with reader.page.expect_console_message(lambda message: "frame" in message.text):
            reader.page.goto(blog)
        assert reader.page.frame_locator("iframe").get_by_test_id("play-zoff").count() == 0


def test_a_table_is_shared_from_its_menu(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as ada:
        ada.play_now("buffalo")
        ada.my_turn()
        ada.it("menu").click()
        ada.it("share-open").click()
        expect(ada.it("share-picture")).to_be_visible()
        link = ada.it("share-link")
        ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
        link.click()
        copied = ada.page.evaluate("navigator.clipboard.readText()")
        assert copied == ada.page.url.split("#")[0], "without the seat's key"
