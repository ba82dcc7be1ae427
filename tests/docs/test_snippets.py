"""Everything that the README and the documentation show is run."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, Block, blocks, commands, files, pages, pages_with


def name(page: Path) -> str:
    """Name a page in test ids and messages."""
    return page.relative_to(ROOT).as_posix()


def run_python(block: Block, page: Path, namespace: dict[str, object]) -> None:
    """Run a block so that a traceback points at the line of the page."""
    padded = "\n" * (block.line - 1) + block.code
    exec(compile(padded, str(page), "exec"), namespace)  # noqa: S102 - running the docs is the test


def run_command(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would type it, with the environment's programs on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_the_python_of_a_page_runs_in_order(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page, "python"):
        run_python(block, page, namespace)


@pytest.mark.parametrize("page", pages_with("console"), ids=name)
def test_the_commands_of_a_page_succeed_in_order(page: Path, tmp_path: Path) -> None:
    for file, text in files(page).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    for block in blocks(page, "console"):
        for command in commands(block):
            if command.startswith(("stampede", "python -m benches")):
                folder = tmp_path if command.startswith("stampede") else ROOT
                done = run_command(command, folder)
                shown = f"{name(page)}:{block.line}: {command}\n{done.stdout}{done.stderr}"
                assert done.returncode == 0, shown


def test_the_readme_and_the_guide_show_python() -> None:
    assert {"README.md", "docs/python.md"} <= {name(page) for page in pages_with("python")}


def test_every_make_target_that_a_page_shows_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    shown = {
        word
        for page in [*pages(), ROOT / "CONTRIBUTING.md"]
        for text in re.findall(r"(?:`|\$ )make ([a-z ]+)", page.read_text(encoding="utf-8"))
        for word in text.split()
    }
    assert shown - targets == set()
