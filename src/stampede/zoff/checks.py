"""Whether an action may be carried out: a check raises an ActionError that says what was expected, and the clause."""

from __future__ import annotations

from typing import assert_never

from stampede.core.errors import GameOver, IllegalAction, NotToAct
from stampede.core.game import Seat
from stampede.zoff.actions import Answer, Bid, Choose, Pick, Place, PlaceBonus, Settle, ZoffAction
from stampede.zoff.draft import Draft
from stampede.zoff.herds import allowed_cows, breaks_law
from stampede.zoff.legal import BidOptions, choice_options, legal_actions, seats_to_act
from stampede.zoff.resolve import least_cows, most_cows
from stampede.zoff.state import SEALED_PHASES, State, ZoffPhase

__all__ = ["check_answer", "check_bonus", "check_pick", "check_place", "check_seat"]


def check_seat(state: State, seat: Seat) -> None:
    """Whether the seat is asked at all."""
    if state.ending is not None:
        raise GameOver("the game has ended", "Z6.2")
    if not 0 <= seat < state.setup.rules.players:
        raise NotToAct(f"expected a seat 0–{state.setup.rules.players - 1}, got {seat}")
    seats = state.bidders if state.phase is ZoffPhase.BID else range(state.setup.rules.players)
    if seat not in (seats if state.phase in SEALED_PHASES else seats_to_act(state)):
        names = ", ".join(str(other) for other in seats_to_act(state))
        raise NotToAct(f"expected a {state.phase.value} of seat {names}, got seat {seat}")


def _expect_phase(draft: Draft, phase: ZoffPhase, action: ZoffAction) -> None:
    if draft.phase is not phase:
        kind = type(action).__name__
        raise IllegalAction(f"expected an answer to: {draft.phase.value}, got {kind}")


def check_place(draft: Draft, action: Place) -> None:
    """A placement within Z4.3 and Z4.4."""
    _expect_phase(draft, ZoffPhase.PLACE, action)
    pair = draft.line[0]
    herds = draft.herds[pair.pasture]
    allowed = allowed_cows(herds, pair.colour, most_cows(draft, pair))
    if action.cows in allowed:
        return
    numbers = ", ".join(str(cows) for cows in allowed)
    if 0 < action.cows <= most_cows(draft, pair):
        size = herds[pair.colour] + action.cows
        raise IllegalAction(
            f"expected {numbers} cows, got {action.cows}: another herd there has {size}", "Z4.4"
        )
    raise IllegalAction(f"expected {numbers} cows, got {action.cows}", "Z4.3")


def check_bonus(draft: Draft, action: PlaceBonus) -> tuple[int, ...]:
    """A use of a bonus within Z5.2 and Z5.3; returns the pastures by index."""
    _expect_phase(draft, ZoffPhase.BONUS, action)
    payment = draft.payments[0]
    on = tuple(draft.setup.pasture_index(name) for name in action.on)
    most = min(payment.cows, draft.reserves[payment.colour])
    if len(on) > most:
        raise IllegalAction(f"expected up to {most} cows, got {len(on)}", "Z5.2")
    for pasture in set(on):
        cows, name = on.count(pasture), draft.setup.pastures[pasture].name
        if cows > draft.free[pasture]:
            raise IllegalAction(f"{name} has {draft.free[pasture]} free spaces", "Z5.3")
        if breaks_law(draft.herds[pasture], payment.colour, cows):
            size = draft.herds[pasture][payment.colour] + cows
            raise IllegalAction(f"another herd on {name} has {size} cows", "Z5.3")
    least = least_cows(draft, payment)
    if len(on) < least:
        raise IllegalAction(
            f"expected {least} cows, as many as can be placed, got {len(on)}", "Z5.2"
        )
    return on


def check_pick(draft: Draft, action: Pick) -> int:
    """A colour that is still free; returns its group."""
    _expect_phase(draft, ZoffPhase.PICK, action)
    group = draft.setup.group_index(action.colour)
    if draft.owners[group] is not None:
        raise IllegalAction(f"{action.colour} is taken", "Z11.1")
    return group


def check_answer(draft: Draft, state: State, seat: Seat, action: Answer) -> None:
    """A secret answer that fits what is asked."""
    match action:
        case Choose():
            _expect_phase(draft, ZoffPhase.CHOOSE, action)
            refusal = choice_options(state, seat).refusal(action)
            if refusal is not None:
                raise refusal
        case Bid():
            _expect_phase(draft, ZoffPhase.BID, action)
            bid = state.bids[seat]
            if action not in BidOptions(0 if bid is None else bid.units):
                least = "0" if bid is None else bid.text
                raise IllegalAction(
                    f"expected a bid of at least {least}, got {action.text}", "Z11.1"
                )
        case Settle():
            _expect_phase(draft, ZoffPhase.SETTLE, action)
            if not any(_settles_alike(action, way) for way in legal_actions(state, seat)):
                raise IllegalAction(
                    "expected one of your two colours on each of your three pastures, "
                    f"both at least once, got {dict(action.colours)}",
                    "Z10.2",
                )
        case _:
            assert_never(action)


def _settles_alike(action: Settle, way: ZoffAction) -> bool:
    return isinstance(way, Settle) and sorted(action.colours) == sorted(way.colours)
