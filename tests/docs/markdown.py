"""Read fenced code blocks out of Markdown pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"(?P<mark><!-- not run: .+? -->\s*)?"
    r'^(?P<indent> *)```(?P<language>\w+)(?: title="(?P<title>[^"\n]+)")?[^\n]*\n'
    r"(?P<code>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, the line on which its text begins."""

    language: str
    code: str
    line: int


def pages() -> list[Path]:
    """List all pages that show code to a reader."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> Iterator[Block]:
    """Yield a page's blocks of a language, except those marked `<!-- not run: reason -->`."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    for found in FENCE.finditer(text):
        if found["language"] == language and not found["mark"]:
            line = text.count("\n", 0, found.start("code")) + 1
            yield Block(language, dedent(found["code"]), line)


def files(page: Path) -> dict[str, str]:
    """A page's blocks that have a file's name as their title, for commands that read these files."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return {block["title"]: dedent(block["code"]) for block in found if block["title"]}


def commands(block: Block) -> list[str]:
    """List the commands that a console block shows after `$`, with continued lines joined."""
    joined = block.code.replace("\\\n", " ")
    return [line.removeprefix("$ ") for line in joined.splitlines() if line.startswith("$ ")]


def pages_with(language: str) -> list[Path]:
    """List the pages that have at least one block of a language to run."""
    return [page for page in pages() if any(blocks(page, language))]
