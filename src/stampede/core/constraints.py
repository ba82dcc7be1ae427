"""Limits of a dataclass's fields, stated once in their annotations: ``name: Annotated[str, Length(1, 40)]``.

`check_limits` checks them where the standard library is all there is. A server's pydantic models read the same
annotations through the hook `__get_pydantic_core_schema__`, which needs no import of pydantic.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Protocol,
    TypeAlias,
    get_origin,
    get_type_hints,
)

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject

__all__ = [
    "MAX_DEPTH",
    "AnyJson",
    "AnyObject",
    "FreeJson",
    "FreeObject",
    "Length",
    "Range",
    "ServerOnly",
    "check_depth",
    "check_limits",
    "server_only_fields",
]

MAX_DEPTH: Final = 12
"""How deep free-form JSON may nest; the games' actions need four levels at most."""


class _SchemaOf(Protocol):
    """The part of pydantic's ``GetCoreSchemaHandler`` that constraints use."""

    def __call__(self, source_type: object, /) -> dict[str, Any]:
        """The schema of a type."""


class Constraint(ABC):
    """A limit that a field's annotation states."""

    __slots__ = ()

    @abstractmethod
    def check(self, value: object, where: str) -> None:
        """Checks a value; InputError names the place when it is beyond the limit."""


@dataclass(frozen=True, slots=True)
class Length(Constraint):
    """Limits how many characters a text, or how many items a sequence or an object has.

    Attributes:
        least: The fewest.
        most: The most.
        strip: Whether blanks at both ends of a text are removed when it comes from a client.
    """

    least: int
    most: int
    strip: bool = False

    def check(self, value: object, where: str) -> None:
        """Checks the length; nothing is said about None."""
        if value is None:
            return
        assert isinstance(value, str | tuple | list | dict), "these have a length"
        if not self.least <= len(value) <= self.most:
            what = "characters" if isinstance(value, str) else "items"
            raise InputError(
                f"{where}: expected {self.least} to {self.most} {what}, got {len(value)}"
            )

    def __get_pydantic_core_schema__(self, source: object, handler: _SchemaOf) -> object:
        """Adds the limit to pydantic's schema."""
        schema = handler(source)
        schema.update(min_length=self.least, max_length=self.most)
        if self.strip:
            schema["strip_whitespace"] = True
        return schema


@dataclass(frozen=True, slots=True)
class Range(Constraint):
    """Limits a whole number."""

    least: int
    most: int

    def check(self, value: object, where: str) -> None:
        """Checks the number."""
        assert isinstance(value, int), "a range is for whole numbers"
        if not self.least <= value <= self.most:
            raise InputError(f"{where}: expected {self.least} to {self.most}, got {value}")

    def __get_pydantic_core_schema__(self, source: object, handler: _SchemaOf) -> object:
        """Adds the limit to pydantic's schema."""
        schema = handler(source)
        schema.update(ge=self.least, le=self.most)
        return schema


@dataclass(frozen=True, slots=True)
class ServerOnly:
    """Marks a field that the server sets: clients neither send nor see it."""


# --- free-form JSON ---


@dataclass(frozen=True, slots=True)
class AnyJson:
    """Any JSON value that isn't nested too deep."""

    def __get_pydantic_core_schema__(self, source: object, handler: _SchemaOf) -> object:
        """Replaces pydantic's schema by that of any JSON."""
        del source, handler
        return _ANY_JSON


@dataclass(frozen=True, slots=True)
class AnyObject:
    """Any JSON object with at most so many keys."""

    most: int

    def __get_pydantic_core_schema__(self, source: object, handler: _SchemaOf) -> object:
        """Replaces pydantic's schema by that of any JSON."""
        del source
        return {
            "type": "dict",
            "keys_schema": handler(str),
            "values_schema": _ANY_JSON,
            "max_length": self.most,
        }


def check_depth(value: Json, depth: int = 0) -> Json:
    """Returns the value unless it holds infinite numbers, lone surrogates, or nests too deep: then a ValueError."""
    if depth > MAX_DEPTH:
        raise ValueError(f"expected at most {MAX_DEPTH} levels")
    match value:
        case float() if not math.isfinite(value):
            raise ValueError("expected finite numbers")
        case str():
            value.encode()
        case list():
            for item in value:
                check_depth(item, depth + 1)
        case dict():
            for name, item in value.items():
                name.encode()
                check_depth(item, depth + 1)
        case _:
            pass
    return value


_ANY_JSON: Final = {
    "type": "function-after",
    "function": {"type": "no-info", "function": check_depth},
    "schema": {"type": "any"},
}

if TYPE_CHECKING:
    FreeJson: TypeAlias = Json
    """JSON whose form the game knows."""
    FreeObject: TypeAlias = JsonObject
    """A JSON object of a few keys whose form the game knows."""
else:  # the recursive alias means nothing to readers of annotations
    FreeJson = Annotated[object, AnyJson()]
    FreeObject = Annotated[object, AnyObject(12)]


# --- checking without pydantic ---


def check_limits(value: object, where: str = "") -> None:
    """Checks a dataclass's fields against the limits of their annotations; InputError names the first beyond."""
    kind: Any = type(value)
    for name, limit in _limits(kind):
        limit.check(getattr(value, name), f"{where}{name}")


def server_only_fields(kind: type) -> frozenset[str]:
    """The fields of a dataclass that clients neither send nor see."""
    return frozenset(name for name, mark in _annotations(kind) if isinstance(mark, ServerOnly))


@cache
def _limits(kind: Any) -> tuple[tuple[str, Constraint], ...]:
    return tuple((name, mark) for name, mark in _annotations(kind) if isinstance(mark, Constraint))


def _annotations(kind: type) -> list[tuple[str, object]]:
    """Every mark in the annotations of a dataclass's fields, beside the field's name."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        (field.name, mark)
        for field in fields(kind)
        if get_origin(hints[field.name]) is Annotated
        for mark in hints[field.name].__metadata__
    ]
