"""The log is the truth: whatever people do, folding the log gives the very table, and nothing is done twice."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.core.errors import InputError, StampedeError
from stampede.core.json import Json, canonical
from stampede.core.replay import replay
from stampede.matches import SYSTEM, Caller, Entry, Table, verify_deal
from stampede.matches.commands import (
    Act,
    CallBot,
    Claim,
    Close,
    Command,
    Leave,
    Resign,
    Return,
    SeatLink,
    SetChair,
    Start,
    Vote,
    VoteTopic,
)
from stampede.matches.entries import fingerprint_of
from stampede.matches.errors import Conflict, KeyReused, TooOften
from stampede.matches.state import Phase
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import (
    Sitting,
    assert_same,
    buffalo,
    bytes_for,
    clock,
    person,
    zoff,
    zoff_rules,
)

# Each example is a long sitting; `thorough` has a hundred times as many.
EXAMPLES = settings().max_examples // 2
TABLES = [
    lambda seed: zoff(2, seed=seed),
    lambda seed: zoff(3, 1, seed=seed, clock=clock("round", 20_000)),
    lambda seed: zoff(4, 1, seed=seed, rules=zoff_rules(4, auction=True, fair=True)),
    lambda seed: zoff(5, 2, seed=seed, rules=zoff_rules(5, open_discards=True)),
    lambda seed: buffalo(seed=seed, clock=clock("move", 20_000, "forfeit"), series="ladder"),
    lambda seed: buffalo(1, seed=seed, clock=clock("days", 20_000), series="both_sides"),
    lambda seed: buffalo(seed=seed, patience_ms=1_000),
]


def random_commands(sitting: Sitting, rng: random.Random) -> list[tuple[Command, Caller]]:
    """Anything that people might ask, sensible or not."""
    state = sitting.table.state
    chairs = len(state.chairs)
    player = rng.randrange(chairs)
    me = person(player) if rng.random() < 0.95 else person(player + 1)
    host = Caller("guest-host")
    decision = state.match.decision_id if state.match else "0.0"
    match rng.randrange(24):
        case 0:
            return [(Leave(player) if rng.random() < 0.3 else Resign(player), me)]
        case 1:
            return [(SeatLink(player, "ab" * 32), me), (Act(player, "1.1", {"type": "bid"}), me)]
        case 2:
            return [(Vote(player, rng.choice(list(VoteTopic)), rng.random() < 0.8, decision), me)]
        case 3 | 4 | 5:
            fitting = {"paused": [VoteTopic.RESUME], "over": [VoteTopic.NEXT]}.get(
                state.phase.value
            )
            matter = rng.choice(
                fitting or [VoteTopic.UNDO, VoteTopic.UNDO, VoteTopic.PAUSE, VoteTopic.ABORT]
            )
            return [(Vote(p, matter, decision=decision), person(p)) for p in range(chairs)]
        case 6:
            missing = rng.choice(sitting.awaited() or (0,))
            return [(CallBot(p, missing), person(p)) for p in range(chairs)]
        case 7:
            return [(Return(p), person(p)) for p in range(chairs)]
        case 8:
            return [(SetChair(player, rng.choice([None, "random"])), host), (Start("random"), host)]
        case 9:
            return [(Claim(None, "Newcomer", ""), Caller(f"guest-{player}", "invitation"))]
        case _:
            waiting = sitting.awaited()
            player = rng.choice([*waiting, *waiting, player])
            action = sitting.any_action(player) if player in waiting else {"type": "take_back"}
            return [(Act(player, decision, action), person(player))]


def wander(sitting: Sitting, rng: random.Random, steps: int) -> int:
    """Lets people do anything; every refusal must leave all as it was. Returns how much was refused."""
    refused = 0
    for _ in range(steps):
        if rng.random() < 0.2:
            sitting.wait(rng.choice([0, 500, 5_000, 30_000]))
        if rng.random() < 0.5:
            sitting.bots_act()
        for command, caller in random_commands(sitting, rng):
            before = sitting.table.state
            try:
                sitting.do(command, caller)
            except StampedeError:
                assert sitting.table.state is before
                refused += 1
    return refused


@settings(max_examples=EXAMPLES)
@given(seed=st.integers(1, 10_000), kind=st.integers(0, len(TABLES) - 1))
def test_folding_the_log_gives_the_live_table(seed: int, kind: int) -> None:
    sitting = TABLES[kind](seed)
    rng = random.Random(seed)
    persons = [p for p, chair in enumerate(sitting.table.state.chairs) if not chair.by_bot]
    sitting.sit(*persons)
    refused = wander(sitting, rng, 60)
    sitting.check_log()
    assert refused > 0
    for entry in sitting.log:
        assert Entry.from_json(json.loads(canonical(entry.to_json()))) == entry


@settings(max_examples=EXAMPLES)
@given(seed=st.integers(1, 10_000), kind=st.integers(0, len(TABLES) - 1))
def test_every_game_ends_replays_and_was_dealt_as_committed(seed: int, kind: int) -> None:
    """Z6.2, B3.3: games end; the record replays; seed and nonce give the deal."""
    sitting = TABLES[kind](seed)
    sitting.sit(*[p for p, chair in enumerate(sitting.table.state.chairs) if not chair.by_bot])
    seen = sitting.table.view_for(None).deal
    sitting.play_out()
    record = sitting.table.record()
    assert sitting.phase == "over"
    assert replay(sitting.table.spec.game, record).outcome is not None
    assert seen is not None
    verify_deal(sitting.table.spec.game, record, str(seen["commitment"]))
    sitting.check_log()


@settings(max_examples=EXAMPLES)
@given(seed=st.integers(1, 10_000), kind=st.integers(0, len(TABLES) - 1))
def test_every_prefix_of_a_log_is_a_table_that_can_go_on(seed: int, kind: int) -> None:
    """A server that dies at any moment goes on with what is durable."""
    sitting = TABLES[kind](seed)
    sitting.sit(*[p for p, chair in enumerate(sitting.table.state.chairs) if not chair.by_bot])
    wander(sitting, random.Random(seed), 25)
    cut = random.Random(seed).randrange(1, len(sitting.log) + 1)
    table = Table.rebuild(CATALOGUE, sitting.log[:cut])
    for entry in sitting.log[cut:]:
        table.apply(entry)
    assert_same(table, sitting.table)


def test_the_same_key_gets_the_same_answer_and_is_done_once() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    action = sitting.any_action(0)
    first = sitting.act(0, action, key="mine")
    length = len(sitting.log)
    decision = sitting.decision
    for _ in range(3):
        command = Act(0, decision, action)
        decided = sitting.table.decide(command, person(0), "mine", sitting.now + 5)
        assert decided.entries == ()
        assert decided.ack == first
    sitting.act(1)
    sitting.act(2)
    again = sitting.table.decide(Act(0, decision, action), person(0), "mine", sitting.now)
    assert (again.entries, again.ack) == ((), first), "also when the decision is long over"
    assert len(sitting.log) == length + 2


def test_a_retry_after_a_restart_is_as_harmless() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    first = sitting.act(0, "a7a6", key="mine")
    table = sitting.rebuilt()
    decided = table.decide(Act(0, "1.1", "a7a6"), person(0), "mine", sitting.now)
    assert (decided.entries, decided.ack) == ((), first)


def test_a_key_belongs_to_one_command_of_one_caller() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.act(0, key="shared")
    sitting.act(1, key="shared")
    with pytest.raises(KeyReused) as caught:
        sitting.act(0, key="shared")
    assert caught.value.decision == sitting.decision
    assert sitting.awaited() == (2,)


def test_leaving_twice_with_the_same_key_is_answered_the_same() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    first = sitting.do(Leave(1), person(1), "bye")
    assert sitting.do(Leave(1), person(1), "bye") == first


def test_what_is_decided_but_not_kept_changes_nothing() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    before = bytes_for(sitting.table, 0)
    for move in ("a7a6", "b7b6"):
        sitting.table.decide(Act(0, "1.1", move), person(0), move, sitting.now)
    assert bytes_for(sitting.table, 0) == before
    sitting.act(0, "c7c6")
    sitting.check_log()


def test_an_entry_out_of_turn_is_refused() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(InputError, match="seq: expected 4, got 3"):
        sitting.table.apply(sitting.log[-1])
    with pytest.raises(InputError, match="begins with open"):
        Table.rebuild(CATALOGUE, sitting.log[1:])
    with pytest.raises(InputError, match="at least one entry"):
        Table.rebuild(CATALOGUE, [])


def test_an_entry_of_another_version_is_refused() -> None:
    data = {**buffalo().log[0].to_json(), "v": 2}
    with pytest.raises(InputError, match="v: expected 1, got 2"):
        Entry.from_json(data)


def test_time_in_the_log_never_goes_back() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.now -= 500_000
    sitting.act(0, "a7a6")
    times = [entry.at for entry in sitting.log]
    assert times == sorted(times)


def test_what_a_game_did_not_read_does_not_come_into_the_log() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    action = {**dict(sitting.any_action(0)), "junk": "\ud800" * 10}  # type: ignore[arg-type]
    sitting.act(0, action)
    assert "junk" not in canonical(sitting.log[-1].to_json())
    sitting.check_log()


def test_a_caller_cannot_fill_the_log() -> None:
    """Z3.4 lets a choice be changed, but not for ever; the answer that is awaited is always taken."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    for _ in range(50):
        sitting.act(0)
        sitting.act(0, {"type": "take_back"})
    sitting.act(0)
    with pytest.raises(TooOften, match="at most 100 commands"):
        sitting.act(0, {"type": "take_back"})
    with pytest.raises(TooOften):
        sitting.vote(VoteTopic.ABORT, 0)
    sitting.act(1)
    sitting.act(2)
    assert sitting.decision != "1.1", "the others aren't held up"
    sitting.check_log()


def test_marks_tell_commands_apart() -> None:
    commands: list[Command] = [
        Act(0, "1.1", "a7a6"),
        Act(1, "1.1", "a7a6"),
        Act(0, "1.2", "a7a6"),
        Leave(0),
    ]
    assert len({fingerprint_of(command) for command in commands}) == len(commands)


def test_a_closed_table_takes_nothing_more() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.do(Close(), SYSTEM)
    assert sitting.table.state.phase is Phase.CLOSED
    with pytest.raises(Conflict, match="closed"):
        sitting.act(0, "a7a6")
    assert sitting.table.view_for(None).results[0].aborted


@pytest.mark.parametrize("action", ["a7a6", 'x"y\\z', "é€😀\x7f\n", {"type": "place", "cows": 3}])
def test_the_fingerprint_of_an_action_is_the_digest_of_its_sorted_json(action: Json) -> None:
    """Logs keep marks: whatever writes them quickly has to write what was written before."""
    command = Act(3, "1.2é", action)
    text = json.dumps(command.to_json(), sort_keys=True)
    assert fingerprint_of(command) == hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
