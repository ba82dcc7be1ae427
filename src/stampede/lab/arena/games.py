"""Playing a match: openings in pairs, with sides swapped."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from stampede.buffalo import Move, Position, Side
from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.lab.arena.answers import PlayerFault
from stampede.lab.arena.players import MatchPlayer

__all__ = ["GameReport", "Label", "MatchPlan", "play_game", "play_match"]


class Label(NamedTuple):
    """A game's number in its match, and the match's seed."""

    number: int
    seed: str


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to be played.

    Attributes:
        openings: The positions in which games begin, used in a cycle.
        games: The number of games.
        seed: The seed of all random choices.
        adjudicate: Whether a game ends as soon as one of our engines or levels has proven a win. The proof is exact,
            but a level that chooses at random might still lose the game, so for those the result differs.
    """

    openings: Sequence[Position]
    games: int
    seed: str = "0"
    adjudicate: bool = False

    def opening(self, index: int) -> Position:
        """The opening of a game."""
        return self.openings[(index // 2) % len(self.openings)]

    def side(self, index: int) -> Side:
        """The side that A plays in a game."""
        return Side.BUFFALO if index % 2 == 0 else Side.HUNTER

    def label(self, index: int) -> Label:
        """A game's number, from 1, and the match's seed."""
        return Label(index + 1, self.seed)


@dataclass(frozen=True, slots=True)
class GameReport:
    """The report of a game.

    Attributes:
        number: Counted from 1.
        opening: The FEN of its opening.
        a_side: The side that A played.
        moves: The moves.
        winner: The side that won.
        reason: `crossed`, `no_move`, `proven` when it was adjudicated, or the loser's fault.
        fault: Whether the loser lost by a fault: an illegal move, a hang, a crash.
    """

    number: int
    opening: str
    a_side: Side
    moves: tuple[str, ...]
    winner: Side
    reason: str
    fault: bool

    @property
    def a_won(self) -> bool:
        """Whether A won."""
        return self.winner is self.a_side

    def to_json(self) -> JsonObject:
        """The report as JSON."""
        return {
            "number": self.number,
            "opening": self.opening,
            "a_side": self.a_side.word,
            "winner": "a" if self.a_won else "b",
            "reason": self.reason,
            "fault": self.fault,
            "moves": list(self.moves),
        }


def play_match(
    plan: MatchPlan, players: Sequence[tuple[MatchPlayer, MatchPlayer]]
) -> Generator[GameReport, None, None]:
    """Plays each opening twice, once with A as the buffalo side and once as the hunter.

    Args:
        plan: The match.
        players: Pairs of A and B, one for each game that is played in parallel.
    """
    free: queue.Queue[tuple[MatchPlayer, MatchPlayer]] = queue.Queue()
    for pair in players:
        free.put(pair)
    ended = threading.Event()

    def one(index: int) -> GameReport | None:
        if ended.is_set():
            return None
        pair = free.get()
        try:
            return play_game(*pair, plan, index)
        finally:
            free.put(pair)

    with ThreadPoolExecutor(len(players)) as pool:
        try:
            for report in pool.map(one, range(plan.games)):
                if report is not None:
                    yield report
        finally:
            ended.set()


def play_game(a: MatchPlayer, b: MatchPlayer, plan: MatchPlan, index: int) -> GameReport:
    """Plays one game. A player that fails or moves illegally loses it; the report has the reason."""
    start, a_side, label = plan.opening(index), plan.side(index), plan.label(index)
    sides = {a_side: a, _other(a_side): b}
    moves: list[Move] = []
    position, proven = start, None
    turn = Side.BUFFALO
    try:
        for turn, player in sorted(sides.items()):
            player.begin(f"{label.seed}/{label.number}/{turn.value}")
        while (outcome := position.outcome()) is None and proven is None:
            turn = position.turn
            answer = sides[turn].move(start, moves, position)
            position, move = _apply_move(answer.move, position)
            moves.append(move)
            proven = answer.winner if plan.adjudicate else None
        fault = False
        if outcome is not None:
            winner, reason = Side(outcome.winners[0]), outcome.reason
        else:
            assert proven is not None, "the loop ends with one of the two"
            winner, reason = proven, "proven"
    except PlayerFault as error:
        winner, reason, fault = _other(turn), f"{sides[turn].name}: {error}", True
    return GameReport(
        label.number, start.fen(), a_side, tuple(map(str, moves)), winner, reason, fault
    )


def _other(side: Side) -> Side:
    return Side.HUNTER if side is Side.BUFFALO else Side.BUFFALO


def _apply_move(text: str, position: Position) -> tuple[Position, Move]:
    try:
        move = Move.parse(text)
        return position.play(move), move
    except StampedeError as error:
        raise PlayerFault(f"illegal move {text}: {error}") from error
