"""Limits stand in annotations once: the authority and the server's models read the same ones."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from stampede.core.constraints import (
    MAX_DEPTH,
    FreeJson,
    FreeObject,
    Length,
    Range,
    ServerOnly,
    check_depth,
    check_limits,
    server_only_fields,
)
from stampede.core.errors import InputError
from stampede.core.json import Json
from stampede.core.reading import read_as


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Part:
    size: Annotated[int, Range(1, 3)] = 1


@dataclass(frozen=True, slots=True)
class Thing:
    name: Annotated[str, Length(1, 4, strip=True)]
    colour: Colour
    parts: Annotated[tuple[Part, ...], Length(0, 2)] = ()
    token: Annotated[str, ServerOnly()] = ""
    free: FreeJson = None
    keys: FreeObject = field(default_factory=dict)
    note: str | None = None
    kind: Literal["thing"] = "thing"


THINGS = TypeAdapter(Thing)
GOOD: dict[str, Json] = {"name": "box", "colour": "red", "parts": [{"size": 2}], "free": [1, {}]}


def test_a_dataclass_is_read_by_its_annotations() -> None:
    read = read_as(Thing, GOOD)
    assert read == Thing("box", Colour.RED, (Part(2),), free=[1, {}])
    assert THINGS.validate_json(json.dumps(GOOD)) == read


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": 7}, "thing.name: expected a text, got 7"),
        ({"name": None}, "thing.name: expected a text, got nothing"),
        ({"colour": "green"}, 'thing.colour: expected one of red, blue, got "green"'),
        ({"parts": {}}, "thing.parts: expected a list"),
        ({"parts": [{"size": 1}, {"size": True}]}, r"thing.parts\[1\].size: expected a whole"),
        ({"keys": []}, "thing.keys: expected an object"),
        ({"kind": "person"}, "thing.kind: expected one of thing"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place(changes: dict[str, Json], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_as(Thing, {**GOOD, **changes}, "thing")


@pytest.mark.parametrize(
    ("thing", "problem"),
    [
        (Thing("", Colour.RED), "name: expected 1 to 4 characters, got 0"),
        (Thing("boxes", Colour.RED), "name: expected 1 to 4 characters, got 5"),
        (Thing("box", Colour.RED, (Part(),) * 3), "parts: expected 0 to 2 items, got 3"),
        (Part(0), "size: expected 1 to 3, got 0"),
        (Part(4), "size: expected 1 to 3, got 4"),
    ],
)
def test_a_value_beyond_a_limit_is_refused_by_both_readers(thing: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        check_limits(thing)
    adapter = TypeAdapter(type(thing))
    with pytest.raises(ValidationError):
        adapter.validate_json(adapter.dump_json(thing))


def test_values_within_their_limits_pass() -> None:
    check_limits(read_as(Thing, GOOD))
    assert THINGS.validate_python({"name": " ab ", "colour": Colour.RED}).name == "ab"


def test_fields_of_the_server_are_marked() -> None:
    assert server_only_fields(Thing) == {"token"}
    assert not server_only_fields(Part)


def test_free_json_is_finite_and_shallow() -> None:
    nested: Json = 1
    for _ in range(MAX_DEPTH):
        nested = [nested]
    assert check_depth(nested) == nested
    for bad in ([nested], float("inf"), "\ud800", {"\ud800": 1}):
        with pytest.raises(ValueError, match=r"expected|surrogates"):
            check_depth(bad)
    with pytest.raises(ValidationError):
        THINGS.validate_json('{"name":"a","colour":"red","free":NaN}')
    with pytest.raises(ValidationError):
        THINGS.validate_python({**GOOD, "keys": {str(key): 0 for key in range(13)}})
