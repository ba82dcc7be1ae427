"""What both vector environments share: arguments, threads, autoreset, errors, saved states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast

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
ILLEGALS: Final[Sequence[OnIllegal]] = ("raise", "terminate")
_MAGIC: Final = b"stampede-vector-2\n"
_DIGEST: Final = 16
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


def read_numbers(
    name: str, given: npt.ArrayLike, shape: tuple[int, ...], kinds: str, wanted: str
) -> npt.NDArray[Any]:
    """An array of a shape and of one of these kinds of numbers; InputError when it isn't one.

    Args:
        name: What it is.
        given: What was given.
        shape: The shape.
        kinds: NumPy's letters of kinds: ``iu`` for whole numbers, ``b`` for bool.
        wanted: The kind in words.
    """
    try:
        found = np.asarray(given)
    except ValueError as error:
        raise InputError(
            f"{name}: expected a shape of {shape}, got rows of different lengths"
        ) from error
    if found.shape != shape:
        raise InputError(f"{name}: expected a shape of {shape}, got {found.shape}")
    if found.dtype.kind not in kinds:
        raise InputError(f"{name}: expected {wanted}, got {found.dtype}")
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _digest(data: bytes) -> bytes:
    return sha256(data).digest()[:_DIGEST]


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
    flat: ClassVar[bool] = False
    """Whether actions are numbers of whole answers: see `FlatZoff`."""

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        num_envs: int,
        players: int,
        *,
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
        self.on_illegal = ILLEGALS[choose_one("illegal", illegal, ILLEGALS)]
        self.threads = min(threads, num_envs)
        self.copy = copy
        self._closed = False
        self._pool = self._new_pool()
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

    def _new_pool(self) -> ThreadPoolExecutor | None:
        several = self.threads > 1 and not self._closed
        return ThreadPoolExecutor(self.threads) if several else None

    def __getstate__(self) -> dict[str, Any]:
        """For `copy` and pickle: without threads, and without views, which would become arrays of their own."""
        left_out = ("_pool", "observation", "final_observation")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Starts the copy's threads, and lets its observations be views of its own buffers."""
        vars(self).update(state)
        self._pool = self._new_pool()
        self._name_buffers()

    # --- playing ---

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        mask: npt.ArrayLike | None = None,
    ) -> tuple[Arrays, dict[str, Any]]:
        """Deals new games and returns their observations.

        Args:
            seed: Seeds every table's generator anew; None lets them run on. One number for all tables, whose
                generators then differ by their place; or a number or None for each, so that tables with equal numbers
                deal equal games.
            mask: bool[N]: which games to deal anew; all by default. A seed then counts for these alone.
        """
        fresh = np.ones(self.num_envs, dtype=np.bool_)
        if mask is not None:
            fresh = read_numbers("mask", mask, (self.num_envs,), "b", "bool")
        seeds = self._read_seeds(seed)
        self._chosen[:] = fresh
        if isinstance(seeds, int):
            self._reseed(seeds)
        else:
            for index, own in enumerate(seeds):
                if own is not None and fresh[index]:
                    self._reseed_one(index, own)
        self._run(self._deal)
        self.reward[fresh] = 0
        self.terminated[fresh] = False
        self.illegal[fresh] = -1
        self._run(self._show)
        return self._own(self.observation), {}

    def _read_seeds(self, seed: object) -> int | list[int | None]:
        """One seed for all tables, or one for each; none at all for None."""
        if seed is None:
            return []
        if _is_number(seed):
            return int(cast("int", seed))
        seeds = seed.tolist() if isinstance(seed, np.ndarray) else seed
        wanted = f"a whole number, {self.num_envs} of them, or None"
        if isinstance(seeds, str) or not isinstance(seeds, Sequence):
            raise InputError(f"seed: expected {wanted}, got {seed!r}")
        if len(seeds) != self.num_envs:
            raise InputError(f"seed: expected {wanted}, got {len(seeds)} seeds")
        for own in seeds:
            if own is not None and not _is_number(own):
                raise InputError(f"seed: expected {wanted}, got {own!r} among them")
        return [None if own is None else int(own) for own in seeds]

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
        """Ends the threads, and the environment: its arrays stay, but it doesn't step any more."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # --- single states, for search ---

    def save(self, index: int) -> bytes:
        """Returns one game, its generator included, for `restore`."""
        body = self._save(self._index(index)) + bytes([int(self.terminated[index])])
        return self._head() + _digest(body) + body

    def restore(self, index: int, saved: bytes) -> None:
        """Puts a saved game in the place of one.

        Raises:
            InputError: It was saved by another version or with another rule set, or it is damaged.
        """
        head = self._head()
        if not isinstance(saved, bytes):
            raise InputError(f"saved: expected bytes, got {type(saved).__name__}")
        if not saved.startswith(_MAGIC):
            raise InputError("saved: expected a game that `save` of this version has returned")
        if not saved.startswith(head):
            raise InputError(f"saved: expected a game of {self._rule_text()}, got another one")
        check, body = saved[len(head) :][:_DIGEST], saved[len(head) + _DIGEST :]
        if check != _digest(body):
            raise InputError("saved: expected what `save` has returned, got changed bytes")
        self._restore(self._index(index), body[:-1])
        self._replaced(index, over=bool(body[-1]))

    def _replaced(self, index: int, *, over: bool) -> None:
        """Fills the buffers of a game that was put in the place of another one."""
        self.reward[index] = 0
        self.illegal[index] = -1
        self.terminated[index] = over
        self._show(index, index + 1)

    def _index(self, index: int) -> int:
        if not (_is_number(index) and 0 <= index < self.num_envs):
            raise InputError(f"index: expected 0 to {self.num_envs - 1}, got {index!r}")
        return index

    def _head(self) -> bytes:
        return _MAGIC + _digest(self._rule_text().encode())

    # --- what a game provides ---

    @abstractmethod
    def _name_buffers(self) -> None:
        """Fills `observation` and `final_observation` with views of the buffers."""

    @abstractmethod
    def full_observation(self, index: int) -> npt.NDArray[np.int8]:
        """A copy of what all seats of one game observe together, secrets included, without names: int8[n]."""

    @abstractmethod
    def _rule_text(self) -> str:
        """The rule set, to tell saved games apart."""

    @abstractmethod
    def _reseed(self, seed: int) -> None:
        """Seeds the generators of the chosen games."""

    @abstractmethod
    def _reseed_one(self, index: int, seed: int) -> None:
        """Seeds the generator of one game, whatever its place."""

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
    def describe_game(self, index: int) -> str:
        """One game as text, with what is hidden."""

    @abstractmethod
    def describe_atom(self, index: int, seat: Seat, atom: int) -> str:
        """An atom in words."""

    @abstractmethod
    def _save(self, index: int) -> bytes: ...

    @abstractmethod
    def _restore(self, index: int, saved: bytes) -> None: ...

    # --- arguments, threads, copies ---

    def _read(self, actions: npt.ArrayLike) -> npt.NDArray[np.int16]:
        expected = (self.num_envs, self.players)
        given = read_numbers("actions", actions, expected, "iu", "whole numbers")
        if given.dtype == np.int16:
            return np.ascontiguousarray(given)
        limits = np.iinfo(np.int16)
        wrong = given[(given < limits.min) | (given > limits.max)]
        if wrong.size:
            raise InputError(f"actions: expected numbers that fit int16, got {wrong[0]}")
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
        if self._closed:
            raise InputError("expected an environment that is open, got one after close()")
        if self._pool is None:
            return [work(0, self.num_envs, *more)]
        cuts = [self.num_envs * part // self.threads for part in range(self.threads + 1)]
        parts = [self._pool.submit(work, begin, end, *more) for begin, end in pairwise(cuts[1:])]
        return [work(0, cuts[1], *more), *(part.result() for part in parts)]

    def _shared(self) -> Arrays:
        """What an observation holds for either game."""
        return {"score": self.score, "acting": self.acting, "action_mask": self.action_mask}

    def _own(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
        if self.copy:
            return {name: array.copy() for name, array in arrays.items()}
        return dict(arrays)

    def _own_one(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array
