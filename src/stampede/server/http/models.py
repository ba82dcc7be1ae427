"""Base models of requests and responses."""

from __future__ import annotations

import math
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from stampede.games import GAMES

__all__ = ["MAX_DEPTH", "GameName", "RequestModel", "ResponseModel", "SideName", "plain_json"]

MAX_DEPTH: Final = 12
"""How deep JSON in a request may nest; the games' actions need four levels at most."""

SIDES: Final = tuple(side for spec in GAMES.values() for side in spec.sides)
GameName = Literal[*GAMES]  # type: ignore[valid-type] # the registered names
SideName = Literal[*SIDES]  # type: ignore[valid-type]


class RequestModel(BaseModel):
    """Base of everything that clients send: no unknown fields, no coercion, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ResponseModel(BaseModel):
    """Base of everything that clients receive."""

    model_config = ConfigDict(extra="forbid")


def plain_json(value: JsonValue, depth: int = 0) -> JsonValue:
    """Validates free-form JSON: rejects non-finite numbers, lone surrogates and deep nesting."""
    if depth > MAX_DEPTH:
        raise ValueError(f"expected at most {MAX_DEPTH} levels")
    match value:
        case float() if not math.isfinite(value):
            raise ValueError("expected finite numbers")
        case str():
            value.encode()
        case list():
            for item in value:
                plain_json(item, depth + 1)
        case dict():
            for name, item in value.items():
                name.encode()
                plain_json(item, depth + 1)
        case _:
            pass
    return value
