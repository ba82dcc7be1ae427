"""Decisions before the first round: settling (Z10.2), bids and picks (Z11.1), by the expected cows of each start."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from stampede.bots.zoff.determinization import determinize_start
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.search.zoff.auction import bid_at
from stampede.search.zoff.utilities import play_outs
from stampede.search.zoff.value import Net, expected_cows
from stampede.zoff.actions import BID_UNIT, MAX_BID_UNITS, Bid, Pick, Settle
from stampede.zoff.edition import TWO_PLAYER_GROUPS
from stampede.zoff.state import State
from stampede.zoff.view import ZoffView

__all__ = ["choose_bid", "choose_pick", "choose_settling", "worth_of_colours"]

GUESSES = 12
"""How many settlings of the other player are sampled."""
OUTS = 1_000
"""Playouts by which a bot of the top level estimates what colours are worth."""


def _expected(state: State, net: Net) -> list[float]:
    cows = np.zeros(6)
    expected_cows(encode_setup(state), encode(state), net, cows)
    return [float(value) for value in cows[: state.setup.rules.players]]


def choose_settling(view: ZoffView, ways: list[Settle], net: Net, rng: random.Random) -> Settle:
    """The colouring with the best lead, against sampled settlings of the other player on three of the pastures left."""
    own = {colour for _, colour in ways[0].colours}
    names = tuple(TWO_PLAYER_GROUPS)
    mine = next(index for index, name in enumerate(names) if own <= set(TWO_PLAYER_GROUPS[name]))
    theirs = TWO_PLAYER_GROUPS[names[1 - mine]]
    taken = {pasture for pasture, _ in ways[0].colours}
    left = [pasture.name for pasture in view.pastures if pasture.name not in taken]
    guesses = []
    for _ in range(GUESSES):
        one, two, three = rng.sample(left, 3)
        first, second = rng.sample(theirs, 2)
        guesses.append({one: first, two: second, three: rng.choice(theirs)})
    leads = []
    for way in ways:
        lead = 0.0
        for guess in guesses:
            herds = {pasture: {colour: 1} for pasture, colour in (*way.colours, *guess.items())}
            cows = _expected(determinize_start(view, names, herds), net)
            lead += cows[mine] - cows[1 - mine]
        leads.append(lead)
    return ways[leads.index(max(leads))]


def worth_of_colours(
    view: ZoffView, net: Net, rng: random.Random | None = None
) -> dict[str, float]:
    """The cows that each colour (of two players: each group) can expect, in any seat.

    By the value function, or by games played out when there is a generator for them.
    """
    names: tuple[str, ...]
    if view.rules.players == 2:
        names = tuple(TWO_PLAYER_GROUPS)
    else:
        taken = [colour for seat in view.seats for colour in seat.colours]
        names = tuple(c for c in view.rules.printed.colours if c in {*view.free_colours, *taken})
    herds = {pasture.name: pasture.herds for pasture in view.pastures}
    start = replace(determinize_start(view, names, herds), bids=(None,) * len(names))
    if rng is None:
        return dict(zip(names, _expected(start, net), strict=True))
    cows, wins = np.zeros(6), np.zeros(6)
    numbers = new_rng(rng.getrandbits(64))
    play_outs(encode_setup(start), encode(start), OUTS, numbers, cows, wins)
    return dict(zip(names, cows[: len(names)].tolist(), strict=True))


def choose_bid(worth: dict[str, float], least: int, rng: random.Random) -> Bid:
    """Draws from the equilibrium (`stampede.search.zoff.auction`), with odd decimals against ties; above the least."""
    units = round(bid_at(list(worth.values()), rng.random()) * BID_UNIT) + rng.randrange(1, 200)
    return Bid.of_units(
        min(MAX_BID_UNITS, max(units, least + rng.randrange(1, 200) if least else 0))
    )


def choose_pick(worth: dict[str, float], free: list[Pick]) -> Pick:
    """The free colour that is worth most."""
    return max(free, key=lambda pick: worth[pick.colour])
