"""People's pages: private until their owner shows them, and then without what only players may see."""

import random

import httpx
import pytest

from stampede.server.people.models import ColourResults, PersonPageAnswer, StatisticsAnswer
from tests.server.people import browsers, keep, new_name, open_table, play_out, sit

BUFFALO = [{}, {"bot": "random"}]


def page(client: httpx.Client, name: str) -> PersonPageAnswer:
    """A person's page as this visitor gets it."""
    answer = client.get(f"/api/people/{name}")
    assert answer.status_code == 200, answer.text
    return PersonPageAnswer.model_validate(answer.json())


def test_a_page_is_private_until_it_is_shown_and_never_tells_of_hidden_tables(base: str) -> None:
    with browsers(base, 2) as (ann, ben):
        name = new_name()
        keep(ann, name)
        before = StatisticsAnswer.model_validate(ann.get("/api/statistics").json())
        for watch in (True, False):
            table = open_table(ann, "buffalo", BUFFALO, watch=watch)
            sit(ann, table, name, 0)
            play_out(ann, table, random.Random(3))
        mine = page(ann, name)
        assert (mine.you, mine.shown) == (True, False)
        assert mine.played is not None
        assert mine.played.games == 2
        assert [one.name for one in mine.played.opponents] == ["random"]
        assert {one.side for one in mine.played.results} == {"buffalo"}
        assert mine.played.openings
        assert page(ben, name).played is None
        ann.post("/api/account/profile", json={"shown": True}).raise_for_status()
        theirs = page(ben, name)
        assert (theirs.you, theirs.shown) == (False, True)
        assert theirs.played is not None
        assert theirs.played.games == 1
        ann.post("/api/account/profile", json={"shown": False}).raise_for_status()
        assert page(ben, name).played is None
        assert ben.post("/api/account/profile", json={"shown": True}).status_code == 401
        assert ben.get(f"/api/people/{new_name()}").status_code == 404
        after = StatisticsAnswer.model_validate(ben.get("/api/statistics").json())
        assert after.games["buffalo"] >= before.games.get("buffalo", 0) + 2
        buffalo = next(one for one in after.results if one.game == "buffalo")
        assert [seat.side for seat in buffalo.seats] == ["buffalo", "hunter"]
        assert sum(seat.wins for seat in buffalo.seats) == buffalo.games
        assert buffalo.colours == []


@pytest.mark.parametrize(("players", "colours"), [(2, 2), (3, 1)])
def test_statistics_count_the_colours_of_zoff(base: str, players: int, colours: int) -> None:
    with browsers(base, 1) as (ann,):
        before = coloured(ann, players)
        table = open_table(ann, "zoff", [{}, *[{"bot": "random"}] * (players - 1)])
        sit(ann, table, "Ann", 0)
        play_out(ann, table, random.Random(3))
        after = coloured(ann, players)
    assert sum(one.games for one in after) - sum(one.games for one in before) == players * colours
    won = sum(one.wins for one in after) - sum(one.wins for one in before)
    assert won in range(colours, players * colours + 1, colours)
    assert len({one.colour for one in after}) == len(after) >= players * colours


def coloured(client: httpx.Client, players: int) -> list[ColourResults]:
    answer = StatisticsAnswer.model_validate(client.get("/api/statistics").json())
    found = [one for one in answer.results if (one.game, one.players) == ("zoff", players)]
    return found[0].colours if found else []


def test_a_running_game_is_on_no_page(base: str) -> None:
    with browsers(base, 1) as (ann,):
        name = new_name()
        keep(ann, name)
        sit(ann, open_table(ann, "buffalo", BUFFALO), name, 0)
        mine = page(ann, name)
        assert mine.played is not None
        assert mine.played.games == 0
        assert mine.played.latest == []
