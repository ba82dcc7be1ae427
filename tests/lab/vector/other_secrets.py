"""Changes all that one seat of a `ZoffVec` may not know, and nothing else."""

from __future__ import annotations

import random
from collections import Counter

from stampede.core.game import Seat
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.vector import ZoffVec

__all__ = ["change_secrets"]


def change_secrets(
    games: ZoffVec, index: int, viewer: Seat, rng: random.Random, *, hands: bool = True
) -> Counter[str]:
    """Gives a game other secrets for a viewer, and shows it anew; returns how often each kind really differs.

    Z2.3, Z3.4, Z6.1, Z10.2, Z11.1: others' hands, of the same size; what others have given of a running answer; the
    pastures that were dealt to the other of two players who settle; the order of ties while bids run; later deals.
    A memory of every card knows the hands, which then stay as they are.
    """
    state, table = games._states[index], games._tables[index]
    others = [seat for seat in range(games.players) if seat != viewer]
    changed: Counter[str] = Counter()
    games._rngs[index] += 1
    if games.rules.auction and table.stage in (at.SETTLE, at.BID):
        order = table.tie_order[: games.players].copy()
        rng.shuffle(table.tie_order[: games.players])
        changed["ties"] += bool((order != table.tie_order[: games.players]).any())
    if table.stage == at.SETTLE:
        own = set(table.dealt[viewer].tolist())
        rest = [p for p in range(len(games.pasture_names)) if p not in own]
        before = table.dealt[1 - viewer].tolist()
        table.dealt[1 - viewer] = rng.sample(rest, 3)
        changed["dealt"] += before != table.dealt[1 - viewer].tolist()
    if table.stage != at.ROUNDS or table.over:
        return _shown(games, index, changed)
    for seat in others:
        if table.half:
            before = table.choices[seat, :2].tolist()
            table.choices[seat, :2] = rng.randrange(len(games.pasture_names)), rng.randrange(9)
            changed["pairs"] += before != table.choices[seat, :2].tolist()
        changed["hands"] += hands and _swap_hand(games, index, seat, rng)
    if table.bonus_laid and not games.acting[index, viewer]:
        before = int(table.bonus_on[0])
        open_ones = [p for p in range(len(games.pasture_names)) if state.open >> p & 1]
        table.bonus_on[: table.bonus_laid] = [rng.choice(open_ones)] * table.bonus_laid
        changed["bonuses"] += before != int(table.bonus_on[0])
    return _shown(games, index, changed)


def _swap_hand(games: ZoffVec, index: int, seat: Seat, rng: random.Random) -> bool:
    """Another hand of the same size, unless the environment shows all cards that were played."""
    if games._options[at.SEES_ALL]:
        return False
    state, setup = games._states[index], games._setups[index if games.rules.auction else 0]
    mine = {
        int(state.pair_card[pair])
        for pair in range(state.laid)
        if setup.seat_of[state.pair_colour[pair]] == seat
    }
    before = int(state.hands[seat])
    cards = [card for card in range(setup.hand_sizes[seat]) if card not in mine]
    hand = sum(1 << card for card in rng.sample(cards, before.bit_count()))
    state.hands[seat] = hand
    return hand != before


def _shown(games: ZoffVec, index: int, changed: Counter[str]) -> Counter[str]:
    games._show(index, index + 1)
    return changed
