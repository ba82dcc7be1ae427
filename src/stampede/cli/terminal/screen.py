"""The screen and the keyboard, at a terminal or with answers from a pipe."""

from __future__ import annotations

import sys

from rich.console import Console, RenderableType

from stampede.cli.common.output import console
from stampede.core.errors import InputError

__all__ = ["Quit", "Screen"]

WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen and the scrollback."""

NOBODY_THERE = "expected a terminal, or answers on standard input; try `stampede --help`"


class Quit(Exception):
    """The player wants to leave, or the input has ended."""


class Screen:
    """Shows things and asks for lines of text."""

    def __init__(self, out: Console | None = None) -> None:
        self.out = out or console()
        self.asked = 0
        _edit_lines_without_history()

    @property
    def width(self) -> int:
        """The screen's columns."""
        return self.out.width

    def show(self, *things: RenderableType) -> None:
        """Prints things, one below the other."""
        for thing in things:
            self.out.print(thing)

    def complain(self, problem: str) -> None:
        """Shows what was wrong with an answer."""
        self.out.print(problem, style="red", markup=False)

    def fresh_page(self) -> None:
        """Clears the screen."""
        if self.out.is_terminal:
            self.out.clear()

    def wipe(self) -> None:
        """Clears the screen and the scrollback, so that the next player can't read them."""
        if self.out.is_dumb_terminal:
            self.out.file.write("\n" * self.out.height)
        elif self.out.is_terminal:
            self.out.file.write(WIPE)
        self.out.file.flush()

    def ask(self, prompt: str) -> str:
        """Asks for a line and returns it without surrounding blanks.

        Raises:
            Quit: The input has ended, or Ctrl-C was pressed.
            InputError: There is no terminal and no input at all.
        """
        self.out.file.flush()
        try:
            answer = input(f"{prompt} ")
        except (EOFError, KeyboardInterrupt) as stop:
            self.out.print()
            if isinstance(stop, EOFError) and not self.asked and not sys.stdin.isatty():
                raise InputError(NOBODY_THERE) from stop
            raise Quit from stop
        except UnicodeDecodeError:
            return self.ask(prompt)
        self.asked += 1
        if not sys.stdin.isatty():
            self.out.print()  # a pipe doesn't echo the end of the line
        return answer.strip()


def _edit_lines_without_history() -> None:
    """Lets arrow keys edit the line, but never bring back what the player before has typed."""
    try:
        import readline  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    readline.set_auto_history(False)
