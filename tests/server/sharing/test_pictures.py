"""Pictures: what a spectator may see, drawn once, within bounds."""

import asyncio
import random
import struct
from pathlib import Path
from typing import Any

import httpx
import pytest

from simulation.choices import choose_action
from stampede.core.drawing import Drawing
from stampede.games import GAMES
from stampede.server.http.problems import Problem
from stampede.server.sharing import pictures
from stampede.server.sharing.cards import HEIGHT, WIDTH, draw_card
from stampede.server.sharing.moments import Moment
from stampede.server.sharing.pictures import Pictures
from stampede.server.sharing.rasterise import to_png
from stampede.server.sharing.texts import LANGUAGES, language_of, texts_in
from stampede.store import Store
from stampede.zoff.rules import ZoffRules
from tests.server.people import browsers, command, open_table, play_out, sit
from tests.server.servers import running, settings_for
from tests.waiting import wait_until
from tests.web.records import EDITION, random_record
from tests.zoff.arranged import played
from tests.zoff.other_secrets import with_other_secrets

PNG = b"\x89PNG\r\n\x1a\n"


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(PNG)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("players", [2, 4])
def test_sealed_choices_and_hands_change_no_byte_of_a_picture(players: int) -> None:
    spec, rng = GAMES["zoff"], random.Random(5)
    turns = played(ZoffRules(players), 11).turns
    assert spec.draw is not None
    changed = 0
    for turn in turns[::3]:
        other = with_other_secrets(turn.state, None, rng)
        changed += other != turn.state
        views = [spec.game.view(state, None) for state in (turn.state, other)]
        drawn = [Moment("running", spec.title, spec.draw(view), ("A", "B")) for view in views]
        one, two = (draw_card(moment, texts_in("en")) for moment in drawn)
        assert one == two
    assert changed > 3, "the secrets really differ"


def test_a_card_in_every_language_is_a_picture_of_the_size_that_previews_want() -> None:
    drawing = Drawing('<rect width="10" height="10"/>', 10, 10, ("", ""))
    moment = Moment("over", "Zoff in Buffalo", drawing, ("Änne", "Zoë"), (), ("Zoë",))
    for language in LANGUAGES:
        png = to_png(draw_card(moment, texts_in(language)))
        assert size_of(png) == (WIDTH, HEIGHT)


def test_words_are_really_drawn() -> None:
    """Without a font that has the letters, a renderer leaves them out without a word."""
    drawing = Drawing("", 10, 10, ())
    cards = {
        to_png(draw_card(Moment("running", "Buffalo", drawing, (name,)), texts_in("en")))
        for name in ("Ann", "Ben", "Änn", "")
    }
    assert len(cards) == 4


def test_a_name_that_is_markup_stays_text() -> None:
    drawing = Drawing("", 10, 10, ())
    name = '"><script>1</script>'
    svg = draw_card(Moment("running", "Buffalo", drawing, (name,)), texts_in("en"))
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("de-AT,de;q=0.9", "de"),
        ("pt, nl;q=0.2, it;q=0.5", "it"),
        ("fr;q=0, en", "en"),
        ("x;q=many, fr", "fr"),
        ("," * 9999, "en"),
    ],
)
def test_the_language_is_the_reader_s_best(header: str | None, language: str) -> None:
    assert language_of(header) == language


def test_the_same_picture_is_made_once_and_the_cache_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def rasterise(svg: str) -> bytes:
        made.append(svg)
        return svg.encode() * 100

    async def scenario() -> None:
        found = Pictures(rasterise)
        twice = list(await asyncio.gather(found.png("a"), found.png("a")))
        assert twice == [b"a" * 100] * 2
        assert made == ["a"]
        monkeypatch.setattr(pictures, "MAX_BYTES", 250)
        for name in "bcd":
            await found.png(name)
        await found.png("a")
        assert made == ["a", "b", "c", "d", "a"], "the oldest made room"
        monkeypatch.setattr(pictures, "MAX_WAITING", 0)
        assert await found.png("a") == b"a" * 100, "what is kept needs no turn"
        with pytest.raises(Problem) as refused:
            await found.png("e")
        assert refused.value.status == 503

    asyncio.run(scenario())


def test_a_table_a_step_of_its_game_and_puzzles_have_pictures(ann: httpx.Client) -> None:
    table = open_table(ann, "buffalo", [{}, {"bot": "random"}])
    sit(ann, table, "Ann")
    now = ann.get(f"/api/pictures/tables/{table}.png")
    assert (now.status_code, now.headers["content-type"]) == (200, "image/png")
    assert size_of(now.content) == (WIDTH, HEIGHT)
    assert now.headers["cross-origin-resource-policy"] == "cross-origin"
    play_out(ann, table)
    steps = [
        ann.get(f"/api/pictures/tables/{table}.svg?game=1&step={step}").text for step in (0, 1)
    ]
    assert steps[0] != steps[1]
    assert "Ann" in steps[0]
    board = ann.get(f"/api/pictures/tables/{table}.svg?style=board").text
    assert "Ann" not in board
    again = ann.get(f"/api/pictures/tables/{table}.svg", headers={"If-None-Match": ""})
    kept = ann.get(
        f"/api/pictures/tables/{table}.svg", headers={"If-None-Match": again.headers["etag"]}
    )
    assert kept.status_code == 304
    for path in ("puzzles/daily.svg", "puzzles/2.svg", "home.svg"):
        assert ann.get(f"/api/pictures/{path}").status_code == 200
    assert ann.get("/api/pictures/puzzles/99999.svg").status_code == 404
    assert ann.get("/api/pictures/home.gif").status_code == 422


def test_a_kept_record_has_pictures_of_its_steps(tmp_path: Path) -> None:
    record = random_record("zoff", {"edition": EDITION, "players": 2}, 5)
    name = "0123456789abcdef" * 2

    async def keep_record() -> None:
        store = await Store.open(settings_for(tmp_path).database_url)
        await store.import_record(name, record.game, record.dumps())
        await store.close()

    asyncio.run(keep_record())
    with running(settings_for(tmp_path)) as base, browsers(base, 1) as (ann,):
        path = f"/api/pictures/records/{name}.svg?style=board"
        pictures = {ann.get(f"{path}&step={step}").text for step in (0, 3)} | {ann.get(path).text}
        assert len(pictures) == 3
        assert all(text.startswith("<svg") for text in pictures)
        for wrong, status in (("f" * 32, 404), ("nothing", 422)):
            assert ann.get(f"/api/pictures/records/{wrong}.svg").status_code == status


def test_a_running_game_with_secrets_has_no_picture_of_its_steps(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    table = open_table(ann, "zoff", [{}, {"bot": "random"}, {"bot": "random"}])
    sit(ann, table, "Ann")

    view: dict[str, Any] = {}

    def second_round_begins() -> bool:
        """Plays on until cards of the first round are hidden again (Z6.1)."""
        view.update(ann.get(f"/api/tables/{table}").json()["view"])
        decision = view["decision"]
        if view["view"]["round"] < 2 and view["you"] in decision["awaited"]:
            action = choose_action(view["view"]["legal"], random.Random(1))
            fields = {"player": view["you"], "decision": decision["id"], "action": action}
            assert command(ann, table, "act", **fields).status_code in (200, 409)
        return bool(view["view"]["round"] == 2)

    wait_until("the second round begins", second_round_begins)
    for person in (ann, eve):
        assert person.get(f"/api/pictures/tables/{table}.svg").status_code == 200
        assert person.get(f"/api/pictures/tables/{table}.svg?step=1").status_code == 409


def test_a_private_table_s_picture_is_for_its_players(ann: httpx.Client, eve: httpx.Client) -> None:
    table = open_table(ann, "buffalo", [{}, {"bot": "random"}], watch=False)
    sit(ann, table, "Ann")
    mine = ann.get(f"/api/pictures/tables/{table}.svg")
    assert mine.status_code == 200
    assert mine.headers["cache-control"] == "private, no-store"
    assert mine.headers["cross-origin-resource-policy"] == "same-origin"
    assert eve.get(f"/api/pictures/tables/{table}.svg").status_code == 404
