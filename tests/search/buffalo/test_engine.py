"""The search: right where it claims proof, repeatable, obedient to its budget."""

import random
import threading

import pytest

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.search.buffalo.engine import Engine, Limits, SearchReport, Stop
from tests.search.buffalo.plain import midgame, scattered, wins_within
from tests.waiting import PATIENCE

DECIDED = "11/11/11/11/b9b/2DDCDD4/11 b - - 0 1"
OVER = "11/11/11/11/11/3DDCDD3/b10 w - - 0 1"


@pytest.mark.parametrize("full_width", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_proven_wins_are_those_of_plain_search_and_none_is_missed(
    seed: int, full_width: bool
) -> None:
    """Distances are the shortest; reductions and prunings don't change what is proven at this depth."""
    rng = random.Random(100 + seed)
    proven = 0
    for _ in range(25):
        position = scattered(rng, 3, (3, 4, 4, 5))
        found = (
            Engine(entries=1 << 14).search(position, Limits(depth=8), full_width=full_width).best
        )
        expected = _plies(position, 4)
        shown = found.plies if found.plies is not None and abs(found.plies) <= 4 else None
        assert shown == expected, position.fen()
        proven += expected is not None
    assert proven > 3


def _plies(position: Position, most: int) -> int | None:
    """In how many moves plain search sees a win (or a loss, negative) of the side to move."""
    for plies in range(1, most + 1):
        for side in Side:
            if wins_within(position, side, plies):
                return plies if side is position.turn else -plies
    return None


@pytest.mark.parametrize("seed", range(3))
def test_a_proven_line_leads_to_its_end_in_as_many_moves_as_it_says(seed: int) -> None:
    """Played out by the engine against itself, a proven win comes true, and no later than promised."""
    rng = random.Random(seed)
    position, left = _proven(rng)
    winner = position.turn if left > 0 else _other(position.turn)
    moves = 0
    while not position.is_over:
        line = Engine(entries=1 << 16).search(position, Limits(nodes=30_000)).best
        position = position.play(line.move)
        moves += 1
    assert position.winner is winner
    assert moves <= abs(left)


@pytest.mark.parametrize("seed", range(3))
def test_several_threads_find_the_proven_win_and_its_line_is_legal(seed: int) -> None:
    position, plies = _proven(random.Random(seed))
    found = Engine(entries=1 << 16, threads=3).search(position, Limits(seconds=PATIENCE))
    assert found.best.plies is not None, "the search ends at the proof, not at the time"
    assert (found.best.plies > 0) == (plies > 0)
    for move in found.best.moves:
        position = position.play(move)


def test_a_budget_of_nodes_gives_the_same_with_any_number_of_threads() -> None:
    limits = Limits(nodes=20_000)
    one, many = (
        Engine(entries=1 << 14, threads=threads).search(Position.start(), limits)
        for threads in (1, 4)
    )
    assert (one.variations, one.nodes, one.depth) == (many.variations, many.nodes, many.depth)


@pytest.mark.parametrize("threads", [0, -1, 65])
def test_an_impossible_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(InputError, match="threads: expected 1 to 64"):
        Engine(entries=1, threads=threads)


def _proven(rng: random.Random) -> tuple[Position, int]:
    while True:
        position = midgame(rng)
        line = Engine(entries=1 << 16).search(position, Limits(nodes=30_000)).best
        if line.plies is not None and abs(line.plies) > 5:
            return position, line.plies


def _other(side: Side) -> Side:
    return Side.HUNTER if side is Side.BUFFALO else Side.BUFFALO


def test_a_line_is_legal_and_begins_with_different_moves() -> None:
    position = Position.start()
    found = Engine().search(position, Limits(depth=6), variations=5)
    assert len({line.move for line in found.variations}) == 5
    assert [line.score for line in found.variations] == sorted(
        (line.score for line in found.variations), reverse=True
    )
    for line in found.variations:
        after = position
        for move in line.moves:
            after = after.play(move)


def test_many_lines_find_the_same_best_score_as_one() -> None:
    rng = random.Random(5)
    for _ in range(5):
        position = midgame(rng)
        one = Engine().search(position, Limits(depth=4), full_width=True)
        many = Engine().search(position, Limits(depth=4), variations=96, full_width=True)
        assert many.best.score == one.best.score
        assert len(many.variations) == len(position.legal_moves)


def test_a_mirror_image_has_the_same_score() -> None:
    rng = random.Random(6)
    for _ in range(10):
        position = midgame(rng)
        scores = {
            Engine(entries=1 << 16).search(place, Limits(depth=4), full_width=True).best.score
            for place in (position, position.mirror())
        }
        assert len(scores) == 1, position.fen()


def test_a_budget_of_nodes_gives_the_same_result_every_time() -> None:
    position = midgame(random.Random(7))
    first, second = (
        Engine().search(position, Limits(nodes=30_000), variations=2) for _ in range(2)
    )
    assert first.variations == second.variations
    assert first.nodes == second.nodes
    assert first.nodes <= 30_000 + 8  # calls that are under way when the budget ends still count


def test_an_engine_that_forgets_is_like_a_new_one() -> None:
    engine = Engine()
    first = engine.search(Position.start(), Limits(depth=7))
    engine.forget()
    assert engine.search(Position.start(), Limits(depth=7)).nodes == first.nodes


def test_a_stop_from_another_thread_ends_an_endless_search() -> None:
    stop, deep = Stop(), threading.Event()

    def report(found: SearchReport) -> None:
        if found.depth >= 5:
            deep.set()

    def end() -> None:
        deep.wait()
        stop.set()

    threading.Thread(target=end, daemon=True).start()  # not joined if the search fails
    found = Engine().search(Position.start(), Limits(), report=report, stop=stop)
    assert found.depth >= 5


def test_a_stop_before_the_beginning_still_gives_a_legal_move() -> None:
    stop = Stop()
    stop.set()
    found = Engine().search(Position.start(), Limits(), stop=stop)
    assert Position.start().is_legal(found.best.move)


def test_reports_come_depth_by_depth() -> None:
    depths: list[int] = []
    Engine().search(Position.start(), Limits(depth=6), report=lambda r: depths.append(r.depth))
    assert depths == [1, 2, 3, 4, 5]


def test_a_decided_position_is_not_searched_deeper_than_needed() -> None:
    found = Engine().search(Position.from_fen(DECIDED), Limits(depth=60))
    assert found.best.plies == 3
    assert found.nodes < 1_000


@pytest.mark.parametrize(
    ("limits", "lines", "fen", "message"),
    [
        (Limits(depth=3), 1, OVER, "isn't over"),
        (Limits(depth=3), 0, DECIDED, "at least 1 variation"),
        (Limits(), 1, DECIDED, "expected a limit"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    limits: Limits, lines: int, fen: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Engine().search(Position.from_fen(fen), limits, variations=lines)


@pytest.mark.parametrize("budget", [{"depth": 0}, {"nodes": 0}, {"seconds": 0.0}, {"nodes": -5}])
def test_a_budget_of_zero_is_refused(budget: dict[str, float]) -> None:
    with pytest.raises(InputError, match="above 0"):
        Limits(**budget)  # type: ignore[arg-type]
