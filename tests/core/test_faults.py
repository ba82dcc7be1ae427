"""What is wrong with a record, as a code with values: pages put it into words in every language."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from stampede.core.errors import RecordError
from stampede.core.json import Json
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from tests.web.records import BUSY_ZOFF, SHORT_BUFFALO, random_record

Data: TypeAlias = dict[str, Any]


def _cut(data: Data) -> None:
    del data["actions"][-1]


def _change(key: str, value: Json) -> Callable[[Data], None]:
    return lambda data: data.update({key: value})


def _first(move: str) -> Callable[[Data], None]:
    return lambda data: data["actions"].__setitem__(0, move)


def _fault(game: str, change: Callable[[Data], None]) -> RecordError:
    """What replaying a finished game says after something was changed in its record, checksums aside."""
    rules = BUSY_ZOFF if game == "zoff" else SHORT_BUFFALO
    data = json.loads(random_record(game, rules, 5).dumps())
    data["meta"].pop("check", None)
    change(data)
    record = GameRecord.from_json(data)
    with pytest.raises(RecordError) as caught:
        replay(game_named(game).game, record)
    return caught.value


@pytest.mark.parametrize(
    ("change", "code", "step"),
    [
        (_first("a5a4"), "illegal", 0),
        (_first("nonsense"), "unreadable", 0),
        (lambda data: data["actions"].append("a7a6"), "over", None),
        (_cut, "unfinished", None),
        (_change("result", None), "no_result", None),
        (lambda data: data["result"].update(winner=7), "result", None),
        (lambda data: data["rules"].update(removed=["z"]), "rules", None),
        (lambda data: data["seats"].pop(), "seats", None),
        (_change("start", "no FEN"), "start", None),
    ],
)
def test_a_fault_has_a_code_and_its_place(
    change: Callable[[Data], None], code: str, step: int | None
) -> None:
    """B2.1, B2.2: a move of nothing is refused with its clause; other faults have none."""
    fault = _fault("buffalo", change)
    assert fault.code == code, fault
    if step is not None:
        assert fault.index == step
    assert (fault.clause != "") == (code == "illegal")


def test_bids_that_are_missing_are_named_by_their_seats() -> None:
    """Z11.1: all bid at the same time."""

    def leave_one(data: Data) -> None:
        del data["actions"][1:]
        data.pop("result")

    alone = _fault("zoff", leave_one)
    assert (alone.code, alone.values["seats"]) == ("missing", "1, 2, 3")
