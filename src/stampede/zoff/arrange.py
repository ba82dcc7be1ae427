"""Changes a state before a choice, within the law: other herds, other hands. For analysis only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.zoff.edition import CowCard
from stampede.zoff.state import State, ZoffPhase

__all__ = ["ArrangeError", "arrange"]


class ArrangeError(InputError):
    """A state that no game can show.

    Attributes:
        code: A word for what is wrong, for clients to translate.
        values: What the sentence needs.
    """

    def __init__(self, problem: str, code: str, **values: object) -> None:
        super().__init__(problem)
        self.code = code
        self.values = {name: str(value) for name, value in values.items()}


def arrange(
    state: State,
    herds: Mapping[str, Mapping[str, int]],
    hands: Mapping[Seat, tuple[str, ...]],
) -> State:
    """Returns the state with other herds and hands.

    Args:
        state: A state before a choice.
        herds: By pasture and colour; what isn't named stays.
        hands: By seat: the cards that it holds instead, as many as before, out of all that it began with.

    Raises:
        ArrangeError: The herds or hands can't be.
    """
    if state.phase is not ZoffPhase.CHOOSE:
        raise ArrangeError("expected a state before a choice", "not_choosing")
    for pasture, colours in herds.items():
        state = _with_herds(state, pasture, colours)
    for seat, cards in hands.items():
        state = _with_hand(state, seat, cards)
    return state


def _with_herds(state: State, name: str, colours: Mapping[str, int]) -> State:
    setup = state.setup
    names = [pasture.name for pasture in setup.pastures]
    if name not in names or any(colour not in setup.colours for colour in colours):
        raise ArrangeError(f"expected a pasture and colours of this game, got {name}", "unknown")
    index = names.index(name)
    old = state.herds[index]
    new = tuple(colours.get(colour, old[at]) for at, colour in enumerate(setup.colours))
    capacity = setup.pastures[index].capacity
    if min(new) < 0 or sum(new) > capacity:
        raise ArrangeError(
            f"{name}: expected at most {capacity} cows, got {sum(new)}",
            "overfull", pasture=name, most=capacity, got=sum(new),
        )  # fmt: skip
    sizes = [size for size in new if size]
    if len(set(sizes)) != len(sizes):
        raise ArrangeError(
            f"{name}: expected herds of different sizes (Z4.4)", "equal_herds", pasture=name
        )
    reserves = tuple(
        left - (now - before) for left, now, before in zip(state.reserves, new, old, strict=True)
    )
    if min(reserves) < 0:
        colour = setup.colours[reserves.index(min(reserves))]
        raise ArrangeError(f"{colour}: expected cows in the reserve", "no_cows", colour=colour)
    return replace(
        state,
        herds=(*state.herds[:index], new, *state.herds[index + 1 :]),
        free=(*state.free[:index], capacity - sum(new), *state.free[index + 1 :]),
        reserves=reserves,
    )


def _with_hand(state: State, seat: Seat, cards: tuple[str, ...]) -> State:
    if seat not in range(state.setup.rules.players):
        raise ArrangeError(f"expected a seat of this game, got {seat}", "unknown")
    group = state.group_of_seat(seat)
    every = state.setup.groups[group].hand
    known = {str(card): card for card in every}
    held = state.hands[group]
    if len(cards) != len(held) or len(set(cards)) != len(cards) or not set(cards) <= set(known):
        raise ArrangeError(
            f"seat {seat}: expected {len(held)} of its own cards, got {len(cards)}",
            "hand", seat=seat, most=len(held),
        )  # fmt: skip
    new = tuple(card for card in every if str(card) in cards)
    gone: tuple[CowCard, ...] = tuple(card for card in every if str(card) not in cards)
    return replace(
        state,
        hands=(*state.hands[:group], new, *state.hands[group + 1 :]),
        discards=(*state.discards[:group], gone, *state.discards[group + 1 :]),
    )
