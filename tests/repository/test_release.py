"""Packages carry the browser client, and `make release` finds what is missing."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import stampede
from scripts import check_coverage, hatch_build, release
from tests.repository.files import ROOT, committed_files

VERSION = stampede.__version__


@pytest.mark.parametrize("version", ["1.0", "1.0.0.dev1", "1.0.0+local", "one", ""])
def test_a_version_that_is_none_is_named(version: str) -> None:
    assert len(list(release.check_version(version))) == 1


@pytest.mark.parametrize("version", ["1.0.0", "2.10.3", "1.0.0rc1"])
def test_a_version_with_three_numbers_is_accepted(version: str) -> None:
    assert list(release.check_version(version)) == []


@pytest.mark.parametrize(
    ("changelog", "missing"),
    [
        ("# Changelog\n\n## 1.0.0 (2026-02-01)\n", None),
        ("# Changelog\n\n## [1.0.0] 2026-02-01\n\n## 0.9.0\n", None),
        ("# Changelog\n\n## 1.0.0 (unreleased)\n", "a date"),
        ("# Changelog\n\n## 1.0.1 (2026-02-01)\n\n## 1.0.0 (2026-01-01)\n", "first one is 1.0.1"),
        ("# Changelog\n", "first one is none"),
    ],
)
def test_the_changelog_needs_a_dated_section_at_its_top(
    changelog: str, missing: str | None
) -> None:
    found = list(release.check_changelog("1.0.0", changelog))
    assert len(found) == (missing is not None)
    assert missing is None or missing in found[0]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    run = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run([*run, "init", "-q", str(tmp_path)], check=True)
    commit = [*run, "commit", "-q", "--allow-empty", "-m", "one"]
    subprocess.run(commit, cwd=tmp_path, check=True)
    return tmp_path


def test_the_tag_has_to_be_on_this_commit(repository: Path) -> None:
    assert "git tag -a v1.0.0" in next(release.check_tag("1.0.0", repository))
    release.git(repository, "tag", "v1.0.0")
    assert list(release.check_tag("1.0.0", repository)) == []
    release.git(
        repository,
        *("-c", "user.name=Ann", "-c", "user.email=ann@example.com"),
        *("commit", "-q", "--allow-empty", "-m", "two"),
    )
    assert "it is on another one" in next(release.check_tag("1.0.0", repository))


def test_an_untracked_file_is_named(repository: Path) -> None:
    assert list(release.check_tree(repository)) == []
    (repository / "left.txt").write_text("over", encoding="utf-8")
    assert "left.txt" in next(release.check_tree(repository))


def test_the_version_is_stated_in_one_place() -> None:
    own = f'"{VERSION}"'
    source = (ROOT / "src" / "stampede" / "__init__.py").read_text(encoding="utf-8")
    assert release.read_version(source) == VERSION
    for name in ("pyproject.toml", "web/package.json"):
        assert f"version = {own}" not in (ROOT / name).read_text(encoding="utf-8")
        assert f'"version": {own}' not in (ROOT / name).read_text(encoding="utf-8")


def test_the_description_leads_nowhere_inside_the_repository() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = hatch_build.describe_package(readme)
    assert not release.RELATIVE.search(text)
    assert "![" not in text
    assert "make play" in text
    kept = "[a](https://example.com) ![b](docs/b.png)\n\n[c](docs/c.md#d) e"
    assert hatch_build.describe_package(kept) == "[a](https://example.com) c e"


def test_a_client_is_current_until_a_source_changes(tmp_path: Path) -> None:
    for name in hatch_build.SOURCES:
        place = tmp_path / "web" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch() if "." in name else place.mkdir()
    assert not hatch_build.is_client_current(tmp_path)
    built = tmp_path / hatch_build.CLIENT
    built.parent.mkdir(parents=True)
    built.touch()
    assert hatch_build.is_client_current(tmp_path)
    added = tmp_path / "web" / "src" / "new.ts"
    added.touch()
    later = built.stat().st_mtime_ns + 1_000_000_000
    os.utime(added, ns=(later, later))
    assert not hatch_build.is_client_current(tmp_path)
    (tmp_path / "PKG-INFO").touch()  # an sdist brings the client that belongs to it
    assert hatch_build.is_client_current(tmp_path)


@pytest.mark.parametrize(
    ("version", "enough"), [("v20.19.0", True), ("v24.1.0", True), ("v20.18.3", False), ("", False)]
)
def test_an_old_node_is_no_node(
    version: str, enough: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hatch_build.has_node() == enough


def test_every_test_that_coverage_runs_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^COVERED := (.*)$", makefile, re.MULTILINE)
    assert [path for path in line.split() if not (ROOT / path).exists()] == []
    assert {f"tests/{package}" for package in check_coverage.PACKAGES} <= set(line.split())


def test_coverage_adds_up_a_package_and_names_an_unknown_one() -> None:
    summary = {"covered_lines": 9, "num_statements": 10, "covered_branches": 3, "num_branches": 4}
    files = {
        "src/stampede/core/a.py": {"summary": summary},
        "src/stampede/core/b.py": {"summary": summary},
        "src/stampede/zoff/a.py": {"summary": dict.fromkeys(summary, 0)},
    }
    found = check_coverage.add_up(files, "core")
    assert (found.line_percent, found.branch_percent) == (90.0, 75.0)
    assert check_coverage.add_up(files, "zoff").branch_percent == 100.0
    with pytest.raises(ValueError, match="expected files of store"):
        check_coverage.add_up(files, "store")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git tracks, as it is now, with the client's packages but no built client."""
    copy = tmp_path_factory.mktemp("clean") / "checkout"
    for path in committed_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    packages = ROOT / "web" / "node_modules"
    wanted = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    if not all((packages / name).is_dir() for name in wanted):
        pytest.skip("the browser client's packages aren't installed: make web")
    (copy / "web" / "node_modules").symlink_to(packages.resolve())
    return copy


def build(
    checkout: Path, target: str, out: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    variables = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=checkout, env=variables, check=False, capture_output=True, text=True
    )


@pytest.mark.slow
def test_the_wheel_of_a_clean_checkout_serves_the_real_client(clone: Path, tmp_path: Path) -> None:
    done = build(clone, "wheel", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert list(release.check_metadata(wheel, VERSION)) == []
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as package:
        package.extractall(site)
    command = [sys.executable, "-m", "stampede.cli"]
    assert list(release.try_server(command, tmp_path, {"PYTHONPATH": str(site)})) == []


@pytest.mark.slow
def test_a_wheel_of_the_sdist_needs_no_node(clone: Path, tmp_path: Path) -> None:
    done = build(clone, "sdist", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = tmp_path.glob("*.tar.gz")
    assert list(release.check_metadata(sdist, VERSION)) == []
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xzf", str(sdist), "-C", str(unpacked)], check=True)
    (folder,) = unpacked.iterdir()
    done = build(folder, "wheel", tmp_path, PATH="")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert list(release.check_metadata(wheel, VERSION)) == []


def test_an_editable_install_builds_no_client(clone: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("tests", "docs", "node_modules")
    shutil.copytree(clone, checkout, ignore=ignored)
    shutil.rmtree(checkout / hatch_build.CLIENT.parent, ignore_errors=True)
    done = build(checkout, "wheel:editable", tmp_path, PATH="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (checkout / hatch_build.CLIENT).exists()


def test_a_build_that_fails_stops_with_a_message(clone: Path, tmp_path: Path) -> None:
    broken = tmp_path / "checkout"
    shutil.copytree(clone, broken, symlinks=True, ignore=shutil.ignore_patterns("tests", "docs"))
    page = broken / "web" / "src" / "App.svelte"
    page.write_text('<script>import "./nothing.js";</script>', encoding="utf-8")
    done = build(broken, "wheel", tmp_path / "out")
    assert done.returncode != 0
    assert "The browser client couldn't be built" in done.stdout + done.stderr
    assert not list((tmp_path / "out").glob("*.whl"))
    assert not (broken / hatch_build.CLIENT).exists()
