"""What docs/protocol.md and docs/protocol-types.md say is what the schema says."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.protocol_types import PAGE, Schemas, make_page, read_schemas

PROTOCOL = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(
    encoding="utf-8"
)


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    return read_schemas()


def rows(heading: str) -> list[list[str]]:
    """The cells of the table with this heading, without the heading."""
    table = PROTOCOL[PROTOCOL.index(heading) :].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[2:]]


def by_type(schemas: Schemas, names: list[str]) -> dict[str, Any]:
    return {
        word: schemas[name]
        for name in names
        for kind in [schemas[name]["properties"]["type"]]
        for word in [kind.get("const"), *kind.get("enum", ())]
        if word
    }


def members(schemas: Schemas, name: str) -> list[str]:
    """The types of a union."""
    return re.findall(r"'\$ref': '#/components/schemas/(\w+)'", str(schemas[name]["oneOf"]))


def test_the_page_of_types_is_made_from_the_schema(schemas: Schemas) -> None:
    assert make_page(schemas) == PAGE.read_text(encoding="utf-8"), "run make types"


def test_every_command_is_told_with_its_fields(schemas: Schemas) -> None:
    union = schemas["CommandRequest"]["properties"]["command"]["oneOf"]
    names = re.findall(r"schemas/(\w+)", str(union))
    commands = by_type(schemas, names)
    told: dict[str, set[str]] = {}
    for types, fields, _ in rows("| type | fields | does |"):
        for word in re.findall(r"`(\w+)`", types):
            told[word] = set(re.findall(r"`(\w+)`(?:\?)?", fields))
    assert set(told) == set(commands)
    for word, named in told.items():
        own = set(commands[word]["properties"]) - {"type"}
        assert own <= named, word
        shared_row = word in {"set_chair", "start", "invite", "close"}  # one row for the host's
        assert shared_row or own == named, word


def test_every_frame_is_told_with_its_fields(schemas: Schemas) -> None:
    frames = by_type(schemas, members(schemas, "ServerFrame"))
    told = {
        re.findall(r"`(\w+)`", word)[0]: set(re.findall(r"`(\w+)`", text))
        for word, text in rows("| from the server | holds |")
    }
    talk = {"chat", "pong"}  # told elsewhere
    assert set(told) == set(frames) - talk
    for word, fields in told.items():
        own = set(frames[word]["properties"]) - {"type", "phase", "fields", "retry_after"}
        assert own <= fields | {"type"}, word


def test_every_kind_of_decision_is_told(schemas: Schemas) -> None:
    legal = re.findall(
        r"'#/components/schemas/(\w+)'", str(schemas["ZoffView"]["properties"]["legal"])
    )
    kinds = by_type(schemas, legal)
    told = set()
    for _, described, *_ in rows("| game | `legal` | action |"):
        found = re.search(r'"type": "(\w+)"', described)
        if found is None:
            continue
        told.add(found[1])
        keys = set(re.findall(r'"(\w+)"(?=[,:}])', described)) - {"type", found[1], "none"}
        assert keys <= set(kinds[found[1]]["properties"]), found[1]
    assert told == set(kinds)


def test_every_key_with_reasons_is_told(schemas: Schemas) -> None:
    legal = re.findall(
        r"'#/components/schemas/(\w+)'", str(schemas["ZoffView"]["properties"]["legal"])
    )
    kinds = by_type(schemas, legal) | {"Buffalo": schemas["BuffaloLegal"]}
    told: dict[str, set[str]] = {}
    word = ""
    for where, key, _ in rows("| in `legal` of | key | says |"):
        word = where.strip("`") or word
        told.setdefault(word, set()).add(re.findall(r"`(\w+)`", key)[0])
    extra = {"refused", "forecast", "ranks", "below", "groups"}
    assert told == {
        kind: found for kind in kinds if (found := set(kinds[kind]["properties"]) & extra)
    }
