"""Remarks: what a search has to say, as a code with values that clients translate, and as an English sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from stampede.core.json import JsonObject

__all__ = ["Phrases", "Remark"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark; `Phrases.remark` makes one.

    Attributes:
        code: What it says.
        values: The values of the sentence as text: sides, squares, pastures, numbers.
        text: The sentence in English.
    """

    code: str
    values: dict[str, str]
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> JsonObject:
        """The remark as JSON, with the English sentence."""
        return {"code": self.code, "values": dict(self.values), "text": self.text}


class Phrases:
    """English sentences by code.

    >>> phrases = Phrases({"wins": "{side} wins in {count:move|moves}"}, {"hunter": "the hunter"})
    >>> str(phrases.remark("wins", side="hunter", count=1))
    'the hunter wins in 1 move'

    Args:
        sentences: By code: a format string. `{count:move|moves}` adds the singular or the plural.
        names: Values that read differently in a sentence.
    """

    def __init__(
        self, sentences: Mapping[str, str], names: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._sentences = sentences
        self._names = names

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all remarks."""
        return frozenset(self._sentences)

    def remark(self, code: str, **values: object) -> Remark:
        """A remark with these values; KeyError when the code or a value is missing."""
        texts = {name: str(value) for name, value in values.items()}
        shown = {name: _Counted(self._names.get(text, text)) for name, text in texts.items()}
        return Remark(code, texts, self._sentences[code].format(**shown))


class _Counted(str):
    """A value in a sentence; the format `{count:move|moves}` adds the singular or the plural."""

    __slots__ = ()

    def __format__(self, words: str) -> str:
        if not words:
            return str(self)
        one, many = words.split("|")
        return f"{self} {one if self == '1' else many}"
