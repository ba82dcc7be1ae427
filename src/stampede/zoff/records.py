"""Zoff's part of the game record (docs/record.md)."""

from __future__ import annotations

from collections.abc import Sequence

from stampede.core.errors import IllegalAction, ParseError, RecordError
from stampede.core.events import Event
from stampede.core.game import Seat
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.core.record import GameRecord
from stampede.zoff.actions import Place, PlaceBonus, ZoffAction, read_action
from stampede.zoff.edition import TWO_PLAYER_GROUPS
from stampede.zoff.events import BidShown, BonusPlaced, Picked, Placed, Revealed, Settled
from stampede.zoff.result import ZoffResult
from stampede.zoff.rules import ZoffRules
from stampede.zoff.setup import Deal
from stampede.zoff.state import State, ZoffPhase

__all__ = ["read_colours", "read_setup", "read_step", "write_result", "write_setup", "write_steps"]


# --- set-up ---


def write_setup(state: State) -> JsonObject:
    """The record's ``deal`` and ``colours``; the latter only when every colour has an owner."""
    setup = state.setup
    deal: JsonObject = {name: list(pastures) for name, pastures in setup.deal.pastures}
    if None in state.owners:
        return {"deal": deal}
    colours: list[Json] = []
    for seat in range(setup.rules.players):
        group = setup.groups[state.owners.index(seat)]
        own = [setup.colours[colour] for colour in group.colours]
        colours.append(own if len(own) == 2 else own[0])
    return {"deal": deal, "colours": colours}


def read_setup(rules: ZoffRules, record: GameRecord) -> Deal:
    """The deal of a record. How the seed ranked tied bids is read off the picks."""
    deal = expect_object(record.setup.get("deal"), "deal")
    pastures = tuple(
        (name, tuple(expect_str(p, f"deal.{name}") for p in expect_list(names, f"deal.{name}")))
        for name, names in deal.items()
    )
    seats = None if rules.auction else read_colours(rules, record)
    if rules.auction and record.result is not None:
        _check_bought(rules, record)
    return Deal(pastures, seats, _picking_order(rules, record))


def read_colours(rules: ZoffRules, record: GameRecord) -> tuple[str, ...]:
    """The colour of each seat's cards."""
    value = record.setup.get("colours")
    if isinstance(value, dict):  # seat → colour, written as an object
        value = [value.get(str(seat)) for seat in range(rules.players)]
    return tuple(_group_name(rules, item) for item in expect_list(value, "colours"))


def _group_name(rules: ZoffRules, value: Json) -> str:
    if rules.players != 2:
        return expect_str(value, "colours")
    for name, own in TWO_PLAYER_GROUPS.items():
        if sorted(map(str, expect_list(value, "colours"))) == sorted(own):
            return name
    raise RecordError(
        f"colours: expected blue and green, or pink and orange, got {canonical(value)}"
    )


def _picking_order(rules: ZoffRules, record: GameRecord) -> tuple[Seat, ...]:
    picked = [
        step["seat"]
        for step in record.actions
        if isinstance(step, dict)
        and step.get("type") == "pick"
        and isinstance(step.get("seat"), int)
    ]
    order = list(dict.fromkeys(seat for seat in picked if 0 <= seat < rules.players))
    return (*order, *(seat for seat in range(rules.players) if seat not in order))


def _check_bought(rules: ZoffRules, record: GameRecord) -> None:
    """In an auction the colours must be those that were picked."""
    owned = read_colours(rules, record)
    for index, step in enumerate(record.actions):
        if isinstance(step, dict) and step.get("type") == "pick":
            seat, colour = step.get("seat"), step.get("colour")
            if not isinstance(seat, int) or not 0 <= seat < len(owned) or owned[seat] != colour:
                raise RecordError(f"expected the colour that colours gives to seat {seat}", index)


# --- steps ---


def write_steps(events: Sequence[Event]) -> list[Json]:
    """The steps that these events make: decisions as they were revealed, forced placements too."""
    steps: list[Json] = []
    for event in events:
        match event:
            case Revealed() if event.choice is not None:
                steps.append(_with_seat(event.choice.to_json(), event.seat))
            case Placed():
                steps.append(_place_step(event))
            case BonusPlaced():
                steps.append(_bonus_step(event))
            case Settled():
                steps.append(_with_seat(event.settle.to_json(), event.seat))
            case BidShown():
                steps.append({"type": "bid", "seat": event.seat, "bid": event.bid})
            case Picked():
                steps.append({"type": "pick", "seat": event.seat, "colour": event.colour})
            case _:
                pass
    return steps


def _with_seat(action: JsonObject, seat: Seat) -> JsonObject:
    return {"type": action["type"], "seat": seat, **action}


def _place_step(event: Placed) -> JsonObject:
    step: JsonObject = {
        "type": "place",
        "seat": event.seat,
        "colour": event.colour,
        "pasture": event.pasture,
        "cows": event.cows,
    }
    return {**step, "forced": True} if event.forced else step


def _bonus_step(event: BonusPlaced) -> JsonObject:
    return {
        "type": "bonus",
        "seat": event.seat,
        "colour": event.colour,
        "from": event.source,
        "kind": event.bonus,
        "on": list(event.on),
    }


def read_step(state: State, data: Json) -> tuple[Seat, ZoffAction]:
    """Who did what; a step must name the very decision that is awaited."""
    step = expect_object(data, "step")
    seat = expect_int(step.get("seat"), "seat")
    action = read_action(step)
    if isinstance(action, Place) and state.phase is ZoffPhase.PLACE:
        pasture, colour, *_ = state.line[0]
        _expect(step, "pasture", state.setup.pastures[pasture].name)
        _expect(step, "colour", state.setup.colours[colour])
        if step.get("forced"):
            raise IllegalAction(
                "forced: expected no such mark, as there are several answers", "Z4.6"
            )
    if isinstance(action, PlaceBonus) and state.phase is ZoffPhase.BONUS:
        payment = state.payments[0]
        _expect(step, "from", state.setup.pastures[payment.pasture].name)
        _expect(step, "colour", state.setup.colours[payment.colour])
        _expect(step, "kind", payment.kind)
    return seat, action


def _expect(step: JsonObject, key: str, value: str) -> None:
    if step.get(key) != value:
        raise ParseError(f"{key}: expected {canonical(value)}, got {canonical(step.get(key))}")


# --- result ---


def write_result(state: State) -> JsonObject:
    """Writes the record's ``result``."""
    return ZoffResult.of(state).to_json()
