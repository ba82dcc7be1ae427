"""Reviews say what holds: claims come out again from the budget that they name, and wrong ones are found."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.core.json import canonical
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.lab.reviews.__main__ import main
from stampede.lab.reviews.check import check_review
from stampede.lab.reviews.games import play_sample, sample_games
from stampede.lab.reviews.levels import (
    Decision,
    LevelGame,
    all_decisions,
    mean_gap,
    mean_loss,
    open_decisions,
    paired_seats,
)
from stampede.lab.reviews.listed import Certificates
from stampede.lab.reviews.times import play_usual, time_review
from stampede.lab.reviews.wins import WinCheck, WinChecker
from stampede.oracle.reviews import plan_review_again
from stampede.proofs.puzzles.zoff_solver import RoundSolver
from stampede.search.review import GameReview, ReviewedDecision, run_review
from stampede.zoff import ZoffGame
from tests.web.records import EDITION, random_record

SMALL = {
    "zoff": {
        "seed": 3, "pool": 8, "samples": 2, "keep": 4, "rounds": 200, "leaves": 40,
        "response_iterations": 2,
    },
    "buffalo": {"first": 300, "nodes": 5_000, "entries": 1 << 12},
}  # fmt: skip
LETS_RUN = "11/11/11/11/C4b5/DD7DD/11 w - - 0 20"
"""A dog on f2 blocks the last buffalo and wins (B3.2); anything else lets it cross."""


def small_review(record: GameRecord) -> GameReview:
    return run_review(plan_review_again(record, SMALL[record.game]))


def test_the_sample_has_both_games_in_all_sizes() -> None:
    samples = list(sample_games())
    assert len(samples) == 50
    assert {sample.kind for sample in samples} == {
        "buffalo", *(f"zoff, {players} players" for players in range(2, 7))
    }  # fmt: skip
    assert len({(sample.kind, sample.rules) for sample in samples}) == 30


@pytest.mark.parametrize("number", [0, 1, 20, 25])
def test_every_claim_of_a_review_holds(number: int) -> None:
    """Zoff with two and four players, Buffalo from the start and with a handicap."""
    record = play_sample(next(islice(sample_games(), number, None)))
    review = small_review(record)
    checked = check_review(review, WinChecker(most=300, proof=200_000))
    assert checked.faults == []
    assert checked.better > 0
    if record.game == "buffalo":
        assert sum(proof.winners for proof in checked.proofs.values()) > 0
    else:
        assert len(checked.fresh) == len(checked.claimed) > 0


def test_a_review_that_claims_too_much_is_found_out() -> None:
    review = small_review(play_sample(next(islice(sample_games(), 1, None))))
    end = next(point for point in review.points if point.proven is not None)
    assert end.proven is not None
    wrong = replace(end, proven=replace(end.proven, seat=1 - end.proven.seat))
    points = tuple(wrong if point is end else point for point in review.points)
    first = replace(review.decisions[0], mark="??")
    forged = replace(review, points=points, decisions=(first, *review.decisions[1:]))
    faults = " ".join(check_review(forged, WinChecker(most=50, proof=200_000)).faults)
    assert "give another review" in faults
    assert "isn't so" in faults
    assert "marked '??'" in faults


@pytest.mark.parametrize(("seed", "lost"), [(13, [(35, 1, 2), (37, 0, 0)]), (17, None)])
def test_the_placement_that_lost_the_last_round_of_two_is_told_for_certain(
    seed: int, lost: list[tuple[int, int, int]] | None
) -> None:
    record = random_record("zoff", {"edition": EDITION, "players": 2}, seed)
    played = replay(ZoffGame(), record)
    states = [played.start, *(turn.state for turn in played.turns)]
    found = [one for one in last_answers(record) if one.proven is not None]
    assert found
    if lost is not None:
        told = [(one.turn, one.proven.seat, one.proven.plies) for one in found if one.proven]
        assert told == lost
    for one in found:
        assert one.proven is not None
        assert one.proven.seat != one.seat
        solved = RoundSolver(50_000).solve(states[one.turn])
        ends = {canonical(c.action.to_json()): c.end.winners for c in solved.choices}
        assert ends[canonical(one.chosen)] == (one.proven.seat,)
        assert ends[canonical(one.best)] == (one.seat,)


def last_answers(record: GameRecord) -> list[ReviewedDecision]:
    """The reviewed placements and bonuses of the last round."""
    plan = plan_review_again(record, SMALL["zoff"])
    decisions = [one for task in plan.tasks[1:] for one in task().decisions]
    last = max(one.round for one in decisions)
    kinds = ("place", "bonus")
    return [
        one
        for one in decisions
        if one.round == last and isinstance(one.chosen, dict) and one.chosen["type"] in kinds
    ]


def test_a_false_end_of_zoff_is_found_out() -> None:
    record = random_record("zoff", {"edition": EDITION, "players": 2}, 13)
    review = small_review(record)
    true = next(one for one in review.decisions if one.proven is not None)
    assert true.proven is not None
    assert check_review(review).faults == []
    for wrong in (replace(true.proven, seat=true.seat), replace(true.proven, plies=1)):
        forged = [replace(one, proven=wrong) if one is true else one for one in review.decisions]
        checked = check_review(replace(review, decisions=tuple(forged)))
        assert any("isn't so" in fault for fault in checked.faults)


def test_wins_are_proven_again_or_refuted() -> None:
    """B3.1, B3.2: the hunter to move wins by blocking, and the buffalo side doesn't."""
    checker, position = WinChecker(), Position.from_fen(LETS_RUN).with_turn(Side.HUNTER)
    held = checker.check(position, Side.HUNTER, 5)
    assert held.winner is True
    assert not held.is_refuted
    assert checker.check(position, Side.BUFFALO, 5).is_refuted


def test_a_win_that_is_too_long_is_proven_by_a_certificate_that_is_verified_and_has_it() -> None:
    """B3.1: a, b and c have made three steps; the mirror image is won, too, and with a buffalo less nothing is said."""
    name, certificates = "opening-abc-3", Certificates()
    won = Position.from_fen("3bbbbbbbb/11/11/bbb8/11/3DDCDD3/11 w - - 0 1")
    fewer = Position.from_fen("4bbbbbbb/11/11/bbb8/11/3DDCDD3/11 w - - 0 1")
    assert certificates.prove(name, won, Side.BUFFALO)
    assert certificates.prove(name, won.mirror(), Side.BUFFALO)
    assert not certificates.prove(name, fewer, Side.BUFFALO)
    assert not certificates.prove(name, won, Side.HUNTER)
    checked = WinChecker(most=1, proof=10).check(fewer, Side.BUFFALO, 2, name)
    assert checked.listed is False
    assert checked.is_refuted
    assert not WinCheck(None, None, listed=True, played=20).is_refuted
    assert WinCheck(None, None, listed=False, played=20).is_refuted


def test_a_budget_of_another_game_is_refused() -> None:
    record = play_sample(next(islice(sample_games(), 1, None)))
    with pytest.raises(InputError, match="budget: expected entries, first, nodes, got seed"):
        plan_review_again(record, {"seed": 1})


def test_the_mean_loss_has_an_interval_by_game() -> None:
    found = mean_loss([(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)])
    assert (found.value, found.games) == (2.0, 3)
    assert found.half == pytest.approx(1.96 * (1 / 3) ** 0.5)
    # Where decisions count, a game with more of them counts more, and one without any not at all.
    found = mean_loss([(1.0, 1.0), (1.0, 3.0), (0.0, 0.0)])
    assert found.value == 0.5
    assert found.half == pytest.approx(1.96 * ((0.375**2 + 0.375**2) / 2 / 3) ** 0.5)


def test_only_decisions_of_open_games_count_as_open() -> None:
    decisions = [Decision(*one) for one in ((0.05, 0.0), (0.1, 0.1), (0.9, 0.5), (1.0, 0.8))]
    assert open_decisions(decisions) == pytest.approx((0.6, 2.0))
    assert all_decisions(decisions) == pytest.approx((0.35, 1.0))


def test_levels_of_a_game_of_two_are_paired_on_the_same_side_against_the_same_opponent() -> None:
    tables = [(1, 3, 0.5), (2, 3, 0.2), (3, 1, 0.3), (1, 2, 0.9), (2, 1, 0.4), (1, 3, 0.8)]
    games = [
        LevelGame((one, other), ((Decision(0.5, loss),), (Decision(0.5, loss / 2),)))
        for one, other, loss in tables
    ]
    pairs = [(low, high) for (low, _), (high, _) in paired_seats(games, 1, 2, all_decisions)]
    assert sorted(pairs) == [(0.2, 0.45), (0.5, 0.2), (0.9, 0.4)]


def test_neighbours_are_compared_game_by_game_and_kept_games_are_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Losses that rise and fall together tell levels apart where their own intervals overlap."""
    losses = [(0, 1.0, 0.5), (0, 5.0, 4.0), (1, 9.0, 9.0), (0, 3.0, 2.5)]
    played = [
        LevelGame((1, 2, 3), ((Decision(0, high),), (Decision(0, low),), (Decision(0, 0.0),)))
        for _, high, low in losses
    ]
    rows = [
        {"game": "zoff", "seed": seed, **game.to_json()}
        for (seed, _, _), game in zip(losses, played, strict=True)
    ]
    gap = mean_gap([((high, 1.0), (low, 1.0)) for seed, high, low in losses if seed == 0])
    assert gap.value == pytest.approx(2 / 3)
    assert gap.tells_apart
    assert gap.half < mean_loss([(high, 1.0) for _, high, _ in losses]).half
    file = tmp_path / "losses.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["levels", "zoff", "--games", "3", "--into", str(file)]) == 0
    assert "| 2 | 2.3333 ± 1.9870 | 3 | 0.6667 ± 0.3267 | 3 |" in capsys.readouterr().out
    assert len(file.read_text("utf-8").splitlines()) == len(rows)


@pytest.mark.parametrize("kind", ["zoff, 2 players", "buffalo"])
def test_a_review_is_timed_as_a_server_computes_it(kind: str) -> None:
    (record,) = play_usual(kind, 1)
    found = time_review(record)
    assert 0 < found.first <= found.whole
    assert found.decisions > 20
