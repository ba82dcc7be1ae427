"""The rules of the games in five languages: the one source for the browser, the documentation and the terminal.

``LANGUAGE/GAME.md`` holds the text, clause by clause, and ``LANGUAGE/labels.toml`` the words of its tables. Pictures
and worked examples are played by the rules themselves, so every language shows the same numbers.
"""

from stampede.rulebook.book import (
    Block,
    Book,
    Clause,
    Figure,
    Grid,
    ItemList,
    Labels,
    Paragraph,
    Part,
    Section,
    Worked,
    anchor_of,
    plain_text,
)
from stampede.rulebook.examples import Example, ExampleStep
from stampede.rulebook.library import LANGUAGES, read_book
from stampede.rulebook.scenes import BoardScene, LaidCard, PastureScene, Scene

__all__ = [
    "LANGUAGES",
    "Block",
    "BoardScene",
    "Book",
    "Clause",
    "Example",
    "ExampleStep",
    "Figure",
    "Grid",
    "ItemList",
    "Labels",
    "LaidCard",
    "Paragraph",
    "Part",
    "PastureScene",
    "Scene",
    "Section",
    "Worked",
    "anchor_of",
    "plain_text",
    "read_book",
]
