"""JSON as a type, its one canonical text, and readers that say where a value is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from stampede.core.errors import InputError

__all__ = [
    "Json",
    "JsonObject",
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


def canonical(value: Json) -> str:
    """The value's canonical text: no blanks, key order as given, nothing escaped needlessly."""
    return _CANONICAL.encode(value)


def expect_object(value: Json, where: str) -> JsonObject:
    """The value as an object, or an InputError that names the place."""
    if not isinstance(value, Mapping):
        raise _wrong(value, where, "an object")
    return value


def expect_list(value: Json, where: str) -> Sequence[Json]:
    """The value as a list, or an InputError that names the place."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(value, where, "a list")
    return value


def expect_str(value: Json, where: str) -> str:
    """The value as a text, or an InputError that names the place."""
    if not isinstance(value, str):
        raise _wrong(value, where, "a text")
    return value


def expect_int(value: Json, where: str) -> int:
    """The value as a whole number, or an InputError that names the place."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(value, where, "a whole number")
    return value


def expect_bool(value: Json, where: str) -> bool:
    """The value as true or false, or an InputError that names the place."""
    if not isinstance(value, bool):
        raise _wrong(value, where, "true or false")
    return value


def _wrong(value: Json, where: str, expected: str) -> InputError:
    got = "nothing" if value is None else canonical(value)
    return InputError(f"{where}: expected {expected}, got {got[:80]}")
