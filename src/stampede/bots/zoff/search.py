"""How the levels of Zoff that think decide: they determinize the view and search with the kernels."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import cast

import numpy as np

from stampede.bots.zoff.determinization import determinize
from stampede.bots.zoff.levels import ZoffLevel
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.openings import (
    choose_bid,
    choose_pick,
    choose_settling,
    worth_of_colours,
)
from stampede.bots.zoff.rivals import find_trust
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_bonus, decode_choice, encode, encode_setup
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.options import bonus_room, nth_bonus, placements
from stampede.search.zoff.effort import Effort, Preferences
from stampede.search.zoff.strategy import evaluate_answers, find_strategy
from stampede.search.zoff.value import Net, load_net, plain_net
from stampede.zoff.actions import Bid, Pick, Place, Settle, ZoffAction
from stampede.zoff.state import State, ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["Searcher"]


@dataclass(frozen=True, slots=True)
class Searcher:
    """A level that thinks, with what it wants and what it remembers.

    Attributes:
        level: How strong it is.
        preferences: What it wants.
        memory: What it remembers.
        net: Its value function, if that isn't the level's own.
    """

    level: ZoffLevel
    preferences: Preferences
    memory: Memory
    net: Net | None = None

    def decide(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        """The answer to what the viewer is asked."""
        match view.phase:
            case ZoffPhase.SETTLE:
                ways = [way for way in view.legal if isinstance(way, Settle)]
                return choose_settling(view, ways, self._net(view), rng)
            case ZoffPhase.BID:
                seat = cast("int", view.viewer)
                least = Bid(view.seats[seat].bid or "0").units
                return choose_bid(self._worth(view, rng), least, rng)
            case ZoffPhase.PICK:
                free = [pick for pick in view.legal if isinstance(pick, Pick)]
                return choose_pick(self._worth(view, rng), free)
            case _:
                return self._in_round(view, rng)

    def _worth(self, view: ZoffView, rng: random.Random) -> dict[str, float]:
        """What the colours are worth: by playouts at the levels that use them for answers, too."""
        plays_out = self._effort(view).answer_playouts > 0
        return worth_of_colours(view, self._net(view), rng if plays_out else None)

    def _effort(self, view: ZoffView) -> Effort:
        return self.level.effort_for(view.rules.players)

    def _net(self, view: ZoffView) -> Net:
        if self.net is not None:
            return self.net
        return load_net(view.rules.players) if self.level.learned else plain_net()

    def _in_round(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        memory = self.memory.forget(self.level.forgets, rng) if self.level.forgets else self.memory
        state = determinize(view, memory, rng)
        setup, record = encode_setup(state), encode(state)
        if view.phase is not ZoffPhase.CHOOSE:
            return self._answer(view, state, setup, record, rng)
        seat = cast("int", view.viewer)
        numbers = new_rng(rng.getrandbits(64))
        effort, net = self._effort(view), self._net(view)
        trust = None
        if effort.model_samples:
            trust = find_trust(state, seat, memory, net, numbers)
        strategy = find_strategy(setup, record, seat, net, effort, numbers, self.preferences, trust)
        return decode_choice(state, seat, strategy.sample(rng.random()))

    def _answer(
        self,
        view: ZoffView,
        state: State,
        setup: SetupRecord,
        record: StateRecord,
        rng: random.Random,
    ) -> ZoffAction:
        effort = self._effort(view)
        numbers = new_rng(rng.getrandbits(64))
        worth = evaluate_answers(setup, record, self._net(view), effort, numbers, self.preferences)
        # Of equal answers the one with the most cows: they count even where the look-ahead sees no difference.
        best = len(worth) - 1 - int(np.argmax(worth[::-1]))
        if view.phase is ZoffPhase.PLACE:
            allowed = [cows for cows in range(8) if (placements(record) | 1) >> cows & 1]
            return Place(allowed[best])
        return decode_bonus(state, nth_bonus(bonus_room(setup, record), best))
