"""Many games of Zoff at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import ClassVar, Final, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.core.json import canonical
from stampede.kernels.zoff import layout as kernel_at
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.layout import MAX_CARDS, Setups, States
from stampede.kernels.zoff.vector import layout as at
from stampede.kernels.zoff.vector.opening import clear, put_cow
from stampede.kernels.zoff.vector.step import (
    check_range,
    deal_range,
    seed_range,
    show_range,
    step_range,
)
from stampede.lab.vector.base import (
    AUTORESETS,
    REWARDS,
    Autoreset,
    OnIllegal,
    Reward,
    VectorGames,
    choose_one,
)
from stampede.lab.vector.zoff_parts import name_parts
from stampede.zoff.edition import SHIPPED
from stampede.zoff.rules import COWS, ZoffRules
from stampede.zoff.setup import Deal, Setup, cards_each, default_colours
from stampede.zoff.state import State, ZoffPhase, free_spaces, initial_state

__all__ = ["MEMORIES", "Memory", "Variant", "ZoffVec", "read_variant"]

Memory: TypeAlias = Literal["view", "perfect"]
MEMORIES: Final[tuple[Memory, ...]] = ("view", "perfect")
Variant: TypeAlias = ZoffRules | str | Iterable[str]
_SWITCHES: Final = tuple(item.name for item in fields(ZoffRules) if item.type == "bool")


def read_variant(players: int, variant: Variant) -> ZoffRules:
    """Returns the rule set of so many players with these variants and house rules.

    >>> read_variant(5, "auction, fair")
    ZoffRules(players=5, auction=True, fair=True)

    Args:
        players: 2 to 6.
        variant: Names of switches of `ZoffRules`, in one text or several, or a rule set for so many players.
    """
    if isinstance(variant, ZoffRules):
        if variant.players != players:
            raise InputError(f"variant: expected rules of {players} players, got {variant.players}")
        return variant
    wanted = variant.replace(",", " ").split() if isinstance(variant, str) else list(variant)
    for name in wanted:
        choose_one("variant", name, _SWITCHES)
    return ZoffRules.from_json(
        {"players": players, "edition": SHIPPED, **dict.fromkeys(wanted, True)}
    )


class ZoffVec(VectorGames):
    """Many games of Zoff, from the deal to the count, played by atoms (`stampede.lab.atoms`).

    >>> from stampede.kernels.rng import new_rng
    >>> games = ZoffVec(64, players=5, variant="fair", seed=1)
    >>> observation, _ = games.reset(seed=1)
    >>> observation["pastures"].shape, games.action_mask.shape
    ((64, 12, 6), (64, 5, 240))
    >>> rng = new_rng(1)
    >>> for _ in range(100):
    ...     observation, reward, terminated, truncated, info = games.step(games.sample(rng))
    >>> int(observation["round"].max()) >= 4
    True

    Args:
        num_envs: How many games run side by side.
        players: 2 to 6.
        variant: Variants and house rules: ``"auction, fair"``, or a `ZoffRules`.
        seed: Every deal follows from it and the number of its game.
        autoreset: What follows the end of a game, as Gymnasium defines it: ``next_step``: the next step deals, and
            ignores actions; ``same_step``: the same step deals, and ``info`` has the final observation; ``disabled``:
            `reset` with a mask deals.
        threads: How many threads share a step. The results are the same for any number.
        copy: Whether to return copies instead of the buffers.
        reward: At the end of a game: ``win_share``, the share of a victory; ``lead``, the score less the others' mean;
            ``score``, the cows on pastures less the bid.
        memory: Which played cards the observation shows: ``view``, those that the rules show (Z6.1); ``perfect``,
            all that were ever revealed.
        rotate: Whether each seat gets an observation of its own, in which it is seat 0 and its colours come first.
        viewer: With ``rotate``: the only seat that gets one; its public observations have no P.
        illegal: What an illegal atom does: ``raise`` an error, or ``terminate`` the game with a reward of -1.

    Attributes:
        rules: The rule set.
        groups: What seats play, by the colour of its cards: a group's number is its place here.
        pasture_names: The pastures in play, smallest first.
        capacity: int8[12], by pasture.
        bonus: int8[12, 4], by pasture and rank.
        card_values: int8[6, 12], by group and card.
        card_precedence: int16[6, 12]: lower goes first (Z4.2).
    """

    atoms: ClassVar[int] = at.ATOMS
    nothing: ClassVar[int] = at.NOTHING

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        num_envs: int,
        players: int = 4,
        variant: Variant = (),
        *,
        seed: int = 0,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        copy: bool = False,
        reward: Reward = "win_share",
        memory: Memory = "view",
        rotate: bool = False,
        viewer: Seat | None = None,
        illegal: OnIllegal = "raise",
    ) -> None:
        self.rules = rules = read_variant(players, variant)
        super().__init__(
            num_envs,
            players,
            autoreset=autoreset,
            threads=threads,
            copy=copy,
            reward=reward,
            illegal=illegal,
        )
        perfect = choose_one("memory", memory, MEMORIES) == 1
        self.memory = memory
        self.rotate = rotate
        if viewer is not None and not (rotate and 0 <= viewer < players):
            raise InputError(f"viewer: expected 0 to {players - 1}, and rotate, got {viewer!r}")
        self.viewer = viewer
        rows = players if rotate and viewer is None else 1
        self._options = options = np.zeros(at.OPTIONS, dtype=np.int64)
        options[at.AUCTION] = rules.auction
        options[at.REBID_AMONG_TIED] = rules.rebid_among_tied
        options[at.SHARE] = cards_each(rules)
        options[at.SEES_ALL] = perfect or rules.open_discards
        options[at.ROTATE] = rotate
        options[at.REWARD] = REWARDS.index(self.reward_name)
        options[at.AUTORESET] = AUTORESETS.index(self.autoreset)
        options[at.PUBLIC_ROWS] = rows
        options[at.VIEWER] = viewer or 0
        options[at.CHECK] = illegal == "terminate"
        options[at.FLAT] = self.flat
        blank = _blank(rules)
        self.groups = tuple(group.name for group in blank.setup.groups)
        self.pasture_names = blank.setup.pasture_names
        self._template = np.array([encode_setup(blank)], dtype=kernel_at.SETUP)
        self._blank = np.array([encode(blank)], dtype=kernel_at.STATE)
        self._setups = np.repeat(self._template, num_envs if rules.auction else 1)
        self._states = np.repeat(self._blank, num_envs)
        self._tables = np.zeros(num_envs, dtype=at.TABLE)
        self._rngs = np.zeros((num_envs, 1), dtype=np.uint64)
        setup = self._template[0]
        self.capacity = setup.capacity.astype(np.int8)
        self.bonus = setup.bonus.astype(np.int8)
        self.card_values = setup.card_values.astype(np.int8)
        self.card_precedence = setup.card_precedence.astype(np.int16)
        self._public, self._private = self._buffers(rows)
        self._final_public, self._final_private = self._buffers(rows)
        self._name_buffers()
        self.reset(seed)

    def _name_buffers(self) -> None:
        self.observation = name_parts(self._public, self._private) | self._shared()
        self.final_observation = name_parts(self._final_public, self._final_private)

    def _buffers(self, rows: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        public = np.zeros((self.num_envs, rows, at.PUBLIC), dtype=np.int8)
        return public, np.zeros((self.num_envs, self.players, at.PRIVATE), dtype=np.int8)

    @property
    def flat_observation(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """All of the observation without names: public int8[N, 1 or P, 260], private int8[N, P, 21]."""
        return self._public, self._private

    @property
    def records(self) -> tuple[Setups, States, at.Tables]:
        """The records of the kernels, secrets included, for players on kernels: set-ups (one, or N), states, tables."""
        return self._setups, self._states, self._tables

    def seat_observation(self, index: int, seat: Seat) -> npt.NDArray[np.int8]:
        """Returns a copy of all that a seat of one game observes: int8[281], the public part first.

        Raises:
            InputError: There is no such game or seat, or the public part is rotated for another `viewer`.
        """
        seats = range(self.players) if self.viewer is None else (self.viewer,)
        if seat not in seats:
            raise InputError(f"seat: expected {' or '.join(map(str, seats))}, got {seat!r}")
        shown = self._public[self._index(index), seat if self._public.shape[1] > 1 else 0]
        return np.concatenate([shown, self._private[index, seat]])

    def full_observation(self, index: int) -> npt.NDArray[np.int8]:
        """Returns the public part of one game, rotated as for the first seat that has one, and all private parts.

        int8[260 + 21 P]: all that is on the table and in hands. The order in which ties of an auction go isn't in it.
        """
        parts = self._public[self._index(index), 0], self._private[index].reshape(-1)
        return np.concatenate(parts)

    # --- looking at one game ---

    def deal_of(self, index: int) -> Deal:
        """Returns a running game's deal for the readable rules, secrets included."""
        table = self._tables[self._index(index)]
        share = cards_each(self.rules)
        return Deal(
            tuple(
                (name, tuple(self.pasture_names[p] for p in table.dealt[group, :share]))
                for group, name in enumerate(self.groups)
            ),
            None if self.rules.auction else self.groups,
            tuple(int(seat) for seat in table.tie_order[: self.players]),
        )

    def start(self, index: int, deal: Deal) -> None:
        """Starts a game with a deal of the readable rules; its groups must be in the edition's order."""
        names = tuple(name for name, _ in deal.pastures)
        if names != self.groups or deal.seats not in (None, self.groups):
            raise InputError(f"deal: expected groups {', '.join(self.groups)} in this order")
        state, table = self._states[self._index(index)], self._tables[index]
        self._states[index] = self._blank[0]
        clear(self._options, self._template[0], table)
        table.tie_order[: self.players] = deal.tie_order
        for group, (_, pastures) in enumerate(deal.pastures):
            for card, name in enumerate(pastures):
                pasture = self.pasture_names.index(name)
                table.dealt[group, card] = pasture
                if self.players > 2:
                    put_cow(state, pasture, int(self._template[0].colours_of[group, 0]))
        self._replaced(index, over=False)

    def load(self, index: int, state: State) -> None:
        """Puts a state of the readable rules in the place of a game: one past the auction, without sealed answers.

        Raises:
            InputError: It has other rules or colours, or its auction isn't over.
        """
        if state.setup.rules != self.rules or any(answer is not None for answer in state.sealed):
            raise InputError(f"state: expected one of {self.rules} without sealed answers")
        names = tuple(group.name for group in state.setup.groups)
        if names != self.groups or None in state.owners or state.round == 0:
            raise InputError(f"state: expected a round of {', '.join(self.groups)}")
        owners = cast("tuple[Seat, ...]", state.owners)
        if not self.rules.auction and owners != tuple(range(self.players)):
            raise InputError("state: expected the first colour in seat 0, and so on")
        table = self._tables[self._index(index)]
        table.stage, table.half, table.bonus_laid = at.ROUNDS, 0, 0
        table.over, table.illegal = state.ending is not None, -1
        for group, seat in enumerate(owners):
            bid = state.bids[seat]
            table.owner_of[group], table.group_of[seat] = seat, group
            table.standing[seat] = -1 if bid is None else bid.units // at.BID_STEP
        if self.rules.auction:
            self._setups[index] = encode_setup(state)
        self._states[index] = encode(state)
        own = self._states[index]
        table.cows[:] = own.herds.sum(axis=0) + own.reserves
        self._replaced(index, over=state.ending is not None)

    def describe_game(self, index: int) -> str:
        """Returns herds and hands of a game as text, with the numbers of pastures and cards in its atoms."""
        state, table = self._states[self._index(index)], self._tables[index]
        stages = {at.SETTLE: "settling", at.BID: "bids", at.PICK: "colours are picked"}
        stage = stages.get(int(table.stage), f"round {state.round_number}")
        colours = _blank(self.rules).setup.colours
        lines = [f"Zoff, {self.players} players, {'over' if table.over else stage}"]
        for pasture, name in enumerate(self.pasture_names):
            cows = zip(state.herds[pasture], colours, strict=False)
            herds = [f"{count} {colour}" for count, colour in cows if count]
            free = f"{state.free[pasture]} of {self.capacity[pasture]} free"
            lines.append(f"{pasture:2} {name}: {', '.join([*herds, free])}")
        for seat in range(self.players):
            group = int(table.group_of[seat])
            if group < 0:
                lines.append(f"seat {seat}: no colour yet")
                continue
            hand = [card for card in range(MAX_CARDS) if state.hands[seat] >> card & 1]
            cards = ", ".join(f"{card} ({self.card_values[group, card]})" for card in hand)
            lines.append(
                f"seat {seat}, {self.groups[group]}: {self.score[index, seat]:g} cows, cards {cards or 'none'}"
            )
        return "\n".join(lines)

    def describe_atom(self, index: int, seat: Seat, atom: int) -> str:
        """Returns an atom in words."""
        del index, seat
        if at.PAIRS <= atom < at.COWS:
            pasture, card = divmod(atom, MAX_CARDS)
            return f"pair of pasture {pasture} and card {card}"
        for name, first, last in (
            ("cows", at.COWS, at.BONUS),
            ("bonus cow on pasture", at.BONUS, at.STOP),
            ("stop", at.STOP, at.PICKS),
            ("pick of group", at.PICKS, at.SETTLES),
            ("settlement", at.SETTLES, at.BIDS),
            ("bid", at.BIDS, at.NOTHING),
            ("nothing", at.NOTHING, at.ATOMS),
        ):
            if first <= atom < last:
                return f"{name} {atom - first}"
        return "no atom"

    # --- kernels ---

    def _rule_text(self) -> str:
        return canonical(self.rules.to_json())

    def _reseed(self, seed: int) -> None:
        fresh = np.zeros_like(self._rngs)
        seed_range(fresh, seed % (1 << 63), 0, self.num_envs)
        chosen = self._chosen != 0
        self._rngs[chosen] = fresh[chosen]

    def _reseed_one(self, index: int, seed: int) -> None:
        seed_range(self._rngs[index : index + 1], seed % (1 << 63), 0, 1)

    def _deal(self, begin: int, end: int) -> None:
        deal_range(
            self._options,
            self._template[0],
            self._blank[0],
            self._states,
            self._tables,
            self._rngs,
            self._chosen,
            begin,
            end,
        )

    def _show(self, begin: int, end: int) -> None:
        show_range(
            self._options,
            self._template[0],
            self._setups,
            self._states,
            self._tables,
            self._public.reshape(-1),
            self._private.reshape(-1),
            self.action_mask.reshape(-1),
            self.acting.reshape(-1),
            self.score,
            begin,
            end,
        )

    def _play(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> None:
        step_range(
            self._options,
            self._template[0],
            self._blank[0],
            self._setups,
            self._states,
            self._tables,
            self._rngs,
            actions,
            self._public.reshape(-1),
            self._private.reshape(-1),
            self.action_mask.reshape(-1),
            self.acting.reshape(-1),
            self.reward,
            self.score,
            self.terminated.view(np.int8),
            self.illegal,
            self._final_public.reshape(-1),
            self._final_private.reshape(-1),
            self.final_score,
            begin,
            end,
        )

    def _find_illegal(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> int:
        return check_range(
            self._options, self._setups, self._states, self._tables, actions, begin, end
        )

    def _save(self, index: int) -> bytes:
        own = self._setups[index].tobytes() if self.rules.auction else b""
        parts = self._states[index], self._tables[index], self._rngs[index]
        return own + b"".join(part.tobytes() for part in parts)

    def _restore(self, index: int, saved: bytes) -> None:
        targets = [self._states, self._tables, self._rngs]
        if self.rules.auction:
            targets.insert(0, self._setups)
        start = 0
        for target in targets:
            size = target[index].nbytes
            part = np.frombuffer(saved[start : start + size], dtype=target.dtype)
            target[index] = part[0]
            start += size


def _blank(rules: ZoffRules) -> State:
    """The state of the readable rules in which nothing has been placed and seat 0 has the first group, and so on."""
    plain = replace(rules, auction=False)
    colours = default_colours(plain, plain.printed)
    share = cards_each(plain)
    names = [pasture.name for pasture in plain.printed.pastures_for(plain.players)]
    deal = Deal(
        tuple((name, tuple(names[i * share : (i + 1) * share])) for i, name in enumerate(colours)),
        colours,
        tuple(range(plain.players)),
    )
    setup = Setup.build(plain, deal)
    herds = tuple((0,) * len(setup.colours) for _ in setup.pastures)
    return replace(
        initial_state(setup),
        phase=ZoffPhase.CHOOSE,
        round=1,
        owners=tuple(range(plain.players)),
        herds=herds,
        free=free_spaces(setup, herds),
        reserves=(COWS,) * len(setup.colours),
    )
