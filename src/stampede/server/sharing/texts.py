"""Texts that the server itself writes for people: link previews, cards and notices, in five languages.

All other texts are the client's. Values are put in as they are: escape the result where it becomes markup.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

__all__ = ["LANGUAGES", "Texts", "language_of", "texts_in"]

LANGUAGES: Final = ("en", "fr", "de", "it", "nl")
MAX_HEADER: Final = 500


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a language.

    Attributes:
        language: Its code.
    """

    language: str
    _catalogue: dict[str, Any]

    def titled(self, key: str, **values: object) -> tuple[str, str]:
        """A title and a sentence."""
        title, sentence = self._catalogue[key]
        return title.format(**values), sentence.format(**values)

    def on_card(self, key: str, **values: object) -> str:
        """A text of a card."""
        text: str = self._catalogue["card"][key]
        return text.format(**values)

    def side(self, name: str) -> str:
        """A side's name; the code itself if there is no text."""
        found: str = self._catalogue["sides"].get(name, name)
        return found


@cache
def texts_in(language: str) -> Texts:
    """The texts of a language; English for an unknown one."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    file = resources.files("stampede.server.sharing") / "texts" / f"{known}.json"
    return Texts(known, json.loads(file.read_text("utf-8")))


def language_of(header: str | None) -> str:
    """The language that suits an ``Accept-Language`` header best; English if none does.

    >>> language_of("pt;q=0.9, de-CH;q=0.8, fr;q=0.7")
    'de'
    """
    wanted: list[tuple[float, str]] = []
    for item in (header or "")[:MAX_HEADER].split(","):
        tag, _, weight = item.strip().partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or "1")
        except ValueError:
            continue
        wanted.append((-quality, tag.strip().lower()[:2]))
    found = [tag for quality, tag in sorted(wanted, key=lambda one: one[0]) if quality < 0]
    return next((tag for tag in found if tag in LANGUAGES), LANGUAGES[0])
