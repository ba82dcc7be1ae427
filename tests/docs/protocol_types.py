"""Writes docs/protocol-types.md from the server's OpenAPI; `make types` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from stampede.games import GAMES
from stampede.server.app import create_app

__all__ = ["PAGE", "make_page", "read_schemas"]

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "protocol-types.md"
REF: Final = "#/components/schemas/"
INTRODUCTION: Final = """\
# The protocol's types

Every type that goes over a table's WebSocket, made from the same classes as the checks and `/api/openapi.json`. A key
with `?` may be missing. [The protocol](protocol.md) says how they are used; `make types` writes this page.
"""

Schemas = Mapping[str, Any]


def read_schemas() -> Schemas:
    """The components of the server's OpenAPI."""
    schemas: Schemas = create_app().openapi()["components"]["schemas"]
    return schemas


def make_page(schemas: Schemas) -> str:
    """The page as Markdown."""
    sections: dict[str, list[str]] = {}
    seen: set[str] = {"JsonValue"}
    for game, spec in GAMES.items():
        roots = [f"{game.capitalize()}{part}" for part in ("View", "Event", "Action", "Changes")]
        sections[spec.title] = _reach(schemas, roots, seen)
    sections["From the server"] = _reach(schemas, ["ServerFrame"], seen)
    sections["To the server"] = _reach(schemas, ["ClientFrame"], seen)
    order = ["From the server", "To the server", *(spec.title for spec in GAMES.values())]
    parts = [INTRODUCTION]
    for title in order:
        parts.append(f"## {title}\n")
        parts += [_type_section(name, schemas[name]) for name in sections[title]]
    return "\n".join(parts)


def _reach(schemas: Schemas, roots: Iterable[str], seen: set[str]) -> list[str]:
    """The types that these are made of, without those that were met before."""
    found: list[str] = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        found.append(root)
        found += _reach(schemas, re.findall(rf"'{REF}(\w+)'", str(schemas[root])), seen)
    return found


def _type_section(name: str, schema: Mapping[str, Any]) -> str:
    lines = [f"### {name}\n"]
    if text := schema.get("description"):
        lines.append(f"{text.strip()}\n".replace("``", "`"))
    if "properties" not in schema:
        lines.append(f"{_type(schema)}\n")
        return "\n".join(lines)
    required = schema.get("required", ())
    if schema["properties"]:
        lines += ["| key | type | meaning |", "|---|---|---|"]
    for key, item in schema["properties"].items():
        mark = "" if key in required else "?"
        meaning = item.get("description", "").replace("|", "\\|")
        lines.append(f"| `{key}`{mark} | {_type(item)} | {meaning} |")
    return "\n".join([*lines, ""])


def _type(schema: Mapping[str, Any]) -> str:
    """A type in words, with links."""
    match schema:
        case {"$ref": str(ref)}:
            name = ref.removeprefix(REF)
            return "any JSON" if name == "JsonValue" else f"[{name}](#{name.lower()})"
        case {"const": value}:
            return f'`"{value}"`'
        case {"enum": values}:
            return ", ".join(f'`"{value}"`' for value in values)
        case {"oneOf": choices} | {"anyOf": choices}:
            return " or ".join(_type(choice) for choice in choices)
        case {"prefixItems": items}:
            return f"[{', '.join(_type(item) for item in items)}]"
        case {"type": "array", "items": item}:
            return f"list of ({_type(item)})" if " or " in _type(item) else f"list of {_type(item)}"
        case {"additionalProperties": dict(item)}:
            return f"object of {_type(item)}"
        case {"type": str(kind)}:
            return {"string": "text", "integer": "number", "boolean": "true or false"}.get(
                kind, kind
            )
        case _:
            return "any JSON"


if __name__ == "__main__":
    PAGE.write_text(make_page(read_schemas()), encoding="utf-8")
