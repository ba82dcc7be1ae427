"""Arranged positions: a test says what stands where, and plays from there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TypeVar

from stampede.core.events import Event
from stampede.core.playthrough import Playthrough
from stampede.zoff import (
    Choose,
    CowCard,
    Deal,
    Edition,
    Pair,
    Place,
    PlaceBonus,
    State,
    ZoffAction,
    ZoffGame,
    ZoffPhase,
    ZoffRules,
)
from stampede.zoff.rules import COWS, HOUSE_RULES
from stampede.zoff.state import free_spaces

E = TypeVar("E", bound=Event)

GAME = ZoffGame()


def edition_file(folder: Path, name: str) -> Path:
    """Writes the shipped edition to a file of this folder, under another id."""
    text = resources.files("stampede.zoff").joinpath("edition.toml").read_text(encoding="utf-8")
    file = folder / f"{name}.toml"
    file.write_text(text.replace(Edition.default().id, name), encoding="utf-8")
    return file


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
        """Places for the seat that is asked."""
        return self.act(self.asked, Place(cows))

    def bonus(self, *on: str) -> Table:
        """Places bonus cows for the seat that is asked."""
        return self.act(self.asked, PlaceBonus(on))

    @property
    def asked(self) -> int:
        """The one seat that is asked."""
        (seat,) = GAME.to_act(self.state)
        return seat

    @property
    def actions(self) -> list[ZoffAction]:
        """The listed legal actions of the seat that is asked."""
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


def filled(rules: ZoffRules, seed: int) -> Playthrough[ZoffRules, State, ZoffAction, Deal]:
    """A whole game of players who fill pastures, small rests first: so that few or none stay open."""
    rng = random.Random(seed)
    game = Playthrough(GAME, rules, GAME.draw(rules, rng))
    while seats := GAME.to_act(game.state):
        state, legal = game.state, GAME.legal(game.state, seats[0])
        if state.phase is ZoffPhase.CHOOSE:
            tries = [legal.sample(rng) for _ in range(30)]
            action = min(tries, key=lambda one: _rest_after(state, one))
        elif state.phase in (ZoffPhase.PLACE, ZoffPhase.BONUS):
            action = max(legal, key=cows_of)
        else:
            action = legal.sample(rng)
        game.play(seats[0], action)
    return game


def _rest_after(state: State, choice: ZoffAction) -> int:
    assert isinstance(choice, Choose)
    return sum(
        state.free[state.setup.pasture_index(pair.pasture)] - 2 * pair.card.value
        for pair in choice.pairs
    )


def cows_of(action: ZoffAction) -> int:
    """How many cows a placement or the use of a bonus puts down."""
    match action:
        case Place(cows=cows):
            return cows
        case PlaceBonus(on=on):
            return len(on)
        case _:
            raise TypeError(f"{action!r} places nothing")


def with_house_rules(rules: ZoffRules, *names: str) -> ZoffRules:
    """The same rules with these house rules on."""
    return ZoffRules.from_json({**rules.to_json(), **dict.fromkeys(names, True)})


ALL_RULES = [
    ZoffRules(players, auction, fair, open_discards)
    for players in (2, 3, 4, 5, 6)
    for auction in (False, True)
    for fair in (False, True)
    for open_discards in (False, True)
]
HOUSE_RULE_SETS = [
    with_house_rules(ZoffRules(players, auction="rebid_among_tied" in switches), *switches)
    for players in (2, 3, 4, 5, 6)
    for switches in (*((name,) for name in HOUSE_RULES), HOUSE_RULES)
]
"""Every house rule alone, and all of them together, with every number of players."""


def rules_id(rules: ZoffRules) -> str:
    """A short name of a rule set, for test ids and golden files."""
    names = ("auction", "fair", "open_discards", *HOUSE_RULES)
    switches = [name for name in names if getattr(rules, name)]
    return "-".join([f"{rules.players}p", *switches])
