"""The fair deal: committed before, checked after; any change of seed, nonce, salts or deal is found."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import RecordError
from stampede.core.json import Json
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.games import GAMES
from stampede.matches import ChairPlan, TableSettings, verify_deal
from stampede.matches.fair import UnprovenDeal, commitment_of, proof_of
from stampede.zoff import Bid, Deal, ZoffRules
from tests.matches.sitting import SECRET, Sitting, buffalo, zoff, zoff_rules

ZOFF = GAMES["zoff"].game


def finished(players: int = 3, **variants: bool) -> Sitting:
    sitting = zoff(players, rules=zoff_rules(players, **variants))
    sitting.sit(*range(players))
    sitting.play_out()
    return sitting


def with_deal(record: GameRecord, **changes: Json) -> GameRecord:
    deal = record.meta["deal"]
    assert isinstance(deal, dict)
    return replace(record, meta={**record.meta, "deal": {**deal, **changes}})


def test_the_commitment_stands_from_the_opening_to_the_end() -> None:
    sitting = zoff(3)
    opening = sitting.table.view_for(None).next_deal["commitment"]
    sitting.sit(0, 1, 2)
    deal = sitting.table.view_for(None).deal
    assert deal is not None
    assert deal["commitment"] == opening
    assert deal["salts"] == ["salt0", "salt1", "salt2"]
    sitting.play_out()
    verify_deal(ZOFF, sitting.table.record(), str(opening))
    verify_deal(ZOFF, GameRecord.loads(sitting.table.record().dumps()))


def test_the_commitment_is_the_documented_hash() -> None:
    seed, nonce = bytes(range(32)), bytes(32)
    expected = hashlib.sha256(b"stampede-deal/1\0commit\0" + seed + nonce).hexdigest()
    assert commitment_of(seed, nonce) == expected


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seed": "00" * 32}, "commitment"),
        ({"nonce": "00" * 32}, "commitment"),
        ({"commitment": "00" * 32}, "commitment"),
        ({"salts": ["salt0", "salt1", "other"]}, "deal: expected"),
        ({"seed": "00"}, "32 bytes"),
        ({"seed": "zz"}, r"^meta\.deal\.seed: expected hexadecimal digits, got 'zz'"),
        ({"seed": None}, "seed: expected a text"),
        ({"scheme": "other/1"}, "scheme"),
        ({"salts": "salt0"}, "salts: expected a list"),
    ],
)
def test_whatever_is_changed_is_found(changes: dict[str, Json], problem: str) -> None:
    record = with_deal(finished().table.record(), **changes)
    with pytest.raises(RecordError, match=problem):
        verify_deal(ZOFF, record)


def test_another_commitment_than_the_one_seen_is_found() -> None:
    with pytest.raises(RecordError, match="expected 1234"):
        verify_deal(ZOFF, finished().table.record(), "1234")


def test_a_record_without_a_proof_is_no_proof() -> None:
    with pytest.raises(UnprovenDeal, match=r"^meta\.deal: expected the proof of a table's deal"):
        verify_deal(ZOFF, replace(finished().table.record(), meta={}))
    with pytest.raises(RecordError, match=r"^meta\.deal: expected an object, got"):
        verify_deal(ZOFF, replace(finished().table.record(), meta={"deal": "fair"}))


def test_a_deal_that_was_swapped_is_found() -> None:
    """Z2.3: a whole game, honestly played, on another deal than the committed one."""
    record, other = finished().table.record(), zoff(3, seed=77)
    other.sit(0, 1, 2)
    other.play_out()
    forged = replace(other.table.record(), meta={"deal": record.meta["deal"]})
    with pytest.raises(RecordError, match="from the seed"):
        verify_deal(ZOFF, forged)


def test_how_the_seed_ranks_tied_bids_is_checked_too() -> None:
    """Z11.1: after three ties the seed decides; a game on the right deal in which it decided otherwise is found."""
    record = finished(3, auction=True).table.record()
    verify_deal(ZOFF, record)
    read = ZOFF.read_rules(record.rules)
    dealt = ZOFF.draw(read, proof_of(SECRET, "table-1", 1, ("salt0", "salt1", "salt2")).generator())
    for order in permutations(range(3)):
        forged = played(read, replace(dealt, tie_order=order), record)
        if order == dealt.tie_order:
            verify_deal(ZOFF, forged)
            continue
        with pytest.raises(RecordError, match="leads elsewhere"):
            verify_deal(ZOFF, forged)


def played(rules: ZoffRules, deal: Deal, proof: GameRecord) -> GameRecord:
    """A game with bids that stay tied, on a deal, under another game's proof."""
    rng = random.Random(1)
    play = Playthrough(ZOFF, rules, deal)
    for _ in range(3):
        for seat in range(3):
            play.play(seat, Bid("1"))
    while play.outcome is None:
        seat = ZOFF.to_act(play.state)[0]
        play.play(seat, ZOFF.legal(play.state, seat).sample(rng))
    return play.record(proof.seats, {"deal": proof.meta["deal"]})


def test_a_games_seed_tells_nothing_of_the_next() -> None:
    proofs = [proof_of(SECRET, table, number, ()) for table in ("a", "b") for number in (1, 2)]
    values = [value for proof in proofs for value in (proof.seed, proof.nonce)]
    assert len(set(values)) == len(values)


@given(salts=st.lists(st.text(max_size=8), min_size=2, max_size=4))
def test_every_salt_has_a_say_and_its_own_place(salts: list[str]) -> None:
    def first(values: list[str]) -> float:
        return proof_of(SECRET, "t", 1, tuple(values)).generator().random()

    assert first(salts) != first([*salts[:-1], salts[-1] + "x"])
    assert (first(salts) != first(salts[::-1])) == (salts != salts[::-1])


def test_buffalo_has_no_chance_and_verifies_all_the_same() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.play_out()
    verify_deal(GAMES["buffalo"].game, sitting.table.record())


@pytest.mark.parametrize(
    ("players", "colours", "seated"),
    [
        (3, ("blue", None, "orange"), ["blue", "pink", "orange"]),
        (2, ("pink", None), [["pink", "orange"], ["blue", "green"]]),
    ],
)
def test_colours_that_chairs_ask_for_are_dealt_fairly(
    players: int, colours: tuple[str | None, ...], seated: Json
) -> None:
    """Z2.2, Z10.1: in every game of the table; the record tells them, and its deal is the committed one."""
    chairs = tuple(ChairPlan(colour=colour) for colour in colours)
    sitting = Sitting(TableSettings("zoff", zoff_rules(players), chairs))
    sitting.sit(*range(players))
    sitting.play_out()
    record = sitting.table.record()
    assert record.setup["colours"] == seated
    verify_deal(ZOFF, record)
    swapped = {**record.setup, "colours": seated[::-1]}  # type: ignore[index]
    with pytest.raises(RecordError):
        verify_deal(ZOFF, replace(record, setup=swapped))
