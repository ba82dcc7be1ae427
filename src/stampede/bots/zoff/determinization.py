"""Determinization: from a seat's view to a full state that is consistent with it.

What the seat can't know is sampled: the others' cards, as far as its memory leaves them open.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from stampede.bots.zoff.memory import Memory
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.zoff.actions import Bid
from stampede.zoff.edition import TWO_PLAYER_GROUPS, CowCard
from stampede.zoff.rules import COWS
from stampede.zoff.setup import Deal, Group, Setup
from stampede.zoff.state import Filling, LaidPair, Payment, State, ZoffPhase, free_spaces
from stampede.zoff.view import PairView, ZoffView

__all__ = ["determinize", "determinize_start", "known_setup"]


def known_setup(view: ZoffView, names: tuple[str, ...]) -> Setup:
    """The set-up, with these groups in the order of the edition's colours. Who was dealt which pasture isn't known."""
    edition, players = view.rules.printed, view.rules.players
    own = {name: TWO_PLAYER_GROUPS[name] if players == 2 else (name,) for name in names}
    wanted = {colour for colours in own.values() for colour in colours}
    colours = tuple(colour for colour in edition.colours if colour in wanted)
    ordered = sorted(names, key=edition.colours.index)
    groups = tuple(
        Group(name, tuple(colours.index(c) for c in own[name]), edition.hand(name, players))
        for name in ordered
    )
    return Setup(
        rules=view.rules,
        edition=edition,
        deal=Deal(tuple((name, ()) for name in ordered), None),
        pastures=edition.pastures_for(players),
        colours=colours,
        groups=groups,
        group_of=tuple(
            next(g for g, group in enumerate(groups) if colour in group.colours)
            for colour in range(len(colours))
        ),
        dealt=((),) * players,
    )


def _group_name(colours: tuple[str, ...]) -> str:
    if len(colours) == 1:
        return colours[0]
    return next(name for name, own in TWO_PLAYER_GROUPS.items() if set(own) == set(colours))


def determinize(view: ZoffView, memory: Memory, rng: random.Random) -> State:
    """A state that is consistent with the view, from the first round on; unknown hands are sampled.

    Raises:
        InputError: The view is of a time before the colours have owners.
    """
    if view.phase in (ZoffPhase.SETTLE, ZoffPhase.BID, ZoffPhase.PICK):
        raise InputError(f"expected a view of a round, got {view.phase.value}")
    names = tuple(_group_name(seat.colours) for seat in view.seats)
    setup = known_setup(view, names)
    owners = tuple(names.index(group.name) for group in setup.groups)
    laid = tuple(_pair(setup, pair) for pair in view.laid)
    hands = tuple(
        _hand(view, group, owner, memory, rng)
        for group, owner in zip(setup.groups, owners, strict=True)
    )
    due = tuple(
        Payment(
            setup.pasture_index(due.source),
            setup.colour_index(due.colour),
            "rank" if due.rank else "fair",
            due.rank,
            due.cows,
        )
        for due in view.due
    )
    reserves = {colour: cows for seat in view.seats for colour, cows in seat.reserves.items()}
    herds = {pasture.name: pasture.herds for pasture in view.pastures}
    return replace(
        _round_start(view, setup, owners, herds),
        phase=view.phase,
        round=view.round,
        reserves=tuple(reserves[colour] for colour in setup.colours),
        hands=hands,
        laid=laid,
        line=tuple(_pair(setup, pair) for pair in view.line),
        waiting=tuple(_pair(setup, pair) for pair in view.waiting),
        payments=due,
        queue=tuple(_filling(view, setup, name, memory) for name in view.queue),
    )


def determinize_start(
    view: ZoffView,
    names: tuple[str, ...],
    herds: Mapping[str, Mapping[str, int]],
) -> State:
    """The first round with these groups in seats 0, 1, … and these herds: for settling and bids."""
    setup = known_setup(view, names)
    owners = tuple(names.index(group.name) for group in setup.groups)
    return _round_start(view, setup, owners, herds)


def _round_start(
    view: ZoffView, setup: Setup, owners: tuple[Seat, ...], herds: Mapping[str, Mapping[str, int]]
) -> State:
    """The first round, with these herds and all cards in hand."""
    players = setup.rules.players
    rows = tuple(
        tuple(herds.get(pasture.name, {}).get(colour, 0) for colour in setup.colours)
        for pasture in setup.pastures
    )
    return State(
        setup=setup,
        phase=ZoffPhase.CHOOSE,
        round=1,
        herds=rows,
        free=free_spaces(setup, rows),
        reserves=tuple(COWS - sum(row[c] for row in rows) for c in range(len(setup.colours))),
        hands=tuple(group.hand for group in setup.groups),
        discards=((),) * players,
        owners=owners,
        sealed=(None,) * players,
        bids=tuple(None if seat.bid is None else Bid(seat.bid) for seat in view.seats),
        bid_round=view.bid_round,
        bidders=(),
        places=(),
        picks=(),
        laid=(),
        waiting=(),
        line=(),
        payments=(),
        queue=(),
        ending=None,
    )


def _pair(setup: Setup, pair: PairView) -> LaidPair:
    return LaidPair(
        setup.pasture_index(pair.pasture), setup.colour_index(pair.colour), pair.card, pair.left
    )


def _filling(view: ZoffView, setup: Setup, name: str, memory: Memory) -> Filling:
    """A full pasture in the queue. Who filled it is remembered; else its largest herd is the best guess."""
    pasture = next(pasture for pasture in view.pastures if pasture.name == name)
    colour = dict(memory.fillers).get(name) or next(iter(pasture.herds))
    return Filling(setup.pasture_index(name), setup.colour_index(colour))


def _hand(
    view: ZoffView, group: Group, owner: Seat, memory: Memory, rng: random.Random
) -> tuple[CowCard, ...]:
    if owner == view.viewer:
        return view.hand
    discards = view.discards
    played = memory.of_seat(owner) if discards is None else set(discards[owner])
    played |= {pair.card for pair in view.laid if pair.seat == owner}
    left = [card for card in group.hand if card not in played]
    count = view.seats[owner].cards
    if len(left) < count:
        raise InputError(
            f"memory: expected at least {count} cards left to seat {owner}, got {len(left)}: "
            "it remembers another game"
        )
    return tuple(sorted(rng.sample(left, count)))
