"""Events, reasons and their JSON: fields by name or alias, and the types that a schema generator is told."""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import ConfigDict, TypeAdapter, ValidationError

from stampede.core.events import Event, JsonFields, Reason, plain
from stampede.core.json import JsonType, TextForm


class Hue(StrEnum):
    RED = "red"


class Number(IntEnum):
    TWO = 2


@dataclass(frozen=True, slots=True)
class Card(TextForm):
    value: int

    def __str__(self) -> str:
        return f"card {self.value}"


@dataclass(frozen=True, slots=True)
class Why(Reason):
    VALUE_TYPES: ClassVar = {"size": int, "who": str}

    code: Literal["small", "large"]


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    kind: Literal["dealt"] = field(default="dealt", kw_only=True, repr=False, compare=False)
    card: Card
    source: str = field(metadata={"alias": "from"})
    places: Annotated[tuple[tuple[str, int], ...], JsonType(list[tuple[str, int]])]
    why: Why


@dataclass(frozen=True, slots=True)
class Nothing(JsonFields):
    pass


@dataclass(frozen=True, slots=True)
class Single(JsonFields):
    value: int


DEALT = Dealt(Card(3), "box", (("a", 1),), Why("small", "X1", (("size", 2),)))
DEALT_JSON = {
    "kind": "dealt",
    "card": "card 3",
    "from": "box",
    "places": [["a", 1]],
    "why": {"code": "small", "clause": "X1", "size": 2},
}


def test_an_event_is_its_fields_with_its_kind_first() -> None:
    assert DEALT.to_json() == DEALT_JSON
    assert list(DEALT.to_json()) == list(DEALT_JSON)
    assert DEALT.kind == "dealt"


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (None, None),
        (Hue.RED, "red"),
        (Number.TWO, 2),
        (Card(5), "card 5"),
        ((1, (2.5, True)), [1, [2.5, True]]),
        ({3: Card(3)}, {"3": "card 3"}),
        (Nothing(), {}),
        (Single(1), {"value": 1}),
        ([DEALT], [DEALT_JSON]),
    ],
)
def test_values_become_plain_json(value: object, json: object) -> None:
    assert plain(value) == json


def test_a_value_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain(object())


STRICT = TypeAdapter(list[Dealt], config=ConfigDict(extra="forbid"))


def test_the_schema_describes_the_json() -> None:
    STRICT.validate_python([DEALT_JSON])
    schema = STRICT.json_schema(mode="serialization")
    dealt, why = schema["$defs"]["Dealt"], schema["$defs"]["Why"]
    assert dealt["properties"]["card"]["type"] == "string"
    assert dealt["properties"]["kind"]["const"] == "dealt"
    assert "from" in dealt["required"]
    assert "source" not in dealt["properties"]
    assert why["properties"]["code"]["enum"] == ["small", "large"]
    assert why["required"] == ["code", "clause"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "drawn"},
        {"card": 3},
        {"source": "box"},
        {"why": {"code": "tiny", "clause": "X1"}},
        {"why": {"code": "small", "clause": "X1", "colour": "blue"}},
        {"why": {"code": "small"}},
    ],
)
def test_the_schema_refuses_anything_else(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        STRICT.validate_python([{**DEALT_JSON, **wrong}])
