"""Matches: pairs of openings, programs that misbehave, and what the results mean."""

import json
import math
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stampede.bots.buffalo.levels import level_of
from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.lab.arena.games import GameReport, MatchPlan, play_match
from stampede.lab.arena.openings import read_openings, shipped_openings, tuning_openings
from stampede.lab.arena.players import EnginePlayer, player_of
from stampede.lab.arena.stats import PairScore, Score, Sprt
from stampede.search.buffalo.engine import Engine, Limits
from tests.waiting import PATIENCE

START = (Position.start(),)
FAST = Limits(nodes=200)
ENGINE = f"uci:{sys.executable} -m stampede.cli uci"
POLITE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("uciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "quit": break
    elif word == "go":
        {go}
"""


def _program(folder: Path, go: str) -> str:
    path = folder / "engine.py"
    path.write_text(POLITE.format(go=go), "utf-8")
    return f"uci:{sys.executable} {path}"


def _match(
    a: str,
    b: str,
    games: int,
    *,
    limits: Limits = FAST,
    jobs: int = 1,
    adjudicate: bool = False,
    grace: float = PATIENCE,
) -> list[GameReport]:
    pairs = [
        (player_of(a, limits, grace=grace), player_of(b, limits, grace=grace)) for _ in range(jobs)
    ]
    try:
        return list(play_match(MatchPlan(START, games, adjudicate=adjudicate), pairs))
    finally:
        for pair in pairs:
            for player in pair:
                player.close()


def test_each_opening_is_played_with_both_sides() -> None:
    plan = MatchPlan((Position.start(), Position.start("a")), 6)
    played = [(plan.opening(index), plan.side(index)) for index in range(6)]
    assert played[0][0] == played[1][0] != played[2][0]
    assert [side for _, side in played[:2]] == [Side.BUFFALO, Side.HUNTER]
    assert played[4] == played[0]


def test_the_same_match_is_played_again_game_by_game_whatever_the_jobs() -> None:
    first = _match("2", "random", 4)
    assert first == _match("2", "random", 4, jobs=2)
    for game in first:
        position = Position.from_fen(game.opening)
        for move in game.moves:
            position = position.play(move)
        assert position.winner is game.winner


def test_an_adjudicated_game_is_the_beginning_of_the_played_one_with_the_same_winner() -> None:
    whole = _match("nodes=2000", "nodes=500", 4)
    short = _match("nodes=2000", "nodes=500", 4, adjudicate=True)
    for played, judged in zip(whole, short, strict=True):
        assert judged.reason == "proven"
        assert judged.winner is played.winner
        assert judged.moves == played.moves[: len(judged.moves)]
    assert sum(len(game.moves) for game in short) < sum(len(game.moves) for game in whole)


def test_a_win_that_a_foreign_program_claims_is_not_believed(tmp_path: Path) -> None:
    claim = 'print("info score mate 1"); print("bestmove a7a1", flush=True)'
    games = _match(_program(tmp_path, claim), "random", 1, adjudicate=True)
    assert not games[0].a_won


def test_a_level_without_its_clock_keeps_everything_else() -> None:
    timed = level_of(10)
    assert timed.seconds is not None
    assert timed.without_clock() == replace(timed, seconds=None)


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ('print("bestmove a7a1", flush=True)', "illegal move a7a1"),
        ('print("bestmove what", flush=True)', "illegal move what"),
        ('print("bestmove", flush=True)', "expected a move"),
        ("sys.exit(3)", "died"),
        ("import time; time.sleep(600)", "hung"),
    ],
)
def test_a_program_that_misbehaves_loses_that_game_and_the_match_goes_on(
    tmp_path: Path, go: str, reason: str
) -> None:
    # A program that answers may be slow on a busy machine; only one that doesn't is to be found out soon.
    grace = 0.5 if reason == "hung" else PATIENCE
    games = _match(_program(tmp_path, go), "random", 2, limits=Limits(seconds=0.1), grace=grace)
    assert len(games) == 2
    for game in games:
        assert game.fault
        assert not game.a_won
        assert reason in game.reason


def test_a_program_that_cannot_be_started_loses_too() -> None:
    games = _match("uci:./no-such-engine", "random", 2)
    assert [(game.a_won, game.fault) for game in games] == [(False, True)] * 2
    assert "can't be started" in games[0].reason


def test_our_own_engine_plays_over_uci() -> None:
    games = _match(ENGINE, "random", 2)
    assert not any(game.fault for game in games)
    assert all(game.a_won for game in games)


@pytest.mark.parametrize(
    "text",
    [
        *("11", "0", "champion", "nodes=many", "nodes=0", "uci:", 'uci:"', "seconds=-1"),
        *("engine,network=perhaps", "engine,speed=2", "nodes=9,reverse_depth=x", "engine,"),
        *("nodes=9,null_move_divisor=0", "nodes=9,futility_margin=-1", "engines"),
    ],
)
def test_an_unknown_player_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        player_of(text, FAST)


def test_our_engine_takes_another_evaluation_and_other_search_parameters() -> None:
    """For sequential tests that everybody can repeat; the defaults are what ships."""

    def searched(text: str) -> int:
        player = player_of(text, Limits(depth=7))
        assert isinstance(player, EnginePlayer)
        return player.engine.search(Position.start(), player.limits).nodes

    assert searched("engine") == searched("depth=7,network=yes,reverse_depth=4")
    changes = (
        "network=no",
        "reverse_depth=1",
        "null_move_depth=1000",
        "null_move_reduction=2",
        "null_move_divisor=2",
        "futility_margin=20",
        "late_move_base=1",
        "late_move_factor=1",
        "buffalo_slope=0.9",
        "hunter_slope=0.1",
    )
    assert len({searched(f"engine,{change}") for change in ("network=yes", *changes)}) == 11


def test_shipped_openings_are_near_even_and_all_different_tuning_from_judging() -> None:
    openings = (*shipped_openings(), *tuning_openings())
    assert len({frozenset((p.fen(), p.mirror().fen())) for p in openings}) == len(openings) >= 350
    for position in openings[::30]:
        score = Engine(entries=1 << 16).search(position, Limits(nodes=20_000)).best.score
        assert abs(score) < 350, position.fen()


@pytest.mark.parametrize("text", ["", "# nothing\n", "bbb b - -\n"])
def test_a_file_without_openings_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"openings\.txt"):
        read_openings(path)


def test_a_score_s_interval_holds_it_and_shrinks_with_games() -> None:
    small, large = Score(6, 10), Score(600, 1000)
    for score in (small, large, Score(0, 5), Score(5, 5)):
        low, high = score.interval
        assert 0 <= low <= score.share <= high <= 1
    assert large.interval[1] - large.interval[0] < small.interval[1] - small.interval[0]
    assert Score(0, 0).interval == (0.0, 1.0)


def test_the_sequential_test_settles_clear_cases_and_leaves_others_open() -> None:
    test = Sprt.parse("0,40")
    assert test.verdict(PairScore((0, 0, 30, 0, 70))) == "better"
    assert test.verdict(PairScore((70, 0, 30, 0, 0))) == "not better"
    assert test.verdict(PairScore((2, 0, 6, 0, 2))) == "open"
    assert test.verdict(PairScore()) == "open"


def test_without_draws_and_bias_the_pairs_say_what_single_games_say() -> None:
    """As many pairs of each kind as independent games make: then the ratio is that of the games."""
    share, pairs = 0.6, 10_000
    lost, won = (1 - share) ** 2, share**2
    counts = (round(pairs * lost), 0, round(pairs * 2 * share * (1 - share)), 0, round(pairs * won))
    p0, p1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (50, 90))
    wins, losses = 2 * pairs * share, 2 * pairs * (1 - share)
    single = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    assert Sprt(50, 90).ratio(PairScore(counts)) == pytest.approx(single, rel=0.02)


def test_shared_pairs_speak_for_neither_but_tell_that_openings_decide() -> None:
    """The same lead among many shared pairs is worth more than among pairs that go either way."""
    steady, wild = PairScore((5, 0, 90, 0, 15)), PairScore((45, 0, 10, 0, 55))
    test = Sprt(0, 60)
    assert steady.share == wild.share
    assert steady.interval[0] > wild.interval[0]
    assert abs(test.ratio(steady)) > 3 * abs(test.ratio(wild))


@pytest.mark.parametrize("bias", [0, 300])
@pytest.mark.parametrize("truth", [0, 100])
def test_the_sequential_test_errs_as_seldom_as_it_promises(truth: int, bias: int) -> None:
    """By simulation, also where openings favour a side; twice the risk of 5 % would be far outside."""
    test, rng, wrong, runs = Sprt(0, 100), random.Random(4), 0, 120
    wanted = "better" if truth else "not better"
    # The strength at which biased openings give the mean score of the hypothesis.
    strength = truth if not bias else {0: 0.0, 100: 183.5}[truth]
    chances = [1 / (1 + 10 ** (-(strength + tilt) / 400)) for tilt in (-bias, bias)]
    assert sum(chances) / 2 == pytest.approx(1 / (1 + 10 ** (-truth / 400)), abs=0.001)
    for _ in range(runs):
        points: list[float] = []
        while (verdict := test.verdict(PairScore.of(points))) == "open":
            points.append(float(sum(rng.random() < chance for chance in chances)))
        wrong += verdict != wanted
    assert wrong / runs < 0.09


@pytest.mark.parametrize("text", ["", "5", "20,0", "a,b"])
def test_a_senseless_sequential_test_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="sprt"):
        Sprt.parse(text)


def test_the_command_reports_in_json() -> None:
    command = ["match", "--a", "1", "--b", "random", "--games", "2", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "stampede.cli", *command], capture_output=True, text=True, check=True
    )
    report = json.loads(done.stdout)
    assert report["score"]["games"] == 2
    assert len(report["games"]) == 2
