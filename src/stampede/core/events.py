"""Events and reasons: the one source for tests, records, views, animations and explanations.

Applying an action returns events. An event is a frozen dataclass of plain values; its JSON is its fields, with ``kind``
as the discriminator. A reason is a code with values, never a sentence, so that clients can translate it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final, get_type_hints

from stampede.core.json import Json, JsonObject, SparseObject

__all__ = ["Event", "JsonFields", "Reason", "plain"]

_AS_IT_IS: Final = frozenset({type(None), bool, int, float, str})


def plain(value: object) -> Json:
    """Converts a value of an event or a view to JSON; an object's ``to_json`` decides for itself.

    Raises:
        TypeError: The value has no JSON form.
    """
    kind = type(value)
    return value if kind in _AS_IT_IS else _encoder(kind)(value)  # type: ignore[return-value,arg-type] # a type is hashable


@cache
def _encoder(kind: type) -> Callable[[Any], Json]:
    """Returns the function that converts values of this type. Cached: servers ask thousands of times a second."""
    if issubclass(kind, bool | int | float | str):
        return _unchanged
    if hasattr(kind, "to_json"):
        found: Callable[[Any], Json] = kind.to_json
        return found
    if issubclass(kind, Mapping):
        return _plain_mapping
    if issubclass(kind, Iterable):
        return _plain_list
    raise TypeError(f"{kind.__name__} has no JSON form")


def _unchanged(value: Json) -> Json:
    return value


def _plain_mapping(value: Mapping[object, object]) -> Json:
    return {str(key): plain(item) for key, item in value.items()}


def _plain_list(value: Iterable[object]) -> Json:
    return [item if type(item) in _AS_IT_IS else plain(item) for item in value]  # type: ignore[misc] # as in plain


@cache
def _layout(kind: type) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    """Returns a dataclass's keys in JSON, and the function that reads all its fields at once."""
    found = fields(kind)
    keys = tuple(item.metadata.get("alias", item.name) for item in found)
    names = [item.name for item in found]
    if len(names) > 1:
        return keys, attrgetter(*names)
    return keys, lambda value: tuple(getattr(value, name) for name in names)


class JsonFields:
    """A dataclass whose JSON is its fields, by name or by the ``alias`` in a field's metadata."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    __pydantic_config__: ClassVar[Mapping[str, str]] = {"extra": "forbid"}

    def to_json(self) -> JsonObject:
        """Returns the fields as one JSON object."""
        keys, read = _layout(type(self))  # type: ignore[arg-type] # a type is hashable
        return {
            key: value if type(value) in _AS_IT_IS else plain(value)  # type: ignore[misc] # as in plain
            for key, value in zip(keys, read(self), strict=True)
        }


@dataclass(frozen=True, slots=True)
class Reason(SparseObject):
    """Why something is so. Each game has a subclass that names its codes and the types of its values.

    Attributes:
        code: A word to translate, such as ``larger_herd``.
        clause: The rule behind it, such as ``Z4.2``.
        values: What the sentence needs, as name and value.
    """

    VALUE_TYPES: ClassVar[Mapping[str, type]] = {}
    """Every name that may stand in ``values``, with its type."""

    code: str
    clause: str
    values: tuple[tuple[str, int | str], ...] = ()

    def to_json(self) -> JsonObject:
        """Returns the reason as ``{"code", "clause", …values}``."""
        return {"code": self.code, "clause": self.clause, **dict(self.values)}

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The values stand beside code and clause; no reason has them all."""
        return {"code": get_type_hints(cls)["code"], "clause": str}, cls.VALUE_TYPES


@dataclass(frozen=True, slots=True)
class Event(JsonFields):
    """Something that happened. Subclasses add fields, and a default for ``kind``, their discriminator."""

    kind: str = field(kw_only=True, repr=False, compare=False)
