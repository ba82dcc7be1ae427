"""The hosted CI runs what the repository has: its make targets, its scripts, all supported versions of Python."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.repository.files import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
TARGETS = set(
    re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return found


def commands(job: dict[str, Any]) -> list[str]:
    return [line for step in job["steps"] for line in step.get("run", "").splitlines()]


def made(lines: list[str]) -> list[str]:
    """The targets that these commands make, in order."""
    return [line.split()[1] for line in lines if line.startswith("make ")]


def test_every_make_target_that_is_called_exists(jobs: dict[str, Any]) -> None:
    called = {target for job in jobs.values() for target in made(commands(job))}
    assert called
    assert called - TARGETS == set()


def test_every_script_that_is_called_exists(jobs: dict[str, Any]) -> None:
    text = "\n".join(line for job in jobs.values() for line in commands(job))
    scripts = re.findall(r"\b(scripts/[\w.]+)", text)
    assert scripts
    assert [name for name in scripts if not (ROOT / name).is_file()] == []


def test_linux_does_what_the_merge_check_does(jobs: dict[str, Any]) -> None:
    steps = re.findall(r"^step (make .+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert made(commands(jobs["linux"])) == made(steps)


def test_the_laboratory_is_tested_where_openspiel_and_ray_are_installed(
    jobs: dict[str, Any],
) -> None:
    assert made(commands(jobs["lab"])) == ["setup", "lab"]


def test_three_systems_and_every_supported_python_are_used(jobs: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pattern = re.compile(r"^Programming Language :: Python :: (3\.\d+)$")
    promised = {found[1] for text in project["classifiers"] if (found := pattern.match(text))}
    assert set(jobs["linux"]["strategy"]["matrix"]["python"]) == promised
    assert set(jobs["windows"]["strategy"]["matrix"]["python"]) == promised
    assert set(jobs["macos"]["strategy"]["matrix"]["python"]) <= promised
    systems = {job["runs-on"].split("-")[0] for job in jobs.values()}
    assert systems == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda p: p.name)
def test_a_job_has_a_limit_and_no_right_to_write(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
