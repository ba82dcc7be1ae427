"""Making puzzles of Zoff: plays quick games, and plays out every decision of the last round that may be a puzzle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from stampede.bots.zoff.levels import ZoffLevel
from stampede.bots.zoff.player import ZoffBot
from stampede.bots.zoff.sight import ZoffSight
from stampede.core.bot import give_memory
from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_bonus, decode_choice, encode, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS, PAY, PLACE
from stampede.lab.zoff.puzzle_screen import (
    MOST_ANSWERS,
    Answers,
    find_decision,
    may_be_choice_puzzle,
    play_to_last_round,
)
from stampede.proofs.puzzles.zoff_notation import ZoffPlaythrough, write_game, write_word
from stampede.proofs.puzzles.zoff_puzzle import (
    KINDS,
    ZoffPuzzle,
    ZoffPuzzleKind,
    best_choice,
    kind_asked,
    same_choice,
)
from stampede.proofs.puzzles.zoff_solver import Choice, TooLarge, solve
from stampede.search.zoff.candidates import Pool
from stampede.search.zoff.effort import Effort
from stampede.zoff import ZoffGame, ZoffRules
from stampede.zoff.actions import Place
from stampede.zoff.setup import offered_colours
from stampede.zoff.state import ZoffPhase

__all__ = ["ZoffPart", "divide_zoff_collection", "make_zoff_part", "merge_zoff_parts"]

_SHARES: Final = {2: (8, 5, 5), **dict.fromkeys(range(3, 7), (0, 6, 6))}
"""By players: how many puzzles of each kind (choose, place, bonus), beside each other."""
_PART: Final = 12
"""About so many puzzles make a part."""
_LIMITS: Final[dict[ZoffPuzzleKind, int]] = {"choose": 4000, "place": 900, "bonus": 900}
"""The states that may follow; larger trees are no puzzle for people either."""
_PLAYS: Final = 20
"""How often the last round of a game is played, each time with other choices."""
_TEMPERATURES: Final = 0.3, 1.2
"""The range of the games' temperatures: how often choices are made that don't look the best."""
_ALIKE: Final = 3
"""At most one in this many puzzles of a part, plus one, has the same grade."""
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
    """Divides a collection into parts, each with one number of players, so that kinds and players are balanced."""
    total, before = sum(sum(shares) for shares in _SHARES.values()), 0
    parts = []
    for players, shares in _SHARES.items():
        wanted: dict[ZoffPuzzleKind, int] = {}
        for kind, share in zip(KINDS, shares, strict=True):
            wanted[kind] = count * (before + share) // total - count * before // total
            before += share
        pieces = max(1, sum(wanted.values()) // _PART)
        parts += [
            ZoffPart(f"{seed}/{players}/{piece}", players, _piece(wanted, piece, pieces))
            for piece in range(pieces)
        ]
    return tuple(parts)


def _piece(wanted: dict[ZoffPuzzleKind, int], piece: int, pieces: int) -> dict[ZoffPuzzleKind, int]:
    return {
        kind: number * (piece + 1) // pieces - number * piece // pieces
        for kind, number in wanted.items()
    }


def make_zoff_part(part: ZoffPart) -> Iterator[ZoffPuzzle]:
    """Makes the puzzles of a part: one from a game, and not too many of a grade.

    The same seed makes the same puzzles.
    """
    left, grades = Counter(part.wanted), Counter[int]()
    played = 0
    while left.total() > 0:
        played += 1
        rng = random.Random(f"{part.seed}/{played}")
        kind = max(left, key=lambda kind: left[kind])
        puzzle = _find_puzzle(part.players, kind, rng)
        if puzzle is None:
            continue
        if grades[puzzle.grade] * _ALIKE <= grades.total():
            grades[puzzle.grade] += 1
            left[kind] -= 1
            yield puzzle


def merge_zoff_parts(parts: Iterable[Iterable[ZoffPuzzle]], seed: str) -> list[ZoffPuzzle]:
    """Merges parts into a collection: shuffles and numbers the puzzles."""
    order = [puzzle for part in parts for puzzle in part]
    random.Random(seed).shuffle(order)
    return [replace(puzzle, number=number) for number, puzzle in enumerate(order, 1)]


def _find_puzzle(players: int, kind: ZoffPuzzleKind, rng: random.Random) -> ZoffPuzzle | None:
    """Plays a quick game, and returns a puzzle of its last round, if there is one that proves right."""
    game, rules = ZoffGame(), ZoffRules(players=players)
    colours = tuple(rng.sample(offered_colours(rules), players))
    table = Playthrough(game, rules, game.draw(rules, rng, colours))
    while table.state.phase is not ZoffPhase.CHOOSE:
        table.play(table.to_act[0], table.legal(table.to_act[0]).sample(rng))
    if not _play_quickly(table, kind, rng):
        return None
    asked = table.to_act[0]
    try:
        best = best_choice(solve(table.state, _LIMITS[kind]))
    except TooLarge:
        return None
    if kind_asked(table.state) != kind or best is None:
        return None
    text, solution = write_game(table), write_word(table.state, asked, best.action)
    return ZoffPuzzle(1, players, kind, _grade(table, asked, text, best), text, solution)


def _play_quickly(table: ZoffPlaythrough, kind: ZoffPuzzleKind, rng: random.Random) -> bool:
    """Plays on to a decision of the last round that may be a puzzle; False if none is found."""
    setup, state, words = (
        encode_setup(table.state),
        encode(table.state),
        new_rng(rng.getrandbits(64)),
    )
    temperature = rng.uniform(*_TEMPERATURES)
    choices = np.zeros((table.rules.rounds, MAX_COLOURS, 4), dtype=np.int16)
    answers = np.zeros(MOST_ANSWERS, dtype=np.int64)
    count = play_to_last_round(setup, state, temperature, words, choices, answers)
    if count < 0:
        return False
    rounds = len(choices)
    if kind == "choose":
        rounds -= 1
        if not may_be_choice_puzzle(setup, state):
            return False
    else:
        phase, laid = PLACE if kind == "place" else PAY, choices[-1]
        count = find_decision(
            setup, state, phase, _PLAYS, temperature, words, laid, answers, int(count)
        )
        if count < 0:
            return False
    _play_by_the_rules(table, choices[:rounds], answers[:count])
    return True


def _play_by_the_rules(table: ZoffPlaythrough, choices: Pool, answers: Answers) -> None:
    """Plays what the kernels have chosen and answered, round by round, by the readable rules."""
    given = iter(answers)
    while table.to_act:
        state, seat = table.state, table.to_act[0]
        if state.phase is ZoffPhase.CHOOSE:
            if state.round > len(choices):
                return
            table.play(seat, decode_choice(state, seat, choices[state.round - 1, seat]))
            continue
        answer = next(given, None)
        if answer is None:
            return
        placing = state.phase is ZoffPhase.PLACE
        table.play(seat, Place(int(answer)) if placing else decode_bonus(state, int(answer)))


def _grade(table: ZoffPlaythrough, seat: Seat, text: str, best: Choice) -> int:
    """The lowest of the solvers from which on all find the solution, one try each."""
    view, events = table.view(seat), tuple(table.events)
    for solver in reversed(_SOLVERS):
        level, bot = solver.level.number, give_memory(solver, events)
        answer = bot.choose(view, random.Random(f"{text}/{level}"))
        if not same_choice(answer, best.action):
            return level + 1
    return 1
