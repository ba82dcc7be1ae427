"""Records: checked step by step, shown readably."""

import json
import random
from pathlib import Path

import pytest

from stampede.bots import RandomBot
from stampede.core.json import canonical
from stampede.core.playthrough import Playthrough
from stampede.matches.fair import DealProof
from stampede.zoff import Edition, ZoffGame, ZoffRules
from tests.cli.helpers import invoke, run
from tests.zoff.arranged import edition_file


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of each kind in one file."""
    folder = tmp_path_factory.mktemp("records")
    texts = []
    for game in ("zoff", "buffalo"):
        file = folder / game
        invoke("simulate", game, "--games", 3, "--seed", 2, "--records", file)
        texts.append(file.read_text(encoding="utf-8"))
    path = folder / "games.jsonl"
    path.write_text("".join(texts), encoding="utf-8")
    return path


def altered(games: Path, line: int, step: int, folder: Path, *, checked: bool) -> Path:
    """The same file with one step of one game doubled, with or without its checksums."""
    rows = games.read_text(encoding="utf-8").splitlines()
    record = json.loads(rows[line - 1])
    record["actions"][step] = record["actions"][step - 1]
    if not checked:
        record["meta"].pop("check")
    rows[line - 1] = json.dumps(record)
    path = folder / "altered.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_valid_records_pass(games: Path) -> None:
    result = invoke("record", "check", games)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{games}: 6 records, all valid\n"
    report = json.loads(invoke("record", "check", games, "--json").stdout)
    assert report == {"valid": True, "file": str(games), "records": 6, "wrong": []}


@pytest.mark.parametrize("checked", [True, False], ids=["with checksums", "without"])
@pytest.mark.parametrize(("line", "step"), [(2, 7), (5, 4)], ids=["zoff", "buffalo"])
def test_an_altered_step_is_named(
    games: Path, tmp_path: Path, line: int, step: int, checked: bool
) -> None:
    path = altered(games, line, step, tmp_path, checked=checked)
    result = invoke("record", "check", path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:{line}: step {step}: ")
    assert result.stdout == f"{path}: 1 of 6 wrong\n"
    report = invoke("record", "check", path, "--json")
    assert report.exit_code == 1
    found = json.loads(report.stdout)
    assert found["valid"] is False
    (wrong,) = found["wrong"]
    assert (wrong["line"], wrong["step"]) == (line, step)


def test_every_wrong_line_is_found_not_only_the_first(games: Path, tmp_path: Path) -> None:
    rows = games.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join([rows[0], "{}", rows[1], "nonsense", ""]), encoding="utf-8")
    result = invoke("record", "check", path)
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.stderr.splitlines()] == [
        f"{path}:2",
        f"{path}:4",
    ]


def test_a_record_may_stand_over_several_lines(games: Path, tmp_path: Path) -> None:
    record = json.loads(games.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "one.json"
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    assert invoke("record", "check", path).exit_code == 0


def test_records_come_through_a_pipe(games: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "record", "check", "-", answers=games.read_text(encoding="utf-8"))
    assert (done.returncode, done.stdout) == (0, "-: 6 records, all valid\n")


def test_several_games_are_listed(games: Path) -> None:
    result = invoke("record", "show", games)
    assert result.exit_code == 0
    assert result.output.count("crossed") + result.output.count("no_move") == 3
    report = json.loads(invoke("record", "show", games, "--json").stdout)
    assert [game["game"] for game in report["games"]] == ["zoff"] * 3 + ["buffalo"] * 3


def test_a_game_is_shown_from_its_first_step_to_its_result(games: Path) -> None:
    zoff = invoke("record", "show", games, "--game", 1).stdout
    for round_number in range(1, 6):
        assert f"Round {round_number}: the cards are turned over" in zoff
    assert "wins" in zoff
    record = json.loads(games.read_text(encoding="utf-8").splitlines()[3])
    buffalo = invoke("record", "show", games, "--game", 4).stdout
    shown = [line.split()[-1] for line in buffalo.splitlines() if line.startswith("random ")]
    assert shown[: len(record["actions"])] == record["actions"]


def test_events_tell_reasons_with_clauses(games: Path) -> None:
    """Z4.2: the record tells why a player places first."""
    plain = invoke("record", "show", games, "--game", 1).stdout
    told = invoke("record", "show", games, "--game", 1, "--events").stdout
    assert "[Z4.2]" in told
    assert "[Z4.2]" not in plain
    report = json.loads(invoke("record", "show", games, "--game", 1, "--events", "--json").stdout)
    assert {"revealed", "precedence", "placed", "ended"} <= {e["kind"] for e in report["events"]}


def test_a_wrong_game_is_not_shown(games: Path, tmp_path: Path) -> None:
    path = altered(games, 1, 5, tmp_path, checked=False)
    result = invoke("record", "show", path, "--game", 1)
    assert result.exit_code == 2
    assert f"{path}:1: step 5: " in result.stderr


def test_a_deal_of_another_edition_is_verified_with_its_data_or_its_file(tmp_path: Path) -> None:
    edition, file = edition_file(tmp_path, "my-box"), tmp_path / "game.json"
    game, rules = ZoffGame((Edition.load(edition),)), ZoffRules(3, edition="my-box")
    proof = DealProof(bytes(32), bytes(32))
    played, rng = Playthrough(game, rules, game.draw(rules, proof.generator())), random.Random(1)
    while played.to_act:
        played.play_bot(RandomBot(), rng)
    record = played.record(meta={"deal": proof.revealed()}).to_json()
    file.write_text(canonical(record), encoding="utf-8")
    assert invoke("record", "verify", file).exit_code == 0, "the record carries the data"
    # A record from before editions were carried names the edition only.
    old = {key: value for key, value in record.items() if key != "edition_data"}
    file.write_text(canonical({**old, "meta": {"deal": proof.revealed()}}), encoding="utf-8")
    refused = invoke("record", "verify", file)
    assert refused.exit_code == 1
    assert "edition: expected one of" in refused.stderr
    assert invoke("record", "verify", file, "--edition", edition).exit_code == 0


def test_a_simulated_game_is_not_called_unfair(games: Path) -> None:
    """It has no proof to verify, which is told once, and isn't success either."""
    result = invoke("record", "verify", games)
    assert result.exit_code == 1
    assert "not fair" not in result.output
    assert result.output.count("meta.deal") == 1
    assert "nothing to verify" in result.stdout
    told = json.loads(invoke("record", "verify", games, "--json").stdout)
    assert (told["valid"], told["wrong"], len(told["unproven"])) == (False, [], told["records"])
