"""One seat of a game as a Gymnasium environment. The game runs by the readable rules, so that any bot can sit in.

For speed with opponents of your own use `stampede.lab.vector`.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from stampede.buffalo import BuffaloRules, Position
from stampede.buffalo.game import BuffaloGame
from stampede.buffalo.view import BuffaloView
from stampede.core.errors import IllegalAction, InputError
from stampede.core.game import Seat
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.front import bot
from stampede.kernels.buffalo.vector import layout as buffalo_at
from stampede.kernels.zoff.vector import layout as zoff_at
from stampede.lab.atoms import buffalo as buffalo_atoms
from stampede.lab.atoms import zoff as zoff_atoms
from stampede.lab.atoms.zoff import Atoms
from stampede.lab.atoms.zoff_observation import observe
from stampede.lab.gymnasium.spaces import action_space, observation_space
from stampede.lab.vector.base import ILLEGALS, REWARDS, OnIllegal, Reward, choose_one
from stampede.lab.vector.buffalo import begin_at
from stampede.lab.vector.opponents import name_bots
from stampede.lab.vector.zoff import MEMORIES, Memory, Variant, read_variant
from stampede.zoff import ZoffGame
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.edition import CowCard
from stampede.zoff.events import Revealed
from stampede.zoff.view import ZoffView

__all__ = ["BuffaloSeat", "ZoffSeat"]

Observation = dict[str, npt.NDArray[np.int8]]


class _Seat(gymnasium.Env[Observation, Any]):
    """A seat whose atoms come from outside.

    Args:
        name: The game's name, for bots.
        seats: How many seats there are.
        seat: The one that you play.
        bots: The bot of all other seats, or one for each: ``random``, ``zoff-3``, ``module:Class``.
        reward: As in `stampede.lab.vector`, at the end of the game.
        illegal: What an illegal atom does: ``terminate`` with a reward of -1, or ``raise``.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        name: str,
        seats: int,
        *,
        seat: Seat,
        bots: str | Sequence[str],
        reward: Reward,
        illegal: OnIllegal,
        size: int,
        atoms: int,
        render_mode: str | None,
    ) -> None:
        names = name_bots(seats, seat, bots)
        choose_one("reward", reward, REWARDS)
        choose_one("illegal", illegal, ILLEGALS)
        self.bots = {other: bot(named, name) for other, named in names.items()}
        self.seat = seat
        self.reward = reward
        self.illegal = illegal
        self.render_mode = render_mode
        self.atoms = atoms
        self.action_space = action_space(atoms)
        self.observation_space = observation_space(size, atoms)
        self._given: Atoms = ()
        self._game: AnyPlaythrough | None = None
        self._over = False
        self._chance = random.Random(0)

    # --- what a game provides ---

    @abstractmethod
    def _new_game(self, chance: random.Random) -> AnyPlaythrough:
        """A new game."""

    @abstractmethod
    def _legal(self) -> list[int]:
        """The atoms that the seat may give."""

    @abstractmethod
    def _answer(self, given: Atoms) -> Any:
        """The action of these atoms; None while one is missing."""

    @abstractmethod
    def _observe(self) -> npt.NDArray[np.int8]:
        """What the seat observes."""

    @abstractmethod
    def _rewards(self) -> list[float]:
        """The rewards of the game that has ended."""

    # --- Gymnasium ---

    @property
    def game(self) -> AnyPlaythrough:
        """The game that is played."""
        if self._game is None:
            raise InputError("expected reset() before the first step")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a new game and lets the bots act until you are asked."""
        super().reset(seed=seed, options=options)
        self._chance = random.Random(int(self.np_random.integers(1 << 62)))
        self._game = self._new_game(self._chance)
        self._given = ()
        self._over = False
        self._run_bots()
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an atom; when it completes an answer, the bots act until you are asked again.

        Raises:
            InputError: The game has ended or hasn't begun, or the atom is no whole number.
            IllegalAction: The atom isn't legal, and ``illegal`` is ``raise``. Nothing has changed.
        """
        if self._over:
            raise InputError("expected reset() after the end of a game, got a step")
        legal = self._legal()
        try:
            atom = index(action)
        except TypeError as error:
            raise InputError(f"action: expected a whole number, got {action!r}") from error
        if atom not in legal:
            if self.illegal == "raise":
                raise IllegalAction(f"expected one of the atoms {legal}, got {atom}")
            self._over = True
            return self._seen(), -1.0, True, False, {"illegal": atom}
        self._given = given = (*self._given, atom)
        answer = self._answer(given)
        if answer is not None:
            self._given = ()
            self.game.play(self.seat, answer)
            self._run_bots()
        self._over = self.game.outcome is not None
        reward = self._rewards()[self.seat] if self._over else 0.0
        return self._seen(), reward, self._over, False, {}

    def render(self) -> Any:
        """The table as your seat sees it."""
        return str(self.game.view(self.seat)) if self.render_mode == "ansi" else None

    def _run_bots(self) -> None:
        while others := [seat for seat in self.game.to_act if seat != self.seat]:
            self.game.play_bot(self.bots[others[0]], self._chance, others[0])

    def _seen(self) -> Observation:
        mask = np.zeros(self.atoms, dtype=np.int8)
        mask[self._legal()] = 1
        return {"observation": self._observe(), "action_mask": mask}


class ZoffSeat(_Seat):
    """A seat of Zoff, by the 240 atoms of `stampede.lab.atoms`; the observation is `ZoffVec`'s, rotated.

    ``memory`` is as in `ZoffVec`: whether the observation shows the played cards that the rules show, or all.
    """

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        players: int = 4,
        variant: Variant = (),
        *,
        seat: Seat = 0,
        bots: str | Sequence[str] = "random",
        reward: Reward = "win_share",
        memory: Memory = "view",
        illegal: OnIllegal = "terminate",
        render_mode: str | None = None,
    ) -> None:
        self.rules = read_variant(players, variant)
        choose_one("memory", memory, MEMORIES)
        self.memory = memory
        super().__init__(
            "zoff",
            players,
            seat=seat,
            bots=bots,
            reward=reward,
            illegal=illegal,
            size=zoff_at.PUBLIC + zoff_at.PRIVATE,
            atoms=zoff_at.ATOMS,
            render_mode=render_mode,
        )

    def _view(self) -> ZoffView:
        view = self.game.view(self.seat)
        assert isinstance(view, ZoffView)
        return view

    def _new_game(self, chance: random.Random) -> AnyPlaythrough:
        game = ZoffGame()
        return Playthrough(game, self.rules, game.draw(self.rules, chance))

    def _legal(self) -> list[int]:
        return zoff_atoms.legal_atoms(self._view(), self._given)

    def _answer(self, given: Atoms) -> Any:
        return zoff_atoms.answer_of(self._view(), given)

    def _observe(self) -> npt.NDArray[np.int8]:
        played = None if self.memory == "view" else self._played()
        return observe(self._view(), self._given, played=played)

    def _played(self) -> list[set[CowCard]]:
        """By seat, the cards that were ever revealed."""
        played: list[set[CowCard]] = [set() for _ in range(self.rules.players)]
        for event in self.game.events:
            if isinstance(event, Revealed) and event.choice is not None:
                played[event.seat].update(pair.card for pair in event.choice.pairs)
        return played

    def _rewards(self) -> list[float]:
        ending = self.game.state.ending
        scores = [units / BID_UNIT for units in ending.scores]
        if self.reward == "score":
            return scores
        if self.reward == "lead":
            return [s - (sum(scores) - s) / (len(scores) - 1) for s in scores]
        share = 1 / len(ending.winners)
        return [share if seat in ending.winners else 0.0 for seat in range(len(scores))]


class BuffaloSeat(_Seat):
    """A side of Buffalo, by the 287 atoms of `stampede.lab.atoms.buffalo`: seat 0 the buffaloes, 1 the hunter.

    ``start`` is the position to start from, or its FEN; the usual one by default.
    """

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        removed: str = "",
        opening_moves: int = 1,
        *,
        start: Position | str | None = None,
        seat: Seat = 0,
        bots: str | Sequence[str] = "random",
        reward: Reward = "win_share",
        illegal: OnIllegal = "terminate",
        render_mode: str | None = None,
    ) -> None:
        self.rules = BuffaloRules(tuple(removed), opening_moves)
        self.start = begin_at(self.rules, start).position
        super().__init__(
            "buffalo",
            2,
            seat=seat,
            bots=bots,
            reward=reward,
            illegal=illegal,
            size=buffalo_at.PUBLIC,
            atoms=buffalo_at.ATOMS,
            render_mode=render_mode,
        )

    def _view(self) -> BuffaloView:
        view = self.game.view(self.seat)
        assert isinstance(view, BuffaloView)
        return view

    def _new_game(self, chance: random.Random) -> AnyPlaythrough:
        del chance
        return Playthrough(BuffaloGame(), self.rules, self.start)

    def _legal(self) -> list[int]:
        return buffalo_atoms.legal_atoms(self._view())

    def _answer(self, given: Atoms) -> Any:
        return buffalo_atoms.move_of(self._view().position, given[0])

    def _observe(self) -> npt.NDArray[np.int8]:
        return buffalo_atoms.observe(self._view())

    def _rewards(self) -> list[float]:
        outcome = self.game.outcome
        assert outcome is not None
        lost = -1.0 if self.reward == "lead" else 0.0
        return [1.0 if seat in outcome.winners else lost for seat in range(2)]
