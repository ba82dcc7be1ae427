"""JSON as a type, its canonical text, readers that name a wrong value's place, and hooks for schema generators.

A dataclass's fields are its JSON schema. Where the JSON differs from what Python holds, `TextForm`, `JsonType` and
`SparseObject` say so: they answer pydantic's hook `__get_pydantic_core_schema__`, which needs no import of pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from stampede.core.errors import InputError

__all__ = [
    "Json",
    "JsonObject",
    "JsonType",
    "SchemaHandler",
    "SparseObject",
    "TextForm",
    "canonical",
    "expect_bool",
    "expect_int",
    "expect_list",
    "expect_object",
    "expect_str",
]

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
JsonObject = Mapping[str, Json]

_CANONICAL: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class SchemaHandler(Protocol):
    """The part of pydantic's ``GetCoreSchemaHandler`` that the hooks use."""

    def generate_schema(self, source_type: object, /) -> object:
        """Returns the schema of a type."""


class TextForm:
    """A value whose JSON is its text, such as a cow card or a move."""

    __slots__ = ()

    def to_json(self) -> str:
        """Returns the value's text."""
        return str(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: SchemaHandler) -> object:
        """Tells pydantic that the JSON is a text."""
        del source
        return handler.generate_schema(str)


class JsonType:
    """Names the type that an annotated value has in JSON, where Python holds another one.

    For example ``colours: Annotated[tuple[tuple[str, str], ...], JsonType(dict[str, str])]``.
    """

    __slots__ = ("json_type",)

    def __init__(self, json_type: object) -> None:
        self.json_type = json_type

    def __get_pydantic_core_schema__(self, source: object, handler: SchemaHandler) -> object:
        """Tells pydantic the type of the JSON."""
        del source
        return handler.generate_schema(self.json_type)


class SparseObject:
    """A value whose JSON is an object with other keys than its fields, some of which may be missing."""

    __slots__ = ()

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """Returns the keys that are always there, and those that may be missing, with their types."""
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: SchemaHandler) -> object:
        """Tells pydantic these keys, as a schema of its kind ``typed-dict``."""
        del source
        required, optional = cls.json_keys()
        return {
            "type": "typed-dict",
            "cls": cls,
            "cls_name": cls.__name__,
            "extra_behavior": "forbid",
            "ref": f"{cls.__module__}.{cls.__qualname__}:{id(cls)}",
            "fields": {
                name: {
                    "type": "typed-dict-field",
                    "schema": handler.generate_schema(kind),
                    "required": name in required,
                }
                for name, kind in {**required, **optional}.items()
            },
        }


def canonical(value: Json) -> str:
    """Returns the value's canonical text: no blanks, key order as given, nothing escaped needlessly."""
    return _CANONICAL.encode(value)


def expect_object(value: Json, where: str) -> JsonObject:
    """Returns the value as an object; otherwise raises an InputError that names the place."""
    if not isinstance(value, Mapping):
        raise _wrong(value, where, "an object")
    return value


def expect_list(value: Json, where: str) -> Sequence[Json]:
    """Returns the value as a list; otherwise raises an InputError that names the place."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(value, where, "a list")
    return value


def expect_str(value: Json, where: str) -> str:
    """Returns the value as a text; otherwise raises an InputError that names the place."""
    if not isinstance(value, str):
        raise _wrong(value, where, "a text")
    return value


def expect_int(value: Json, where: str) -> int:
    """Returns the value as a whole number; otherwise raises an InputError that names the place."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(value, where, "a whole number")
    return value


def expect_bool(value: Json, where: str) -> bool:
    """Returns the value as a bool; otherwise raises an InputError that names the place."""
    if not isinstance(value, bool):
        raise _wrong(value, where, "true or false")
    return value


def _wrong(value: Json, where: str, expected: str) -> InputError:
    got = "nothing" if value is None else canonical(value)
    return InputError(f"{where}: expected {expected}, got {got[:80]}")
