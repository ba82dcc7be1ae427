"""`python -m benches buffalo`: other tools read its figures by name, so the names are tested; the values aren't."""

import json
import sys

import pytest
from typer.testing import CliRunner

from benches.commands import app

SILENT = f"{sys.executable} -c pass"


def bench(*options: str) -> str:
    result = CliRunner().invoke(app, ["buffalo", "--seconds", "0.1", *options])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
def test_figures_and_ratios_are_reported_by_name() -> None:
    report = json.loads(bench("--json", "--engine", SILENT))
    assert report["counts"]["perft, depth 6"] == 247_539_753
    assert report["counts"]["perft, depth 7"] == 2_618_375_760
    assert report["figures"].keys() == {
        "perft",
        "perft by moves",
        "random games",
        "readable perft",
        "readable random games",
        "search",
    }
    assert report["ratios"].keys() == {
        "perft / readable perft",
        "random games / readable random games",
    }
    assert report["skipped"].keys() == {"Fairy-Stockfish", "first compile"}
    assert "the engine ended" in report["skipped"]["Fairy-Stockfish"]


def test_a_folder_without_the_engine_is_refused() -> None:
    result = CliRunner().invoke(app, ["buffalo", "--fairy", "nowhere"])
    assert result.exit_code == 2
    assert "expected a folder with fairy-stockfish-nnue.wasm, got nowhere" in result.output
