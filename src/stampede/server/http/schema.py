"""The schema of everything that tables send: the domain's dataclasses, with the games' own types filled in.

`stampede.matches` knows no game, so there a game's part of a view is any JSON. Here these parts get the types that each
`GameSpec` names. Pydantic makes checks and the OpenAPI from them, and the client's TypeScript types are made from that:
there is no second copy of a type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, make_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, get_args, get_type_hints

from pydantic import Field, JsonValue, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from stampede.core.json import SparseObject
from stampede.games import GAMES
from stampede.matches import messages, settings, views

__all__ = [
    "GameAction",
    "GameEvents",
    "GameView",
    "Message",
    "TableChanges",
    "TableView",
    "read_docstring",
    "schemas_of",
]

REF: Final = "#/components/schemas/{model}"
T = TypeVar("T", bound=type)


# --- filling in the games' types ---


def _narrow(base: T, types: Mapping[str, object], name: str = "") -> T:
    """Makes a dataclass in which some fields have more precise types, of the same name unless another is given."""
    items: Iterable[tuple[str, Any]] = types.items()
    namespace = {"__doc__": base.__doc__, "__pydantic_config__": {"extra": "forbid"}}
    made: Any = make_dataclass(
        name or base.__name__, items, bases=(base,), namespace=namespace, frozen=True, slots=True
    )
    made.__module__ = base.__module__  # where pydantic looks up the names in the other annotations
    return made  # type: ignore[no-any-return] # a subclass of the base


def _union(types: Iterable[object]) -> Any:
    return reduce(or_, types)


def _named(name: str, kind: object, discriminator: str) -> Any:
    """Gives a type a name in the schema; a union's members are told apart by the discriminator."""
    tagged: Any = Annotated[kind, Field(discriminator=discriminator)] if get_args(kind) else kind
    return TypeAliasType(name, tagged)


def _partial(name: str, base: type, types: Mapping[str, object]) -> Any:
    """Makes a type for parts of a dataclass's JSON: the same keys, any of which may be missing."""
    hints = {**get_type_hints(base, include_extras=True), **types}
    keys = {item.metadata.get("alias", item.name): hints[item.name] for item in fields(base)}

    def json_keys(cls: type) -> tuple[Mapping[str, object], Mapping[str, object]]:
        del cls
        return {}, keys

    namespace = {
        "__doc__": f"A {base.__name__} of which any part may be missing.",
        "__module__": __name__,
        "json_keys": classmethod(json_keys),
    }
    return type(name, (SparseObject,), namespace)


def _name(game: str, word: str) -> str:
    return f"{game.capitalize()}{word}"


_SPECS: Final = tuple(GAMES.values())
_STANDINGS: Final = tuple(
    dict.fromkeys(series.standing_type for spec in _SPECS for series in spec.series)
)

if TYPE_CHECKING:
    GameView = JsonValue
    GameAction = JsonValue
    GameEvents = list[JsonValue]
    TableChanges = dict[str, JsonValue]
    from stampede.matches.messages import Message
    from stampede.matches.views import TableView
else:
    GameView = _named("GameView", _union(spec.view_type for spec in _SPECS), "game")
    GameAction = TypeAliasType(
        "GameAction",
        _union(_named(_name(spec.name, "Action"), spec.action_type, "type") for spec in _SPECS),
    )
    GameEvents = _union(
        list[_named(_name(spec.name, "Event"), spec.event_type, "kind")] for spec in _SPECS
    )
    SeriesStanding = _named("SeriesStanding", _union(_STANDINGS), "series")
    # Clients send clocks and chairs, too, with keys left out: what the server sends needs names of its own.
    TableSettings = _narrow(
        settings.TableSettings,
        {
            "rules": _union(spec.rules_type for spec in _SPECS),
            "clock": _narrow(settings.Clock, {}, "ClockSettings"),
            "chairs": tuple[
                _partial("ChairSettings", settings.ChairPlan, {"bot": str, "colour": str}), ...
            ],
        },
    )
    TableView = _narrow(
        views.TableView,
        {"settings": TableSettings, "series": SeriesStanding, "view": GameView | None},
    )
    Message = _narrow(messages.Message, {"data": dict[str, JsonValue], "events": GameEvents})
    TableChanges = _partial(
        "TableChanges",
        TableView,
        {
            "view": _union(
                _partial(_name(spec.name, "Changes"), spec.view_type, {}) for spec in _SPECS
            )
        },
    )


# --- the schema as JSON ---


class _DocumentedSchema(GenerateJsonSchema):
    """Describes fields by the ``Attributes:`` of docstrings, and knows that all fields are written."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - pydantic calls it so
    ) -> bool:
        """A dataclass writes every field, those with a default too."""
        is_written = field["type"] == "dataclass-field" and self.mode == "serialization"
        return is_written or super().field_is_required(field, total)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Describes a dataclass and its fields."""
        made = super().dataclass_schema(schema)
        cls = schema["cls"]
        summary, _ = read_docstring(cls)
        made["description"] = summary
        documented = _documented_fields(cls)
        for item in fields(cls):
            if text := documented.get(item.name):
                made["properties"][item.metadata.get("alias", item.name)]["description"] = text
        return made

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Describes a `SparseObject` and its keys."""
        made = super().typed_dict_schema(schema)
        cls = schema.get("cls")
        if cls is None or not issubclass(cls, SparseObject):
            return made
        made["description"], _ = read_docstring(cls)
        documented = _documented_fields(cls)
        for name, property_ in made["properties"].items():
            if (text := documented.get(name)) and "$ref" not in property_:
                property_["description"] = text
        return made


def _documented_fields(cls: type) -> dict[str, str]:
    """What the docstrings of a class and its bases say of its fields."""
    return {
        name: text
        for base in reversed(cls.__mro__)
        for name, text in read_docstring(base)[1].items()
    }


def read_docstring(cls: type) -> tuple[str, dict[str, str]]:
    """Splits a Google-style docstring into its text and what it says of the attributes, in the words of JSON."""
    text = inspect.cleandoc(cls.__doc__ or "").replace("``", "`")
    text = re.sub(r"\bNone\b", "null", text)
    text, _, attributes = text.partition("\n\nAttributes:\n")
    attributes, *_ = attributes.split("\n\n")
    found = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", attributes, flags=re.MULTILINE)
    return text, {name: re.sub(r"\s+", " ", said) for name, said in found}


def schemas_of(name: str, kind: Any, mode: JsonSchemaMode) -> dict[str, JsonSchemaValue]:
    """The schema of a type under this name, and of all types that it is made of under theirs."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    made = adapter.json_schema(ref_template=REF, schema_generator=_DocumentedSchema, mode=mode)
    found: dict[str, JsonSchemaValue] = made.pop("$defs", {})
    if "$ref" not in made:
        found[name] = made
    return found
