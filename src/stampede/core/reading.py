"""Reads JSON into dataclasses by the annotations of their fields; an InputError names the place that is wrong."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from stampede.core.constraints import AnyJson, AnyObject
from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    canonical,
    expect_bool,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)

__all__ = ["read_as"]

T = TypeVar("T")
_Reader: TypeAlias = Callable[[Json, str], Any]


def read_as(kind: type[T], value: Json, where: str = "") -> T:
    """Reads a dataclass: a missing key has its field's default, an unknown key is ignored.

    Args:
        kind: The dataclass. Its fields may hold texts, whole numbers, booleans, enums, literals, None, tuples of these,
            free-form JSON (`stampede.core.constraints`), and further dataclasses.
        value: The JSON.
        where: The name of the place, for errors.
    """
    hint: Any = kind
    return cast("T", _reader_of(hint)(value, where))


def _read_as_is(value: Json, where: str) -> Json:
    del where
    return value


_LEAVES: Final[dict[object, _Reader]] = {
    int: expect_int,
    str: expect_str,
    bool: expect_bool,
}


@cache
def _reader_of(hint: Any) -> _Reader:
    if hint in _LEAVES:
        return _LEAVES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        if AnyJson() in arguments:
            return _read_as_is
        is_object = any(isinstance(mark, AnyObject) for mark in arguments)
        return expect_object if is_object else _reader_of(arguments[0])
    if origin in (Union, types.UnionType):
        (inner,) = (argument for argument in arguments if argument is not type(None))
        return _optional(_reader_of(inner))
    if origin is tuple:
        return _items(_reader_of(arguments[0]))
    if origin is Literal:
        return _word(arguments, {})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _word(tuple(item.value for item in hint), {item.value: item for item in hint})
    assert is_dataclass(hint), f"{hint} has no form in JSON"
    return _object(hint)


def _optional(read: _Reader) -> _Reader:
    def read_optional(value: Json, where: str) -> object:
        return None if value is None else read(value, where)

    return read_optional


def _items(read: _Reader) -> _Reader:
    def read_items(value: Json, where: str) -> tuple[object, ...]:
        items = expect_list(value, where)
        return tuple([read(item, f"{where}[{index}]") for index, item in enumerate(items)])

    return read_items


def _word(words: tuple[object, ...], members: dict[object, Enum]) -> _Reader:
    known = ", ".join(str(word) for word in words)

    def read_word(value: Json, where: str) -> object:
        if value not in words:
            raise InputError(f"{where}: expected one of {known}, got {canonical(value)[:80]}")
        return members.get(value, value)

    return read_word


def _object(kind: Any) -> _Reader:
    hints = get_type_hints(kind, include_extras=True)
    required: list[tuple[str, _Reader]] = []
    optional: list[tuple[str, _Reader]] = []
    for field in fields(kind):
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        (optional if has_default else required).append((field.name, _reader_of(hints[field.name])))

    def read_object(value: Json, where: str) -> object:
        data = expect_object(value, where or kind.__name__)
        prefix = f"{where}." if where else ""
        values = {name: read(data.get(name), prefix + name) for name, read in required}
        for name, read in optional:
            if name in data:
                values[name] = read(data[name], prefix + name)
        return kind(**values)

    return read_object
