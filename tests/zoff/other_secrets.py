"""Changes all that one seat of Zoff may not know, and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace

from stampede.core.game import Seat
from stampede.zoff import State
from stampede.zoff.legal import legal_actions
from stampede.zoff.setup import Deal, Setup
from stampede.zoff.state import ZoffPhase

__all__ = ["with_other_secrets"]


def with_other_secrets(state: State, viewer: Seat | None, rng: random.Random) -> State:
    """The same state for this viewer: other sealed answers, cards in others' hands, ties, and pastures that settle."""
    hands, discards = list(state.hands), list(state.discards)
    for group, owner in enumerate(state.owners):
        if owner != viewer:
            pool = [*hands[group], *discards[group]]
            rng.shuffle(pool)
            discards[group] = tuple(pool[len(hands[group]) :])
            hands[group] = tuple(sorted(pool[: len(hands[group])]))
    deal = _other_deal(state, viewer, rng)
    other = replace(
        state,
        hands=tuple(hands),
        discards=tuple(discards),
        setup=Setup.build(state.setup.rules, deal),
    )
    sealed = tuple(
        answer
        if answer is None or seat == viewer
        else legal_actions(replace(other, sealed=(None,) * len(state.sealed)), seat).sample(rng)
        for seat, answer in enumerate(state.sealed)
    )
    return replace(other, sealed=sealed)  # type: ignore[arg-type]


def _other_deal(state: State, viewer: Seat | None, rng: random.Random) -> Deal:
    """Another order of ties; while two players settle, other pastures for the one who isn't the viewer (Z10.2)."""
    deal = state.setup.deal
    order = list(deal.tie_order)
    rng.shuffle(order)
    pastures = deal.pastures
    if state.phase is ZoffPhase.SETTLE:
        group_of_viewer = None if viewer is None else state.group_of_seat(viewer)
        own = {
            group: cards for group, (_, cards) in enumerate(pastures) if group == group_of_viewer
        }
        kept = {card for cards in own.values() for card in cards}
        rest = [pasture.name for pasture in state.setup.pastures if pasture.name not in kept]
        rng.shuffle(rest)
        pastures = tuple(
            (name, own.get(group) or tuple(rest.pop() for _ in cards))
            for group, (name, cards) in enumerate(pastures)
        )
    return replace(deal, pastures=pastures, tie_order=tuple(order))
