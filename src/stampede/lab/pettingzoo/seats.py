"""Both interfaces of PettingZoo over a vector environment with one game."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from stampede.core.errors import IllegalAction, InputError
from stampede.core.game import Seat
from stampede.lab.gymnasium.spaces import action_space, observation_space, seen_space
from stampede.lab.vector.base import VectorGames, choose_one

__all__ = ["SeatsAEC", "SeatsParallel"]

Observation = dict[str, npt.NDArray[np.int8]]


class _Seats:
    """What both interfaces share: agents, spaces, seeds and observations.

    Args:
        games: A vector environment with one game and without autoreset.
        name: The environment's name.
        render_mode: ``ansi`` for text, or None.
    """

    def __init__(self, games: VectorGames, name: str, render_mode: str | None = None) -> None:
        modes = ("ansi",)
        if render_mode is not None:
            choose_one("render_mode", render_mode, modes)
        self.games = games
        self.metadata = {"render_modes": [*modes], "name": name, "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(games.players)]
        self.agents: list[str] = []
        size = len(games.seat_observation(0, 0))
        # A space of its own for each agent, as each has its own generator.
        agents, atoms = self.possible_agents, games.atoms
        self.observation_spaces = {agent: observation_space(size, atoms) for agent in agents}
        self.action_spaces = {agent: action_space(atoms) for agent in agents}
        self.state_space = seen_space(len(games.full_observation(0)))
        self._generator: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The atoms."""
        return self.action_spaces[agent]

    def state(self) -> npt.NDArray[np.int8]:
        """What all agents see together, secrets included: for critics that are trained centrally."""
        return self.games.full_observation(0)

    def render(self) -> str | None:
        """The game as text with ``ansi``, secrets included: for people who watch, not for agents."""
        return self.games.describe_game(0) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Ends the game's threads."""
        self.games.close()

    def _seat(self, agent: str) -> Seat:
        if agent not in self.possible_agents:
            raise InputError(f"agent: expected one of {self.possible_agents}, got {agent!r}")
        return self.possible_agents.index(agent)

    def _atom(self, agent: str, action: object) -> int:
        """An agent's atom as a number; one that is none stays so, and is illegal."""
        try:
            atom = index(action)  # type: ignore[arg-type]  # this is what is checked
        except TypeError as error:
            raise InputError(f"{agent}: expected a whole number, got {action!r}") from error
        return max(-1, min(atom, self.games.atoms))

    def _expect_agents(self) -> None:
        if not self.agents:
            raise InputError("expected reset() before a step: no agent is playing")

    def _deal(self, seed: int | None) -> None:
        """Deals a game: the same after the same seed, else the next one of this environment's chance."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(seed)
        self.games.reset(int(self._generator.integers(1 << 62)))

    def _observe(self, agent: str) -> Observation:
        seat = self._seat(agent)
        return {
            "observation": self.games.seat_observation(0, seat),
            "action_mask": self.games.action_mask[0, seat].copy(),
        }


class SeatsAEC(_Seats, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One agent at a time. Where all answer at once, each answers before any answer is shown."""

    def __init__(self, games: VectorGames, name: str, render_mode: str | None = None) -> None:
        super().__init__(games, name, render_mode)
        self.agent_selection = ""  # until `reset`

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Deals a new game."""
        del options
        self._deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Waits for all seats that are asked now, the first of them first."""
        self._given = np.full(self.games.players, self.games.nothing, dtype=np.int16)
        self._awaited = np.flatnonzero(self.games.acting[0]).tolist()
        self.agent_selection = self.possible_agents[self._awaited.pop(0)]

    def observe(self, agent: str) -> Observation:
        """What an agent may know, and its mask."""
        return self._observe(agent)

    def step(self, action: int | None) -> None:
        """Takes the atom of the selected agent.

        Raises:
            InputError: No game is being played, or the atom is no whole number.
            IllegalAction: The atom isn't legal, and ``illegal`` is ``raise``.
        """
        self._expect_agents()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError(f"{agent}: expected an atom, got None, which is for ended games")
        atom = self._atom(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self._seat(agent)
        if not (0 <= atom < self.games.atoms and self.games.action_mask[0, seat, atom]):
            self._refuse(agent, atom)
            return
        self._given[seat] = atom
        if self._awaited:
            self.agent_selection = self.possible_agents[self._awaited.pop(0)]
            return
        _, reward, terminated, _, _ = self.games.step(self._given[None])
        if terminated[0]:
            self._end(dict(zip(self.agents, reward[0].tolist(), strict=True)))
        else:
            self._ask()

    def _refuse(self, agent: str, atom: int) -> None:
        if self.games.on_illegal == "raise":
            told = self.games.describe_atom(0, self._seat(agent), atom)
            raise IllegalAction(f"{agent}: expected an atom of its mask, got {atom} ({told})")
        self._end({other: -1.0 if other == agent else 0.0 for other in self.agents})

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]


class SeatsParallel(_Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """All agents at once; one that isn't asked does nothing, as its mask says."""

    def reset(
        self, seed: int | None = None, options: object = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, object]]]:
        """Deals a new game."""
        del options
        self._deal(seed)
        self.agents = self.possible_agents[:]
        return {agent: self._observe(agent) for agent in self.agents}, {a: {} for a in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, object]],
    ]:
        """Takes the atoms of all agents.

        Raises:
            InputError: No game is being played, an agent isn't known, or an atom is no whole number.
            IllegalAction: An atom isn't legal, and ``illegal`` is ``raise``.
        """
        self._expect_agents()
        agents = self.agents
        given = np.full((1, self.games.players), self.games.nothing, dtype=np.int64)
        for agent, action in actions.items():
            given[0, self._seat(agent)] = self._atom(agent, action)
        _, reward, terminated, _, _ = self.games.step(given)
        over = bool(terminated[0])
        if over:
            self.agents = []
        return (
            {agent: self._observe(agent) for agent in agents},
            {agent: float(reward[0, self._seat(agent)]) for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )
