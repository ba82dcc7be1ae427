"""Making puzzles of Zoff: plays games between weak bots and plays out every placement of the last round."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from stampede.bots import find_bot
from stampede.core.playthrough import Playthrough
from stampede.core.record import SeatInfo
from stampede.proofs.puzzles.zoff_puzzle import ZoffPuzzle, best_choice, is_asked
from stampede.proofs.puzzles.zoff_solver import TooLarge, solve
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["make_zoff_puzzles"]

PLAYERS: Final = (2, 3, 2, 4)
"""The numbers of players of the games, in turn."""
LIMIT: Final = {2: 3000, 3: 900, 4: 900}
"""The states that may follow; larger trees are no puzzle for people either."""
NAMES: Final = ("Etta", "Clem", "Otis", "June")


def make_zoff_puzzles(seed: str) -> Iterator[ZoffPuzzle]:
    """Makes puzzles without end, one of a game at most. The same seed makes the same puzzles."""
    game, number, played = ZoffGame(), 0, 0
    while True:
        players = PLAYERS[played % len(PLAYERS)]
        played += 1
        found = _find_puzzle(game, players, random.Random(f"{seed}/{played}"))
        if found is not None:
            number += 1
            yield ZoffPuzzle(number, found.record, found.solution)


def _find_puzzle(game: ZoffGame, players: int, rng: random.Random) -> ZoffPuzzle | None:
    """The first puzzle of a game, if it has one."""
    rules = ZoffRules(players=players)
    table = Playthrough(game, rules, game.draw(rules, rng))
    bot = find_bot("zoff-1", game.name)
    while table.outcome is None:
        state, seat = table.state, game.to_act(table.state)[0]
        if is_asked(state):
            try:
                best = best_choice(state, solve(state, LIMIT[players]))
            except TooLarge:
                best = None
            if best is not None:
                seats = tuple(SeatInfo(name) for name in NAMES[:players])
                return ZoffPuzzle(1, table.record(seats), game.write_action(best.action))
        table.play(seat, bot.choose(game.view(state, seat), rng))
    return None
