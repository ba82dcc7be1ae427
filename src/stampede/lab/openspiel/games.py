"""The games and states of OpenSpiel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyspiel

from stampede.buffalo import BuffaloRules
from stampede.core.game import Seat
from stampede.lab.openspiel.positions import BuffaloPositions, Positions, ZoffPositions
from stampede.lab.vector import BuffaloVec, ZoffVec

__all__ = ["BuffaloSpiel", "SpielState", "ZoffSpiel", "register_all"]

LONGEST: Final = 512
"""More atoms than any game has."""
_ZOFF_PARAMETERS: Final[dict[str, Any]] = {"players": 4, "variant": "", "simultaneous": False}
_BUFFALO_PARAMETERS: Final[dict[str, Any]] = {"removed": "", "opening_moves": 1, "start": ""}


def _game_type(short: str, title: str, parameters: dict[str, Any], **more: Any) -> Any:
    kind = pyspiel.GameType
    usual = {
        "dynamics": kind.Dynamics.SEQUENTIAL,
        "chance_mode": kind.ChanceMode.EXPLICIT_STOCHASTIC,
        "information": kind.Information.IMPERFECT_INFORMATION,
        "max_num_players": 6,
    }
    return kind(
        short_name=short,
        long_name=title,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
        **{**usual, **more},
    )


def _zoff_type(*, simultaneous: bool) -> Any:
    dynamics = pyspiel.GameType.Dynamics
    chosen = dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL
    return _game_type("stampede_zoff", "Zoff in Buffalo", _ZOFF_PARAMETERS, dynamics=chosen)


def _buffalo_type() -> Any:
    return _game_type(
        "stampede_buffalo",
        "Buffalo",
        _BUFFALO_PARAMETERS,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        max_num_players=2,
    )


class _SpielGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """A game of OpenSpiel whose states are positions."""

    def __init__(
        self, kind: Any, positions: Positions, outcomes: int, parameters: dict[str, Any]
    ) -> None:
        players = positions.games.players
        info = pyspiel.GameInfo(
            num_distinct_actions=positions.games.atoms,
            max_chance_outcomes=outcomes,
            num_players=players,
            min_utility=-1.0,
            max_utility=players - 1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, parameters)
        self.positions = positions
        self.simultaneous = bool(parameters.get("simultaneous", False))

    def new_initial_state(self) -> SpielState:
        """Before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What observes states."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(self.positions, kind, params)


class ZoffSpiel(_SpielGame):
    """``stampede_zoff(players=4,variant=auction fair,simultaneous=False)``.

    Turn by turn, seats that are asked together answer one after the other, without knowing each other's answers.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = {**_ZOFF_PARAMETERS, **(params or {})}
        games = ZoffVec(1, parameters["players"], parameters["variant"], autoreset="disabled")
        kind = _zoff_type(simultaneous=parameters["simultaneous"])
        super().__init__(kind, ZoffPositions(games), len(games.pasture_names), parameters)


class BuffaloSpiel(_SpielGame):
    """``stampede_buffalo(removed=cf,opening_moves=1,start=FEN)``. A late start makes a game that can be solved."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = {**_BUFFALO_PARAMETERS, **(params or {})}
        rules = BuffaloRules(tuple(parameters["removed"]), parameters["opening_moves"])
        start = parameters["start"] or None
        games = BuffaloVec(1, variant=rules, start=start, autoreset="disabled")
        super().__init__(_buffalo_type(), BuffaloPositions(games), 0, parameters)


class SpielState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A state: what chance has drawn, the position as bytes, and the answers that aren't complete."""

    def __init__(self, game: _SpielGame) -> None:
        super().__init__(game)
        self._positions = game.positions
        self._simultaneous = game.simultaneous
        self._drawn: tuple[int, ...] = ()
        self._position = b""
        self._asked: tuple[Seat, ...] = ()
        self._given: tuple[int, ...] = ()
        self._shares: tuple[float, ...] | None = None
        self._open: tuple[str, ...] = ()  # what all have seen
        self._hidden: tuple[int, ...] = ()  # first pairs, by seat
        self._held_back = ""
        self._outcomes = tuple(self._positions.outcomes(()))
        if not self._outcomes:
            self._begin()

    def _begin(self) -> None:
        self._position = self._positions.begin(self._drawn)
        self._asked = self._positions.asked(self._position)

    # --- OpenSpiel's interface ---

    def current_player(self) -> Any:
        """Who is to move: chance, a seat, all at once, or nobody."""
        if self._outcomes:
            return pyspiel.PlayerId.CHANCE
        if self._shares is not None:
            return pyspiel.PlayerId.TERMINAL
        if self._simultaneous and len(self._asked) > 1:
            return pyspiel.PlayerId.SIMULTANEOUS
        return self._asked[len(self._given)]

    def _legal_actions(self, player: Seat) -> list[int]:
        if player in self._asked:
            return self._positions.legal(self._position, player)
        return [self._positions.games.nothing] if self._simultaneous else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that is left is equally likely."""
        return [(outcome, 1 / len(self._outcomes)) for outcome in self._outcomes]

    def _apply_action(self, action: int) -> None:
        if self._outcomes:
            self._drawn = (*self._drawn, action)
            self._outcomes = tuple(self._positions.outcomes(self._drawn))
            if not self._outcomes:
                self._begin()
            return
        self._given = (*self._given, action)
        if len(self._given) == len(self._asked):
            self._play(dict(zip(self._asked, self._given, strict=True)))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._play({seat: actions[seat] for seat in self._asked})

    def _play(self, atoms: dict[Seat, int]) -> None:
        self._position, shares, hides = self._positions.play(self._position, atoms)
        self._given = ()
        step = ",".join(f"{seat}:{atom}" for seat, atom in atoms.items())
        if hides:
            self._hidden, self._held_back = tuple(atoms.values()), step
        else:
            before = (self._held_back,) if self._hidden else ()
            self._open = (*self._open, *before, step)
            self._hidden = ()
        self._shares = None if shares is None else tuple(shares)
        self._asked = self._positions.asked(self._position)

    def _action_to_string(self, player: Seat, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return self._positions.games.describe_atom(0, player, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._shares is not None

    def returns(self) -> list[float]:
        """The share of the victory times the number of players, less one."""
        players = self._positions.games.players
        if self._shares is None:
            return [0.0] * players
        return [players * share - 1 for share in self._shares]

    def __str__(self) -> str:
        """Everything, secrets included."""
        return f"{self._drawn} {self._open} {self._hidden} {self._given}"

    # --- what a seat knows ---

    def recall(self, seat: Seat) -> str:
        """All that a seat has seen, with its own answers: an information state with perfect recall."""
        own = [str(self._hidden[seat])] if self._hidden else []
        if seat in self._asked[: len(self._given)]:
            own.append(str(self._given[self._asked.index(seat)]))
        known = self._positions.known(self._drawn, seat, begun=bool(self._open))
        return f"{seat} {known} {' '.join(self._open)} | {' '.join(own)}"

    def seen(self, seat: Seat) -> Any:
        """What a seat observes; nothing before the deal is over."""
        return self._positions.observe(self._position, seat) if self._position else None

    def remembered(self, seat: Seat) -> Any:
        """What a seat observes that has forgotten nothing; nothing before the deal is over."""
        return self._positions.remember(self._position, seat) if self._position else None


class _Observer:
    """Observes states by the observations of `stampede.lab.vector`.

    With perfect recall, a text has the whole history. The tensor has what matters of it for the rest of the game: the
    observation of a perfect memory, which knows every card that was ever revealed.
    """

    def __init__(self, positions: Positions, kind: Any, parameters: Any) -> None:
        if parameters:
            raise ValueError(f"params: expected none, got {parameters}")
        self._recalls = kind.perfect_recall
        size = len(positions.games.seat_observation(0, 0))
        self.tensor = np.zeros(size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: Seat) -> None:
        """Fills the tensor."""
        seen = state.remembered(player) if self._recalls else state.seen(player)
        self.tensor[:] = 0 if seen is None else seen

    def string_from(self, state: SpielState, player: Seat) -> str:
        """What a player knows, as text."""
        if self._recalls:
            return state.recall(player)
        seen = state.seen(player)
        return "" if seen is None else f"{player}: {' '.join(map(str, seen.tolist()))}"


def register_all() -> None:
    """Registers both games, once."""
    known = pyspiel.registered_names()
    for kind, game in (
        (_zoff_type(simultaneous=False), ZoffSpiel),
        (_buffalo_type(), BuffaloSpiel),
    ):
        if kind.short_name not in known:
            pyspiel.register_game(kind, game)
