"""Dependencies are pinned, the wheel is complete, the commands explain themselves."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import stampede
from tests.repository.files import ROOT, SOURCE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
DECLARED: list[str] = [
    text
    for text in (*PROJECT["dependencies"], *(r for extra in EXTRAS.values() for r in extra))
    if not text.startswith("stampede[")  # an extra that includes another
]


LIGHT = 15_000_000
"""The most bytes of a base install."""
SHIPPED = {".py", ".toml", ".json", ".jsonl", ".cert", ".npz", ".txt", ".typed", ".mako"}


def pins() -> dict[str, str]:
    """Read constraints.txt: versions by canonical package name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [line.partition("==") for line in lines if line and not line.startswith("#")]
    return {name: version for name, _, version in found}


def installed_below(name: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what an installed package requires here, with the extras that it asks for."""
    for text in metadata.requires(name) or []:
        requirement = Requirement(text)
        environments = [{"extra": extra} for extra in extras | {""}]
        marker = requirement.marker
        if marker is None or any(marker.evaluate(environment) for environment in environments):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def test_the_citation_names_this_version_and_licence() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (stampede.__version__, PROJECT["license"])
    assert [author["name"] for author in cited["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]


@pytest.mark.parametrize("declared", DECLARED)
def test_each_declared_dependency_has_a_pin_within_its_bounds(declared: str) -> None:
    requirement = Requirement(declared)
    pin = pins().get(canonicalize_name(requirement.name))
    assert pin is not None, f"{requirement.name} has no pin: run `make constraints`"
    assert requirement.specifier.contains(pin)


@pytest.mark.parametrize("name", ["uvicorn", "websockets"])
def test_packages_whose_internals_we_use_are_required_in_exactly_one_version(name: str) -> None:
    """Others may have moved what `stampede.server.http.websocket` and `timeouts` build on."""
    found = [Requirement(text) for text in EXTRAS["server"] if Requirement(text).name == name]
    exact = f"=={pins()[name]}"
    assert [str(requirement.specifier) for requirement in found] == [exact], (
        f"pyproject.toml: expected {name}{exact} as in constraints.txt; to change the version,"
        " read what server/http/websocket.py and timeouts.py override, and run tests/server/http"
    )
    assert metadata.version(name) == pins()[name], f"{name}: run `make setup`"


def test_everything_that_the_dependencies_bring_has_a_pin() -> None:
    todo = [("stampede", frozenset({"dev", "server"}))]
    seen = set(todo)
    while todo:
        for found in installed_below(*todo.pop()):
            if found not in seen:
                seen.add(found)
                todo.append(found)
    assert {name for name, _ in seen} - {"stampede"} - set(pins()) == set()


def test_the_base_install_stays_light() -> None:
    """The package and what its base brings, without bytecode and the built client, as they are shipped."""
    base = [Requirement(text) for text in PROJECT["dependencies"]]
    for requirement in base:
        found = metadata.version(requirement.name)
        if not requirement.specifier.contains(found):
            pytest.skip(f"{requirement} is not what is installed ({found}): run `make setup`")
    todo: list[str] = [canonicalize_name(requirement.name) for requirement in base]
    seen = set(todo)
    while todo:
        for name, _ in installed_below(todo.pop(), frozenset()):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    files = [
        Path(str(file.locate()))
        for name in seen
        for file in metadata.files(name) or []
        if file.suffix != ".pyc"
    ]
    files += [path for path in SOURCE.rglob("*") if path.is_file() and path.suffix in SHIPPED]
    assert sum(path.stat().st_size for path in files if path.exists()) < LIGHT


def test_the_wheel_carries_every_file_of_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert stampede.__version__ in wheel.name
    carried = set(zipfile.ZipFile(wheel).namelist())
    files = [
        path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    missing = {path.relative_to(SOURCE.parent).as_posix() for path in files} - carried
    assert missing == set()


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    targets = {target for line in phony for target in line.split()}
    answer = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True)
    listed = {line.split()[0] for line in answer.stdout.splitlines() if line.startswith("  ")}
    assert targets == listed


def test_the_readme_begins_with_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(
        r"^```(?:console|sh|bash|shell)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL
    )
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    commands = [line.split("#")[0].strip() for line in lines if line.strip()]
    assert commands[:2] == ["make play", "make test"]


def test_the_changelog_has_an_entry_for_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?([\w.]+)", changelog, re.MULTILINE)
    assert stampede.__version__ in headings
