"""What is read and written quickly is read and written as ever."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.matches.callers import Caller
from stampede.matches.table import Table
from stampede.server.asking import Updates
from stampede.server.catalogue import PLAYABLE
from stampede.server.encode import encode
from stampede.server.problems import Problem
from stampede.server.socket import CommandFrame, _parse
from stampede.server.viewers import Viewer
from stampede.server.wire import ActCommand, read_action
from tests.matches.golden_logs import read_log

ODD: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 7),
    st.floats(allow_nan=False),
    st.text(max_size=70),
    st.sampled_from(["k1", "a" * 64, "a" * 65, "a b", "ä", "k1\n", "", "1.1", "a7a6", "\ud800"]),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.sampled_from(["type", "player"]), st.integers(0, 1), max_size=2),
)
USUAL: dict[str, Any] = {"type": "act", "player": 0, "decision": "1.1", "action": "a7a6"}


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """Actions, some with parts that are odd, missing, or too many; some that are no JSON."""
    command: dict[str, Any] = dict(USUAL)
    frame: dict[str, Any] = {"type": "command", "key": "k1", "command": command}
    for part in (frame, command):
        for name in draw(st.lists(st.sampled_from([*part, "more"]), max_size=1)):
            if draw(st.booleans()):
                part[name] = draw(ODD)
            else:
                part.pop(name, None)
    text = json.dumps(frame, ensure_ascii=draw(st.booleans())).encode(errors="surrogatepass")
    cut = draw(st.sampled_from([len(text), len(text), len(text), len(text) // 2]))
    return text[:cut] + draw(st.sampled_from([b"", b"", b" ", b"\xff", b"}", b"\x00"]))


@given(messages())
def test_an_action_that_is_read_quickly_is_what_pydantic_reads(text: bytes) -> None:
    action = read_action(text)
    if action is None:
        return
    frame = _parse(text)
    assert isinstance(frame, CommandFrame)
    command = frame.command
    assert isinstance(command, ActCommand)
    assert frame.key == action.key
    act = action.act
    assert (command.player, command.decision, command.action) == (
        act.player,
        act.decision,
        act.action,
    )
    assert type(act.player) is int


def test_usual_actions_are_read_quickly_and_nothing_else() -> None:
    frame: dict[str, Any] = {"type": "command", "key": "k1", "command": USUAL}
    action = read_action(encode(frame))
    assert action is not None
    assert (action.key, action.act.action) == ("k1", "a7a6")
    wrong: list[dict[str, Any]] = [
        {**frame, "key": "a b"},
        {**frame, "more": 1},
        {**frame, "command": {**USUAL, "player": True}},
        {**frame, "command": {**USUAL, "player": 6}},
        {**frame, "command": {**USUAL, "decision": "1" * 41}},
        {**frame, "command": {**USUAL, "type": "vote"}},
    ]
    for text in map(encode, wrong):
        assert read_action(text) is None
        with pytest.raises(Problem):
            _parse(text)
    for other in (b"[]", b"3", b"null", b'"text"', b"", b'{"type":"ping"}', b'[1,2,"type"]'):
        assert read_action(other) is None


def test_a_text_put_together_is_the_text_of_all_that_is_told() -> None:
    """Byte for byte, for players and on-lookers, for those who want changes and those who want views."""
    rng = random.Random(2)
    for name in ("buffalo", "zoff"):
        log = read_log(name)
        table, twin = Table(PLAYABLE, log[0]), Table(PLAYABLE, log[0])
        eyes = [None, *range(len(table.state.chairs))]
        viewers = [Viewer(Caller(), player, 9, changes=True) for player in eyes]
        viewers += [Viewer(Caller(), player, 9, changes=False) for player in eyes[:2]]
        for entry in log[1:]:
            since = table.seq
            table.apply(entry)
            twin.apply(entry)
            updates = Updates(table, since)
            rng.shuffle(viewers)
            for viewer in viewers:
                news = twin.news_json(viewer.player, since, changes=viewer.changes)
                expected = encode({"type": "update", "seq": twin.seq, **news})
                assert updates.text(viewer) == expected
