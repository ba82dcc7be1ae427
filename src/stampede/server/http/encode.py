"""Encodes what is sent: orjson is about five times as fast as Python's own encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from stampede.core.json import Json

__all__ = ["encode"]


def encode(value: Json) -> bytes:
    """Returns the value's JSON in UTF-8, without spaces, with its keys in order."""
    return orjson.dumps(value, default=_plain)


def _plain(value: object) -> object:
    """Converts a type that orjson doesn't know."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
