"""Commands on the wire are the domain's dataclasses: no second copy, no server's fields, nothing coerced."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from stampede.core.constraints import server_only_fields
from stampede.core.json import Json
from stampede.matches.commands import Act, Claim, Command, Vote, VoteTopic
from stampede.matches.settings import ChairPlan, ClockKind
from stampede.server.tables.wire import CLIENT_COMMANDS, CommandRequest, TableRequest

COMMANDS = TypeAdapter(CommandRequest)
TABLES = TypeAdapter(TableRequest)
SYSTEM_ONLY = {"open", "remove", "hand_over", "expire", "downtime"}


def read(command: Json) -> Command:
    """Reads a command as the socket does, and as FastAPI does, which has parsed the JSON before."""
    text = json.dumps({"key": "k", "command": command})
    by_socket = COMMANDS.validate_json(text).command
    assert COMMANDS.validate_python(json.loads(text)).command == by_socket
    return by_socket


def test_a_command_is_the_domains_own() -> None:
    assert read({"type": "act", "player": 1, "decision": "1.2", "action": ["a", 1]}) == Act(
        1, "1.2", ["a", 1]
    )
    assert read({"type": "claim", "name": " Ann "}) == Claim(None, "Ann")
    vote: Json = {"type": "vote", "player": 0, "on": "next", "choice": ["a", "k"]}
    assert read(vote) == Vote(0, VoteTopic.NEXT, choice=("a", "k"))


def test_clients_have_every_command_but_the_systems() -> None:
    known = {str(kind.__dataclass_fields__["type"].default) for kind in get_args(Command)}
    sent = {str(kind.__dataclass_fields__["type"].default) for kind in CLIENT_COMMANDS}
    assert known - sent == SYSTEM_ONLY
    for kind in SYSTEM_ONLY:
        with pytest.raises(ValidationError, match="does not match any of the expected tags"):
            read({"type": kind})


@pytest.mark.parametrize(
    "command",
    [
        {"type": "claim", "name": "Ann", "digest": "0" * 64},
        {"type": "claim", "name": "Ann", "secret": 1},
        {"type": "claim", "name": "A" * 41},
        {"type": "rename", "player": 0, "name": "  "},
        {"type": "invite", "digest": ""},
        {"type": "leave", "player": 6},
        {"type": "leave", "player": -1},
        {"type": "leave", "player": True},
        {"type": "leave", "player": "0"},
        {"type": "leave", "player": 0.0},
        {"type": "leave"},
        {"type": "vote", "player": 0, "on": "war"},
        {"type": "vote", "player": 0, "on": "next", "choice": ["a"] * 12},
        {"type": "act", "player": 0, "decision": "1" * 41, "action": None},
        {"player": 0},
    ],
)
def test_what_no_client_may_send_is_refused(command: Json) -> None:
    with pytest.raises(ValidationError):
        read(command)


def test_the_schema_describes_commands_as_they_travel() -> None:
    schemas = COMMANDS.json_schema()["$defs"]
    for kind in CLIENT_COMMANDS:
        described = schemas[kind.__name__]
        assert described["required"][0] == "type"
        assert not server_only_fields(kind) & set(described["properties"])
        assert "Attributes:" not in described["description"]
    assert schemas["Act"]["properties"]["decision"]["description"].startswith("The id of")
    assert schemas["Act"]["properties"]["player"]["maximum"] == 5


def test_a_table_request_is_settings_with_a_key() -> None:
    body: dict[str, Json] = {
        "key": "k",
        "game": "buffalo",
        "rules": {"opening_moves": 3},
        "chairs": [{}, {"bot": "random"}],
        "clock": {"kind": "move", "limit_ms": 5000},
    }
    read_table = TABLES.validate_json(json.dumps(body))
    assert TABLES.validate_python(body) == read_table
    settings = read_table.settings()
    assert settings.rules == {"removed": [], "opening_moves": 3}
    assert settings.chairs == (ChairPlan(), ChairPlan("random"))
    assert (settings.clock.kind, settings.pace_ms) == (ClockKind.MOVE, 600)
    for pace, chairs, expected in (
        (None, [{"bot": "random"}] * 2, 0),  # nobody has to follow
        (250, [{"bot": "random"}] * 2, 250),
        (0, [{}, {}], 0),
    ):
        asked = {**body, "chairs": chairs, **({} if pace is None else {"pace_ms": pace})}
        assert TABLES.validate_python(asked).settings().pace_ms == expected
    for key, wrong in {
        "chairs": [{}],
        "rated": 1,
        "pace_ms": 60_001,
        "host": "me",
        "clock": {"kind": "sand"},
    }.items():
        with pytest.raises(ValidationError):
            TABLES.validate_python({**body, key: wrong})
