"""People's pages: private until their owner shows them, and then without what only players may see."""

import json
import random

import httpx
import pytest

from stampede.matches.commands import VoteTopic
from stampede.matches.views import results_of
from stampede.server.people import routes
from stampede.server.people.models import ColourResults, PersonPageAnswer, StatisticsAnswer
from stampede.server.people.statistics import statistics_json
from stampede.server.tables.listing import listing_of
from tests.matches.sitting import buffalo, zoff
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


@pytest.mark.parametrize("game", ["buffalo", "zoff"])
def test_statistics_count_every_game_of_a_series_by_seat(game: str) -> None:
    sitting = buffalo(seed=4) if game == "buffalo" else zoff(3, seed=4)
    players = len(sitting.table.state.chairs)
    sitting.sit(*range(players))
    for _ in range(3):
        sitting.play_out()
        assert listing_of(sitting.table.state).status == "over"
        sitting.vote(VoteTopic.NEXT, *range(players))
    assert json.loads(listing_of(sitting.table.state).summary)["tally"] is None, "the fourth runs"
    sitting.play_out()
    results = results_of(sitting.table.spec, sitting.table.state)
    line = listing_of(sitting.table.state).summary
    told = StatisticsAnswer.model_validate(statistics_json([line, line]))
    assert (told.tables, told.games) == (2, {game: 8})
    (found,) = told.results
    assert (found.players, found.games) == (players, 8)
    assert sum(seat.wins for seat in found.seats) == 2 * sum(len(one.winners) for one in results)
    assert [sum(one.games for one in found.colours)] == [8 * players if game == "zoff" else 0]
    matches = (*sitting.table.state.past, sitting.table.state.running)
    first = [match.seating[0] for match in matches]
    wins = sum(who in one.winners for who, one in zip(first, results, strict=True))
    assert found.seats[0].wins == 2 * wins
    old = {key: value for key, value in json.loads(line).items() if key != "tally"}
    told = StatisticsAnswer.model_validate(statistics_json([json.dumps(old)]))
    assert told.games == {game: 4}, "of an earlier version's listing"
    assert told.results[0].games == 1


def test_a_page_says_whether_it_counts_all_games(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browsers(base, 1) as (ann,):
        name = new_name()
        keep(ann, name)
        for number in range(2):
            sit(ann, open_table(ann, "buffalo", BUFFALO), name, 0)
            mine = page(ann, name).played
            assert mine is not None
            assert (mine.complete, mine.most_tables) == (number == 0, 1 if number else 60)
            monkeypatch.setattr(routes, "MAX_TABLES", 1)


def test_a_running_game_is_on_no_page(base: str) -> None:
    with browsers(base, 1) as (ann,):
        name = new_name()
        keep(ann, name)
        sit(ann, open_table(ann, "buffalo", BUFFALO), name, 0)
        mine = page(ann, name)
        assert mine.played is not None
        assert mine.played.games == 0
        assert mine.played.latest == []
