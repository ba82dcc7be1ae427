"""Making puzzles of Zoff: plays games between weak bots and plays out every decision of the last round."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from stampede.bots.zoff.levels import ZoffLevel
from stampede.bots.zoff.player import ZoffBot
from stampede.bots.zoff.sight import ZoffSight
from stampede.core.bot import give_memory
from stampede.core.events import Event
from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.proofs.puzzles.zoff_notation import write_game, write_word
from stampede.proofs.puzzles.zoff_puzzle import (
    ZoffPuzzle,
    ZoffPuzzleKind,
    best_choice,
    kind_asked,
    same_choice,
)
from stampede.proofs.puzzles.zoff_solver import Choice, RoundSolver, TooLarge
from stampede.search.zoff.effort import Effort
from stampede.zoff import State, ZoffGame, ZoffRules
from stampede.zoff.setup import offered_colours
from stampede.zoff.view import ZoffView

__all__ = ["ZoffPart", "divide_zoff_collection", "make_zoff_part", "merge_zoff_parts"]

_SHARES: Final = {2: (4, 8, 6), 3: (0, 0, 4), 4: (0, 0, 3)}
"""By players: how many puzzles of each kind (choose, place, bonus), beside each other: the rarer, the fewer."""
_LIMITS: Final[dict[ZoffPuzzleKind, int]] = {"choose": 4000, "place": 900, "bonus": 900}
"""The states that may follow; larger trees are no puzzle for people either."""
_MOST_CHOICES: Final = 24
"""More answers than this are no puzzle for people."""
_MOST_BEHIND: Final = 6
"""With three players and more, a seat that is farther behind hardly wins any more: its decisions aren't tried."""
_EASY: Final = 3
"""At most one in this many puzzles of a part, plus one, is solved by all levels."""
_SOLVERS: Final = tuple(
    ZoffBot(level)
    for level in (
        ZoffLevel(1, "first", ZoffSight(fancy=1.2, grabs=0.3)),
        ZoffLevel(2, "second", ZoffSight(fancy=0.2)),
        ZoffLevel(3, "third", effort=Effort(8, 1, 1, 0, 10), duel=Effort(5, 1, 1, 0, 4)),
        ZoffLevel(
            4,
            "fourth",
            effort=Effort(24, 5, 1, 0, 200),
            learned=True,
            forgets=0.5,
            duel=Effort(10, 2, 1, 0, 20),
        ),
        ZoffLevel(
            5,
            "fifth",
            effort=Effort(64, 8, 8, 10_000, 1_500),
            learned=True,
            forgets=0.0,
            duel=Effort(24, 5, 6, 600, 200),
        ),
        ZoffLevel(
            6,
            "sixth",
            effort=Effort(256, 16, leaves=4_000, halving_samples=200, answer_playouts=200),
            learned=True,
            forgets=0.0,
            duel=Effort(
                96, 12, 10, 100_000, 4_000, exact=True, answer_playouts=200, model_samples=24
            ),
        ),
    )
)
"""The bots that try a puzzle: parameters of their own, so that a tuned level doesn't change the collection."""
_PLAYERS: Final = _SOLVERS[:3]
"""Who plays the games: they leave chances."""


@dataclass(frozen=True, slots=True)
class ZoffPart:
    """The part of a collection with so many players.

    Attributes:
        seed: Its seed.
        players: How many play.
        wanted: How many puzzles of each kind.
    """

    seed: str
    players: int
    wanted: dict[ZoffPuzzleKind, int]


def divide_zoff_collection(seed: str, count: int) -> tuple[ZoffPart, ...]:
    """Divides a collection into a part for each number of players, so that kinds and players are balanced."""
    cells: list[tuple[int, ZoffPuzzleKind, int]] = []
    for players, (choose, place, bonus) in _SHARES.items():
        cells += [(players, "choose", choose), (players, "place", place), (players, "bonus", bonus)]
    total = sum(share for _, _, share in cells)
    wanted: dict[int, dict[ZoffPuzzleKind, int]] = {players: {} for players in _SHARES}
    before = 0
    for players, kind, share in cells:
        wanted[players][kind] = count * (before + share) // total - count * before // total
        before += share
    return tuple(ZoffPart(f"{seed}/{players}", players, wanted[players]) for players in _SHARES)


def make_zoff_part(part: ZoffPart) -> Iterator[ZoffPuzzle]:
    """Makes the puzzles of a part: one of a kind from a game, and not too many that every level solves.

    The same seed makes the same puzzles.
    """
    left, easy, kept = Counter(part.wanted), 0, 0
    played = 0
    while left.total() > 0:
        played += 1
        rng = random.Random(f"{part.seed}/{played}")
        for puzzle in _find_puzzles(part.players, {kind for kind in left if left[kind] > 0}, rng):
            is_easy = puzzle.grade == 1
            if is_easy and easy * _EASY > kept:
                continue
            easy, kept = easy + is_easy, kept + 1
            left[puzzle.kind] -= 1
            yield puzzle


def merge_zoff_parts(parts: Iterable[Iterable[ZoffPuzzle]], seed: str) -> list[ZoffPuzzle]:
    """Merges parts into a collection: shuffles and numbers the puzzles."""
    order = [puzzle for part in parts for puzzle in part]
    random.Random(seed).shuffle(order)
    return [replace(puzzle, number=number) for number, puzzle in enumerate(order, 1)]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A decision of a game's last round: what is asked, the game so far as a text, and the bots' view of it."""

    kind: ZoffPuzzleKind
    state: State
    seat: Seat
    text: str
    view: ZoffView
    events: tuple[Event, ...]


def _find_puzzles(
    players: int, kinds: set[ZoffPuzzleKind], rng: random.Random
) -> Iterator[ZoffPuzzle]:
    """Plays a game, and yields the earliest puzzle of each kind.

    The decisions are solved from the last one back, as each tree holds the trees of those that follow.
    """
    found: dict[ZoffPuzzleKind, tuple[_Moment, Choice]] = {}
    solvers = {kind: RoundSolver(limit) for kind, limit in _LIMITS.items()}
    for moment in reversed(_play_last_round(players, kinds, rng)):
        try:
            best = best_choice(solvers[moment.kind].solve(moment.state))
        except TooLarge:
            continue
        if best is not None:
            found[moment.kind] = moment, best
    for moment, best in found.values():
        solution = write_word(moment.state, moment.seat, best.action)
        grade = _grade(moment, best)
        yield ZoffPuzzle(1, players, moment.kind, grade, moment.text, solution)


def _play_last_round(players: int, kinds: set[ZoffPuzzleKind], rng: random.Random) -> list[_Moment]:
    """Plays a game between bots, and returns those decisions of its last round that might be puzzles."""
    game, rules = ZoffGame(), ZoffRules(players=players)
    colours = tuple(rng.sample(offered_colours(rules), players))
    table = Playthrough(game, rules, game.draw(rules, rng, colours))
    bots = [rng.choice(_PLAYERS) for _ in range(players)]
    moments = []
    while table.outcome is None:
        kind, seat = kind_asked(table.state), table.to_act[0]
        view = game.view(table.state, seat) if kind in kinds else None
        if kind is not None and view is not None and _might_win(view, seat):
            events = tuple(table.events)
            moments.append(_Moment(kind, table.state, seat, write_game(table), view, events))
        table.play_bot(bots[seat], rng, seat)
    return moments


def _might_win(view: ZoffView, seat: Seat) -> bool:
    """Whether a seat has few enough choices for people, and isn't too far behind."""
    if len(list(view.legal)) > _MOST_CHOICES:
        return False
    cows = [one.placed for one in view.seats]
    return len(cows) == 2 or cows[seat] + _MOST_BEHIND >= max(cows)


def _grade(moment: _Moment, best: Choice) -> int:
    """The lowest of the solvers from which on all find the solution, one try each."""
    for solver in reversed(_SOLVERS):
        level, bot = solver.level.number, give_memory(solver, moment.events)
        answer = bot.choose(moment.view, random.Random(f"{moment.text}/{level}"))
        if not same_choice(answer, best.action):
            return level + 1
    return 1
