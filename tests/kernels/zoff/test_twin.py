"""The kernels of Zoff are the rules of Zoff: options, successors and results are the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest

from stampede.core.errors import EditionError
from stampede.kernels.zoff.bridge import decode_bonus, encode, encode_setup
from stampede.kernels.zoff.layout import STATE
from stampede.kernels.zoff.options import bonus_count, bonus_room, nth_bonus
from stampede.zoff import ZoffGame, ZoffRules
from stampede.zoff.edition import Edition
from stampede.zoff.herds import bonus_placements
from stampede.zoff.state import Payment, State, ZoffPhase, free_spaces
from tests.kernels.zoff.side_by_side import opened, play_through

VARIANTS = [
    ZoffRules(players=players, fair=fair, auction=auction)
    for players, fair, auction in product((2, 3, 4, 5, 6), (False, True), (False, True))
]


def name_of(rules: ZoffRules) -> str:
    return f"{rules.players}{'-fair' * rules.fair}{'-auction' * rules.auction}"


@pytest.mark.parametrize("rules", VARIANTS, ids=name_of)
def test_random_games_are_the_same_in_both(rules: ZoffRules) -> None:
    """Z3–Z8, Z10, Z11: at every decision the same options, after it the same state, at the end the same result."""
    rng = random.Random(f"twin/{name_of(rules)}")
    for _ in range(12):
        assert play_through(rules, rng) > rules.rounds


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_choice_is_numbered_once(players: int) -> None:
    """Z3.1, Z3.3, Z10.4, Z10.5: numbering the choices gives those that the rules list."""
    play_through(ZoffRules(players=players), random.Random(players), all_choices=True)


def nearly_full(rng: random.Random) -> State:
    """A state in which many pastures have one or two spaces left, and a bonus of three is due."""
    state = opened(ZoffRules(players=rng.choice((3, 5, 6))), rng)
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
    due = Payment(0, rng.randrange(len(state.setup.colours)), "rank", 1, rng.randint(1, 3))
    return replace(state, herds=tuple(herds), free=free, phase=ZoffPhase.BONUS, payments=(due,))


def test_ways_to_use_a_bonus_are_those_of_the_rules_where_many_pastures_fill() -> None:
    """Z5.2–Z5.4: with one or two spaces left almost everywhere, every order of filling is there, once."""
    rng = random.Random(5)
    for _ in range(300):
        state = nearly_full(rng)
        due = state.payments[0]
        room = bonus_room(encode(state))
        ways = [decode_bonus(state, nth_bonus(room, i)).on for i in range(bonus_count(room))]
        names = [pasture.name for pasture in state.setup.pastures]
        listed = {
            tuple(names[p] for p in on)
            for on in bonus_placements(state.herds, state.free, due.colour, due.cows)
        }
        assert set(ways) == listed
        assert len(ways) == len(listed)


def test_an_edition_beyond_the_bounds_is_refused() -> None:
    """Z1.2: an edition may pay bonuses of up to 5; the kernels know 3, and say which cell is too large."""
    shipped = Edition.default()
    generous = replace(shipped.pastures[9], bonus=(1, 2, 5))
    edition = replace(
        shipped, id="generous", pastures=(*shipped.pastures[:9], generous, *shipped.pastures[10:])
    )
    game = ZoffGame([edition])
    rules = ZoffRules(players=3, edition="generous")
    state = game.initial(rules, game.draw(rules, random.Random(1)))
    with pytest.raises(EditionError, match=r"pasture\[9\]\.bonus\[2\]: expected up to 3") as error:
        encode_setup(state)
    assert error.value.cell == "pasture[9].bonus[2]"


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
