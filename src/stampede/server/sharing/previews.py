"""Link previews: the tags that messengers and social networks read from a page's head.

The document is the same for everybody but for these tags. They tell what a spectator may see; a private table's link
tells nothing of the table. Whatever goes wrong, the page is served without a table's tags.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from html import escape
from typing import Final

from starlette.requests import Request

from stampede.buffalo import BuffaloGame
from stampede.core.errors import StampedeError
from stampede.games import GAMES
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.puzzle import daily
from stampede.server.http.limits import address_of
from stampede.server.http.problems import Problem
from stampede.server.services import Services
from stampede.server.sharing.cards import HEIGHT, WIDTH, describe
from stampede.server.sharing.moments import (
    Moment,
    outline_record,
    puzzle_moment,
    start_moment,
    table_moment,
)
from stampede.server.sharing.texts import Texts, language_of, texts_in
from stampede.server.tables.memory import Holder
from stampede.server.tables.service import choose_view

__all__ = ["home_moment", "with_preview"]

log = logging.getLogger("stampede.server")

SECONDS: Final = 1.0
"""How long a page waits for its preview."""
TABLE: Final = re.compile(r"/t/([A-Za-z0-9]{22})/?")
REPLAY: Final = re.compile(r"/(?:replay|review|embed)/([A-Za-z0-9]{22})(?:/(\d{1,5}))?/?")
PUZZLE: Final = re.compile(r"/puzzles?(?:/daily)?(?:/(\d{4}-\d{2}-\d{2}))?/?")
HEAD_END: Final = "</head>"
ANYBODY: Final = Caller()
LOCALES: Final = {"en": "en_GB", "fr": "fr_FR", "de": "de_DE", "it": "it_IT", "nl": "nl_NL"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link's preview tells.

    Attributes:
        title: Its title.
        sentence: Its description.
        picture: The picture's path and query.
    """

    title: str
    sentence: str
    picture: str


@cache
def home_moment() -> Moment:
    """What the start page shows, and every page that has no preview of its own."""
    return start_moment(GAMES[BuffaloGame.name])


async def with_preview(request: Request, document: str) -> str:
    """Puts the preview's tags into the document of a page."""
    services: Services = request.app.state.services
    texts = texts_in(language_of(request.headers.get("accept-language")))
    try:
        async with asyncio.timeout(SECONDS):
            preview = await _preview(request, services, texts)
    except Exception as error:  # noqa: BLE001 - a page is worth more than its preview
        is_usual = isinstance(error, TimeoutError | StampedeError | Problem)
        log.log(logging.DEBUG if is_usual else logging.ERROR, "no preview: %r", error)
        of_table = TABLE.fullmatch(request.url.path) or REPLAY.fullmatch(request.url.path)
        preview = _private(texts) if of_table else _home(texts)
    return document.replace(HEAD_END, f"{_tags(request, preview, texts)}{HEAD_END}", 1)


async def _preview(request: Request, services: Services, texts: Texts) -> Preview:
    path = request.url.path
    if found := TABLE.fullmatch(path):
        return await _table(request, services, texts, found[1])
    if found := REPLAY.fullmatch(path):
        game = None if found[2] is None else int(found[2])
        return await _replay(request, services, texts, (found[1], game))
    if found := PUZZLE.fullmatch(path):
        return _puzzle(services, texts, found[1])
    return _home(texts)


def _puzzle(services: Services, texts: Texts, day: str | None) -> Preview:
    """The puzzle of a day, else of today (UTC)."""
    if day is None:
        today = datetime.fromtimestamp(services.runtime.wall() / 1000, UTC).date()
        title, sentence = describe(puzzle_moment(daily(today), is_daily=True), texts)
        return Preview(title, sentence, f"/api/pictures/puzzles/daily.png?lang={texts.language}")
    try:
        puzzle = daily(date.fromisoformat(day))
    except ValueError:  # no day at all, such as 2026-02-31
        return _home(texts)
    title, sentence = describe(puzzle_moment(puzzle), texts)
    picture = f"/api/pictures/puzzles/{puzzle.number}.png?lang={texts.language}"
    return Preview(title, sentence, picture)


async def _table(request: Request, services: Services, texts: Texts, table_id: str) -> Preview:
    lease = services.registry.lease(table_id, Holder(address_of(request), None))
    async with lease as actor, actor.reading() as table:
        if not table.may_watch(ANYBODY):
            return _private(texts)
        title, sentence = describe(table_moment(table), texts)
        query = f"lang={texts.language}&v={table.seq}"  # a new picture for every entry
    return Preview(title, sentence, f"/api/pictures/tables/{table_id}.png?{query}")


async def _replay(
    request: Request, services: Services, texts: Texts, asked: tuple[str, int | None]
) -> Preview:
    table_id, game = asked
    lease = services.registry.lease(table_id, Holder(address_of(request), None))
    async with lease as actor, actor.reading() as table:
        if not table.may_watch(ANYBODY):
            return _private(texts)
        choose_view(table, ANYBODY, None)
        record, number = table.record(game), table.state.running.number if game is None else game
    step = request.query_params.get("step", "")
    chosen = int(step) if step.isdecimal() and len(step) < 6 else None
    outline = outline_record(record, with_result=chosen is None)
    title, sentence = describe(outline, texts)
    query = f"lang={texts.language}&game={number}" + ("" if chosen is None else f"&step={chosen}")
    return Preview(title, sentence, f"/api/pictures/tables/{table_id}.png?{query}")


def _private(texts: Texts) -> Preview:
    """The same for every private table, and for tables that don't exist: a link isn't told which it is."""
    title, sentence = texts.titled("private")
    return Preview(title, sentence, f"/api/pictures/home.png?lang={texts.language}")


def _home(texts: Texts) -> Preview:
    title, sentence = texts.titled("home")
    return Preview(title, sentence, f"/api/pictures/home.png?lang={texts.language}")


def _tags(request: Request, preview: Preview, texts: Texts) -> str:
    origin = f"{request.url.scheme}://{request.url.netloc}"
    named = {"description": preview.sentence, "twitter:card": "summary_large_image"}
    properties = {
        "og:site_name": "Stampede",
        "og:type": "website",
        "og:locale": LOCALES[texts.language],
        "og:title": preview.title,
        "og:description": preview.sentence,
        "og:url": f"{origin}{request.url.path}",
        "og:image": f"{origin}{preview.picture}",
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": texts.on_card("picture"),
    }
    tags = [f'<meta name="{key}" content="{escape(text)}" />' for key, text in named.items()]
    tags += [
        f'<meta property="{key}" content="{escape(text)}" />' for key, text in properties.items()
    ]
    return "".join(f"    {tag}\n" for tag in tags)
