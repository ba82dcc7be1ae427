"""`stampede analyse RECORD`: what was given away, in the terminal, as HTML and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from stampede.bots import RandomBot
from stampede.cli.records.analyse_record import analyse_record, is_record
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord
from stampede.games import GAMES
from stampede.lab.simulate import SimulationPlan, play_one
from stampede.oracle.reviews import plan_quick_review
from stampede.search.review import GameReview, ReviewedDecision, run_review
from stampede.search.zoff.review.game import plan_review
from stampede.search.zoff.strategy import Effort
from stampede.zoff import Edition, ZoffGame
from tests.cli.helpers import invoke
from tests.zoff.arranged import edition_file

QUICK = Effort(pool=8, samples=2, keep=4, rounds=100, leaves=40)


def game_of(players: int, *, auction: bool = False, seed: int = 1) -> GameRecord:
    rules: JsonObject = {
        "players": players,
        "edition": Edition.default().id,
        "auction": auction,
        "fair": True,
    }
    bots = (RandomBot(),) * players
    return play_one(SimulationPlan(GAMES["zoff"].game, rules, bots, 1, seed), 0).record


def review_of(record: GameRecord, seed: int = 0) -> GameReview:
    return run_review(plan_review(record, effort=QUICK, seed=seed))


def kind_of(decision: ReviewedDecision) -> object:
    assert isinstance(decision.chosen, dict)
    return decision.chosen["type"]


@pytest.mark.parametrize(("players", "auction"), [(2, False), (2, True), (3, True), (5, False)])
def test_every_decision_is_weighed(players: int, auction: bool) -> None:
    """From settling and bids to bonuses: none is better than the best, and the curve ends with the result."""
    record = game_of(players, auction=auction)
    found = review_of(record)
    kinds = ("settle", "bid", "pick", "choose", "place", "bonus")
    free = [
        step
        for step in record.actions
        if isinstance(step, dict) and step["type"] in kinds and not step.get("forced")
    ]
    # A record also tells bonuses that nobody could use: these were no decisions.
    assert 0 < len(found.decisions) <= len(free)
    for kind in ("settle", "bid", "pick", "choose"):
        weighed = [one for one in found.decisions if kind_of(one) == kind]
        taken = sum(step["type"] == kind for step in free)
        # The last colour goes to the last seat by itself.
        assert len(weighed) == (taken - 1 if kind == "pick" and auction else taken)
        assert all(one.words for one in weighed)
    for decision in found.decisions:
        assert decision.loss >= 0
        assert (decision.loss > 0) == (decision.best != decision.chosen)
    assert record.result is not None
    winners = record.result["winners"]
    assert [seat for seat, chance in enumerate(found.points[-1].chances) if chance] == winners
    assert all(sum(point.chances) == pytest.approx(1.0) for point in found.points)


def test_the_same_seed_gives_the_same_analysis() -> None:
    record = game_of(3)
    first, second = (review_of(record, seed=4).to_json() for _ in range(2))
    assert first == second
    assert first["format"] == "stampede-review/1"


def test_a_report_is_complete_and_loads_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game_of(3).to_json()), encoding="utf-8")
    analyse_record(path, rounds=100)
    told = capsys.readouterr().out
    assert "Chances to win" in told
    assert "game.html" in told
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert page.count("<polyline") == 3
    assert not re.search(r'(src|href)="|url\(|@import|https?://', page)


def test_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    lines = [json.dumps(game_of(3, seed=seed).to_json()) for seed in (1, 2)]
    path.write_text("\n".join(lines), encoding="utf-8")
    analyse_record(path, game=2, as_json=True, rounds=100)
    data = json.loads(capsys.readouterr().out)
    assert len(data["seats"]) == 3
    assert not path.with_suffix(".html").exists()
    with pytest.raises(InputError, match="--game: expected 1 to 2, got 3"):
        analyse_record(path, game=3, as_json=True)
    with pytest.raises(InputError, match="rounds: expected at least 1, got 0"):
        analyse_record(path, as_json=True, rounds=0)


def test_what_is_no_finished_game_of_zoff_is_refused() -> None:
    record = game_of(3)
    running = GameRecord(record.game, record.rules, record.seats, record.setup, record.actions[:4])
    with pytest.raises(InputError, match="expected a finished game of zoff"):
        plan_review(running)


def test_a_file_is_told_from_a_position(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text("{}", encoding="utf-8")
    assert is_record(str(path))
    assert is_record("games.jsonl")
    assert not is_record("bbb1bbbbbbb/11/11/3b7/5C5/3DD1DD3/11 w - - 0 4")


def test_the_command_takes_a_record_where_it_takes_a_position(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game_of(3).to_json()), encoding="utf-8")
    done = invoke("analyse", path, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["game"] == "zoff"
    quick = json.loads(invoke("analyse", path, "--quick", "--json").stdout)
    page = run_review(plan_quick_review(GameRecord.loads(path.read_text("utf-8"))))
    assert quick == page.to_json(), "the numbers of the browser"
    assert quick["budget"]["rounds"] == 2_000
    assert invoke("analyse", tmp_path / "missing.json").exit_code == 2


def test_a_game_of_another_edition_is_reviewed_with_its_data_or_its_file(tmp_path: Path) -> None:
    edition, games = edition_file(tmp_path, "my-box"), tmp_path / "games.jsonl"
    command = ("simulate", "zoff", "--players", 3, "--games", 1, "--records", games)
    assert invoke(*command, "--edition", edition).exit_code == 0
    done = invoke("analyse", games, "--json")
    assert done.exit_code == 0, done.output
    # A record from before editions were carried names the edition only.
    record = json.loads(games.read_text(encoding="utf-8"))
    del record["edition_data"], record["meta"]["check"]
    games.write_text(json.dumps(record), encoding="utf-8")
    refused = invoke("analyse", games, "--json")
    assert refused.exit_code == 2
    assert "edition: expected one of" in refused.stderr
    game = ZoffGame([Edition.load(edition)])
    old = GameRecord.loads(games.read_text("utf-8"))
    assert run_review(plan_review(old, game, effort=QUICK)).decisions
    assert "got a position of Buffalo" in invoke("analyse", "--edition", edition).stderr
