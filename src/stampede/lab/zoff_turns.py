"""Zoff as OpenSpiel's MCTS sees it: turn by turn, one action a turn, complete information.

A round's secret choices become turns: the seat that thinks comes first, so that it never sees the others' choices, then
the others, pair by pair. Everything else is a turn anyway. `MctsPlayer` plays with OpenSpiel's own bot on it; rollouts
run in our kernels, many times faster than through its Python interface, which only makes it stronger.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np
import numpy.typing as npt

from stampede.bots.zoff import zoff_bot
from stampede.bots.zoff_imagine import imagine
from stampede.bots.zoff_memory import Memory
from stampede.core.game import Seat
from stampede.kernels.bits import popcount
from stampede.kernels.rng import RngState, new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import decode_bonus, decode_choice, encode, encode_table
from stampede.kernels.zoff.layout import State as Words
from stampede.kernels.zoff.layout import Table
from stampede.kernels.zoff.options import bonus_room, nth_bonus, placements
from stampede.kernels.zoff.playouts import playout
from stampede.kernels.zoff.resolve import placed, reveal, run_on, to_act
from stampede.lab.zoff_strength import GAME, start_game
from stampede.search.zoff.lookahead import apply_option, option_count
from stampede.zoff import ZoffRules
from stampede.zoff.actions import Action, Place
from stampede.zoff.edition import Edition
from stampede.zoff.state import Ending, Phase
from stampede.zoff.view import ZoffView, view_of

__all__ = ["KernelRollouts", "MctsPlayer", "Turns", "ZoffTurns"]

WIN = 20.0
"""What a victory counts besides the lead, in cows: MCTS maximises the sum."""


class ZoffTurns:
    """What OpenSpiel's bot wants to know of a game."""

    def get_type(self) -> Any:
        """Terminal rewards, one player at a time."""
        import pyspiel  # noqa: PLC0415 - only where OpenSpiel is installed

        return pyspiel.load_game("tic_tac_toe").get_type()

    def max_utility(self) -> float:
        """The bound that its solver compares with; never reached."""
        return 1.0


class Turns:
    """A state with one seat to move, in OpenSpiel's manner."""

    __slots__ = ("choices", "first", "pairs", "table", "words")

    def __init__(self, table: Table, words: Words, first: Seat) -> None:
        self.table = table
        self.words = words
        self.first = first
        self.choices = np.full((at.MAX_COLOURS, 4), at.NONE, dtype=np.int16)
        self.pairs = 0

    def clone(self) -> Turns:
        """A copy."""
        copy = Turns(self.table, self.words.copy(), self.first)
        copy.choices[:] = self.choices
        copy.pairs = self.pairs
        return copy

    @property
    def _each(self) -> int:
        """How many pairs a seat lays."""
        single = popcount(int(self.words[at.OPEN])) == 1
        return 1 if single and self.table[at.PLAYERS] > 2 else 2

    def is_terminal(self) -> bool:
        """Whether it's over."""
        return bool(self.words[at.PHASE] == at.OVER)

    def is_chance_node(self) -> bool:
        """There is no chance in Zoff once cards are dealt."""
        return False

    def current_player(self) -> Seat:
        """Who is to move."""
        if self.words[at.PHASE] == at.CHOOSE:
            return (self.first + self.pairs // self._each) % int(self.table[at.PLAYERS])
        return int(to_act(self.table, self.words))

    def legal_actions(self, player: Seat | None = None) -> list[int]:
        """A pair as pasture × 16 + card, or the number of an answer."""
        del player
        if self.words[at.PHASE] != at.CHOOSE:
            return list(range(int(option_count(self.table, self.words))))
        seat, half = self.current_player(), self.pairs % self._each
        hand, fields = int(self.words[at.HANDS + seat]), int(self.words[at.OPEN])
        if half:
            hand &= ~(1 << int(self.choices[seat, 1]))
            if popcount(fields) > 1:
                fields &= ~(1 << int(self.choices[seat, 0]))
        return [
            pasture * 16 + card
            for pasture in range(at.MAX_PASTURES)
            if fields >> pasture & 1
            for card in range(at.MAX_CARDS)
            if hand >> card & 1
        ]

    def apply_action(self, action: int) -> None:
        """Makes a move; the last pair of the last seat reveals all."""
        if self.words[at.PHASE] != at.CHOOSE:
            apply_option(self.table, self.words, action)
            return
        seat, half = self.current_player(), self.pairs % self._each
        self.choices[seat, 2 * half : 2 * half + 2] = divmod(action, 16)
        self.pairs += 1
        if self.pairs == self._each * int(self.table[at.PLAYERS]):
            reveal(self.table, self.words, self.choices)
            run_on(self.table, self.words)
            self.choices[:] = at.NONE
            self.pairs = 0

    def returns(self) -> npt.NDArray[np.float64]:
        """Each seat's lead over the others' mean, and the victory, scaled to less than 1."""
        players = int(self.table[at.PLAYERS])
        cows = np.array([placed(self.table, self.words, seat) for seat in range(players)], float)
        won = np.array([(int(self.words[at.WINNERS]) >> seat) & 1 for seat in range(players)])
        lead = (cows * players - cows.sum()) / (players - 1)
        return np.asarray((lead + WIN * (won - 1 / players)) / 200.0)


class KernelRollouts:
    """OpenSpiel's evaluator: one random game from here, played by the kernels; all actions alike before."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.words: RngState = new_rng(rng.getrandbits(64))

    def evaluate(self, state: Turns) -> npt.NDArray[np.float64]:
        """The returns of a random game."""
        end = state.clone()
        while end.pairs:
            end.apply_action(self.rng.choice(end.legal_actions()))
        playout(end.table, end.words, self.words, np.zeros((at.MAX_COLOURS, 4), dtype=np.int16))
        return end.returns()

    def prior(self, state: Turns) -> list[tuple[int, float]]:
        """All actions alike."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class MctsPlayer:
    """OpenSpiel's MCTS bot at our table: a seat's view in, an action out. It remembers all cards."""

    def __init__(self, simulations: int, uct: float = 0.2) -> None:
        self.name = f"openspiel-mcts-{simulations}"
        self.simulations = simulations
        self.uct = uct

    def decide(self, view: ZoffView, memory: Memory, rng: random.Random) -> Action:
        """Searches anew for each pair of a choice, and for each answer; what comes before the rounds is drawn."""
        from open_spiel.python.algorithms import mcts  # noqa: PLC0415 - only where it is installed

        assert view.viewer is not None, "a player's view"
        if view.phase in (Phase.SETTLE, Phase.BID, Phase.PICK):
            return view.legal.sample(rng)
        state = imagine(view, Edition.default(), memory, rng)
        turns = Turns(encode_table(state), encode(state), view.viewer)
        bot = mcts.MCTSBot(
            ZoffTurns(),
            self.uct,
            self.simulations,
            KernelRollouts(rng),
            solve=False,
            random_state=np.random.RandomState(rng.getrandbits(32)),
        )
        if view.phase is not Phase.CHOOSE:
            answer = bot.step(turns)
            if view.phase is Phase.PLACE:
                mask = int(placements(turns.table, turns.words)) | 1
                return Place([cows for cows in range(8) if mask >> cows & 1][answer])
            return decode_bonus(state, nth_bonus(bonus_room(turns.words), answer))
        for _ in range(turns._each):  # noqa: SLF001
            turns.apply_action(bot.step(turns))
        return decode_choice(state, view.viewer, turns.choices[view.viewer])


def main(arguments: list[str] | None = None) -> None:
    """Seats the top level among MCTS bots and prints victories and leads after each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("players", "simulations", "games"):
        parser.add_argument(name, type=int)
    chosen = parser.parse_args(arguments)
    wins: list[float] = []
    leads: list[float] = []
    for index in range(chosen.games):
        seat = index % chosen.players
        name = f"mcts/{chosen.players}/{index // chosen.players}"
        ending = _against_mcts(ZoffRules(players=chosen.players), seat, chosen.simulations, name)
        wins.append((seat in ending.winners) / len(ending.winners))
        others = (sum(ending.placed) - ending.placed[seat]) / (chosen.players - 1)
        leads.append(ending.placed[seat] - others)
        error = 1.96 * np.std(leads) / np.sqrt(len(leads))
        numbers = f"wins {np.mean(wins):.1%}, lead {np.mean(leads):+.2f} ± {error:.2f} cows"
        print(f"{index + 1} games: {numbers}", flush=True)  # noqa: T201


def _against_mcts(rules: ZoffRules, seat: Seat, simulations: int, seed: str) -> Ending:
    played = start_game(rules, seed)
    streams = [random.Random(f"{seed}/{player}") for player in range(rules.players)]
    ours, theirs = zoff_bot(6), MctsPlayer(simulations)
    while awaited := GAME.to_act(played.state):
        player = awaited[0]
        view = view_of(played.state, player)
        if player == seat:
            action = ours.remembering(played.events).decide(view, streams[player])
        else:
            action = theirs.decide(view, Memory.of(played.events), streams[player])
        played.play(player, action)
    ending = played.state.ending
    assert ending is not None, "played to the end"
    return ending


if __name__ == "__main__":
    main()
