"""The record of a game of Buffalo: written, read, replayed, and refused when it was altered."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import BuffaloRules
from stampede.core.errors import RecordError
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from tests.buffalo.arranged import GAME, Played, random_game, rule_sets, with_moves

SEATS = (SeatInfo("Ada"), SeatInfo("Random", "bot", "random"))
PAGE = Path(__file__).parents[2] / "docs/record.md"


def random_record(seed: int, rules: BuffaloRules, steps: int = 1000) -> GameRecord:
    return random_game(random.Random(seed), rules, steps).record(SEATS)


def bare(**changes: Json) -> GameRecord:
    """A record of two moves without checksums, changed."""
    data: JsonObject = {
        "format": "stampede-record/1",
        "game": "buffalo",
        "rules": {"removed": [], "opening_moves": 1},
        "seats": [{"name": "Ada", "kind": "human"}, {"name": "Bob", "kind": "human"}],
        "actions": ["a7a6", "d2a5"],
    }
    return GameRecord.from_json({**data, **changes})


def same_game(one: Played, other: Played) -> bool:
    return (one.rules, one.turns, one.outcome) == (other.rules, other.turns, other.outcome)


@given(st.integers(0, 2**32), rule_sets(), st.integers(0, 150))
def test_a_record_replays_to_the_same_game(seed: int, rules: BuffaloRules, steps: int) -> None:
    """B4.2, B4.3: finished or not, with any handicap, by way of its text."""
    played = random_game(random.Random(seed), rules, steps)
    record = GameRecord.loads(played.record(SEATS).dumps())
    again = replay(GAME, record)
    assert same_game(played, again)
    assert again.record(SEATS) == record


@given(st.data())
def test_a_record_with_an_altered_step_is_refused_with_its_index(data: st.DataObject) -> None:
    """The changed step is named even if it is as legal as the true one."""
    record = random_record(data.draw(st.integers(0, 2**32)), data.draw(rule_sets()))
    index = data.draw(st.integers(0, len(record.actions) - 1))
    before = replay(GAME, replace(record, actions=record.actions[:index], result=None, meta={}))
    legal = [str(move) for move in GAME.legal(before.state, GAME.to_act(before.state)[0])]
    others: list[Json] = [
        text for text in [*legal, "a1a2", "nonsense"] if text != record.actions[index]
    ]
    actions = list(record.actions)
    actions[index] = data.draw(st.sampled_from([*others, None, 3]))
    with pytest.raises(RecordError) as caught:
        replay(GAME, replace(record, actions=tuple(actions)))
    assert caught.value.index == index


@given(st.integers(0, 2**32), st.data())
def test_a_record_that_lacks_a_step_is_refused(seed: int, data: st.DataObject) -> None:
    record = random_record(seed, BuffaloRules())
    index = data.draw(st.integers(0, len(record.actions) - 1))
    actions = record.actions[:index] + record.actions[index + 1 :]
    with pytest.raises(RecordError) as caught:
        replay(GAME, replace(record, actions=actions))
    assert caught.value.index == index


def test_the_record_is_written_as_the_format_says() -> None:
    """B1.5, B4.2, B4.3: rules, moves and result."""
    alone = BuffaloRules(tuple("abcdeghijk"))
    written = with_moves(alone, "f7f6 d2f4 f6f5 f2e3").record(SEATS).to_json()
    example = json.loads(
        re.findall("```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    )
    assert {**written, "meta": {}} == example
    assert replay(GAME, GameRecord.from_json(example)).outcome is not None


def test_a_start_of_its_own_is_written_and_the_standard_one_is_not() -> None:
    """B1.4: the optional key `start`."""
    fen = "b10/11/11/11/4b6/3DDCDD3/11 w - - 0 1"
    record = with_moves(BuffaloRules(), "f2e3", fen).record(SEATS)
    assert record.setup == {"start": fen}
    assert replay(GAME, record).start.position.fen() == fen
    assert with_moves(BuffaloRules(("c",)), "a7a6").record(SEATS).setup == {}


@pytest.mark.parametrize("reason", ["resigned", "time"])
@pytest.mark.parametrize("winner", [0, 1])
def test_a_game_can_end_by_resignation_or_time(reason: str, winner: int) -> None:
    played = with_moves(BuffaloRules(), "a7a6 d2a5")
    played.forfeit((winner,), reason)
    record = played.record(SEATS)
    assert record.result == {"winner": winner, "reason": reason}
    assert replay(GAME, record).outcome == played.outcome


def test_missing_rules_are_the_ordinary_ones_and_unknown_keys_are_ignored() -> None:
    record = bare(rules={"komi": 6.5}, weather="fine")
    assert replay(GAME, record).rules == BuffaloRules()


@pytest.mark.parametrize(
    ("changes", "index", "message"),
    [
        ({"game": "zoff"}, None, "game: expected 'buffalo', got 'zoff'"),
        ({"rules": {"removed": "c"}}, None, 'rules.removed: expected a list, got "c"'),
        ({"rules": {"removed": [3]}}, None, "rules.removed[0]: expected a text, got 3"),
        ({"rules": {"removed": ["z"]}}, None, "removed: expected files from a to k, got 'z'"),
        (
            {"rules": {"opening_moves": "2"}},
            None,
            'rules.opening_moves: expected a whole number, got "2"',
        ),
        ({"rules": {"opening_moves": 12}}, None, "opening_moves: expected 1 to 11"),
        (
            {"rules": {"opening_moves": 2}},
            1,
            "it's the turn of the buffalo side, but d2 holds a dog",
        ),
        ({"seats": [{"name": "Ada", "kind": "human"}]}, None, "seats: expected 2, got 1"),
        ({"start": 5}, None, "start: expected a text, got 5"),
        ({"start": "11/11 b - -"}, None, "FEN: expected 7 ranks between slashes, got 2"),
        ({"actions": ["a7a6", "a6a5"]}, 1, "it's the turn of the hunter, but a6 holds a buffalo"),
        ({"actions": ["a7a6", {"move": "d2d3"}]}, 1, "expected the text of a move"),
        (
            {"result": {"winner": 0, "reason": "crossed"}},
            2,
            "the game isn't over, but has a result",
        ),
        (
            {"result": {"winner": 2, "reason": "time"}},
            None,
            "result.winner: expected a seat from 0 to 1, got 2",
        ),
        ({"result": {"winner": True, "reason": "time"}}, None, "result.winner: expected a seat"),
        ({"result": {"winner": 0, "reason": []}}, 2, "the game isn't over, but has a result"),
    ],
)
def test_a_record_that_is_no_game_is_refused(
    changes: dict[str, Json], index: int | None, message: str
) -> None:
    """B2.1, B4.2, B4.3: the message says what was expected, and at which step."""
    with pytest.raises(RecordError, match=re.escape(message)) as caught:
        replay(GAME, bare(**changes))
    assert caught.value.index == index


def test_a_false_result_and_steps_after_the_end_are_refused() -> None:
    """B3.1: the game is over when a buffalo has crossed."""
    start = "11/11/11/11/11/b2DDCDD3/11 b - - 0 1"
    won: dict[str, Json] = {"winner": 0, "reason": "crossed"}
    assert replay(GAME, bare(start=start, actions=["a2a1"], result=won)).outcome is not None
    with pytest.raises(RecordError, match="result: expected one, as the game is over"):
        replay(GAME, bare(start=start, actions=["a2a1"]))
    with pytest.raises(RecordError, match=r"result\.winner: expected 0, got 1"):
        replay(GAME, bare(start=start, actions=["a2a1"], result={**won, "winner": 1}))
    with pytest.raises(RecordError, match="step 1: expected the end: the game is over"):
        replay(GAME, bare(start=start, actions=["a2a1", "d2d3"], result=won))
