"""`python -m benches`: every command explains itself, and the package does without it."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benches.commands import app
from tests.benches.helpers import bench
from tests.cli.helpers import invoke

ROOT = Path(__file__).resolve().parents[2]
NAMES = [command.name for command in app.registered_commands]


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_explains_itself_with_an_example(name: str) -> None:
    done = bench(name, "--help")
    text = " ".join(done.output.split())
    assert done.exit_code == 0
    assert re.search(rf"Example: python -m benches {name}\b", text)


def test_a_checkout_starts_its_benchmarks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benches", "rules", "--seconds", "0.1", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {rate["unit"] for rate in json.loads(done.stdout)["rates"]} == {"games"}


def test_the_benchmark_of_the_rules_reports_rates_beside_a_fixed_loop() -> None:
    report = json.loads(bench("rules", "--seconds", 0.1, "--json").stdout)
    assert report["slices"] == 1
    assert report["loop"]["seconds"] > 0
    for rate in report["rates"]:
        assert rate["per_second"] > 0
        assert rate["per_loop"] > 0
    assert [rate["expected"] for rate in report["rates"] if rate["expected"]] == [300, 1000]


def test_the_package_has_the_command_of_the_lab_alone() -> None:
    """The others need a checkout, so an installed `stampede` doesn't offer them."""
    assert invoke("bench", "rules").exit_code == 2
    assert "Vector environments" not in invoke("bench").output
    assert "lab" in invoke("bench").output


def test_the_lab_is_measured_beside_others_and_what_is_missing_is_named() -> None:
    report = json.loads(invoke("bench", "lab", "--seconds", 0.1, "--json").stdout)
    assert report["figures"]["BuffaloVec, batch 1024"] > 0
    assert report["ratios"]["ZoffVec / readable rules"] > 1
    assert {"the same in decisions of the rules", "BuffaloVec, batch 1024"} <= set(
        report["expected"]
    )
    others = {"goofspiel", "connect four", "Pgx", "make_vec", "random_sim_test"}
    shown = " ".join([*report["figures"], *report["ratios"]])
    for name, word in zip(
        sorted(others), ("Pgx", "PettingZoo", "goofspiel", "make_vec", "random_sim"), strict=True
    ):
        assert (name in report["skipped"]) != (word in shown)


def test_the_rules_are_shown_as_a_table() -> None:
    done = bench("rules", "--seconds", 0.1)
    assert done.exit_code == 0, done.output
    assert "Buffalo, by the contract" in done.output
    assert "in one fixed loop" in done.output


def test_nothing_in_the_package_imports_the_benchmarks() -> None:
    importing = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            importing += [path.name for name in names if name.split(".")[0] == "benches"]
    assert importing == []
