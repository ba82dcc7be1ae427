"""The record as a file: reading, writing, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import RecordError
from stampede.core.json import Json
from stampede.core.record import GameRecord, SeatInfo, checksums, read_records

RECORD = GameRecord(
    game="buffalo",
    rules={"removed": [], "opening_moves": 1},
    seats=(SeatInfo("Ann"), SeatInfo("bot", "bot", 3)),
    setup={},
    actions=("a7a6", "f2f3"),
    meta={"seed": 5},
)


def test_a_record_reads_back_from_its_line() -> None:
    assert GameRecord.loads(RECORD.dumps()) == RECORD
    assert "\n" not in RECORD.dumps()


def test_a_file_of_records_is_json_lines() -> None:
    lines = [RECORD.dumps() + "\n", "\n", RECORD.dumps() + "\n"]
    assert list(read_records(lines)) == [(1, RECORD), (3, RECORD)]


def test_one_record_may_be_written_over_several_lines() -> None:
    pretty = RECORD.dumps().replace("{", "{\n", 1)
    assert [record for _, record in read_records(pretty.splitlines(keepends=True))] == [RECORD]


def test_a_wrong_line_is_named() -> None:
    lines = [RECORD.dumps(), '{"format": "other"}']
    with pytest.raises(RecordError, match="line 2: format: expected"):
        list(read_records(lines))


@pytest.mark.parametrize("text", ["", "[]", "7", "{", '{"format": NaN}', "nul", "[" * 100_000])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="expected"):
        GameRecord.loads(text)


@given(st.text(max_size=60))
def test_any_text_is_a_record_or_a_record_error(text: str) -> None:
    with pytest.raises(RecordError):
        GameRecord.loads(text)


def test_checksums_have_four_digits_a_step_and_run_on() -> None:
    both = checksums(RECORD)
    assert len(both) == 8
    assert checksums(GameRecord("buffalo", RECORD.rules, (), {}, ("a7a6",))) == both[:4]
    assert checksums(GameRecord("zoff", RECORD.rules, (), {}, RECORD.actions)) != both


@pytest.mark.parametrize("level", [None, 3, "gentle"])
def test_a_seat_reads_back(level: int | str | None) -> None:
    seat = SeatInfo("Bo", "bot", level)
    assert SeatInfo.from_json(seat.to_json(), "seat") == seat


@pytest.mark.parametrize(
    ("colours", "seats"),
    [
        (["pink", "blue"], {"pink": 0, "blue": 1}),
        ([["blue", "green"], ["pink", "orange"]], {"blue": 0, "green": 0, "pink": 1, "orange": 1}),
        ({"1": "blue", "0": "pink"}, {"pink": 0, "blue": 1}),
        (None, {}),
    ],
)
def test_who_plays_a_colour_has_one_form_for_any_number_of_players(
    colours: Json, seats: dict[str, int]
) -> None:
    """Z10.1: the record keeps two players' lists of two; the loaded record says it flat."""
    setup: dict[str, Json] = {} if colours is None else {"colours": colours}
    assert GameRecord("zoff", {}, (), setup, ()).seat_of_colour == seats
