"""Reads a page of rules: the part of Markdown that the pages use, and nothing else.

A page has a title, an introduction and sections (``## Title {#id}``). A section has paragraphs, lists, tables, pictures
(``![text](picture:NAME)``), tables of worked examples (``<!-- worked: NAME PART -->``) and clauses: list items that
begin with an id in bold (``- **Z4.4** …``). What belongs to a clause is indented by four spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Final, Literal, cast

from stampede.core.errors import ParseError
from stampede.rulebook.book import (
    Block,
    Clause,
    Figure,
    Grid,
    ItemList,
    Paragraph,
    Part,
    Section,
    Worked,
)

__all__ = ["read_page"]

HEADING: Final = re.compile(r"## (?P<title>.+) \{#(?P<id>[a-z0-9-]+)\}")
CLAUSE: Final = re.compile(r"^- \*\*(?P<id>[A-Z]\d+\.\d+)\*\* ", re.MULTILINE)
ITEM: Final = re.compile(r"(?:-|\d+\.) ")
FIGURE: Final = re.compile(r"!\[(?P<text>[^\]]+)\]\(picture:(?P<scene>[\w-]+)\)")
WORKED: Final = re.compile(
    r"<!-- worked: (?P<example>[\w-]+) (?P<part>before|choices|steps|after) -->"
)
INDENT: Final = "    "


def read_page(text: str, source: str) -> tuple[str, str, tuple[Section, ...]]:
    """Returns the title, the introduction and the sections of a page.

    Args:
        text: The page.
        source: The page's name, for errors.

    Raises:
        ParseError: The page isn't built as pages of rules are.
    """
    head, *rest = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    title, _, intro = head.partition("\n")
    if not title.startswith("# "):
        raise ParseError(f"{source}: expected '# Title' on the first line, got {title!r}")
    sections = tuple(_read_section(part, source) for part in rest)
    return title.removeprefix("# "), _join(intro), sections


def _read_section(text: str, source: str) -> Section:
    line, _, body = text.partition("\n")
    heading = HEADING.fullmatch(line.strip())
    if heading is None:
        raise ParseError(f"{source}: expected '## Title {{#id}}', got {line!r}")
    return Section(heading["id"], heading["title"], tuple(_blocks(body)))


def _blocks(text: str) -> Iterator[Block]:
    for chunk in _chunks(text):
        if CLAUSE.match(chunk):
            starts = [found.start() for found in CLAUSE.finditer(chunk)]
            for start, end in zip(starts, (*starts[1:], None), strict=True):
                yield _read_clause(chunk[start:end])
        else:
            yield _read_part(chunk)


def _chunks(text: str) -> Iterator[str]:
    """Splits at blank lines; indented chunks belong to the clause before them."""
    held: list[str] = []
    for chunk in re.split(r"\n\s*\n", text.strip("\n")):
        if held and chunk.startswith(INDENT):
            held.append(chunk)
            continue
        if held:
            yield "\n\n".join(held)
        held = [chunk]
    if any(held):
        yield "\n\n".join(held)


def _read_clause(text: str) -> Clause:
    found = CLAUSE.match(text)
    assert found is not None, "the caller splits where clauses begin"
    first, *further = re.split(r"\n\s*\n", text[found.end() :].rstrip())
    # A list may follow the first sentence without a blank line, indented by four spaces.
    lead, *listed = re.split(rf"\n(?={INDENT}{ITEM.pattern})", first, maxsplit=1)
    parts = [_read_part(dedent(part)) for part in (*listed, *further)]
    return Clause(found["id"], (Paragraph(_join(lead)), *parts))


def _read_part(chunk: str) -> Part:
    joined = _join(chunk)
    if (figure := FIGURE.fullmatch(joined)) is not None:
        return Figure(figure["scene"], figure["text"])
    if (worked := WORKED.fullmatch(joined)) is not None:
        part = cast(Literal["before", "choices", "steps", "after"], worked["part"])
        return Worked(worked["example"], part)
    if chunk.startswith("|"):
        rows = [_cells(line) for line in chunk.splitlines()]
        return Grid(rows[0], tuple(rows[2:]))
    if ITEM.match(chunk):
        items = re.split(rf"^(?={ITEM.pattern})", chunk, flags=re.MULTILINE)[1:]
        return ItemList(
            chunk[0] != "-", tuple(_join(ITEM.sub("", item, count=1)) for item in items)
        )
    return Paragraph(joined)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _join(text: str) -> str:
    return " ".join(text.split())
