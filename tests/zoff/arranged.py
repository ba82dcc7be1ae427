"""Arranged positions: a test says what stands where, and plays from there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from stampede.core.events import Event
from stampede.core.playthrough import Playthrough
from stampede.zoff import (
    Choose,
    CowCard,
    Deal,
    Pair,
    Place,
    PlaceBonus,
    State,
    ZoffAction,
    ZoffGame,
    ZoffPhase,
    ZoffRules,
)
from stampede.zoff.rules import COWS
from stampede.zoff.state import free_spaces

E = TypeVar("E", bound=Event)

GAME = ZoffGame()


def seated(rules: ZoffRules, colours: tuple[str, ...] | None = None, seed: int = 1) -> State:
    """A fresh state with these colours in seats 0, 1, …"""
    return GAME.initial(rules, GAME.draw(rules, random.Random(seed), colours))


def arranged(
    rules: ZoffRules,
    herds: Mapping[str, Mapping[str, int]],
    *,
    colours: tuple[str, ...] | None = None,
    reserves: Mapping[str, int] | None = None,
    round_: int = 3,
) -> State:
    """The first moment of a round with exactly these herds; every other pasture is empty."""
    state = seated(replace(rules, auction=False), colours)
    names = state.setup.colours
    assert set(herds) <= {pasture.name for pasture in state.setup.pastures}
    rows = []
    for pasture in state.setup.pastures:
        here = herds.get(pasture.name, {})
        assert set(here) <= set(names), f"{set(here)} of {names}"
        rows.append(tuple(here.get(colour, 0) for colour in names))
    placed = [sum(row[index] for row in rows) for index in range(len(names))]
    left = {name: COWS - placed[index] for index, name in enumerate(names)}
    left.update(reserves or {})
    return replace(
        state,
        setup=replace(state.setup, rules=rules),
        herds=tuple(rows),
        free=free_spaces(state.setup, rows),
        reserves=tuple(left[name] for name in names),
        phase=ZoffPhase.CHOOSE,
        round=round_,
        sealed=(None,) * rules.players,
    )


class Table:
    """A state that is played on, with the events so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def act(self, seat: int, action: ZoffAction) -> Table:
        """Carries an action out."""
        self.state, events = GAME.apply(self.state, seat, action)
        self.events.extend(events)
        return self

    def choose(self, seat: int, *pairs: str) -> Table:
        """Lays pairs written as ``Lucky-Lake 4M`` or ``Lucky-Lake 4M blue``."""
        return self.act(seat, choice(*pairs))

    def place(self, cows: int) -> Table:
        """Places for whoever is asked."""
        return self.act(self.asked, Place(cows))

    def bonus(self, *on: str) -> Table:
        """Places bonus cows for whoever is asked."""
        return self.act(self.asked, PlaceBonus(on))

    @property
    def asked(self) -> int:
        """The one seat that is asked."""
        (seat,) = GAME.to_act(self.state)
        return seat

    @property
    def actions(self) -> list[ZoffAction]:
        """The listed legal actions of whoever is asked."""
        return list(GAME.legal(self.state, self.asked))

    def phase(self) -> ZoffPhase:
        """What is awaited (a method, as type checkers don't expect attributes to change)."""
        return self.state.phase

    def herd(self, pasture: str, colour: str) -> int:
        """A herd's size."""
        setup = self.state.setup
        return self.state.herds[setup.pasture_index(pasture)][setup.colour_index(colour)]

    def of(self, kind: type[E]) -> list[E]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]


def choice(*pairs: str) -> Choose:
    """A choice from texts."""
    laid = []
    for text in pairs:
        pasture, card, *colour = text.split()
        laid.append(Pair(pasture, CowCard.parse(card), colour[0] if colour else None))
    return Choose(tuple(laid))


def played(rules: ZoffRules, seed: int) -> Playthrough[ZoffRules, State, ZoffAction, Deal]:
    """A whole random game."""
    rng = random.Random(seed)
    game = Playthrough(GAME, rules, GAME.draw(rules, rng))
    while seats := GAME.to_act(game.state):
        seat = rng.choice(seats)
        game.play(seat, GAME.legal(game.state, seat).sample(rng))
    return game


ALL_RULES = [
    ZoffRules(players, auction, fair, open_discards)
    for players in (2, 3, 4, 5, 6)
    for auction in (False, True)
    for fair in (False, True)
    for open_discards in (False, True)
]


def rules_id(rules: ZoffRules) -> str:
    """A short name of a rule set, for test ids and golden files."""
    switches = [name for name in ("auction", "fair", "open_discards") if getattr(rules, name)]
    return "-".join([f"{rules.players}p", *switches])
