"""Quotas: how much a table takes, so that its log and its views stay small, whatever its players do.

A table is rebuilt from its log, and every view lists how its games ended. Both cost time and memory that other tables
need. A table that has had enough plays its present game to the end; for more there are other tables.
"""

from __future__ import annotations

from typing import Final

from stampede.core.spec import GameSpec
from stampede.matches.callers import Caller
from stampede.matches.commands import Act, Command, Leave, Resign, Vote, VoteTopic
from stampede.matches.errors import TableFull, TooOften
from stampede.matches.lifecycle import awaited_players
from stampede.matches.state import TableState

__all__ = ["MOST_COMMANDS", "MOST_ENTRIES", "MOST_GAMES", "check_quotas"]

MOST_COMMANDS: Final = 100
"""How many commands of a caller the log takes while the game doesn't go on."""
MOST_OF_ALL: Final = 2_000
"""How many commands of all callers together the log takes while the game doesn't go on."""
MOST_GAMES: Final = 200
"""How many games a table has."""
MOST_ENTRIES: Final = 10_000
"""After how many entries a table begins no game and takes no move back; a long game of Zoff has about 150."""
FEW_COMMANDS: Final = 10
"""How many commands of a caller a log of that length takes while the game doesn't go on."""


def check_quotas(spec: GameSpec, state: TableState, command: Command, caller: Caller) -> None:
    """Raises TooOften or TableFull for a command that is one too many. The system's are never."""
    if caller.system:
        return
    _check_frequency(spec, state, command, caller)
    if isinstance(command, Vote) and command.agree:
        _check_size(state, command)


def _check_frequency(spec: GameSpec, state: TableState, command: Command, caller: Caller) -> None:
    """Refuses callers whose commands lead nowhere. Awaited answers, and leaving, are always allowed."""
    counts = state.commands_since_progress
    most = MOST_COMMANDS if state.seq < MOST_ENTRIES else FEW_COMMANDS
    if counts.get(caller.who, 0) < most and sum(counts.values()) < MOST_OF_ALL:
        return
    waiting = awaited_players(spec.game, state.running) if state.in_game else ()
    is_answer = isinstance(command, Act) and command.player in waiting
    if not is_answer and not isinstance(command, Leave | Resign):
        raise TooOften(f"expected at most {most} commands before the game goes on")


def _check_size(state: TableState, vote: Vote) -> None:
    """Refuses another game, or a move back, at a table that has had enough of them."""
    is_long = state.seq >= MOST_ENTRIES
    if vote.on is VoteTopic.UNDO and is_long:
        raise TableFull(f"expected at most {MOST_ENTRIES} entries in the log; finish the game")
    games = 0 if state.match is None else state.match.number
    if vote.on is VoteTopic.NEXT and (is_long or games >= MOST_GAMES):
        raise TableFull(f"expected at most {MOST_GAMES} games at a table; open another one")
