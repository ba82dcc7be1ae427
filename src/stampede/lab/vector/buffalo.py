"""Many games of Buffalo at once."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from stampede.buffalo import BuffaloRules, Position, Side
from stampede.buffalo.geometry import FILES, NAMES
from stampede.buffalo.state import BuffaloState, Opening
from stampede.buffalo.view import view_of
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.kernels.buffalo.bridge import decode, new_board
from stampede.kernels.buffalo.layout import BOARD_WORDS, KEY
from stampede.kernels.buffalo.lookups import FIRST, PLACES
from stampede.kernels.buffalo.vector import layout as at
from stampede.kernels.buffalo.vector.draw import draw_moves
from stampede.kernels.buffalo.vector.step import (
    check_range,
    reset_range,
    show_range,
    step_range,
)
from stampede.kernels.rng import RngState
from stampede.lab.vector.base import (
    AUTORESETS,
    REWARDS,
    Arrays,
    Autoreset,
    OnIllegal,
    Reward,
    VectorGames,
)

__all__ = ["BuffaloVec", "begin_at", "table_of"]


def begin_at(rules: BuffaloRules, start: Position | str | None) -> BuffaloState:
    """Returns a game before its first move; InputError if it is over.

    Args:
        rules: The handicap.
        start: The position, or its FEN; None for the usual one.
    """
    place = Position.from_fen(start) if isinstance(start, str) else start
    begun = BuffaloState.begin(rules, place or Position.start(rules.removed))
    if begun.outcome is not None:
        raise InputError(f"start: expected a game in progress, got {begun.position.fen()}")
    return begun


def table_of(state: BuffaloState) -> npt.NDArray[np.int64]:
    """Encodes a game of the readable rules as a table of the kernels: int64[12]."""
    table = np.zeros(at.TABLE_WORDS, dtype=np.int64)
    table[:BOARD_WORDS] = new_board(state.position)
    if state.opening is not None:
        table[at.LEFT] = state.opening.left
        table[at.STEPPED] = sum(1 << FILES.index(file) for file in state.opening.stepped)
    table[at.NUMBER] = state.position.number
    table[at.OVER] = state.outcome is not None
    table[at.WINNER] = -1 if state.outcome is None else state.outcome.winners[0]
    return table


class BuffaloVec(VectorGames):
    """Many games of Buffalo, played by atoms: see `stampede.kernels.buffalo.vector.layout` for the 287.

    >>> from stampede.kernels.rng import new_rng
    >>> games = BuffaloVec(64)
    >>> games.observation["board"].shape, games.action_mask.shape
    ((64, 77), (64, 2, 287))
    >>> rng = new_rng(1)
    >>> for _ in range(100):
    ...     observation, reward, terminated, truncated, info = games.step(games.sample(rng))
    >>> int(observation["number"].max()) > 1
    True

    Args:
        num_envs: How many games run side by side.
        players: Always 2: seat 0 the buffalo side, seat 1 the hunter.
        variant: The handicap (B4); none by default.
        start: The position to start from, or its FEN; the usual one by default.
        seed: Buffalo has no chance: accepted, as other environments take one.
        autoreset: As in `ZoffVec`.
        threads: How many threads share a step.
        copy: Whether to return copies instead of the buffers.
        reward: At the end: ``win_share`` and ``score``, 1 for the winner and 0 for the loser; ``lead``, 1 and -1.
        illegal: What an illegal atom does: ``raise`` an error, or ``terminate`` the game with a reward of -1.
    """

    atoms: ClassVar[int] = at.ATOMS
    nothing: ClassVar[int] = at.NOTHING

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        num_envs: int,
        players: int = 2,
        variant: BuffaloRules | None = None,
        *,
        start: Position | str | None = None,
        seed: int = 0,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        copy: bool = False,
        reward: Reward = "win_share",
        illegal: OnIllegal = "raise",
    ) -> None:
        if players != 2:
            raise InputError(f"players: expected 2, got {players!r}")
        if not isinstance(variant, BuffaloRules | None):
            raise InputError(f"variant: expected BuffaloRules or None, got {variant!r}")
        super().__init__(
            num_envs,
            players,
            autoreset=autoreset,
            threads=threads,
            copy=copy,
            reward=reward,
            illegal=illegal,
        )
        self.rules = rules = variant or BuffaloRules()
        self._begun = begun = begin_at(rules, start)
        self._start = table_of(begun)
        self._tables = np.zeros((num_envs, at.TABLE_WORDS), dtype=np.int64)
        self._targets = np.zeros((num_envs, at.PIECES), dtype=np.int64)
        self._public = np.zeros((num_envs, at.PUBLIC), dtype=np.int8)
        self._final_public = np.zeros_like(self._public)
        self._name_buffers()
        self.reset(seed)

    def _name_buffers(self) -> None:
        self.observation = _name(self._public) | self._shared()
        self.final_observation = _name(self._final_public)

    @property
    def flat_observation(self) -> npt.NDArray[np.int8]:
        """All of the observation without names: int8[N, 91]."""
        return self._public

    def seat_observation(self, index: int, seat: Seat) -> npt.NDArray[np.int8]:
        """Returns a copy of the observation of one game, int8[91], the same for both seats.

        Raises:
            InputError: There is no such game or seat.
        """
        if seat not in range(2):
            raise InputError(f"seat: expected 0 or 1, got {seat!r}")
        shown: npt.NDArray[np.int8] = self._public[self._index(index)].copy()
        return shown

    def full_observation(self, index: int) -> npt.NDArray[np.int8]:
        """Returns the same: nothing is hidden."""
        return self.seat_observation(index, 0)

    @property
    def tables(self) -> npt.NDArray[np.int64]:
        """The tables of the kernels, for players on kernels: int64[N, 12]."""
        return self._tables

    def state_of(self, index: int) -> BuffaloState:
        """Returns a game as a state of the readable rules; the last move isn't in it."""
        table = self._tables[self._index(index)]
        left, stepped = int(table[at.LEFT]), int(table[at.STEPPED])
        files = tuple(file for number, file in enumerate(FILES) if (stepped >> number) & 1)
        position = replace(decode(table[KEY]), number=int(table[at.NUMBER]))
        return BuffaloState(
            self.rules,
            self._begun.position,
            position,
            Opening(left, files) if left else None,
            outcome=position.outcome() if table[at.OVER] else None,
        )

    def load(self, index: int, state: BuffaloState) -> None:
        """Puts a game of the readable rules in the place of one."""
        self._tables[self._index(index)] = table_of(state)
        self._replaced(index, over=state.outcome is not None)

    def describe_game(self, index: int) -> str:
        """Returns the board as text, and whose turn it is."""
        return str(view_of(self.state_of(index), None))

    def describe_atom(self, index: int, seat: Seat, atom: int) -> str:
        """Returns a move in words."""
        del index, seat
        if at.STEPS <= atom < at.CHIEF_TO:
            return f"the buffalo of file {FILES[atom]}"
        if at.CHIEF_TO <= atom < at.NOTHING:
            piece, target = divmod(atom - at.CHIEF_TO, PLACES)
            return f"{f'dog {piece}' if piece else 'the chief'} to {NAMES[target + FIRST]}"
        return "nothing" if atom == at.NOTHING else "no atom"

    def sample(self, rng: RngState) -> npt.NDArray[np.int16]:
        """Draws a legal atom for every seat, each equally likely: int16[N, 2]. See `VectorGames.sample`."""
        actions = np.empty((self.num_envs, 2), dtype=np.int16)
        draw_moves(self._tables, self._targets, rng, actions)
        return actions

    # --- kernels ---

    def _rule_text(self) -> str:
        return f"Buffalo, {self.rules}"

    def _reseed(self, seed: int) -> None:
        del seed  # nothing is drawn

    def _reseed_one(self, index: int, seed: int) -> None:
        del index, seed

    def _deal(self, begin: int, end: int) -> None:
        reset_range(self._tables, self._start, self._chosen, begin, end)

    def _show(self, begin: int, end: int) -> None:
        show_range(
            self._tables,
            self._targets,
            self._public.reshape(-1),
            self.action_mask.reshape(-1),
            self.acting.reshape(-1),
            self.score,
            begin,
            end,
        )

    def _play(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> None:
        step_range(
            self._tables,
            self._targets,
            self._start,
            actions,
            self._public.reshape(-1),
            self.action_mask.reshape(-1),
            self.acting.reshape(-1),
            self.reward,
            self.score,
            self.terminated.view(np.int8),
            self.illegal,
            self._final_public.reshape(-1),
            self.final_score,
            REWARDS.index(self.reward_name),
            AUTORESETS.index(self.autoreset),
            int(self.on_illegal == "terminate"),
            begin,
            end,
        )

    def _find_illegal(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> int:
        return check_range(self._tables, self._targets, actions, begin, end)

    def _save(self, index: int) -> bytes:
        table: bytes = self._tables[index].tobytes()
        return table

    def _restore(self, index: int, saved: bytes) -> None:
        self._tables[index] = np.frombuffer(saved, dtype=np.int64)


def _name(public: npt.NDArray[np.int8]) -> Arrays:
    """Views of the parts of observations, by name."""
    return {
        "board": public[:, : at.SQUARES],
        "turn": public[:, at.TURN],
        "number": public[:, at.MOVE_NUMBER],
        "opening_left": public[:, at.OPENING_LEFT],
        "opening_stepped": public[:, at.OPENING_STEPPED :],
    }


assert int(Side.HUNTER) == 1
