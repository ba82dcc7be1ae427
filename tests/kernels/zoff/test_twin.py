"""The kernels of Zoff are the rules of Zoff: options, successors and results are the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.kernels.zoff.bridge import decode_bonus, encode, encode_setup
from stampede.kernels.zoff.layout import MAX_BONUS, STATE
from stampede.kernels.zoff.options import bonus_count, bonus_room, nth_bonus
from stampede.zoff import ZoffGame, ZoffRules
from stampede.zoff.herds import bonus_placements, most_placeable
from stampede.zoff.rules import HOUSE_RULES, PLAYERS
from stampede.zoff.state import Payment, State, ZoffPhase, free_spaces
from tests.kernels.zoff.side_by_side import opened, play_on, play_through
from tests.zoff.arranged import rules_id
from tests.zoff.drawn_editions import draw_edition
from tests.zoff.late_games import late

VARIANTS = [
    ZoffRules(players=players, fair=fair, auction=auction)
    for players, fair, auction in product((2, 3, 4, 5, 6), (False, True), (False, True))
]


@pytest.mark.parametrize("rules", VARIANTS, ids=rules_id)
def test_random_games_are_the_same_in_both(rules: ZoffRules) -> None:
    """Z3–Z8, Z10, Z11: at every decision the same options, after it the same state, at the end the same result."""
    rng = random.Random(f"twin/{rules_id(rules)}")
    for _ in range(12):
        assert play_through(rules, rng) > rules.rounds


any_rules = st.builds(
    ZoffRules,
    players=st.sampled_from(PLAYERS),
    auction=st.booleans(),
    fair=st.booleans(),
    **{name: st.booleans() for name in HOUSE_RULES},
)


@given(any_rules, st.integers(0, 1_000_000))
def test_late_games_are_the_same_in_both_by_every_rule(rules: ZoffRules, seed: int) -> None:
    """Z5.2, Z6.2, Z6.3, Z10.5, Z10.8: few open pastures, few cows left, house rules in every combination."""
    rng = random.Random(seed)
    play_on(late(rules, rng), rng)


@pytest.mark.parametrize("counts", [False, True], ids=["wins", "counts"])
@pytest.mark.parametrize("players", PLAYERS)
def test_games_that_the_last_cow_ends_are_the_same_in_both(
    players: int,
    counts: bool,
) -> None:
    """Z6.3, Z10.8: at once, by a placement or a bonus cow; won by that player, or by the most cows."""
    rng = random.Random(players)
    rules = ZoffRules(players, fair=True, last_cow_counts=counts)
    ends = [play_on(late(rules, rng, most_reserve=3), rng)[1] for _ in range(60)]
    exhausted = [end for end in ends if end.reason == "exhausted"]
    assert len(exhausted) > 10
    most = [end for end in exhausted if max(end.scores) == end.scores[end.winners[0]]]
    assert (len(most) == len(exhausted)) == counts


def test_one_last_card_is_numbered_once_and_shared() -> None:
    """Z10.5: every choice of a single card, in both; then both colours place by it."""
    rng = random.Random(3)
    rules = ZoffRules(2, one_last_card=True)
    single = [
        state for state in (late(rules, rng) for _ in range(60)) if len(state.open_pastures()) == 1
    ]
    assert len(single) > 10
    for state in single:
        assert play_on(state, rng, all_choices=True)[0] > 0


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_choice_is_numbered_once(players: int) -> None:
    """Z3.1, Z3.3, Z10.4, Z10.5: numbering the choices gives those that the rules list."""
    play_through(ZoffRules(players=players), random.Random(players), all_choices=True)


def nearly_full(rng: random.Random, rules: ZoffRules) -> State:
    """A state in which many pastures have one or two spaces left, and a bonus is due."""
    state = opened(rules, rng)
    herds = []
    for pasture in state.setup.pastures:
        row = [0] * len(state.setup.colours)
        left = pasture.capacity - rng.choice((0, 1, 1, 1, 2, 2, 3, 5))
        for colour in rng.sample(range(len(row)), len(row)):
            row[colour] = rng.randrange(left + 1)
            left -= row[colour]
        row[rng.randrange(len(row))] += left
        herds.append(tuple(row))
    free = free_spaces(state.setup, herds)
    due = Payment(0, rng.randrange(len(state.setup.colours)), "rank", 1, rng.randint(1, MAX_BONUS))
    return replace(state, herds=tuple(herds), free=free, phase=ZoffPhase.BONUS, payments=(due,))


def test_ways_to_use_a_bonus_are_those_of_the_rules_where_many_pastures_fill() -> None:
    """Z5.2–Z5.4: with one or two spaces left almost everywhere, every order of filling is there, once."""
    rng = random.Random(5)
    for index in range(300):
        must = index % 3 == 0
        state = nearly_full(rng, ZoffRules(rng.choice((3, 5, 6)), must_place=must))
        due = state.payments[0]
        least = most_placeable(state.herds, state.free, due.colour, due.cows) if must else 0
        room = bonus_room(encode_setup(state), encode(state))
        ways = [decode_bonus(state, nth_bonus(room, i)).on for i in range(bonus_count(room))]
        names = [pasture.name for pasture in state.setup.pastures]
        listed = {
            tuple(names[p] for p in on)
            for on in bonus_placements(state.herds, state.free, due.colour, due.cows, least)
        }
        assert set(ways) == listed
        assert len(ways) == len(listed)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_games_of_random_editions_are_the_same_in_both(players: int) -> None:
    """Z1.2: no number of the shipped edition is built into the kernels, up to the bounds that the checker sets."""
    for seed in range(8):
        rng = random.Random(f"edition/{players}/{seed}")
        edition = draw_edition(rng, six=players == 6 or rng.random() < 0.5)
        rules = ZoffRules(
            players,
            fair=rng.random() < 0.5,
            edition=edition.id,
            edition_data=edition,
            **{name: rng.random() < 0.5 for name in HOUSE_RULES},
        )
        assert play_through(rules, rng) > 0
        play_on(late(rules, rng), rng)


def test_a_state_before_the_first_round_has_no_kernel_form() -> None:
    """Z10.2, Z11.1: settling and the auction stay outside."""
    game = ZoffGame()
    rules = ZoffRules(players=2)
    state = game.initial(rules, game.draw(rules, random.Random(1)))
    with pytest.raises(ValueError, match="after the auction, got settle"):
        encode_setup(state)


def test_states_are_small() -> None:
    """A state is copied millions of times."""
    state = opened(ZoffRules(players=6), random.Random(1))
    assert len(encode(state).tobytes()) == STATE.itemsize <= 512


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is the inner run")
def test_the_kernels_are_the_same_rules_without_jit() -> None:
    """The same comparison once more with plain Python functions, in a process of its own."""
    code = (
        "import random\n"
        "from stampede.zoff import ZoffRules\n"
        "from tests.kernels.zoff.side_by_side import play_through\n"
        "from tests.kernels.zoff.test_twin import VARIANTS\n"
        "print(sum(play_through(r, random.Random(7)) for r in VARIANTS))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 500
