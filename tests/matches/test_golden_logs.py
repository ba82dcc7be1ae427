"""Logs of the past: whatever the code becomes, they still make the same tables."""

from __future__ import annotations

import pytest

from stampede.core.replay import replay
from stampede.matches import Table, verify_deal
from tests.matches.adapters import CATALOGUE
from tests.matches.golden_logs import FOLDER, LOGS, read_log, shown


@pytest.mark.parametrize("name", LOGS)
def test_a_kept_log_still_makes_the_same_table(name: str) -> None:
    table = Table.rebuild(CATALOGUE, read_log(name))
    kept = (FOLDER / f"{name}.json").read_text()
    assert shown(table) == kept, "if that is meant: python -m tests.matches.golden_logs"


@pytest.mark.parametrize("name", LOGS)
def test_the_records_of_a_kept_log_replay(name: str) -> None:
    table = Table.rebuild(CATALOGUE, read_log(name))
    for number in range(1, table.view_for(None).number + 1):
        record = table.record(number)
        replay(table.spec.game, record)
        if record.result is not None:
            verify_deal(table.spec.game, record)
