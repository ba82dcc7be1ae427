"""Lessons of Zoff: a landscape told in short, and a few answers to choose from. The learner is seat 0.

Keys of a step:

- ``rules``: what differs from the usual rules, such as ``{ players = 3, fair = true }``.
- ``colours``: the colours of the seats, the learner's first; ``names``: the others' names.
- ``round``; ``herds``: by pasture, by colour; ``reserves`` and ``hands`` by colour, where they differ.
- ``show``: the pastures that matter, of which alone events are told; ``lit``: the one to look at.
- ``ask``: the decision that is the learner's: ``choose``, ``place``, ``bonus``, ``settle``, ``bid`` or ``pick``.
- ``pairs``: pairs that lie already, as ``[colour, pasture, card]``. With them the step begins after the reveal.
- ``choices``: the other seats' sealed answers, as their actions, by seat from 1.
- ``offer``: the answers to choose from, as actions, illegal ones included. Without it, every number of cows for
  ``place``, and every way to use a bonus on the pastures shown.

All decisions but the one that is asked are made by rule: as many cows as possible, and bonuses to the full, rather on
pastures that aren't shown.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from stampede.core.errors import ActionError, InputError
from stampede.core.events import Event
from stampede.core.game import Seat, Step
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_object, expect_str
from stampede.lessons.stage import LessonOutcome, Stage
from stampede.zoff import CowCard, Place, PlaceBonus, State, ZoffAction, ZoffGame, ZoffPhase
from stampede.zoff.draft import Draft
from stampede.zoff.resolve import run_on
from stampede.zoff.rules import COWS, ZoffRules
from stampede.zoff.state import LaidPair, free_spaces

__all__ = ["ZoffStage"]

GAME: Final = ZoffGame()
LEARNER: Final = 0
MOST_DECISIONS: Final = 60
"""No round has more; a limit, so that a wrong lesson can't run for ever."""


class ZoffStage(Stage):
    """A step of a lesson of Zoff."""

    def __init__(self, position: JsonObject) -> None:
        self._position = position
        self._shown = frozenset(_texts(position.get("show", []), "show"))
        self._ask = ZoffPhase(expect_str(position.get("ask"), "ask"))
        state = _arrange(position)
        self._before: tuple[Event, ...] = ()
        pairs = expect_list(position.get("pairs", []), "pairs")
        if pairs:
            state, self._before = _reveal(state, [_texts(pair, "pairs") for pair in pairs])
        self._state, events = _play_on(state, self._ask, self._shown)
        self._before += events
        others = expect_object(position.get("choices", {}), "choices")
        for seat, answer in others.items():
            action = GAME.read_action(self._state, answer)
            self._state = GAME.apply(self._state, int(seat), action).state
        if LEARNER not in GAME.to_act(self._state) or self._state.phase is not self._ask:
            raise InputError(f"expected the learner to {self._ask.value}, got {self._state!r}")

    def view(self) -> JsonObject:
        """The learner's view."""
        return GAME.view(self._state, LEARNER).to_json()

    def before(self) -> tuple[JsonObject, ...]:
        """What has happened in the round so far."""
        return self._told(self._before)

    def cast(self) -> list[str]:
        """The names of the seats from 1."""
        return _texts(self._position.get("names", []), "names")

    def outcomes(self) -> list[LessonOutcome]:
        """Every answer that is offered."""
        return [self._outcome(action) for action in self._offered()]

    def holds(self, fact: str, value: Json, outcome: LessonOutcome) -> bool:
        """Events tell everything in Zoff."""
        raise InputError(f"expected event or refused, got {fact} = {value} of {outcome.action}")

    def refute(self, outcome: LessonOutcome) -> tuple[str, ...]:
        """Nothing: the events tell what happens."""
        del outcome
        return ()

    def _offered(self) -> list[Json]:
        offer = expect_list(self._position.get("offer", []), "offer")
        if offer:
            return list(offer)
        legal = GAME.legal(self._state, LEARNER)
        if self._ask is ZoffPhase.PLACE:
            return [Place(cows).to_json() for cows in range(self._state.line[0].card.value + 1)]
        found = [GAME.write_action(action) for action in legal]
        if self._ask is not ZoffPhase.BONUS:
            return found
        ways = [(way, _texts(expect_object(way, "bonus")["on"], "on")) for way in found]
        return [way for way, on in ways if self._shown.issuperset(on)]

    def _outcome(self, data: Json) -> LessonOutcome:
        try:
            state, events = GAME.apply(self._state, LEARNER, GAME.read_action(self._state, data))
        except (ActionError, InputError) as error:
            return LessonOutcome(data, (), None, self._refusal(data, error))
        after, more = _play_on(state, None, self._shown)
        view = GAME.view(after, LEARNER).to_json()
        return LessonOutcome(data, self._told((*events, *more)), view)

    def _refusal(self, data: Json, error: ActionError | InputError) -> JsonObject:
        """The reason that the learner's legal actions give for a number of cows, else the clause."""
        described = GAME.legal(self._state, LEARNER).to_json()
        if self._ask is ZoffPhase.PLACE:
            cows = expect_object(data, "offer")["cows"]
            for entry in expect_list(described["refused"], "refused"):
                refused = expect_object(entry, "refused")
                if cows in expect_list(refused["cows"], "cows"):
                    return expect_object(refused["reason"], "reason")
        return {"clause": getattr(error, "clause", None) or "Z3.1"}

    def _told(self, events: tuple[Event, ...]) -> tuple[JsonObject, ...]:
        """The events of the pastures that are shown, and those that belong to none."""
        found = [event.to_json() for event in events]
        return tuple(event for event in found if self._matters(event))

    def _matters(self, event: JsonObject) -> bool:
        place = event.get("pasture", event.get("source"))
        on = event.get("on", [])
        touched = [] if not isinstance(on, list) else on
        return (
            place is None or place in self._shown or not self._shown.isdisjoint(map(str, touched))
        )


# --- setting up ---


def _arrange(position: JsonObject) -> State:
    """The first moment of a round with the step's herds; every other pasture is empty."""
    given = expect_object(position.get("rules", {}), "rules")
    rules = ZoffRules.from_json({**ZoffRules().to_json(), **given})
    colours = tuple(_texts(position.get("colours", []), "colours")) or None
    deal = GAME.draw(rules, random.Random(1), None if rules.auction else colours)
    state = GAME.initial(rules, deal)
    if "herds" not in position:
        return state
    names, setup = state.setup.colours, state.setup
    herds = {
        pasture: {colour: expect_int(cows, pasture) for colour, cows in entry.items()}
        for pasture, value in expect_object(position["herds"], "herds").items()
        for entry in [expect_object(value, pasture)]
    }
    unknown = set(herds) - set(setup.pasture_names)
    if unknown:
        raise InputError(f"herds: expected pastures in play, got {', '.join(sorted(unknown))}")
    rows = tuple(
        tuple(herds.get(name, {}).get(colour, 0) for colour in names)
        for name in setup.pasture_names
    )
    left = {name: COWS - sum(row[index] for row in rows) for index, name in enumerate(names)}
    for colour, cows in expect_object(position.get("reserves", {}), "reserves").items():
        left[colour] = expect_int(cows, "reserves")
    return replace(
        state,
        herds=rows,
        free=free_spaces(setup, rows),
        reserves=tuple(left[name] for name in names),
        hands=_hands(state, expect_object(position.get("hands", {}), "hands")),
        phase=ZoffPhase.CHOOSE,
        round=expect_int(position.get("round", 2), "round"),
        sealed=(None,) * rules.players,
    )


def _hands(state: State, given: Mapping[str, Json]) -> tuple[tuple[CowCard, ...], ...]:
    return tuple(
        tuple(CowCard.parse(card) for card in _texts(given[group.name], "hands"))
        if group.name in given
        else hand
        for group, hand in zip(state.setup.groups, state.hands, strict=True)
    )


def _reveal(state: State, pairs: list[list[str]]) -> Step[State]:
    """The round from where these pairs are turned up; the other pairs of the round don't matter here."""
    setup = state.setup
    laid = tuple(
        LaidPair(setup.pasture_index(pasture), setup.colour_index(colour), card, card.value)
        for colour, pasture, text in pairs
        for card in [CowCard.parse(text)]
    )
    hands = tuple(
        tuple(
            card
            for card in hand
            if not any(p.card == card and setup.group_of[p.colour] == group for p in laid)
        )
        for group, hand in enumerate(state.hands)
    )
    waiting = tuple(sorted(laid, key=lambda pair: pair.pasture))
    draft = Draft(replace(state, laid=laid, waiting=waiting, hands=hands))
    run_on(draft)
    return Step(draft.freeze(), tuple(draft.events))


# --- decisions by rule ---


def _play_on(state: State, ask: ZoffPhase | None, shown: frozenset[str]) -> Step[State]:
    """Makes decisions by rule until the learner is asked for ``ask``; with None until the round is over."""
    events: list[Event] = []
    for _ in range(MOST_DECISIONS):
        seats = GAME.to_act(state)
        if not seats or state.phase not in (ZoffPhase.PLACE, ZoffPhase.BONUS):
            break
        if state.phase is ask and LEARNER in seats:
            break
        state, more = GAME.apply(state, seats[0], _usual(state, seats[0], shown))
        events.extend(more)
    return Step(state, tuple(events))


def _usual(state: State, seat: Seat, shown: frozenset[str]) -> ZoffAction:
    """As many cows as possible, those of a bonus rather where nobody looks, so that only the answer matters."""

    def weight(action: ZoffAction) -> tuple[int, int]:
        if isinstance(action, PlaceBonus):
            return len(action.on), sum(name not in shown for name in action.on)
        return (action.cows if isinstance(action, Place) else 0), 0

    return max(GAME.legal(state, seat), key=weight)


def _texts(value: Json, place: str) -> list[str]:
    return [expect_str(item, place) for item in expect_list(value, place)]
