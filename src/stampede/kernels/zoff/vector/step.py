"""Steps of many tables: answers, new deals, rewards, observations and masks.

Each function works on the tables from `begin` to `end`, so that threads can share the work; a table has a generator of
its own, so that the same comes out for any number of them. All arrays are flat: a table's part begins at its number
times the size of one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import popcount
from stampede.kernels.jit import bare
from stampede.kernels.put import Bytes, put_zeros
from stampede.kernels.rng import draw
from stampede.kernels.zoff.layout import (
    CHOOSE,
    NONE,
    OVER,
    PLACE,
    UNIT,
    SetupRecord,
    Setups,
    StateRecord,
    States,
)
from stampede.kernels.zoff.options import bonus_count, bonus_room, choice_count, placements
from stampede.kernels.zoff.resolve import count_cows
from stampede.kernels.zoff.vector.atoms import acting_seats, answer, is_legal, write_mask
from stampede.kernels.zoff.vector.layout import (
    ATOMS,
    AUTORESET,
    BID,
    BID_COUNT,
    CHECK,
    FLAT,
    LEAD,
    NEXT_STEP,
    NOTHING,
    PRIVATE,
    PUBLIC,
    PUBLIC_ROWS,
    REWARD,
    ROTATE,
    ROUNDS,
    SAME_STEP,
    SETTLE,
    VIEWER,
    WIN_SHARE,
    Numbers,
    Options,
    TableRecord,
    Tables,
)
from stampede.kernels.zoff.vector.observe import write_private, write_public
from stampede.kernels.zoff.vector.opening import deal

__all__ = ["check_range", "count_range", "deal_range", "seed_range", "show_range", "step_range"]

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]


@bare
def seed_range(rngs: Words, seed: int, begin: int, end: int) -> None:
    """Seeds the tables' generators: each by its number. uint64[n, 1], filled, int64 × 3."""
    for index in range(begin, end):
        rng = rngs[index]
        rng[0] = np.uint64(seed)
        rng[0] = draw(rng) ^ np.uint64(index)
        draw(rng)


@bare
def _setup_of(setups: Setups, index: int) -> SetupRecord:
    """A table's set-up: its own where groups are bought, else the one that all share."""
    found: SetupRecord = setups[index if len(setups) > 1 else 0]
    return found


@bare
def count_answers(setup: SetupRecord, state: StateRecord, table: TableRecord, seat: int) -> int:
    """How many whole answers a seat that is asked has: choices, bonuses, bids and so on. …, int64 → int64."""
    if table.stage == SETTLE:
        return 6
    if table.stage == BID:
        return BID_COUNT - max(0, int(table.standing[seat]))
    if table.stage != ROUNDS:
        return int(setup.players) - int(table.picks_next)
    if state.phase == CHOOSE:
        return choice_count(setup, state, seat)
    if state.phase == PLACE:
        return popcount(placements(state) | 1)
    return bonus_count(bonus_room(setup, state))


@bare
def count_range(
    setups: Setups, states: States, tables: Tables, counts: Numbers, begin: int, end: int
) -> None:
    """Counts the whole answers of every seat; 0 for one that isn't asked. …, int16[n, players], filled, int64 × 2."""
    for index in range(begin, end):
        setup, state, table = _setup_of(setups, index), states[index], tables[index]
        seats = acting_seats(setup, state, table)
        for seat in range(setup.players):
            asked = (seats >> seat) & 1
            counts[index, seat] = count_answers(setup, state, table, seat) if asked else 0


@bare
def check_range(
    options: Options,
    setups: Setups,
    states: States,
    tables: Tables,
    actions: Numbers,
    begin: int,
    end: int,
) -> int:
    """The first illegal action, as table × 8 + seat; -1 if all are legal. …, int16[n, players], int64 × 2 → int64."""
    for index in range(begin, end):
        if tables[index].over:
            continue
        seat = _find_illegal(
            options, _setup_of(setups, index), states[index], tables[index], actions[index]
        )
        if seat != NONE:
            return 8 * index + seat
    return NONE


@bare
def _find_illegal(
    options: Options,
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    actions: Numbers,
) -> int:
    """The first seat whose action is illegal, or -1. … → int64."""
    seats = acting_seats(setup, state, table)
    for seat in range(setup.players):
        action = int(actions[seat])
        if not (seats >> seat) & 1:
            if action != NOTHING and not options[FLAT]:
                return seat
        elif options[FLAT]:
            if not 0 <= action < count_answers(setup, state, table, seat):
                return seat
        elif not is_legal(setup, state, table, seat, action):
            return seat
    return NONE


@bare
def _write_rewards(
    options: Options,
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    reward: Floats,
) -> None:
    """Writes the rewards of a game that has just ended. …, float32[players], filled."""
    players = int(setup.players)
    if table.illegal != NONE:
        for seat in range(players):
            reward[seat] = -1.0 if seat == table.illegal else 0.0
        return
    winners = int(state.winners)
    total = 0
    for seat in range(players):
        total += count_cows(setup, state, seat) * UNIT - int(setup.bids[seat])
    for seat in range(players):
        own = count_cows(setup, state, seat) * UNIT - int(setup.bids[seat])
        if options[REWARD] == WIN_SHARE:
            reward[seat] = ((winners >> seat) & 1) / popcount(winners)
        elif options[REWARD] == LEAD:
            reward[seat] = (own - (total - own) / (players - 1)) / UNIT
        else:
            reward[seat] = own / UNIT


@bare
def _write_scores(
    template: SetupRecord, setup: SetupRecord, state: StateRecord, table: TableRecord, score: Floats
) -> None:
    """Writes each seat's cows on pastures less its bid; 0 before it has colours. …, float32[players], filled."""
    for seat in range(template.players):
        group = int(table.group_of[seat])
        units = 0
        if group != NONE:
            own, other = int(template.colours_of[group, 0]), int(template.colours_of[group, 1])
            cows = int(table.cows[own]) - int(state.reserves[own])
            if other != own:
                cows += int(table.cows[other]) - int(state.reserves[other])
            units = cows * UNIT
            if table.stage == ROUNDS:
                units -= int(setup.bids[seat])
        score[seat] = units / UNIT


@bare
def _show(
    options: Options,
    template: SetupRecord,
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    public: Bytes,
    private: Bytes,
    index: int,
) -> None:
    """Writes a table's observations."""
    rows = options[PUBLIC_ROWS]
    for row in range(rows):
        viewer = options[VIEWER] + row if options[ROTATE] else NONE
        at = (index * rows + row) * PUBLIC
        write_public(options, template, setup, state, table, viewer, public, at)
    players = int(template.players)
    for seat in range(players):
        at = (index * players + seat) * PRIVATE
        write_private(setup, state, table, seat, private, at)


@bare
def _show_masks(
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    players: int,
    mask: Bytes,
    acting: Bytes,
    index: int,
) -> None:
    """Writes the seats that are asked and their masks; those that were and are not asked stay as they are."""
    seats = acting_seats(setup, state, table)
    shown = int(table.shown)
    for seat in range(players):
        at = (index * players + seat) * ATOMS
        asked = (seats >> seat) & 1
        acting[index * players + seat] = asked
        if asked:
            write_mask(setup, state, table, seat, mask, at)
        elif (shown >> seat) & 1:
            put_zeros(mask, at, ATOMS // 8)
            mask[at + NOTHING] = 1
    table.shown = seats


@bare
def show_range(
    options: Options,
    template: SetupRecord,
    setups: Setups,
    states: States,
    tables: Tables,
    public: Bytes,
    private: Bytes,
    mask: Bytes,
    acting: Bytes,
    score: Floats,
    begin: int,
    end: int,
) -> None:
    """Writes everything that is seen of tables anew. …, int8[n] × 4, float32[n, players], filled, int64 × 2."""
    players = int(template.players)
    for index in range(begin, end):
        setup, state, table = _setup_of(setups, index), states[index], tables[index]
        table.shown = (1 << players) - 1
        _show(options, template, setup, state, table, public, private, index)
        _show_masks(setup, state, table, players, mask, acting, index)
        _write_scores(template, setup, state, table, score[index])


@bare
def deal_range(
    options: Options,
    template: SetupRecord,
    blank: StateRecord,
    states: States,
    tables: Tables,
    rngs: Words,
    chosen: Bytes,
    begin: int,
    end: int,
) -> None:
    """Deals new games to the chosen tables. …, uint64[n, 1], changed, int8[n], int64 × 2."""
    for index in range(begin, end):
        if chosen[index]:
            deal(options, template, blank, states[index], tables[index], rngs[index])


@bare
def step_range(
    options: Options,
    template: SetupRecord,
    blank: StateRecord,
    setups: Setups,
    states: States,
    tables: Tables,
    rngs: Words,
    actions: Numbers,
    public: Bytes,
    private: Bytes,
    mask: Bytes,
    acting: Bytes,
    reward: Floats,
    score: Floats,
    terminated: Bytes,
    illegal: Bytes,
    last_public: Bytes,
    last_private: Bytes,
    last_score: Floats,
    begin: int,
    end: int,
) -> None:
    """Plays one step of each table. See `stampede.lab.vector` for what the arrays mean.

    int64[11], `SETUP`, `STATE`, `SETUP`[n or 1], `STATE`[n], `TABLE`[n], uint64[n, 1], int16[n, players], int8[n] × 4,
    float32[n, players] × 2, int8[n] × 4, float32[n, players].
    """
    players = int(template.players)
    for index in range(begin, end):
        setup, state, table = _setup_of(setups, index), states[index], tables[index]
        rewards = reward[index]
        if terminated[index]:
            for seat in range(players):
                rewards[seat] = 0.0
        illegal[index] = NONE
        if table.over:
            # 1. A game that has ended: a new one begins, or nothing happens.
            if options[AUTORESET] != NEXT_STEP:
                continue
            terminated[index] = 0
            deal(options, template, blank, state, table, rngs[index])
        else:
            # 2. The answers.
            terminated[index] = 0
            if options[CHECK]:
                table.illegal = _find_illegal(options, setup, state, table, actions[index])
            if table.illegal == NONE:
                answer(options, template, setup, state, table, actions[index])
            # 3. The end.
            if state.phase == OVER or table.illegal != NONE:
                table.over = 1
                terminated[index] = 1
                illegal[index] = table.illegal
                _write_rewards(options, setup, state, table, rewards)
                if options[AUTORESET] == SAME_STEP:
                    _show(options, template, setup, state, table, last_public, last_private, index)
                    _write_scores(template, setup, state, table, last_score[index])
                    deal(options, template, blank, state, table, rngs[index])
        # 4. What is seen.
        _show(options, template, setup, state, table, public, private, index)
        _show_masks(setup, state, table, players, mask, acting, index)
        _write_scores(template, setup, state, table, score[index])
