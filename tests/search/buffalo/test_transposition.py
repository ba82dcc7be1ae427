"""An entry of the transposition table gives back what was stored, and the least valuable one makes room."""

import pytest

from stampede.search.buffalo.transposition import (
    EXACT,
    LOWER,
    UPPER,
    WAYS,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    find_entry,
    new_transposition_table,
    store_entry,
)
from stampede.search.buffalo.workspace import WIN

KEY = 0x1234_5678_9ABC
MOVE = 40 | 29 << 7


@pytest.mark.parametrize("bound", [LOWER, UPPER, EXACT])
@pytest.mark.parametrize("score", [-8_000, -1, 0, 17, 8_000])
@pytest.mark.parametrize("depth", [0, 7, 140])
def test_every_part_of_an_entry_comes_back(bound: int, score: int, depth: int) -> None:
    tt = new_transposition_table(1)
    store_entry(tt, 63, KEY, MOVE, score, depth, bound, 12)
    data = find_entry(tt, KEY)
    assert entry_move(data) == MOVE
    assert entry_depth(data) == depth
    assert entry_bound(data) == bound
    assert entry_score(data, 90) == score, "only proven scores depend on the ply"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_proven_score_counts_plies_from_the_node_that_reads_it(sign: int) -> None:
    """Stored at ply 10 as a win in 14 plies from the root: 4 from there, so 6 when it is read at ply 2."""
    tt = new_transposition_table(1)
    store_entry(tt, 1, KEY, MOVE, sign * (WIN - 14), 5, EXACT, 10)
    assert entry_score(find_entry(tt, KEY), 2) == sign * (WIN - 6)


def test_an_unknown_position_has_no_entry() -> None:
    tt = new_transposition_table(1)
    assert find_entry(tt, KEY) == 0
    store_entry(tt, 1, KEY, MOVE, 0, 1, EXACT, 0)
    assert find_entry(tt, KEY + 1) == 0


def test_an_entry_of_which_two_threads_wrote_one_word_each_counts_as_unknown() -> None:
    ours, theirs = new_transposition_table(1), new_transposition_table(1)
    store_entry(ours, 1, KEY, MOVE, 50, 3, LOWER, 0)
    store_entry(theirs, 1, KEY, MOVE, -50, 4, UPPER, 0)
    mixed = ours.copy()
    mixed[1::2] = theirs[1::2]
    assert find_entry(mixed, KEY) == 0
    store_entry(mixed, 1, KEY, MOVE, 7, 2, EXACT, 0)
    assert entry_score(find_entry(mixed, KEY), 0) == 7


def test_a_result_without_a_move_keeps_the_old_move() -> None:
    tt = new_transposition_table(1)
    store_entry(tt, 1, KEY, MOVE, 50, 3, LOWER, 0)
    store_entry(tt, 2, KEY, 0, -50, 4, UPPER, 0)
    data = find_entry(tt, KEY)
    assert (entry_move(data), entry_score(data, 0), entry_depth(data)) == (MOVE, -50, 4)


def test_old_entries_make_room_before_shallow_ones() -> None:
    """One search older counts like eight plies less."""
    tt = new_transposition_table(1)
    same_bucket: list[int] = []
    for key in range(1, 1 << 14):
        probe = new_transposition_table(1)
        store_entry(probe, 1, key, MOVE, 0, 1, EXACT, 0)
        bucket = int(probe.nonzero()[0][0]) // (2 * WAYS)
        if bucket == 0:
            same_bucket.append(key)
        if len(same_bucket) == WAYS + 1:
            break
    *first, last = same_bucket
    for index, key in enumerate(first):
        old = index == 2
        store_entry(tt, 1 if old else 2, key, MOVE, 0, 9 if old else 2 + index, EXACT, 0)
    store_entry(tt, 2, last, MOVE, 0, 1, EXACT, 0)
    kept = [find_entry(tt, key) != 0 for key in same_bucket]
    assert kept == [True, True, False, True, True]
