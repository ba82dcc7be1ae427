"""Writes docs/cli.md from the commands themselves; `make reference` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from stampede.cli.main import build

__all__ = ["PAGE", "list_commands", "make_page"]

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "cli.md"
INTRODUCTION: Final = """\
# The command line

Every command and option of `stampede`, written from the program by `make reference`. To learn what they are for, read
[in the terminal](terminal.md) first. `stampede COMMAND --help` shows the same texts.

| exit code | means |
|---|---|
| 0 | success |
| 1 | what you asked to check is wrong |
| 2 | bad usage or bad input; standard error has one line that says what was expected |
| 130 | interrupted by Ctrl-C |
| 141 | the reader of the output has closed the pipe |

`stampede --install-completion` sets up completion in your shell; `stampede --version` prints the version.
"""
EXAMPLES: Final = re.compile(r"^Examples?:\s*", re.MULTILINE)
LIMITS: Final = re.compile(r"^(?P<text>.*?)\s*(?:\[(?P<notes>[^\[\]]*)\])?$", re.DOTALL)
HIDDEN: Final = frozenset({"--help", "--install-completion", "--show-completion"})

Command = Any  # Typer brings its own Click, without public types


def list_commands() -> Iterator[tuple[str, Command]]:
    """Yields every command by its full name, groups that do something by themselves included."""
    yield from _walk("stampede", typer.main.get_command(build()))


def _walk(name: str, command: Command) -> Iterator[tuple[str, Command]]:
    children = getattr(command, "commands", {})
    if not children or (command.invoke_without_command and name != "stampede"):
        yield name, command
    for word, child in children.items():
        if not child.hidden:
            yield from _walk(f"{name} {word}", child)


def make_page() -> str:
    """The page as Markdown."""
    found = dict(list_commands())
    rows = [f"| [`{name}`](#{_anchor(name)}) | {_summary(each)} |" for name, each in found.items()]
    table = "\n".join(["| command | does |", "|---|---|", *rows])
    sections = [_section(name, command) for name, command in found.items()]
    return "\n".join([INTRODUCTION, table, "", *sections])


def _summary(command: Command) -> str:
    text = " ".join((command.help or "").split("\n\n")[0].split())
    return text[:1].lower() + text[1:].rstrip(".")


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def _section(name: str, command: Command) -> str:
    lines = [f"## {name}\n", *_prose(command.help or "")]
    context = typer.Context(command)
    arguments = [each for each in command.params if not each.opts[0].startswith("-")]
    options = [
        each
        for each in command.params
        if each not in arguments and not each.hidden and each.opts[0] not in HIDDEN
    ]
    for title, parameters in (("argument", arguments), ("option", options)):
        if parameters:
            rows = [_row(*each.get_help_record(context)) for each in parameters]
            lines += [f"| {title} | means | default, limits |", "|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _prose(text: str) -> Iterator[str]:
    """The command's description; its examples as a block of text."""
    described, *examples = EXAMPLES.split(text)
    for paragraph in described.strip().split("\n\n"):
        yield f"{' '.join(paragraph.split())}\n"
    for example in examples:
        yield f"```text\n{example.strip()}\n```\n"


def _row(name: str, text: str) -> str:
    found = LIMITS.match(" ".join(text.split()))
    assert found is not None, "every text matches"
    notes = [_note(note.strip()) for note in (found["notes"] or "").split(";") if note.strip()]
    words = re.sub(r"\s*<(?!\w+\|)[^>]*>$", "", name)  # a type says nothing; a list of words does
    cells = [f"`{words}`", found["text"], ", ".join(notes)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _note(note: str) -> str:
    """A limit in words: `5<=x<=11` is "5 to 11"."""
    if between := re.fullmatch(r"(\S+)<=x<=(\S+)", note):
        return f"{between[1]} to {between[2]}"
    if least := re.fullmatch(r"x>=(\S+)", note):
        return f"at least {least[1]}"
    return note.removeprefix("default: ") if note.startswith("default: ") else note


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
