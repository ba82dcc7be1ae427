"""`python -m benches`: every command explains itself, and the package does without it."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benches.commands import app
from benches.pages import SHOWN, table_of
from tests.benches.helpers import bench
from tests.cli.helpers import invoke

ROOT = Path(__file__).resolve().parents[2]
UNSHOWN = {
    "readable rules, 5 players",
    "Gymnasium's make_vec, 5 players",
    "Gymnasium's make_vec, Buffalo",
}
"""Figures of which the page shows only the ratio to ours."""
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
    made = table_of("lab", report)
    for name in [*report["figures"], *report["ratios"]]:
        assert any(name == row[1] for row in SHOWN) or name in UNSHOWN, name
    assert "| `BuffaloVec`, batch 1,024 |" in made
    for name, word in zip(
        sorted(others), ("Pgx", "PettingZoo", "goofspiel", "make_vec", "random_sim"), strict=True
    ):
        assert (name in report["skipped"]) != (word in shown)


def test_a_run_becomes_the_part_of_a_page_with_what_it_misses_in_bold(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(
        "Before.\n\n<!-- bench data -->\nold\n<!-- /bench data -->\n\nAfter.\n", "utf-8"
    )
    kinds = ("Zoff, 5 players", "Buffalo")
    figures = {"export": 4812.0, "export with states": 88.25, "size": 3.87, "load": 8.24e6}
    run = {
        "about": {"day": "1 May 2030", "cores": "2", "processor": "Z80", "load": "0.1"},
        "figures": {f"{kind}: {name}": value for kind in kinds for name, value in figures.items()},
        "ratios": {f"{kind}: export / json.loads alone": 0.98 for kind in kinds},
        "expected": {"Zoff, 5 players: export": 5000, "Zoff, 5 players: size": 5},
        "missed": ["Zoff, 5 players: export"],
    }
    file = tmp_path / "data.json"
    file.write_text(json.dumps(run), "utf-8")
    assert bench("pages", "--data", file, "--docs", tmp_path).exit_code == 0
    lines = page.read_text("utf-8").splitlines()
    assert lines[:3] == ["Before.", "", "<!-- bench data -->"]
    assert lines[-4:] == ["", "<!-- /bench data -->", "", "After."]
    assert "| Zoff, 5 players: export | **4,812 games a second** | ≥ 5,000 |" in lines
    assert "| Zoff, 5 players: size of all tables | 3.9 bytes a step | ≤ 5 |" in lines
    assert "| Buffalo: loading `steps` into Arrow | 8.24 M steps a second |  |" in lines
    assert any("on 1 May 2030, on 2 cores of an Z80, at a load average of 0.1" in x for x in lines)
    file.write_text(json.dumps({**run, "figures": {}}), "utf-8")
    refused = bench("pages", "--data", file, "--docs", tmp_path)
    assert "expected a run with 'Zoff, 5 players: export'" in refused.output
    page.write_text("no marks", "utf-8")
    file.write_text(json.dumps(run), "utf-8")
    assert "expected a part between" in bench("pages", "--data", file, "--docs", tmp_path).output


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
