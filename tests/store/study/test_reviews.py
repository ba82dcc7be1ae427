"""Kept reviews: found again, bounded, those that were looked at last kept longest."""

from stampede.store import Store
from stampede.store.study.reviews import ReviewStore
from tests.store.opened import with_store

MOST = 4


def test_reviews_are_found_again_and_the_longest_unseen_are_dropped(address: str) -> None:
    async def scenario(store: Store) -> None:
        kept = ReviewStore(store.engine, MOST)
        for number in range(MOST):
            await kept.put(f"r{number}", f"review {number}", number)
        await kept.put("r0", "the same game, reviewed at once by another", 7)
        assert await kept.find("r0", 10) == "review 0"
        assert await kept.find("none", 10) is None
        await kept.put("new", "ü" * 1000, 11)
        found = {key for key in ("r0", "r1", "r2", "r3", "new") if await kept.find(key, 12)}
        assert found == {"r0", "r3", "new"}
        assert await kept.find("new", 13) == "ü" * 1000

    with_store(address, scenario)
