"""What can be said about a position: a code and values, to be told in any language, and the same in English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stampede.core.json import JsonObject

__all__ = ["CODES", "Saying"]


class _Value(str):
    """A value in an English sentence; `{count:move|moves}` writes it with the word that fits."""

    def __format__(self, words: str) -> str:
        if not words:
            return str(self)
        one, many = words.split("|")
        return f"{self} {one if self == '1' else many}"


_SIDES: Final = {"buffalo": "the buffalo side", "hunter": "the hunter"}

_ENGLISH: Final = {
    # Who stands how.
    "even": "even",
    "slight": "{side} is slightly better",
    "clear": "{side} is clearly better",
    "winning": "{side} is winning, not proven",
    "forced": "{side} wins by force: proven, at most {count:move|moves}",
    # How that is known.
    "in_table": "A table of exact values covers this position: {name}.",
    "in_certificate": "A verified certificate covers this position: {name}.",
    # What stands out.
    "crosses_now": "The buffalo on {buffalo} can cross now and wins (B3.1).",
    "both_cross": "The buffaloes on {buffaloes} both cross next; the chief can capture only one.",
    "out_of_reach": "The buffalo on {buffalo} crosses next, and the chief can't reach it.",
    "must_capture": "The buffalo on {buffalo} crosses next: the chief must capture it at once.",
    "can_step": (
        "The buffalo on {buffalo} can step to {to}, where the chief can't capture it, and cross."
    ),
    "threatens_step": (
        "The buffalo on {buffalo} threatens to step to {to}, where the chief can't capture it,"
        " and to cross."
    ),
    "offers": "The buffalo on {buffalo} can offer itself on {to}: the chief must take it.",
    "pinned": "The dog on {dog} is pinned: if it leaves, the buffalo on {buffalo} wins.",
    "runner": "The chief alone can't catch the buffalo on {buffalo}: a dog is needed there.",
    "cover": (
        "{count:buffalo|buffaloes}: {blocked} blocked, {covered} with a dog ahead, {open} without;"
        " {free:dog|dogs} free."
    ),
}

CODES: Final = frozenset(_ENGLISH)
"""Everything that can be said."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Something said.

    Attributes:
        code: One of `CODES`.
        values: What the sentence names: sides as `buffalo` and `hunter`, squares, numbers; all as text.
    """

    code: str
    values: dict[str, str]

    def __str__(self) -> str:
        told = {name: _Value(_SIDES.get(value, value)) for name, value in self.values.items()}
        return _ENGLISH[self.code].format(**told)

    def to_json(self) -> JsonObject:
        """The saying as JSON, with the English sentence."""
        return {"code": self.code, "values": dict(self.values), "text": str(self)}
