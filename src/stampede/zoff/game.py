"""Zoff as a game of the contract: checks an action, hands it to the rules, and speaks JSON."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from stampede.core.errors import EditionError, IllegalAction, RuleSetError
from stampede.core.events import Event
from stampede.core.game import Game, LegalActions, Outcome, Seat, Step, Viewer
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.zoff import records
from stampede.zoff.actions import (
    Answer,
    Pick,
    Place,
    PlaceBonus,
    Settle,
    TakeBack,
    ZoffAction,
    read_action,
)
from stampede.zoff.auction import pick, show_bids
from stampede.zoff.board import summarise
from stampede.zoff.checks import check_answer, check_bonus, check_pick, check_place, check_seat
from stampede.zoff.draft import Draft
from stampede.zoff.edition import SHIPPED, Edition
from stampede.zoff.events import Sealed, Settled
from stampede.zoff.legal import legal_actions, seats_to_act
from stampede.zoff.resolve import place, place_bonus, reveal, run_on
from stampede.zoff.rules import ZoffRules
from stampede.zoff.setup import Deal, Setup, complete_colours, draw_deal
from stampede.zoff.state import State, ZoffPhase, initial_state
from stampede.zoff.view import ZoffView, redact_event, view_of

__all__ = ["ZoffGame"]


class ZoffGame(Game[ZoffRules, State, ZoffAction, Deal]):
    """The rules of Zoff in Buffalo. Knows the shipped edition, those handed in, and those that rules carry."""

    name: ClassVar[str] = "zoff"

    def __init__(self, editions: Iterable[Edition] = ()) -> None:
        self.editions = {SHIPPED: Edition.default()}
        for edition in editions:
            known = self.editions.setdefault(edition.id, edition)
            if not known.plays_like(edition):
                raise EditionError(
                    "edition.id", f"expected another id than {edition.id!r}, as other data has it"
                )

    # --- rule sets and deals ---

    def read_rules(self, data: JsonObject) -> ZoffRules:
        """The rule set of a record."""
        return self._with_data(ZoffRules.from_json(data))

    def write_rules(self, rules: ZoffRules) -> JsonObject:
        """The rule set for a record."""
        return self._with_data(rules).to_json()

    def edition(self, rules: ZoffRules) -> Edition:
        """The edition that a rule set names."""
        if rules.edition_data is not None:
            return rules.edition_data
        if rules.edition not in self.editions:
            known = ", ".join(self.editions)
            raise RuleSetError(
                f"edition: expected one of {known}, or edition_data, got {rules.edition!r}"
            )
        return self.editions[rules.edition]

    def _with_data(self, rules: ZoffRules) -> ZoffRules:
        """The rule set with its edition's data, unless it is the shipped one: views and records are complete."""
        edition = self.edition(rules)
        if edition.id == SHIPPED or rules.edition_data is not None:
            return rules
        return replace(rules, edition_data=edition)

    def seats(self, rules: ZoffRules) -> int:
        """How many seats play."""
        return rules.players

    def draw(
        self, rules: ZoffRules, rng: random.Random, colours: tuple[str, ...] | None = None
    ) -> Deal:
        """Deals the preliminary round; ``colours`` names each seat's, by default the first ones."""
        return draw_deal(self._with_data(rules), rng, colours)

    def draw_for(self, rules: ZoffRules, rng: random.Random, colours: Sequence[str | None]) -> Deal:
        """Deals to seats that have asked for colours; the others get the first ones that are left."""
        if not any(colours):
            return self.draw(rules, rng)
        return self.draw(rules, rng, complete_colours(self._with_data(rules), colours))

    def colours_asked(self, rules: ZoffRules, record: GameRecord) -> Sequence[str | None]:
        """The colours of a record's seats; none where they were bought."""
        return () if rules.auction else records.read_colours(rules, record)

    def initial(self, rules: ZoffRules, deal: Deal) -> State:
        """The state before the first decision."""
        return initial_state(Setup.build(self._with_data(rules), deal))

    # --- playing ---

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats whose decision is awaited."""
        return seats_to_act(state)

    def legal(self, state: State, seat: Seat) -> LegalActions[ZoffAction]:
        """What a seat may do now."""
        return legal_actions(state, seat)

    def apply(self, state: State, seat: Seat, action: ZoffAction) -> Step[State]:
        """Carries an action out, and whatever follows without a decision."""
        check_seat(state, seat)
        draft = Draft(state)
        match action:
            case Place():
                check_place(draft, action)
                place(draft, action.cows)
                run_on(draft)
            case PlaceBonus():
                place_bonus(draft, check_bonus(draft, action))
                run_on(draft)
            case Pick():
                pick(draft, check_pick(draft, action))
            case _:
                _seal(draft, state, seat, action)
        return Step(draft.freeze(), tuple(draft.events))

    def take_back(self, state: State, seat: Seat) -> Step[State] | None:
        """Opens a seat's sealed answer again; None when it has sealed none."""
        return None if state.sealed[seat] is None else self.apply(state, seat, TakeBack())

    def outcome(self, state: State) -> Outcome | None:
        """How it ended."""
        ending = state.ending
        return None if ending is None else Outcome(ending.winners, ending.reason)

    def view(self, state: State, viewer: Viewer) -> ZoffView:
        """What a seat or a spectator may know."""
        return view_of(state, viewer)

    def redact(self, events: Sequence[Event], state: State, viewer: Viewer) -> tuple[Event, ...]:
        """Earlier events without the cow cards that may not be looked at any more (Z6.1)."""
        del viewer  # the card's owner may not look either
        return tuple(redact_event(event, state) for event in events)

    # --- text forms ---

    def summarise(self, state: State) -> str:
        """The moment of the game, such as ``Zoff in Buffalo, 4 players, round 2 of 5``."""
        return summarise(self.view(state, None))

    def write_action(self, action: ZoffAction) -> Json:
        """The action as JSON."""
        return action.to_json()

    def read_action(self, state: State, data: Json) -> ZoffAction:
        """The action that the JSON names."""
        del state
        return read_action(data)

    # --- records ---

    def write_setup(self, state: State) -> JsonObject:
        """The record's ``deal`` and ``colours``."""
        return records.write_setup(state)

    def read_setup(self, rules: ZoffRules, record: GameRecord) -> Deal:
        """The deal of a record."""
        return records.read_setup(rules, record)

    def write_steps(self, events: Sequence[Event]) -> list[Json]:
        """The record's steps that these events make."""
        return records.write_steps(events)

    def read_step(self, state: State, data: Json) -> tuple[Seat, ZoffAction]:
        """Who did what in a record's step."""
        return records.read_step(state, data)

    def write_result(self, state: State, outcome: Outcome) -> JsonObject:
        """The record's ``result``."""
        del outcome
        return records.write_result(state)


def _seal(draft: Draft, state: State, seat: Seat, action: Answer | TakeBack) -> None:
    """Takes a secret answer, and reveals all when it was the last (Z3.4)."""
    if isinstance(action, TakeBack):
        if state.sealed[seat] is None:
            raise IllegalAction("expected a sealed answer to take back, but there is none", "Z3.4")
    else:
        check_answer(draft, state, seat, action)
    answer = None if isinstance(action, TakeBack) else action
    draft.sealed = (*draft.sealed[:seat], answer, *draft.sealed[seat + 1 :])
    draft.events.append(Sealed(seat, open_again=answer is None))
    asked = draft.bidders if draft.phase is ZoffPhase.BID else range(len(draft.sealed))
    if any(draft.sealed[other] is None for other in asked):
        return
    match draft.phase:
        case ZoffPhase.SETTLE:
            _settle(draft)
        case ZoffPhase.BID:
            show_bids(draft)
        case _:
            reveal(draft)
            run_on(draft)


def _settle(draft: Draft) -> None:
    """Puts both players' preliminary cows down (Z10.2), then goes on to the auction or the first round."""
    for seat, settle in enumerate(draft.sealed):
        assert isinstance(settle, Settle), "both have settled"
        draft.events.append(Settled(seat, settle))
        for name, colour in settle.colours:
            draft.add_cows(draft.setup.pasture_index(name), draft.names.index(colour), 1)
    draft.sealed = (None,) * len(draft.sealed)
    if draft.setup.rules.auction:
        draft.phase = ZoffPhase.BID
    else:
        draft.phase, draft.round = ZoffPhase.CHOOSE, 1
