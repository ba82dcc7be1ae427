"""Whatever order games come to be counted in, on either database, the ratings are those of the order of their ends."""

import asyncio
import random
from collections.abc import Sequence

from stampede.server.ratings.rating_system import rate, recompute
from stampede.server.ratings.service import compare
from stampede.store import Store
from stampede.store.accounts.accounts import Account, AccountStore
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import QueuedTable, RatedGame, RatedPlayer, RatingStore

PEOPLE = ["a1", "a2", "a3", "bot:easy", "bot:hard"]


def some_games(rng: random.Random, number: int) -> list[RatedGame]:
    """Games of two pools; several end in the same millisecond, and a bot may sit on several chairs."""
    games = []
    for index in range(number):
        if rng.random() < 0.5:
            seats = [rng.choice(PEOPLE) for _ in range(4)]
            players = tuple(
                RatedPlayer(player, who, "zoff-4", rng.randint(1, 3))
                for player, who in enumerate(seats)
            )
            pool = "zoff-4"
        else:
            one, other = rng.sample(PEOPLE, 2)
            sides = ("buffalo-buffalo-0", "buffalo-hunter-0")
            ranks = rng.choice([(1, 2), (2, 1)])
            players = (
                RatedPlayer(0, one, sides[0], ranks[0]),
                RatedPlayer(1, other, sides[1], ranks[1]),
            )
            pool = "buffalo-0"
        table = f"t{rng.randint(0, 5)}"
        games.append(RatedGame(table, index + 1, pool, 1000 + rng.randint(0, number // 2), players))
    return games


async def count_all(store: RatingStore, games: Sequence[RatedGame]) -> None:
    for game in games:
        await store.count(QueuedTable(game.table_id, 0), [game], rate)


def test_the_order_of_arrival_does_not_matter(address: str) -> None:
    async def scenario() -> None:
        rng = random.Random(20)
        games = some_games(rng, 40)
        rng.shuffle(games)
        store = await Store.open(address)
        try:
            ratings, shown = RatingStore(store.engine), Leaderboard(store.engine)
            await count_all(ratings, games)
            fresh = recompute(games)
            assert await ratings.games() == sorted(games, key=lambda game: (game.pool, *game.order))
            assert await ratings.book() == fresh.book  # to the last digit
            await count_all(ratings, games)  # a second time: nothing
            assert await ratings.book() == fresh.book
            for game in games:
                stored = {
                    player: (board, before, after)
                    for player, board, before, after in await shown.changes(
                        game.table_id, game.game
                    )
                }
                assert len(stored) == len(game.players)
        finally:
            await store.close()

    asyncio.run(scenario())


def test_a_board_is_ordered_by_the_lower_end_and_knows_everybodys_place(address: str) -> None:
    async def scenario() -> None:
        games = some_games(random.Random(8), 30)
        store = await Store.open(address)
        try:
            ratings, accounts = RatingStore(store.engine), AccountStore(store.engine)
            shown = Leaderboard(store.engine)
            for name in ("a1", "a2"):  # a3 has deleted their account
                await accounts.create(Account(name, name.upper(), name, None, 0), [])
            await count_all(ratings, games)
            book = recompute(games).book
            lows = {
                who: standing.mu - 2 * standing.sigma
                for (who, board), standing in book.items()
                if board == "zoff-4" and who != "a3"
            }
            order = sorted(lows, key=lambda who: (-lows[who], who))
            leaders = await shown.leaders("zoff-4", 2, 10, 0)
            assert [leader.identity for leader in leaders] == order
            assert (await shown.boards())["zoff-4"] == len(order) == 4
            assert await shown.leaders("zoff-4", 2, 2, 1) == leaders[1:3]
            for leader in leaders:
                assert await shown.find("zoff-4", 2, leader.identity) == leader
                assert leader.name == {"a1": "A1", "a2": "A2"}.get(leader.identity)
            assert await shown.find("zoff-4", 2, "a3") is None
            of_some = await shown.of(["a1", "bot:easy", "unknown"])
            assert of_some == {key: book[key] for key in book if key[0] in ("a1", "bot:easy")}
            history = await shown.history("a1", "zoff-4", 3)
            assert len(history) == 3
            assert [ended for ended, _ in history] == sorted(ended for ended, _ in history)
            last, now = history[-1][1], book["a1", "zoff-4"]
            assert (last.mu, last.sigma) == (now.mu, now.sigma)
        finally:
            await store.close()

    asyncio.run(scenario())


def test_several_may_count_at_once_and_each_game_counts_once(address: str) -> None:
    async def scenario() -> None:
        games = some_games(random.Random(3), 24)
        stores = [await Store.open(address) for _ in range(3)]
        try:
            workers = [RatingStore(store.engine) for store in stores]
            await asyncio.gather(*(count_all(worker, games) for worker in workers))
            assert await workers[0].book() == recompute(games).book
        finally:
            for store in stores:
                await store.close()

    asyncio.run(scenario())


def test_replacing_mends_whatever_is_wrong_and_forgets_no_game_that_ended_meanwhile(
    address: str,
) -> None:
    async def scenario() -> None:
        games = some_games(random.Random(5), 12)
        store = await Store.open(address)
        try:
            ratings = RatingStore(store.engine)
            await count_all(ratings, games[:6])
            fresh = recompute(games[3:])
            assert await compare(ratings, fresh)
            await ratings.replace(fresh.games, fresh.changes, fresh.book)
            assert await compare(ratings, fresh) == []
            lost = {game.table_id for game in games[:3]}
            assert {due.table_id for due in await ratings.read_queue()} == lost
        finally:
            await store.close()

    asyncio.run(scenario())
