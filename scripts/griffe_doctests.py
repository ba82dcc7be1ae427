"""An extension of Griffe, which reads the docstrings for the API reference: doctests become code blocks."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Module, Object

__all__ = ["DoctestBlocks", "fence_doctests"]

DOCTEST: Final = re.compile(r"^(?P<indent> *)>>> .*\n?(?:(?P=indent)\S.*\n?)*", re.MULTILINE)


class DoctestBlocks(Extension):
    """Puts fences around the doctests of every docstring; Markdown would take them for quotations."""

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """Changes all docstrings of a package that was read."""
        todo: list[Object] = [pkg]
        while todo:
            found = todo.pop()
            if found.docstring is not None:
                found.docstring.value = fence_doctests(found.docstring.value)
            todo += [member for member in found.members.values() if isinstance(member, Object)]


def fence_doctests(text: str) -> str:
    """Returns a docstring with its doctests as fenced blocks."""

    def fence(found: re.Match[str]) -> str:
        indent = found["indent"]
        return f"{indent}```pycon\n{found[0].rstrip()}\n{indent}```\n"

    return DOCTEST.sub(fence, text)
