"""What both vector environments share: arguments, threads, autoreset, errors, saved states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from stampede.core.errors import IllegalAction, InputError
from stampede.core.game import Seat
from stampede.kernels.masks import draw_actions
from stampede.kernels.rng import RngState

__all__ = ["Autoreset", "OnIllegal", "Reward", "Transition", "VectorGames"]

Autoreset: TypeAlias = Literal["next_step", "same_step", "disabled"]
Reward: TypeAlias = Literal["win_share", "lead", "score"]
OnIllegal: TypeAlias = Literal["raise", "terminate"]
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

AUTORESETS: Final[Sequence[Autoreset]] = ("disabled", "next_step", "same_step")
"""By the number that the kernels know."""
REWARDS: Final[Sequence[Reward]] = ("win_share", "lead", "score")
_MAGIC: Final = b"stampede-vector-1\n"
_SEAT_BITS: Final = 3
_T = TypeVar("_T")


class Transition(NamedTuple):
    """What a step returns, in Gymnasium's order. The arrays are the environment's buffers, or copies of them.

    Attributes:
        observation: The observations, the masks and who is asked, by name.
        reward: float32[N, P], not 0 only where a game has just ended.
        terminated: bool[N].
        truncated: bool[N], never true: every game ends.
        info: ``illegal``, int8[N]: the seat whose illegal action ended the game, or -1. With ``same_step`` also
            ``final_observation`` and ``final_score``, of games that have just ended.
    """

    observation: Arrays
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    info: dict[str, Any]


def choose_one(name: str, value: _T, known: Sequence[_T]) -> int:
    """The place of a value among those that are known; InputError when it isn't one."""
    if value not in known:
        raise InputError(f"{name}: expected one of {', '.join(map(str, known))}, got {value!r}")
    return known.index(value)


class VectorGames(ABC):
    """Many games of one rule set, played step by step.

    Attributes:
        num_envs: How many games run side by side.
        players: How many seats each has.
        atoms: How many actions there are: the size of the ``Discrete`` space and of a mask.
        observation: The observations by name, views of buffers that every step fills again.
        action_mask: int8[N, P, atoms], 1 for a legal action; a seat that isn't asked may only do nothing.
        acting: int8[N, P], 1 for a seat that is asked.
        reward: float32[N, P].
        score: float32[N, P], as it stands.
        terminated: bool[N].
        truncated: bool[N].
        illegal: int8[N].
    """

    atoms: ClassVar[int]
    nothing: ClassVar[int]
    """The atom of a seat that isn't asked."""

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        num_envs: int,
        players: int,
        *,
        seed: int,
        autoreset: Autoreset,
        threads: int,
        copy: bool,
        reward: Reward,
        illegal: OnIllegal,
    ) -> None:
        for name, number in (("num_envs", num_envs), ("threads", threads)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise InputError(f"{name}: expected a whole number from 1, got {number!r}")
        self.num_envs = num_envs
        self.players = players
        self.autoreset = AUTORESETS[choose_one("autoreset", autoreset, AUTORESETS)]
        self.reward_name = REWARDS[choose_one("reward", reward, REWARDS)]
        choose_one("illegal", illegal, ("raise", "terminate"))
        self.on_illegal = illegal
        self.threads = min(threads, num_envs)
        self.copy = copy
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._seed = seed
        shape = (num_envs, players)
        self.action_mask = np.zeros((*shape, self.atoms), dtype=np.int8)
        self.acting = np.zeros(shape, dtype=np.int8)
        self.reward = np.zeros(shape, dtype=np.float32)
        self.score = np.zeros(shape, dtype=np.float32)
        self.final_score = np.zeros(shape, dtype=np.float32)
        self.illegal = np.full(num_envs, -1, dtype=np.int8)
        self.terminated = np.zeros(num_envs, dtype=np.bool_)
        self.truncated = np.zeros(num_envs, dtype=np.bool_)
        self.observation: Arrays = {}
        self.final_observation: Arrays = {}
        self._chosen = np.ones(num_envs, dtype=np.int8)

    # --- playing ---

    def reset(
        self, seed: int | None = None, mask: npt.ArrayLike | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Deals new games and returns their observations.

        Args:
            seed: Seeds every table's generator anew; None lets them run on.
            mask: bool[N]: which games to deal anew; all by default. A seed then counts for these alone.
        """
        chosen = np.ones(self.num_envs, dtype=np.int8)
        if mask is not None:
            chosen = np.asarray(mask).astype(np.int8)
            if chosen.shape != (self.num_envs,):
                raise InputError(
                    f"mask: expected a shape of ({self.num_envs},), got {chosen.shape}"
                )
        self._chosen[:] = chosen
        if seed is not None:
            self._reseed(seed)
        self._run(self._deal)
        fresh = chosen != 0
        self.reward[fresh] = 0
        self.terminated[fresh] = False
        self.illegal[fresh] = -1
        self._run(self._show)
        return self._own(self.observation), {}

    def step(self, actions: npt.ArrayLike) -> Transition:
        """Plays one step of every game.

        Args:
            actions: Whole numbers of shape (N, P): the atom of each seat, ``nothing`` for one that isn't asked. Games
                that are dealt anew in this step (``next_step``), or have ended, ignore theirs.

        Raises:
            InputError: The shape or the type is wrong.
            IllegalAction: An atom isn't legal, and ``illegal`` is ``raise``. No game has moved.
        """
        given = self._read(actions)
        if self.on_illegal == "raise":
            self._refuse(given)
        self._run(self._play, given)
        return self._transition()

    def _transition(self) -> Transition:
        info: dict[str, Any] = {"illegal": self._own_one(self.illegal)}
        if self.autoreset == "same_step":
            info["final_observation"] = self._own(self.final_observation)
            info["final_score"] = self._own_one(self.final_score)
        return Transition(
            self._own(self.observation),
            self._own_one(self.reward),
            self._own_one(self.terminated),
            self._own_one(self.truncated),
            info,
        )

    def sample(self, rng: RngState) -> npt.NDArray[np.int16]:
        """Draws a legal atom for every seat, each equally likely: int16[N, P].

        Args:
            rng: A generator of `stampede.kernels.rng.new_rng`, changed.
        """
        actions = np.empty((self.num_envs, self.players), dtype=np.int16)
        mask, acting = self.action_mask.reshape(-1), self.acting.reshape(-1)
        draw_actions(mask, acting, self.atoms, self.nothing, rng, actions.reshape(-1))
        return actions

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # --- single states, for search ---

    def save(self, index: int) -> bytes:
        """Returns one game, its generator included, for `restore`."""
        body = self._save(self._index(index)) + bytes([int(self.terminated[index])])
        return _MAGIC + self._digest() + body

    def restore(self, index: int, saved: bytes) -> None:
        """Puts a saved game in the place of one.

        Raises:
            InputError: It was saved by another version or with another rule set, or it is damaged.
        """
        head = _MAGIC + self._digest()
        length = len(head) + len(self._save(self._index(index))) + 1
        if not saved.startswith(_MAGIC):
            raise InputError("saved: expected a game that `save` of this version has returned")
        if not saved.startswith(head) or len(saved) != length:
            raise InputError(f"saved: expected a game of {self._rule_text()}, got another one")
        self._restore(index, saved[len(head) : -1])
        self.reward[index] = 0
        self.illegal[index] = -1
        self.terminated[index] = bool(saved[-1])
        self._show(index, index + 1)

    def _index(self, index: int) -> int:
        if not 0 <= index < self.num_envs:
            raise InputError(f"index: expected 0 to {self.num_envs - 1}, got {index!r}")
        return index

    def _digest(self) -> bytes:
        return sha256(self._rule_text().encode()).digest()[:16]

    # --- what a game provides ---

    @abstractmethod
    def _rule_text(self) -> str:
        """The rule set, to tell saved games apart."""

    @abstractmethod
    def _reseed(self, seed: int) -> None:
        """Seeds the generators of the chosen games."""

    @abstractmethod
    def _deal(self, begin: int, end: int) -> None:
        """Deals the chosen games of a range anew."""

    @abstractmethod
    def _show(self, begin: int, end: int) -> None:
        """Fills all buffers of a range anew."""

    @abstractmethod
    def _play(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> None:
        """Plays a step of a range."""

    @abstractmethod
    def _find_illegal(self, begin: int, end: int, actions: npt.NDArray[np.int16]) -> int:
        """The first illegal action of a range, as game × 8 + seat, or -1."""

    @abstractmethod
    def seat_observation(self, index: int, seat: Seat) -> npt.NDArray[np.int8]:
        """A copy of all that a seat of one game observes, without names: int8[n]."""

    @abstractmethod
    def describe_atom(self, index: int, seat: Seat, atom: int) -> str:
        """An atom in words."""

    @abstractmethod
    def _save(self, index: int) -> bytes: ...

    @abstractmethod
    def _restore(self, index: int, saved: bytes) -> None: ...

    # --- arguments, threads, copies ---

    def _read(self, actions: npt.ArrayLike) -> npt.NDArray[np.int16]:
        given = np.asarray(actions)
        expected = (self.num_envs, self.players)
        if given.shape != expected:
            raise InputError(f"actions: expected a shape of {expected}, got {given.shape}")
        if given.dtype == np.int16:
            return np.ascontiguousarray(given)
        if given.dtype.kind not in "iu":
            raise InputError(f"actions: expected whole numbers, got {given.dtype}")
        if given.size and (given.min() < -1 or given.max() > np.iinfo(np.int16).max):
            raise InputError(f"actions: expected numbers below {self.atoms}, got {given.max()}")
        return given.astype(np.int16)

    def _refuse(self, given: npt.NDArray[np.int16]) -> None:
        for found in self._run(self._find_illegal, given):
            if found >= 0:
                index, seat = found >> _SEAT_BITS, found & ((1 << _SEAT_BITS) - 1)
                atom = int(given[index, seat])
                raise IllegalAction(
                    f"game {index}, seat {seat}: expected an atom of its mask, got {atom}"
                    f" ({self.describe_atom(index, seat, atom)}); no game has moved"
                )

    def _run(self, work: Callable[..., _T], *more: object) -> list[_T]:
        """Calls work(begin, end, …) for all games, split over the threads."""
        if self._pool is None:
            return [work(0, self.num_envs, *more)]
        cuts = [self.num_envs * part // self.threads for part in range(self.threads + 1)]
        parts = [self._pool.submit(work, begin, end, *more) for begin, end in pairwise(cuts[1:])]
        return [work(0, cuts[1], *more), *(part.result() for part in parts)]

    def _own(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
        if self.copy:
            return {name: array.copy() for name, array in arrays.items()}
        return dict(arrays)

    def _own_one(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array
