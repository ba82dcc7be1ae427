import json
import re
from pathlib import Path

import pytest

from stampede.cli.solve import prove, verify
from tests.cli.helpers import invoke

FIVE = "5/abcde/4/2abcde/4"


def test_a_table_is_built_once_and_says_what_it_holds(tmp_path: Path) -> None:
    arguments = ("solve", "tablebase", "4/abcd/0/-/0", "--folder", tmp_path, "--json")
    told = json.loads(invoke(*arguments).stdout)
    assert (told["winning_at_the_bank"], told["placings_at_the_bank"]) == (20, 20)
    file = Path(told["file"])
    before = file.stat().st_mtime_ns
    assert json.loads(invoke(*arguments, "--check").stdout)["bytes"] == file.stat().st_size
    assert file.stat().st_mtime_ns == before


def test_a_table_with_a_guard_counts_the_squares_that_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partial, and with all intermediate results in files: 30 squares, two of them blocked, one with the dog."""
    arguments = ("solve", "tablebase", "6/abdef/1/2abcdef/1/5c@3", "--memory", 0)
    monkeypatch.setattr(verify, "LINE_EVERY", 0)
    result = invoke(*arguments, "--folder", tmp_path)
    assert re.search(r"Building: \d+%, about \d+ s left", result.stderr)  # not on a terminal
    told = result.stdout
    assert "While it is built:" in told
    assert "all buffaloes but the guarded ones on the bank the hunter wins from 162 of 162" in told
    assert [file.suffix for file in tmp_path.iterdir()] == [".table"]


def test_an_estimate_builds_nothing(tmp_path: Path) -> None:
    result = invoke(
        "solve", "tablebase", "8/abcdefgh/3/2abcdefgh/3", "--estimate", "--folder", tmp_path
    )
    assert "839,808 states of 56 placements" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_table_is_refused_by_its_check(tmp_path: Path) -> None:
    arguments = ("solve", "tablebase", "3/abc/0/-/0", "--folder", tmp_path)
    assert invoke(*arguments).exit_code == 0
    (file,) = tmp_path.iterdir()
    spoilt = bytearray(file.read_bytes())
    spoilt[5000] ^= 4
    file.write_bytes(spoilt)
    result = invoke(*arguments, "--check")
    assert result.exit_code == 2
    assert "damaged between bytes 4,096" in result.stderr


def test_a_bad_spec_or_job_is_bad_usage(tmp_path: Path) -> None:
    for arguments in (
        ("tablebase", "8/abc"),
        ("tablebase", "6/abcdef/1/2abcdef/1/5c"),
        ("tablebase", "3/abc/0/-/0", "--sample", 5),
        ("tablebase", "endgame/3/1/1", "--sample", 5),
        ("prove", "--job", "none"),
        ("prove", "--job", "columns-5", "--steps", "3"),
        ("prove", "--job", "columns-5", "--missing", "a"),
        ("prove", "--job", "columns-5", "--width", 5),
        ("prove", "--job", "columns-5", "--tablebase", FIVE),
        ("prove", "--job", "columns-5", "--positions", 5),
        ("prove", "--job", "columns-5", "--checkpoint", tmp_path / "c"),
        ("prove", "--job", "columns-5", "--reuse", tmp_path / "c"),
        ("prove", "--missing", "x"),
    ):
        result = invoke("solve", *arguments, "--folder", tmp_path)
        assert result.exit_code == 2
        assert "expected" in result.stderr


def test_a_proof_is_written_and_verifies(tmp_path: Path) -> None:
    out = tmp_path / "five.cert"
    result = invoke(
        *("solve", "prove", "--width", 5, "--tablebase", FIVE, "--folder", tmp_path, "--out", out)
    )
    assert "the hunter wins" in result.stdout
    assert invoke("solve", "verify", out).exit_code == 0


def test_an_open_search_says_so_and_goes_on_from_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove, "LINE_EVERY", 0)
    saved = tmp_path / "search.checkpoint"
    fen = "3bbbbbbbb/11/11/bbb8/11/3DDCDD3/11 w - - 0 4"
    arguments = ("solve", "prove", fen, "--cores", 1, "--checkpoint", saved, "--json")
    first = invoke(*arguments, "--positions", 2000)
    assert first.exit_code == 1
    told = json.loads(first.stdout)
    assert told["winner"] is None
    assert f"proof number {told['hunter_left']}, disproof" in first.stderr  # not on a terminal
    second = invoke(*arguments)
    assert second.exit_code == 0
    assert json.loads(second.stdout)["winner"] == "buffalo"
    other = fen.replace("3bbbbbbbb", "3bbbbbbb1")
    refused = invoke("solve", "prove", other, "--checkpoint", saved, "--positions", 1)
    assert refused.exit_code == 2
    assert "expected a search of the position" in refused.stderr
    reused = invoke("solve", "prove", other, "--reuse", saved, "--positions", 1, "--cores", 1)
    assert "open after" in reused.stdout or "wins" in reused.stdout


def test_all_jobs_are_listed_with_their_winner() -> None:
    told = invoke("solve", "prove", "--job", "list").stdout
    assert "columns-10" in told
    assert "opening-abc-3" in told
    assert "the buffalo side wins" in told


def test_the_old_name_of_the_command_still_works(tmp_path: Path) -> None:
    result = invoke("solve", "table", "3/abc/0/-/0", "--estimate", "--folder", tmp_path)
    assert "108 states" in result.stdout
    assert " table " not in invoke("solve", "--help").stdout


def test_a_tree_takes_other_settings_but_no_other_root_or_winner(tmp_path: Path) -> None:
    tree, start = tmp_path / "abc", ("--steps", "333", "--winner", "buffalo", "--tiers", "50")
    grow = ("solve", "grow", tree, "--jobs", 1, "--folder", tmp_path)
    assert invoke(*grow, *start, "--batches", 1).exit_code == 1
    journal = (tree / "journal.jsonl").read_bytes()
    for asked in (start[:2], start[2:4], ("--threshold", 100), ("--missing", "k")):
        refused = invoke(*grow, *asked, "--batches", 1)
        assert refused.exit_code == 2
        assert "expected no root, --winner or --threshold" in refused.stderr
    for asked in (("--tiers", "40"), ("--tiers", "many"), ("--tablebase", "8/abc")):
        refused = invoke(*grow, *asked, "--batches", 1)
        assert refused.exit_code == 2
    assert (tree / "journal.jsonl").read_bytes() == journal
    changed = invoke(*grow, "--tiers", "50,60", "--batch", 2, "--memory", 1, "--batches", 1)
    assert changed.exit_code == 1
    assert "searches have decided too few leaves: 0, 20 are wanted" in changed.stdout
    assert (tree / "journal.jsonl").read_bytes().startswith(journal)
    shown = json.loads(invoke("solve", "tree", tree, "--json").stdout)
    assert (shown["batches"], shown["seconds_left"]) == (2, None)
    assert invoke(*grow, "--tiers", "50,20000").exit_code == 0
    out = tmp_path / "abc.cert"
    assert invoke("solve", "certify", tree, "--out", out, "--folder", tmp_path).exit_code == 0
    assert invoke("solve", "verify", out).exit_code == 0
