"""Reviews of Buffalo: mistakes are found and refuted, and what is proven is told apart."""

import random

import pytest

from stampede.buffalo import BuffaloGame, BuffaloRules, Position
from stampede.core.errors import InputError
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.search.buffalo.review import REVIEW_PHRASES, ReviewEffort, chance_of, plan_review
from stampede.search.review import GameReview, run_review

pytestmark = pytest.mark.usefixtures("compiled")

QUICK = ReviewEffort(first=300, nodes=5_000, entries=1 << 12)
LETS_RUN = "11/11/11/5b5/2C8/3DDD1D3/11 w - - 0 20"
"""The buffalo on f4 is caught by a dog; anything else lets it cross."""


def record_of(start: str, moves: list[str]) -> GameRecord:
    return GameRecord(
        "buffalo",
        {"removed": [], "opening_moves": 1},
        (SeatInfo("Ann"), SeatInfo("Ben")),
        {"start": start},
        tuple(moves),
        {"winner": 0, "reason": "resigned"},
    )


def random_game(seed: int) -> GameRecord:
    game, rng = BuffaloGame(), random.Random(seed)
    rules = BuffaloRules()
    played = Playthrough(game, rules, game.draw(rules, rng))
    while played.to_act:
        played.play(played.to_act[0], played.legal().sample(rng))
    return played.record((SeatInfo("Ann"), SeatInfo("Ben")))


def review(record: GameRecord) -> GameReview:
    return run_review(plan_review(record, effort=QUICK))


def test_a_move_that_gives_a_proven_win_away_is_told_as_proven() -> None:
    """B3.1: the dog that leaves the runner's file lets it cross."""
    start = Position.from_fen(LETS_RUN)
    blocking = [str(move) for move in start.legal_moves if str(move)[2:] == "f3"]
    assert blocking, "a dog can block"
    lost = review(record_of(LETS_RUN, ["h2h3"])).decisions[0]
    assert lost.mark == "??"
    assert lost.best in blocking or lost.best_value > lost.value
    assert {reason.code for reason in lost.reasons} <= REVIEW_PHRASES.codes | {
        "crosses_now", "both_cross", "out_of_reach", "must_capture", "can_step",
        "threatens_step", "offers", "pinned", "runner",
    }  # fmt: skip
    assert lost.line[0] == "f4f3", "the refutation"
    held = review(record_of(LETS_RUN, [blocking[0]])).decisions[0]
    assert held.loss < lost.loss


@pytest.mark.parametrize("seed", [1, 2])
def test_every_move_of_a_game_is_reviewed_and_the_curve_ends_with_the_result(seed: int) -> None:
    """B3.3: one side wins; the last point says which."""
    record = random_game(seed)
    found = review(record)
    assert [decision.turn for decision in found.decisions] == list(range(len(record.actions)))
    assert [point.turn for point in found.points] == list(range(len(record.actions) + 1))
    assert record.result is not None
    chances = dict(enumerate(found.points[-1].chances))
    assert [seat for seat, chance in chances.items() if chance == 1.0] == [record.result["winner"]]
    for decision in found.decisions:
        assert (decision.loss > 0) == (decision.best != decision.chosen)
    assert found.to_json() == review(record).to_json(), "repeatable"


def test_chances_grow_with_the_score_and_end_at_certainty() -> None:
    scores = [-2000, -250, 0, 250, 2000]
    chances = [chance_of(score) for score in scores]
    assert chances == sorted(chances)
    assert chances[2] == 0.5
    assert (chance_of(29_990, 10), chance_of(-29_990, -10)) == (1.0, 0.0)


def test_a_game_that_is_not_over_is_refused() -> None:
    record = random_game(3)
    running = GameRecord(record.game, record.rules, record.seats, record.setup, record.actions[:4])
    with pytest.raises(InputError, match="expected a finished game of buffalo"):
        plan_review(running)
