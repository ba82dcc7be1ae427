"""Bots in some seats of a vector environment: levels by kernels where there are some, else one game at a time.

| bots | how |
|---|---|
| ``random`` | kernels |
| ``zoff-1``, ``zoff-2`` | kernels: the rules of thumb of `stampede.bots.zoff.sight` |
| ``buffalo-1``, ``buffalo-2`` | kernels: those of `stampede.bots.buffalo.sight` |
| all other bots of Buffalo | the bot itself, game by game: as slow as it thinks |

Other bots of Zoff need a readable game each, with its events: `stampede.lab.gymnasium` plays these.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from stampede.bots import find_bot
from stampede.bots.buffalo.player import BuffaloBot
from stampede.bots.buffalo.sight import Sight
from stampede.bots.zoff import levels as zoff_levels
from stampede.bots.zoff.player import ZoffBot
from stampede.bots.zoff.sight import ZoffSight
from stampede.buffalo import Side
from stampede.buffalo.game import BuffaloGame
from stampede.core.bot import Bot
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.kernels.rng import draw, new_rng
from stampede.kernels.zoff.layout import MAX_CARDS, MAX_PASTURES
from stampede.kernels.zoff.vector.sight import sight_range
from stampede.lab.atoms.buffalo import atom_of
from stampede.search.buffalo.sight import sight_moves
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace

if TYPE_CHECKING:
    from stampede.lab.vector.base import VectorGames
    from stampede.lab.vector.buffalo import BuffaloVec
    from stampede.lab.vector.zoff import ZoffVec

__all__ = ["BuffaloOpponents", "Opponents", "ZoffOpponents", "name_bots", "plays_by_kernels"]

RANDOM: Final = "random"
_ABSENT: Final = -1.0
_WORD: Final = 8


def name_bots(players: int, seat: Seat, bots: str | Sequence[str]) -> dict[Seat, str]:
    """Returns the names of the bots in all other seats, by seat.

    >>> name_bots(3, 1, ["random", "zoff-1"])
    {0: 'random', 2: 'zoff-1'}

    Args:
        players: How many seats there are.
        seat: The one that you play.
        bots: One name for all other seats, or one for each in their order.
    """
    if seat not in range(players):
        raise InputError(f"seat: expected 0 to {players - 1}, got {seat!r}")
    names = [bots] * (players - 1) if isinstance(bots, str) else list(bots)
    if len(names) != players - 1:
        raise InputError(f"bots: expected {players - 1}, got {len(names)}")
    return dict(zip((one for one in range(players) if one != seat), names, strict=True))


class Opponents:
    """Bots in some seats of games. Seats without one draw any legal atom, as those of ``random`` do.

    Args:
        games: The environment.
        bots: By seat, the name of its bot.
    """

    def __init__(self, games: VectorGames, bots: Mapping[Seat, str]) -> None:
        if games.flat:
            raise InputError("games: expected actions that are atoms, got FlatZoff; use ZoffVec")
        for seat in bots:
            if not 0 <= seat < games.players:
                raise InputError(f"bots: expected seats 0 to {games.players - 1}, got {seat!r}")
        self.games = games
        self.names = {seat: name for seat, name in bots.items() if name != RANDOM}
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Begins anew: the same seed, deals and atoms give the same answers."""
        self._rng = new_rng(seed)

    def choose(self) -> npt.NDArray[np.int16]:
        """An atom for every seat of every game: int16[N, P]; overwrite those of seats that you play."""
        atoms = self.games.sample(self._rng)
        if self.names:
            self._fill(atoms)
        return atoms

    def save(self) -> bytes:
        """Returns their generator and their plans, for `restore`."""
        return self._rng.tobytes()

    def restore(self, saved: bytes) -> None:
        """Puts back what `save` has returned; the games are restored by themselves.

        Raises:
            InputError: It isn't what `save` of as many games and seats has returned.
        """
        if len(saved) != len(self.save()):
            raise InputError(f"saved: expected {len(self.save())} bytes, got {len(saved)}")
        self._rng = np.frombuffer(saved[:_WORD], np.uint64).copy()

    def _fill(self, atoms: npt.NDArray[np.int16]) -> None:
        """Writes the atoms of the seats that have a bot."""
        raise NotImplementedError


def plays_by_kernels(name: str) -> bool:
    """Whether a bot of Zoff plays by kernels, in many games at once."""
    return name == RANDOM or _sight_of(name) is not None


def _sight_of(name: str) -> ZoffSight | None:
    """The taste of a bot of Zoff that plays by kernels; None for others."""
    bot = find_bot(name, "zoff")
    return bot.level.sight if isinstance(bot, ZoffBot) else None


class ZoffOpponents(Opponents):
    """Bots of Zoff: ``random``, ``zoff-1`` and ``zoff-2``."""

    games: ZoffVec

    def __init__(self, games: ZoffVec, bots: Mapping[Seat, str]) -> None:
        super().__init__(games, bots)
        self._tastes = np.full((games.players, 2), _ABSENT)
        for seat, name in self.names.items():
            sight = _sight_of(name)
            if sight is None:
                known = ", ".join(f"zoff-{one.number}" for one in zoff_levels.LEVELS if one.sight)
                raise InputError(
                    f"bots: expected {RANDOM} or {known}, which play by kernels, got {name!r};"
                    " the environments of stampede.lab.gymnasium take any bot"
                )
            self._tastes[seat] = sight.fancy, sight.grabs
        self._plans = np.zeros((games.num_envs, games.players), dtype=np.int64)
        self._scores = np.zeros((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
        self._choice = np.zeros(4, dtype=np.int16)

    def save(self) -> bytes:
        """Returns their generator and their plans, for `restore`."""
        return super().save() + self._plans.tobytes()

    def restore(self, saved: bytes) -> None:
        """Puts back what `save` has returned."""
        super().restore(saved)
        plans = np.frombuffer(saved, np.int64, offset=_WORD)
        self._plans[:] = plans.reshape(self._plans.shape)

    def _fill(self, atoms: npt.NDArray[np.int16]) -> None:
        setups, states, tables = self.games.records
        sight_range(
            setups,
            states,
            tables,
            self._tastes,
            self._rng,
            self._plans,
            self._scores,
            self._choice,
            atoms,
            0,
            self.games.num_envs,
        )


class BuffaloOpponents(Opponents):
    """Bots of Buffalo: any."""

    games: BuffaloVec

    def __init__(self, games: BuffaloVec, bots: Mapping[Seat, str]) -> None:
        super().__init__(games, bots)
        self._tastes: dict[Seat, npt.NDArray[np.float64]] = {}
        self._bots: dict[Seat, Bot] = {}
        for seat, name in self.names.items():
            bot = find_bot(name, "buffalo")
            play = bot.level.plays(Side(seat)) if isinstance(bot, BuffaloBot) else None
            if isinstance(play, Sight):
                parts = play.blur, play.overlooks, play.favours, play.ideas
                self._tastes[seat] = np.array(parts, dtype=np.float64)
            else:
                self._bots[seat] = bot
        self._space = new_workspace(shipped_weights().sums)
        self._game = BuffaloGame()

    def _fill(self, atoms: npt.NDArray[np.int16]) -> None:
        for seat, taste in self._tastes.items():
            sight_moves(self._space, self.games.tables, seat, taste, self._rng, atoms)
        if not self._bots:
            return
        chance = random.Random(int(draw(self._rng)))
        for seat, bot in self._bots.items():
            for index in np.flatnonzero(self.games.acting[:, seat]).tolist():
                view: Any = self._game.view(self.games.state_of(index), seat)
                atoms[index, seat] = atom_of(view.position, bot.choose(view, chance))
