"""What accounts did with puzzles, and what others may see of a person: also from several browsers at once."""

import asyncio

from stampede.store import Append, Listing, Store
from stampede.store.accounts.profiles import Profiles, Visibility
from stampede.store.accounts.puzzle_days import PuzzleDays
from stampede.store.accounts.puzzles import PuzzleRatings, Solvers
from stampede.store.finished import finished_summaries
from stampede.store.ratings.ratings import Rating
from tests.store.opened import with_store

NOW = 1_700_000_000_000
BROWSERS = 6


def counted(mine: Rating | None, other: Rating | None) -> tuple[Rating, Rating]:
    """A rating that only counts how often it was asked for."""
    old, puzzle = mine or Rating(25.0, 8.0), other or Rating(25.0, 8.0)
    after = old.games + 1
    return (
        Rating(old.mu + 1, old.sigma, after, after, NOW + after),
        Rating(puzzle.mu - 1, puzzle.sigma, puzzle.games + 1, 0, NOW + after),
    )


def test_the_first_result_of_a_day_stays_whichever_browser_sends_another(address: str) -> None:
    async def scenario(store: Store) -> None:
        days = PuzzleDays(store.engine)
        assert await days.results("a1") == {}
        await days.add("a1", {}, NOW)
        await days.add("a1", {"buffalo": {"2026-11-01": "solved"}}, NOW)
        later = {"buffalo": {"2026-11-01": "failed", "2026-11-02": "failed"}}
        await days.add("a1", later, NOW + 1)
        await days.add("a2", {"zoff": {"2026-11-01": "failed"}}, NOW)
        kept = {"buffalo": {"2026-11-01": "solved", "2026-11-02": "failed"}}
        assert await days.results("a1") == kept
        assert await days.results("a2") == {"zoff": {"2026-11-01": "failed"}}
        sent = {"zoff": {f"2026-10-{day:02}": "solved" for day in range(1, 29)}}
        await asyncio.gather(*(days.add("a1", sent, NOW + n) for n in range(BROWSERS)))
        assert await days.results("a1") == {**kept, **sent}

    with_store(address, scenario)


def test_a_puzzle_counts_once_for_an_account_however_often_it_is_sent(address: str) -> None:
    async def scenario(store: Store) -> None:
        ratings = PuzzleRatings(store.engine)
        for solvers in Solvers:
            puzzle = f"{solvers.puzzles}p1"
            found = await asyncio.gather(
                *(
                    ratings.count(solvers, "a1", puzzle, solved=True, rate=counted)
                    for _ in range(BROWSERS)
                )
            )
            (only,) = [one for one in found if one is not None]
            assert only[0] is None, "a new solver"
            assert await ratings.all_puzzles(solvers) == {puzzle: only[2]}
            mine = solvers.identity("a1")
            assert await ratings.ratings([mine, "nobody"]) == {mine: only[1]}

    with_store(address, scenario)


def test_accounts_that_try_the_same_puzzles_at_once_all_count(address: str) -> None:
    async def scenario(store: Store) -> None:
        ratings, buffalo = PuzzleRatings(store.engine), Solvers.BUFFALO
        names = [f"{buffalo.puzzles}p{number}" for number in range(3)]

        async def solve(account: str) -> None:
            for name in names:
                assert await ratings.count(buffalo, account, name, solved=False, rate=counted)

        people = [f"a{number}" for number in range(4)]
        await asyncio.gather(*(solve(one) for one in people))
        found = await ratings.all_puzzles(buffalo)
        assert {name: rating.games for name, rating in found.items()} == dict.fromkeys(names, 4)
        for one in people:
            assert await ratings.tried(one) == set(names)
            history = await ratings.history(one, 2)
            assert [(at, solved) for at, solved, _ in history] == [
                (NOW + 2, False),
                (NOW + 3, False),
            ]
            assert [rating.mu for *_, rating in history] == [27.0, 28.0]

    with_store(address, scenario)


def test_people_show_and_hide_their_page_and_ratings_each_by_itself(address: str) -> None:
    async def scenario(store: Store) -> None:
        profiles = Profiles(store.engine)
        assert await profiles.visibility("a1") == Visibility(shown=False, ratings=True)
        assert await profiles.show("a1", ratings=False) == Visibility(shown=False, ratings=False)
        assert await profiles.show("a1", shown=True) == Visibility(shown=True, ratings=False)
        assert await profiles.show("a1") == await profiles.visibility("a1")
        assert await profiles.visibility("a2") == Visibility()
        assert await profiles.show("a1", shown=False, ratings=True) == Visibility()
        for name in ("a1", "a2"):  # with a row from before, and without one
            await asyncio.gather(
                profiles.show(name, shown=True), profiles.show(name, ratings=False)
            )
            assert await profiles.visibility(name) == Visibility(shown=True, ratings=False)

    with_store(address, scenario)


def test_statistics_see_finished_tables_and_the_engine_those_of_people(address: str) -> None:
    async def scenario(store: Store) -> None:
        listings = [
            Listing("over", "buffalo", "over", True, NOW, '"over"'),
            Listing("closed", "zoff", "closed", True, NOW + 1, '"closed"'),
            Listing("alone", "zoff", "running", False, NOW + 2, '"alone"'),
            Listing("people", "zoff", "running", False, NOW + 3, '"people"', contested=True),
        ]
        for listing in listings:
            await store.append(Append(listing.table_id, 1, ("{}", "{}"), listing))
        assert await finished_summaries(store.engine, 9) == ['"closed"', '"over"']
        assert await finished_summaries(store.engine, 1) == ['"closed"']
        assert await store.contested("zoff") == {"people": 2}
        assert await store.contested("buffalo") == {}
        assert await store.ids_by_status("running", 9) == ["people", "alone"]
        assert await store.last_seqs(["over", "people", "none"]) == {"over": 2, "people": 2}

    with_store(address, scenario)
