"""What comes before the first round: the deal, settling (Z2.3, Z10.2) and the auction of colours (Z11.1)."""

from __future__ import annotations

from stampede.kernels.bits import nth, popcount
from stampede.kernels.jit import bare
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff.layout import MAX_COLOURS, NONE, SetupRecord, StateRecord
from stampede.kernels.zoff.records import copy_record
from stampede.kernels.zoff.vector.layout import (
    AUCTION,
    BID,
    BID_STEP,
    PICK,
    REBID_AMONG_TIED,
    ROUNDS,
    SETTLE,
    SHARE,
    Options,
    TableRecord,
)
from stampede.zoff.rules import COWS

__all__ = ["begin_rounds", "clear", "deal", "pick_group", "put_cow", "settle", "show_bids"]

_BID_ROUNDS = 3


@bare
def deal(
    options: Options,
    template: SetupRecord,
    blank: StateRecord,
    state: StateRecord,
    table: TableRecord,
    rng: RngState,
) -> None:
    """Deals a new game (Z2.3, Z10.2), every deal equally likely. …, `STATE`, changed, `TABLE`, changed, uint64[1].

    Args:
        options: See `layout`.
        template: The set-up in which seat and group have the same number.
        blank: The state with no cow placed.
        state: Filled.
        table: Filled.
        rng: Changed.
    """
    copy_record(state, blank)
    players = int(template.players)
    two = players == 2
    clear(options, template, table)
    rest = (1 << int(template.pastures)) - 1
    for group in range(players):
        for card in range(options[SHARE]):
            pasture = nth(rest, below(rng, popcount(rest)))
            rest &= ~(1 << pasture)
            table.dealt[group, card] = pasture
            if not two:
                put_cow(state, pasture, int(template.colours_of[group, 0]))
    if options[AUCTION]:
        rest = (1 << players) - 1
        for place in range(players):
            seat = nth(rest, below(rng, popcount(rest)))
            rest &= ~(1 << seat)
            table.tie_order[place] = seat


@bare
def clear(options: Options, template: SetupRecord, table: TableRecord) -> None:
    """A table before its first decision, but for the cards that are dealt. …, `TABLE`, changed."""
    players = int(template.players)
    auction = options[AUCTION] != 0
    table.stage = SETTLE if players == 2 else BID if auction else ROUNDS
    table.over = 0
    table.illegal = NONE
    table.half = 0
    table.bonus_laid = 0
    table.bid_round = 1
    table.bidders = (1 << players) - 1
    table.picks_next = 0
    for colour in range(MAX_COLOURS):
        table.cows[colour] = COWS
    for seat in range(players):
        table.tie_order[seat] = seat
        table.group_of[seat] = NONE if auction else seat
        table.owner_of[seat] = NONE if auction else seat
        table.standing[seat] = NONE
        table.places[seat] = 0
        for part in range(4):
            table.choices[seat, part] = NONE


@bare
def put_cow(state: StateRecord, pasture: int, colour: int) -> None:
    """Puts a preliminary cow down. `STATE`, changed, int64, int64."""
    state.herds[pasture, colour] += 1
    state.free[pasture] -= 1
    state.reserves[colour] -= 1


@bare
def settle(options: Options, template: SetupRecord, state: StateRecord, table: TableRecord) -> None:
    """Puts both players' preliminary cows down (Z10.2), by the answers in `choices`. …, changed, `TABLE`, changed."""
    for seat in range(2):
        group = seat if table.group_of[seat] == NONE else int(table.group_of[seat])
        code = int(table.choices[seat, 0])
        table.choices[seat, 0] = NONE
        for card in range(options[SHARE]):
            colour = int(template.colours_of[group, (code >> card) & 1])
            put_cow(state, int(table.dealt[group, card]), colour)
    table.stage = BID if options[AUCTION] else ROUNDS


@bare
def show_bids(options: Options, players: int, table: TableRecord) -> None:
    """Reveals the bids in `choices`; the tied bid again, up to three rounds (Z11.1). …, int64, `TABLE`, changed."""
    for seat in range(players):
        if (table.bidders >> seat) & 1:
            table.standing[seat] = table.choices[seat, 0]
            table.choices[seat, 0] = NONE
    # 1. How many stand before each seat: by all bids, or, of the house rule, among those who were tied. A place
    #    is worth more than any difference of bids. `choices` is free here: it holds the new places.
    weight = 1024 if options[REBID_AMONG_TIED] else 0
    for seat in range(players):
        own = int(table.standing[seat]) - weight * int(table.places[seat])
        place = 0
        for other in range(players):
            place += int(table.standing[other]) - weight * int(table.places[other]) > own
        table.choices[seat, 1] = place
    tied = 0
    for seat in range(players):
        table.places[seat] = table.choices[seat, 1]
        table.choices[seat, 1] = NONE
    for seat in range(players):
        for other in range(players):
            if other != seat and table.places[other] == table.places[seat]:
                tied |= 1 << seat
    if tied and table.bid_round < _BID_ROUNDS:
        table.bid_round += 1
        table.bidders = tied
        return
    # 2. Highest bid first; ties that outlast the bidding in the order of the deal.
    at = 0
    for place in range(players):
        for rank in range(players):
            seat = int(table.tie_order[rank])
            if table.places[seat] == place:
                table.picks[at] = seat
                at += 1
    table.bidders = 0
    table.stage = PICK


@bare
def pick_group(template: SetupRecord, setup: SetupRecord, table: TableRecord, group: int) -> None:
    """The first in order takes a group; the last group goes to the last seat by itself (Z4.6). …, changed."""
    players = int(template.players)
    _take(table, group)
    if table.picks_next == players - 1:
        last = 0
        while table.owner_of[last] != NONE:
            last += 1
        _take(table, last)
    if table.picks_next == players:
        begin_rounds(template, setup, table)


@bare
def _take(table: TableRecord, group: int) -> None:
    seat = int(table.picks[table.picks_next])
    table.owner_of[group] = seat
    table.group_of[seat] = group
    table.picks_next += 1


@bare
def begin_rounds(template: SetupRecord, setup: SetupRecord, table: TableRecord) -> None:
    """Gives every seat the colours and cards of its group. `SETUP`, `SETUP`, filled, `TABLE`, changed."""
    copy_record(setup, template)
    for seat in range(template.players):
        group = int(table.group_of[seat])
        setup.bids[seat] = BID_STEP * int(table.standing[seat])
        setup.hand_sizes[seat] = template.hand_sizes[group]
        for half in range(2):
            colour = int(template.colours_of[group, half])
            setup.colours_of[seat, half] = colour
            setup.seat_of[colour] = seat
        for card in range(template.hand_sizes[group]):
            setup.card_values[seat, card] = template.card_values[group, card]
            setup.card_precedence[seat, card] = template.card_precedence[group, card]
    table.stage = ROUNDS
