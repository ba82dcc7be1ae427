"""Reviews of Buffalo: mistakes are found and refuted, and what is proven is told apart."""

import random

import pytest

from stampede.buffalo import BuffaloGame, BuffaloRules
from stampede.core.errors import InputError
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.search.buffalo.review import ReviewEffort, chance_of, plan_review
from stampede.search.review import GameReview, run_review

QUICK = ReviewEffort(first=300, nodes=5_000, entries=1 << 12)
LETS_RUN = "11/11/11/11/C4b5/DD7DD/11 w - - 0 20"
"""A dog on f2 blocks the last buffalo and wins (B3.2); anything else lets it cross."""


def record_of(
    start: str, moves: list[str], winner: int = 0, reason: str = "resigned"
) -> GameRecord:
    return GameRecord(
        "buffalo",
        {"removed": [], "opening_moves": 1},
        (SeatInfo("Ann"), SeatInfo("Ben")),
        {"start": start},
        tuple(moves),
        {"winner": winner, "reason": reason},
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
    lost = review(record_of(LETS_RUN, ["a3a4"])).decisions[0]
    assert (lost.mark, lost.value, lost.best_value) == ("??", 0.0, 1.0)
    assert str(lost.best).endswith("f2")
    assert lost.line[0] == "f3f2", "the refutation"
    assert lost.proven is not None
    assert (lost.proven.seat, lost.proven.kind) == (0, "search")
    assert [reason.code for reason in lost.reasons[:3]] == ["move_better", "had_win", "now_wins"]
    assert [reason.code for reason in lost.reasons[3:]] == ["can_step"], "f2 would have blocked"
    held = review(record_of(LETS_RUN, [str(lost.best)], 1, "no_move")).decisions[0]
    assert (held.loss, held.proven) == (0.0, None)


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
