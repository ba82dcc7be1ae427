"""Players never learn what they must not: not from views, messages, acknowledgements, errors, records or bots' inputs.

Two ways to look: the bytes are searched for sentinels, and two tables that differ only in a secret must look the same,
byte for byte, to everybody who may not know it.
"""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.core.errors import StampedeError
from stampede.core.json import Json, canonical
from stampede.matches import Caller, Table, digest_of
from stampede.matches.commands import Act, Claim, Command, MoveChair, VoteTopic
from stampede.matches.errors import WrongPhase
from stampede.matches.fair import proof_of
from stampede.matches.messages import Message
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import (
    SECRET,
    Sitting,
    buffalo,
    bytes_for,
    person,
    token_of,
    zoff,
    zoff_rules,
)

CARD = re.compile(r'"[2-5][A-Z]"')
VARIANTS = [
    zoff_rules(2),
    zoff_rules(3),
    zoff_rules(3, auction=True),
    zoff_rules(4, fair=True),
]


def watch(sitting: Sitting) -> str:
    """All bytes that anybody can get now, records of the running game included."""
    viewers = (None, *range(len(sitting.table.state.chairs)))
    parts = [bytes_for(sitting.table, viewer) for viewer in viewers]
    try:
        parts.append(sitting.table.record().dumps())
    except WrongPhase as error:
        parts.append(str(error))
    return "\n".join(parts)


@pytest.mark.parametrize("rules", VARIANTS)
def test_tokens_seeds_and_guests_are_in_no_bytes(rules: dict[str, int]) -> None:
    sitting = zoff(int(rules["players"]), rules=rules)
    persons = range(int(rules["players"]))
    sitting.sit(*persons)
    proof = proof_of(SECRET, "table-1", 1, ())
    hidden = [SECRET, "invitation", digest_of("invitation"), "guest-"]
    hidden += [token_of(p) for p in persons] + [digest_of(token_of(p)) for p in persons]
    deal = [proof.seed.hex(), proof.nonce.hex()]
    next_deal = proof_of(SECRET, "table-1", 2, ())
    while sitting.phase == "playing":
        seen = watch(sitting)
        assert not [secret for secret in hidden + deal if secret in seen]
        for _ in range(4):
            sitting.step()
    seen = watch(sitting)
    assert not [secret for secret in hidden if secret in seen]
    assert all(secret in seen for secret in deal), "they are shown when it's over"
    assert next_deal.seed.hex() not in seen


@settings(max_examples=12)
@given(seed=st.integers(1, 500), variant=st.sampled_from(VARIANTS))
def test_a_sealed_answer_leaves_no_trace_for_anybody_else(
    seed: int, variant: dict[str, int]
) -> None:
    """Z3.4, Z10.2, Z11.1: two tables that differ in one sealed answer look the same to all others."""
    one, two = (_before_some_answer(seed, variant) for _ in range(2))
    assert bytes_for(one.table, None) == bytes_for(two.table, None)
    player = one.awaited()[0]
    answers = _two_answers(one, player)
    acks = [
        sitting.act(player, answer, key="k").to_json()
        for sitting, answer in zip((one, two), answers, strict=True)
    ]
    assert acks[0] == acks[1], "an acknowledgement tells nothing"
    others: list[int | None] = [p for p in range(int(variant["players"])) if p != player]
    for viewer in (None, *others):
        assert bytes_for(one.table, viewer) == bytes_for(two.table, viewer)
    assert bytes_for(one.table, player) != bytes_for(two.table, player)
    assert _refusals(one, player) == _refusals(two, player)


def _before_some_answer(seed: int, variant: dict[str, int]) -> Sitting:
    """Some moment in a game at which several are asked at once."""
    sitting = zoff(int(variant["players"]), rules=variant, seed=seed)
    sitting.sit(*range(int(variant["players"])))
    wanted = random.Random(seed).randrange(4)
    while True:
        if len(sitting.awaited()) == variant["players"]:
            if not wanted:
                return sitting
            wanted -= 1
        sitting.step()


def _two_answers(sitting: Sitting, player: int) -> tuple[Json, Json]:
    first = sitting.any_action(player)
    second = first
    while second == first:
        second = sitting.any_action(player)
    return first, second


def _refusals(sitting: Sitting, player: int) -> list[str]:
    """What others are told when they try what they may not."""
    other = (player + 1) % len(sitting.table.state.chairs)
    texts = []
    tries: list[tuple[Command, Caller]] = [
        (Act(player, sitting.decision, {"type": "take_back"}), person(other)),
        (Act(other, sitting.decision, {"type": "take_back"}), person(other)),
        (Act(other, "1.0", {"type": "take_back"}), person(other)),
        (MoveChair(player, "ab" * 32), Caller("guest-x", "guessed")),
        (Claim(player, "Eve", "ab" * 32), Caller("guest-x", "invitation")),
    ]
    for command, caller in tries:
        with pytest.raises(StampedeError) as caught:
            sitting.do(command, caller)
        texts.append(str(caught.value))
    return texts


def test_cow_cards_of_earlier_rounds_are_never_shown_again() -> None:
    """Z6.1: not in a view, not in messages sent again, not in a record; also not one's own."""
    sitting = zoff(3, seed=3)
    sitting.sit(0, 1, 2)
    for game_round in range(2, 6):
        sitting.play_until(lambda now=game_round: sitting.game_state.round == now)  # type: ignore[misc]
        assert len(sitting.awaited()) == 3
        assert not CARD.search(bytes_for(sitting.table, None))
        messages = [message.to_json() for message in sitting.table.messages(0)]
        assert not CARD.search(canonical(messages))
        with pytest.raises(WrongPhase, match="holds hidden information"):
            sitting.table.record()
    sitting.play_out()
    assert CARD.search(sitting.table.record().dumps())


def test_viewers_who_are_there_see_the_cards_of_a_round_that_one_entry_ends() -> None:
    """A round's last card may end it at once. It lay face up all the same, also for a worker that reads on later."""
    hidden = 0
    for seed in range(1, 6):
        sitting = zoff(3, seed=seed)
        sitting.sit(0, 1, 2)
        late, late_log = Table(CATALOGUE, sitting.log[0]), list[Message]()
        for _ in range(40):
            before = sitting.table.seq
            sitting.step()
            live = sitting.table.live_messages(before)
            events = sitting.table.witnessed(before)
            assert tuple(event for message in live for event in message.events) == events
            hidden += live != sitting.table.messages(None, before)
            late_log += live
        for entry in sitting.log[1:]:
            late.apply(entry)
        begun = len(sitting.log) - 40
        assert late.live_messages(begun) == late_log
    assert hidden, "one of these games has such an entry"


def test_open_discards_stay_visible_and_the_running_record_too() -> None:
    """Z6.1, the option; but a sealed choice is in no record (Z3.4)."""
    sitting = zoff(3, rules=zoff_rules(3, open_discards=True))
    sitting.sit(0, 1, 2)
    sitting.play_until(lambda: sitting.game_state.round == 2)
    before = sitting.table.record()
    assert CARD.search(before.dumps())
    assert before.result is None
    sitting.act(0)
    assert sitting.table.record().actions == before.actions


def test_a_trusted_export_holds_what_was_revealed_and_nothing_sealed() -> None:
    """Z3.4: sealed choices aren't even in an export of the whole database."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.play_until(lambda: sitting.game_state.round == 2)
    before = sitting.table.log_record()
    sitting.act(0)
    after = sitting.table.log_record()
    assert after.actions == before.actions
    assert "seed" not in canonical(after.meta)


def test_bots_are_given_their_seats_view_and_nothing_more() -> None:
    """Z3.4: two tables that differ in a person's sealed choice ask a bot the same."""
    tables = []
    for _ in range(2):
        sitting = zoff(3, 2, seed=7)
        sitting.sit(0)
        tables.append(sitting)
    first, second = _two_answers(tables[0], 0)
    for sitting, answer in zip(tables, (first, second), strict=True):
        sitting.act(0, answer)
    asked = [[(r, r.view.to_json()) for r in sitting.table.bot_requests()] for sitting in tables]
    assert asked[0] == asked[1]
    assert len(asked[0]) == 2


def test_an_aborted_game_keeps_its_secrets() -> None:
    """Z3.4, Z6.1: views and messages stay as they were; the record has what was revealed, and nothing sealed."""
    sitting = zoff(3, seed=5)
    sitting.sit(0, 1, 2)
    sitting.play_until(lambda: sitting.game_state.round == 2)
    revealed = sitting.table.log_record().actions
    sitting.act(0)
    sitting.vote(VoteTopic.ABORT, 0, 1, 2)
    assert sitting.phase == "over"
    assert not CARD.search(bytes_for(sitting.table, None))
    assert sitting.table.record().actions == revealed


def test_buffalo_hides_nothing_and_its_record_can_always_be_had() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.act(0, "a7a6")
    assert sitting.table.record().actions == ("a7a6",)
    assert "seed" not in canonical(sitting.table.record().meta)


def test_only_sealed_answers_are_secret() -> None:
    """A shared device hides the table for these only: Z3.4 in Zoff, nothing in Buffalo."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    secret = set()
    while sitting.phase == "playing":
        decision = sitting.table.view_for(None).decision
        assert decision is not None
        secret.add((sitting.game_state.phase.value, decision.secret))
        sitting.step()
    assert ("choose", True) in secret
    assert ("place", False) in secret
    assert all(is_secret == (phase == "choose") for phase, is_secret in secret)
    open_game = buffalo()
    open_game.sit(0, 1)
    decision = open_game.table.view_for(0).decision
    assert decision is not None
    assert not decision.secret
