"""What happened, and why: the one source for tests, logs, views, animations and explanations.

Applying an action returns events. An event is a frozen dataclass of plain values; its JSON is its fields under
its ``kind``. A reason is a code with values, never a sentence, so that it can be told in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, fields
from functools import cache
from typing import ClassVar, Final, Protocol

from stampede.core.json import Json, JsonObject

__all__ = ["Event", "JsonFields", "Reason", "plain"]


class _HasJson(Protocol):
    def to_json(self) -> Json: ...


_AS_IT_IS: Final = frozenset({type(None), bool, int, float, str})


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields. Kept, as servers ask for them thousands of times a second."""
    return tuple(field.name for field in fields(kind))


def _fields(value: object) -> dict[str, Json]:
    return {name: plain(getattr(value, name)) for name in _names(type(value))}  # type: ignore[arg-type] # a type is hashable


def plain(value: object) -> Json:
    """Turns a value of an event or a view into JSON; objects say themselves by ``to_json``."""
    if type(value) in _AS_IT_IS or isinstance(value, bool | int | float | str):
        return value  # type: ignore[return-value] # the first test says what the second says, but at once
    if hasattr(value, "to_json"):
        speaker: _HasJson = value
        return speaker.to_json()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise TypeError(f"{value!r} has no JSON form")


class JsonFields:
    """JSON by the names of a dataclass's fields: for views and their parts."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    def to_json(self) -> JsonObject:
        """The fields as one JSON object."""
        return _fields(self)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so.

    Attributes:
        code: A word to translate, such as ``larger_herd``.
        clause: The rule behind it, such as ``Z4.2``.
        values: What the sentence needs, as name and value.
    """

    code: str
    clause: str
    values: tuple[tuple[str, int | str], ...] = ()

    def to_json(self) -> JsonObject:
        """The reason as ``{"code", "clause", …values}``."""
        return {"code": self.code, "clause": self.clause, **dict(self.values)}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Subclasses add fields and a ``kind``."""

    kind: ClassVar[str] = "event"

    def to_json(self) -> JsonObject:
        """The event as ``{"kind", …fields}``."""
        return {"kind": self.kind, **_fields(self)}
