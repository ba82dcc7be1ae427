"""States that are changed for analysis stay within the law, or are refused with the reason."""

import random

import pytest

from stampede.core.playthrough import Playthrough
from stampede.zoff import Choose, ZoffGame
from stampede.zoff.arrange import ArrangeError, arrange
from stampede.zoff.state import State, ZoffPhase

GAME = ZoffGame()


def choosing(players: int, seed: int = 1, rounds: int = 2) -> State:
    """A state before the choice of a later round."""
    rules = GAME.read_rules({"edition": "fx-schmid-1998-r1", "players": players})
    rng = random.Random(seed)
    played = Playthrough(GAME, rules, GAME.draw(rules, rng))
    while played.state.phase is not ZoffPhase.CHOOSE or played.state.round < rounds:
        seat = GAME.to_act(played.state)[0]
        played.play(seat, GAME.legal(played.state, seat).sample(rng))
    return played.state


def first_pasture(state: State) -> str:
    return state.setup.pastures[0].name


@pytest.mark.parametrize("players", [2, 3, 5])
def test_other_herds_and_hands_keep_every_cow_and_card(players: int) -> None:
    state = choosing(players)
    colours = state.setup.colours
    sizes = {colour: size for size, colour in enumerate(colours[:2], 1)}
    empty = dict.fromkeys(colours[2:], 0)
    group = state.group_of_seat(0)
    every = state.setup.groups[group].hand
    hand = tuple(str(card) for card in every[-len(state.hands[group]) :])
    found = arrange(state, {first_pasture(state): {**sizes, **empty}}, {0: hand})
    assert sum(found.herds[0]) == 3
    assert found.free[0] == state.setup.pastures[0].capacity - 3
    for at in range(len(colours)):
        before = state.reserves[at] + sum(herds[at] for herds in state.herds)
        assert found.reserves[at] + sum(herds[at] for herds in found.herds) == before
    assert [str(card) for card in found.hands[group]] == list(hand)
    assert sorted(map(str, (*found.hands[group], *found.discards[group]))) == sorted(
        map(str, every)
    )
    chosen = GAME.legal(found, 0).sample(random.Random(1))
    assert isinstance(chosen, Choose), "the game goes on from there"


@pytest.mark.parametrize(
    ("code", "herds", "hands"),
    [
        ("unknown", {"Nowhere": {}}, {}),
        ("unknown", {"": {"mauve": 1}}, {}),
        ("overfull", {"": {0: 99}}, {}),
        ("overfull", {"": {0: -1}}, {}),
        ("equal_herds", {"": {0: 1, 1: 1}}, {}),  # Z4.4
        ("unknown", {}, {7: ()}),
        ("hand", {}, {0: ()}),
        ("hand", {}, {0: ("9Q",)}),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(
    code: str, herds: dict[str, dict[object, int]], hands: dict[int, tuple[str, ...]]
) -> None:
    """Z4.4: no two herds of a pasture are equal."""
    state = choosing(3)
    colours = state.setup.colours
    named = {
        pasture or first_pasture(state): {
            colours[key] if isinstance(key, int) else str(key): size for key, size in wanted.items()
        }
        for pasture, wanted in herds.items()
    }
    with pytest.raises(ArrangeError) as refused:
        arrange(state, named, hands)
    assert refused.value.code == code


def test_a_herd_needs_cows_in_the_reserve() -> None:
    state = choosing(3)
    colour, *others = state.setup.colours
    alone = {
        pasture.name: {**dict.fromkeys(others, 0), colour: pasture.capacity}
        for pasture in state.setup.pastures
    }
    with pytest.raises(ArrangeError) as refused:
        arrange(state, alone, {})
    assert (refused.value.code, refused.value.values) == ("no_cows", {"colour": colour})


def test_only_a_state_before_a_choice_is_changed() -> None:
    rules = GAME.read_rules({"edition": "fx-schmid-1998-r1", "players": 2})
    state = GAME.initial(rules, GAME.draw(rules, random.Random(1)))
    assert state.phase is not ZoffPhase.CHOOSE
    with pytest.raises(ArrangeError) as refused:
        arrange(state, {}, {})
    assert refused.value.code == "not_choosing"
