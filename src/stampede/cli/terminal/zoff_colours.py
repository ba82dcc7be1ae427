"""Zoff's colours on a screen: each has a letter too, so that nobody needs to tell colours apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.text import Text

__all__ = ["Palette"]

STYLES: Mapping[str, str] = {
    "orange": "black on dark_orange",
    "pink": "black on pink1",
    "green": "black on green3",
    "blue": "white on dodger_blue3",
    "purple": "white on purple",
    "yellow": "black on yellow1",
}
OTHER = "black on grey78"
"""For the colours of an edition that we don't know."""


class Palette:
    """Letters and styles of an edition's colours: the first letter that no colour before it has."""

    def __init__(self, colours: Iterable[str]) -> None:
        self.letters: dict[str, str] = {}
        for colour in colours:
            taken = set(self.letters.values())
            letters = (letter for letter in colour.upper() if letter.isalpha())
            self.letters[colour] = next((c for c in letters if c not in taken), colour[:1].upper())

    def badge(self, colour: str) -> Text:
        """The colour's letter as a small block."""
        return Text(f" {self.letters[colour]} ", STYLES.get(colour, OTHER))

    def badges(self, colours: Iterable[str]) -> Text:
        """Several letters side by side."""
        return Text(" ").join(self.badge(colour) for colour in colours)

    def block(self, colour: str, cows: int) -> Text:
        """A herd as a block as long as it has cows: letter, number, and small letters to the end."""
        letter = self.letters[colour]
        head = letter if cows == 1 else f"{letter}{cows}"
        text = head.ljust(cows, letter.lower())[: max(cows, 1)]
        return Text(text, STYLES.get(colour, OTHER))
