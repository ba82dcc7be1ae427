"""Bots for Zoff: they get a view, determinize it, and search with the kernels."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import numpy as np

from stampede.bots.zoff_determinization import determinize
from stampede.bots.zoff_levels import ZoffLevel, level_of, preferences_of
from stampede.bots.zoff_memory import Memory
from stampede.bots.zoff_openings import (
    choose_bid,
    choose_pick,
    choose_settling,
    worth_of_colours,
)
from stampede.core.errors import InputError, NotToAct
from stampede.core.events import Event
from stampede.core.game import View
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_bonus, decode_choice, encode, encode_setup
from stampede.kernels.zoff.greedy import draw_good_choice, greedy_bonus, greedy_cows, score_pairs
from stampede.kernels.zoff.layout import MAX_CARDS, MAX_PASTURES, Choice, SetupRecord, StateRecord
from stampede.kernels.zoff.options import bonus_room, nth_bonus, placements
from stampede.search.zoff.strategy import Effort, evaluate_answers, find_strategy
from stampede.search.zoff.value import Net, load_net, plain_net
from stampede.zoff.actions import Bid, Pick, Place, Settle, ZoffAction
from stampede.zoff.state import State, ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["ZoffBot", "zoff_bot"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class ZoffBot:
    """A player of Zoff.

    Without a memory it guesses the others' hands anew for every decision: fair, but weaker. Hand it the game's events
    so that it remembers: ``bot.with_memory(events).choose(view, rng)``.

    Attributes:
        level: How strong it is.
        temperament: What it wants.
        memory: What it remembers.
    """

    level: ZoffLevel
    temperament: str = "balanced"
    memory: Memory = field(default_factory=Memory)

    @property
    def name(self) -> str:
        """Its name on the command line and in records."""
        plain = f"zoff-{self.level.number}"
        return plain if self.temperament == "balanced" else f"{plain}-{self.temperament}"

    def with_memory(self, events: Iterable[Event]) -> ZoffBot:
        """The same bot, having seen these events of the game."""
        return replace(self, memory=Memory.of(events))

    def choose(self, view: View[A], rng: random.Random) -> A:
        """One of ``view.legal``.

        Raises:
            InputError: It isn't a view of Zoff.
            NotToAct: The viewer isn't asked: the request is outdated.
        """
        seen: object = view
        if not isinstance(seen, ZoffView):
            raise InputError(f"expected a view of Zoff, got {type(seen).__name__}")
        return cast("A", self.decide(seen, rng))

    def decide(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        """The answer to what the viewer is asked."""
        if view.viewer is None or view.viewer not in view.to_act:
            raise NotToAct(f"expected a view of seat {view.to_act}, got seat {view.viewer}")
        match view.phase:
            case ZoffPhase.SETTLE:
                ways = [way for way in view.legal if isinstance(way, Settle)]
                return choose_settling(view, ways, self._net(view), rng)
            case ZoffPhase.BID:
                least = Bid(view.seats[view.viewer].bid or "0").units
                return choose_bid(self._worth(view, rng), least, rng)
            case ZoffPhase.PICK:
                free = [pick for pick in view.legal if isinstance(pick, Pick)]
                return choose_pick(self._worth(view, rng), free)
            case _:
                return self._in_round(view, rng)

    def _worth(self, view: ZoffView, rng: random.Random) -> dict[str, float]:
        """What the colours are worth: by playouts at the levels that use them for answers, too."""
        effort = self._effort(view)
        plays_out = effort is not None and effort.answer_playouts > 0
        return worth_of_colours(view, self._net(view), rng if plays_out else None)

    def _effort(self, view: ZoffView) -> Effort | None:
        return self.level.effort_for(view.rules.players)

    def _net(self, view: ZoffView) -> Net:
        return load_net(view.rules.players) if self.level.learned else plain_net()

    def _in_round(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        memory = self.memory.forget(self.level.forgets, rng) if self.level.forgets else self.memory
        state = determinize(view, memory, rng)
        setup, record = encode_setup(state), encode(state)
        if view.phase is ZoffPhase.CHOOSE:
            seat = cast("int", view.viewer)
            choice = self._choice(view, setup, record, rng)
            return decode_choice(state, seat, choice)
        if self.level.slips and rng.random() < self.level.slips:
            return view.legal.sample(rng)
        return self._answer(view, state, setup, record, rng)

    def _choice(
        self, view: ZoffView, setup: SetupRecord, record: StateRecord, rng: random.Random
    ) -> Choice:
        seat, level = cast("int", view.viewer), self.level
        numbers = new_rng(rng.getrandbits(64))
        effort = self._effort(view)
        if effort is None:
            scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
            choice = np.zeros(4, dtype=np.int16)
            score_pairs(setup, record, seat, scores)
            draw_good_choice(setup, record, seat, scores, level.temperature, numbers, choice)
            return choice
        preferences = preferences_of(self.temperament)
        strategy = find_strategy(setup, record, seat, self._net(view), effort, numbers, preferences)
        return strategy.sample(rng.random())

    def _answer(
        self,
        view: ZoffView,
        state: State,
        setup: SetupRecord,
        record: StateRecord,
        rng: random.Random,
    ) -> ZoffAction:
        effort = self._effort(view)
        if effort is None:
            if view.phase is ZoffPhase.PLACE:
                return Place(int(greedy_cows(setup, record)))
            return decode_bonus(state, greedy_bonus(setup, record))
        preferences = preferences_of(self.temperament)
        numbers = new_rng(rng.getrandbits(64))
        worth = evaluate_answers(setup, record, self._net(view), effort, numbers, preferences)
        # Of equal answers the one with the most cows: they count even where the look-ahead sees no difference.
        best = len(worth) - 1 - int(np.argmax(worth[::-1]))
        if view.phase is ZoffPhase.PLACE:
            allowed = [cows for cows in range(8) if (placements(record) | 1) >> cows & 1]
            return Place(allowed[best])
        return decode_bonus(state, nth_bonus(bonus_room(setup, record), best))


def zoff_bot(level: int, temperament: str = "balanced") -> ZoffBot:
    """The bot of a level and temperament; InputError when there is none."""
    preferences_of(temperament)
    return ZoffBot(level_of(level), temperament)
