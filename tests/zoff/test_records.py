"""Records of Zoff: they replay, and a wrong step is named."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import RecordError
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from stampede.zoff import Bid, Edition, Pick, State, ZoffRules
from tests.zoff.arranged import ALL_RULES, GAME, HOUSE_RULE_SETS, Table, played, rules_id, seated

Step = dict[str, Any]


def record_of(rules: ZoffRules, seed: int) -> GameRecord:
    """The record of a random game."""
    return played(rules, seed).record(tuple(SeatInfo(f"{seat}") for seat in range(rules.players)))


def without_check(record: GameRecord) -> GameRecord:
    """As an outsider would have written it."""
    return replace(record, meta={})


any_record = st.builds(
    record_of, st.sampled_from([*ALL_RULES, *HOUSE_RULE_SETS]), st.integers(0, 100_000)
)


@given(any_record)
def test_every_record_replays_to_the_same_result(record: GameRecord) -> None:
    """Z8.1: complete, without our random numbers."""
    read = GameRecord.loads(record.dumps())
    again = replay(GAME, read)
    assert again.outcome is not None
    assert GAME.write_result(again.state, again.outcome) == record.result
    assert again.record(record.seats) == record


def alterations(step: Step) -> list[Step]:
    """Ways to alter a step: every value in it by another one of its kind."""
    found = []
    for key in step:
        for other in other_values(key, step):
            changed = copy.deepcopy(step)
            changed[key] = other
            found.append(changed)
    if "forced" in step:
        found.append({key: value for key, value in step.items() if key != "forced"})
    return found


def other_values(key: str, step: Step) -> list[Any]:
    """Other values for a key of a step."""
    value = step[key]
    pastures = [pasture.name for pasture in Edition.default().pastures]
    match key:
        case "seat" | "cows":
            return [value + 1, value - 1]
        case "pasture" | "from":
            return [name for name in pastures if name != value][:3]
        case "colour":
            return [name for name in Edition.default().colours if name != value][:3]
        case "pairs":
            return [value[:1], value[::-1], [[value[0][0], "9Z"], *value[1:]]][len(value) == 1 :]
        case "on":
            return [[*value, pastures[0]], value[:-1]] if value else [[pastures[0]]]
        case "bid":
            return ["7.7", "-1"]
        case "type":
            return ["choose" if value == "place" else "place"]
        case "kind":
            return ["fair" if value == "rank" else "rank"]
        case _:
            return []


@given(any_record, st.integers(0, 10_000))
def test_a_record_with_one_step_altered_is_rejected_with_its_index(
    record: GameRecord, seed: int
) -> None:
    """Z4.6: forced steps included."""
    rng = random.Random(seed)
    index = rng.randrange(len(record.actions))
    step = record.actions[index]
    assert isinstance(step, dict)
    changed = rng.choice(alterations(dict(step)))
    actions = (*record.actions[:index], changed, *record.actions[index + 1 :])
    with pytest.raises(RecordError) as caught:
        replay(GAME, replace(record, actions=actions))
    assert caught.value.index == index
    assert f"step {index}" in str(caught.value)


@given(any_record, st.integers(0, 10_000), st.sampled_from(["drop", "double", "swap"]))
def test_a_missing_doubled_or_misplaced_step_is_rejected(
    record: GameRecord, seed: int, how: str
) -> None:
    """Z3.4, Z4.2: the order of steps is part of the game; without checksums too."""
    rng = random.Random(seed)
    actions = list(record.actions)
    index = rng.randrange(len(actions) - 1)
    match how:
        case "drop":
            actions.pop(index)
        case "double":
            actions.insert(index, actions[index])
        case _:
            actions[index], actions[index + 1] = actions[index + 1], actions[index]
    if actions == list(record.actions):
        return
    altered = replace(without_check(record), actions=tuple(actions))
    with pytest.raises(RecordError):
        replay(GAME, altered)


def test_a_record_without_checksums_still_names_an_illegal_step() -> None:
    """Z4.3: an outsider's record has no meta.check."""
    record = without_check(record_of(ZoffRules(4), 3))
    index = next(
        i for i, step in enumerate(record.actions) if isinstance(step, dict) and step.get("cows")
    )
    step = record.actions[index]
    assert isinstance(step, dict)
    actions = (*record.actions[:index], {**step, "cows": 6}, *record.actions[index + 1 :])
    with pytest.raises(RecordError, match=rf"step {index}: .*got 6") as caught:
        replay(GAME, replace(record, actions=actions))
    assert caught.value.index == index


@pytest.mark.parametrize("key", ["reason", "placed", "scores", "winners", "final_bonus"])
def test_a_wrong_result_is_rejected(key: str) -> None:
    """Z8.1: the count is made again."""
    record = record_of(ZoffRules(3), 4)
    assert record.result is not None
    with pytest.raises(RecordError, match=rf"result\.{key}: expected"):
        replay(GAME, replace(record, result={**record.result, key: [9]}))


def test_a_finished_game_needs_a_result_and_a_running_one_has_none() -> None:
    """Z6.2."""
    record = record_of(ZoffRules(3), 4)
    with pytest.raises(RecordError, match="result: expected one"):
        replay(GAME, replace(record, result=None))
    cut = replace(without_check(record), actions=record.actions[:3])
    with pytest.raises(RecordError, match="isn't over"):
        replay(GAME, cut)


def test_a_running_game_is_saved_and_read_again() -> None:
    """Z3.4: sealed choices aren't in the record."""
    table = Table(seated(ZoffRules(3))).choose(0, "Lucky-Lake 5B", "Fire-Fields 4M")
    record = GameRecord(
        "zoff",
        GAME.write_rules(ZoffRules(3)),
        tuple(SeatInfo(f"{seat}") for seat in range(3)),
        GAME.write_setup(table.state),
        tuple(GAME.write_steps(table.events)),
    )
    assert record.actions == ()
    assert GAME.to_act(replay(GAME, record).state) == (0, 1, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "stampede-record/2"}, "format: expected"),
        ({"game": "chess"}, "game: expected 'zoff'"),
        ({"seats": []}, "seats: expected 3"),
        ({"seats": [{"name": "x", "kind": "robot"}]}, r"seats\[0\].kind"),
        ({"rules": {"players": 3}}, "rules.edition"),
        ({"deal": {}}, "expected 3 colours"),
        ({"deal": None}, "deal: expected an object"),
        ({"colours": ["orange", "pink"]}, "colours: expected each of"),
        ({"actions": {}}, "actions: expected a list"),
        ({"actions": [7]}, "step 0: step: expected an object"),
        ({"actions": [{"type": "hop", "seat": 0}]}, "step 0: type: expected settle"),
    ],
)
def test_a_record_with_a_wrong_key_says_which(change: Step, message: str) -> None:
    data = {**json.loads(without_check(record_of(ZoffRules(3), 4)).dumps()), **change}
    with pytest.raises(RecordError, match=message):
        replay(GAME, GameRecord.loads(json.dumps(data)))


def test_unknown_keys_are_ignored() -> None:
    data = json.loads(without_check(record_of(ZoffRules(3), 4)).dumps())
    data["weather"] = "fine"
    data["actions"][0]["mood"] = "bold"
    assert replay(GAME, GameRecord.loads(json.dumps(data))).outcome is not None


def test_colours_may_be_an_object_by_seat() -> None:
    data = json.loads(without_check(record_of(ZoffRules(3), 4)).dumps())
    data["colours"] = {str(seat): colour for seat, colour in enumerate(data["colours"])}
    assert replay(GAME, GameRecord.loads(json.dumps(data))).outcome is not None


@pytest.mark.parametrize("rules", [ZoffRules(2, auction=True), ZoffRules(5)], ids=rules_id)
def test_a_deal_may_be_told_in_any_order(rules: ZoffRules) -> None:
    """Z11.1, Z2.3: an object's keys have no order, so who settles what doesn't hang on it."""
    record = without_check(record_of(rules, 6))
    deal = record.setup["deal"]
    assert isinstance(deal, dict)
    turned = {**record.setup, "deal": dict(reversed(deal.items()))}
    assert replay(GAME, replace(record, setup=turned)).outcome is not None


def test_tied_bids_replay_in_the_order_that_the_seed_gave() -> None:
    """Z11.1: a record needs no seed; the picks tell the order."""
    rules = ZoffRules(3, auction=True)
    table = Table(seated(rules, seed=8))
    for _ in range(3):
        for seat in range(3):
            table.act(seat, Bid("1"))
    for colour in ("green", "orange"):
        table.act(table.asked, Pick(colour))
    record = _running(table.state, table, rules)
    assert replay(GAME, record).state.owners == table.state.owners


def _running(state: State, table: Table, rules: ZoffRules) -> GameRecord:
    seats = tuple(SeatInfo(f"{seat}") for seat in range(rules.players))
    steps = tuple(GAME.write_steps(table.events))
    return GameRecord("zoff", rules.to_json(), seats, GAME.write_setup(state), steps)


def test_colours_of_an_auction_must_be_those_that_were_picked() -> None:
    """Z11.1."""
    record = record_of(ZoffRules(3, auction=True), 2)
    colours = record.setup["colours"]
    assert isinstance(colours, list)
    wrong = replace(without_check(record), setup={**record.setup, "colours": colours[::-1]})
    with pytest.raises(RecordError, match="expected the colour"):
        replay(GAME, wrong)


def test_every_forced_placement_is_marked_and_only_those() -> None:
    """Z4.6: a forced placement is one of zero cows."""
    steps = [
        step
        for seed in range(20)
        for step in record_of(ZoffRules(5), seed).actions
        if isinstance(step, dict) and step["type"] == "place"
    ]
    forced = [step for step in steps if "forced" in step]
    assert forced
    assert all(step["forced"] is True and step["cows"] == 0 for step in forced)
