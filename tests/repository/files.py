"""Where the repository's files are, for tests that read them."""

import ast
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "stampede"
TESTS = ROOT / "tests"


def committed_files() -> list[Path]:
    """List the files that git tracks, or skip the test where there is no git checkout."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout: no list of committed files")
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    names = answer.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def python_files(folder: Path) -> list[Path]:
    """List the Python files below a folder, sorted."""
    return sorted(folder.rglob("*.py"))


def parse(path: Path) -> ast.Module:
    """Read a Python file into its syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Walk over every function and method of a syntax tree, nested ones included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def shown(path: Path) -> str:
    """Write a path as a reader of the repository knows it."""
    return path.relative_to(ROOT).as_posix()
