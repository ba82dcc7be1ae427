"""How the server tells what is wrong with a record."""

from __future__ import annotations

from stampede.core.errors import RecordError
from stampede.server.http.problems import wrong_record


def test_a_problem_tells_the_fault_and_keeps_long_values_short() -> None:
    fault = RecordError("no", 3, code="differs", values={"expected": "x" * 999, "got": "y"})
    told = wrong_record(fault).to_json()["fault"]
    assert told == {
        "code": "differs",
        "step": 3,
        "clause": None,
        "values": {"expected": "x" * 200, "got": "y"},
    }
