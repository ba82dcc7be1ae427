"""Finds and reads the books that come with the package."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Final

from stampede.core.errors import InputError
from stampede.rulebook.book import Block, Book, Clause, Figure, Labels, Part, Worked
from stampede.rulebook.examples import EXAMPLES, Example
from stampede.rulebook.markdown import read_page
from stampede.rulebook.scenes import SCENES, scenes_of

__all__ = ["LANGUAGES", "read_book"]

LANGUAGES: Final = {
    "en": "English",
    "fr": "Français",
    "de": "Deutsch",
    "it": "Italiano",
    "nl": "Nederlands",
}
"""The languages that every book is written in, by their codes."""


@cache
def read_book(game: str, language: str = "en") -> Book:
    """Reads the rules of a game in a language.

    Raises:
        InputError: There is no such game or language.
        ParseError: The page isn't built as pages of rules are.
    """
    if game not in SCENES:
        raise InputError(f"game: expected {' or '.join(SCENES)}, got {game!r}")
    if language not in LANGUAGES:
        raise InputError(f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
    source = f"{language}/{game}.md"
    title, intro, sections = read_page(_read(source), source)
    parts = [part for section in sections for block in section.blocks for part in _parts(block)]
    scenes = scenes_of(game)
    shown = {part.scene for part in parts if isinstance(part, Figure)}
    worked = {part.example for part in parts if isinstance(part, Worked)}
    labels = tomllib.loads(_read(f"{language}/labels.toml"))
    return Book(
        game,
        language,
        title,
        intro,
        sections,
        Labels(**labels),
        {name: scene for name, scene in scenes.items() if name in shown},
        {name: _example(name) for name in EXAMPLES if name in worked},
    )


def _parts(block: Block) -> tuple[Part, ...]:
    return block.parts if isinstance(block, Clause) else (block,)


def _example(name: str) -> Example:
    return EXAMPLES[name]().summary()


def _read(path: str) -> str:
    return resources.files("stampede.rulebook").joinpath(path).read_text(encoding="utf-8")
