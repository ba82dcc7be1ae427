"""What goes over the wire, as bytes: orjson, which is some five times as fast as Python's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from stampede.core.json import Json

__all__ = ["encode"]


def encode(value: Json) -> bytes:
    """The value's JSON in UTF-8: no blanks, key order as given."""
    return orjson.dumps(value, default=_plain)


def _plain(value: object) -> object:
    """What a type that orjson doesn't know stands for."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
