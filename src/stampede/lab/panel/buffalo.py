"""How the panel plays Buffalo: by the lessons' advice, or by looking ahead, with or without judgement."""

from __future__ import annotations

import math
import random

from stampede.bots.buffalo.sight import outlook
from stampede.buffalo import BuffaloView, Move, Position, Side
from stampede.buffalo.geometry import Square
from stampede.lab.panel.choice import best_of

__all__ = ["advise_move", "judge_ahead", "look_ahead"]

WIN = 1_000
CAPTURE = 10


# --- looking ahead ---


def look_ahead(view: BuffaloView, moves: int, rng: random.Random) -> Move:
    """A move that is best after so many moves: a win, then captures; all else counts the same."""
    return best_of(view.legal, lambda move: _gain(view.position, move, moves), rng)


def judge_ahead(view: BuffaloView, rng: random.Random) -> Move:
    """The move after which the board looks best: the learned evaluation, and whether a buffalo is about to cross."""
    side = view.position.turn

    def worth(move: Move) -> float:
        after = view.position.after(move)
        if after.winner is not None:
            return math.inf if after.winner is side else -math.inf
        return outlook(after) if side is Side.BUFFALO else -outlook(after)

    return best_of(view.legal, worth, rng)


def _gain(position: Position, move: Move, moves: int) -> int:
    """What a move brings its side, less what the best answer brings the other."""
    after = position.after(move)
    if after.winner is position.turn:
        return WIN
    own = CAPTURE if position.turn is Side.HUNTER and position.is_capture(move) else 0
    if moves == 1 or after.is_over:
        return own
    return own - max(_gain(after, answer, moves - 1) for answer in after.legal_moves)


# --- the lessons' advice ---


def advise_move(view: BuffaloView, rng: random.Random) -> Move:
    """The move of a sensible beginner."""
    if view.position.turn is Side.BUFFALO:
        return _run(view.position, tuple(view.legal), rng)
    return _hunt(view.position, tuple(view.legal), rng)


def _run(position: Position, moves: tuple[Move, ...], rng: random.Random) -> Move:
    """The buffalo side: cross if you can, save a buffalo in danger, else bring the herd forward together.

    It goes where no dog waits and not next to the chief, rearmost buffalo first: a single runner is soon stopped.
    """
    for move in moves:
        if move.to_square.rank == 1:
            return move
    safe = [move for move in moves if not _is_reached(position.chief, move.to_square)]
    rescues = [move for move in safe if _is_reached(position.chief, move.from_square)]
    if rescues:
        return best_of(rescues, lambda move: -move.to_square.rank, rng)
    free = [move for move in safe if _is_open(position, move.from_square)]
    return best_of(free or safe or moves, lambda move: move.to_square.rank, rng)


def _hunt(position: Position, moves: tuple[Move, ...], rng: random.Random) -> Move:
    """The hunter: stop a buffalo that is about to cross, capture, block the leading runner, bring the chief nearer."""
    captures = [move for move in moves if position.is_capture(move)]
    runners = sorted(
        (square for square in position.buffaloes if _is_open(position, square)),
        key=lambda square: square.rank,
    )
    if runners and runners[0].rank <= 3:
        stops = [move for move in moves if _stops(position, move, runners[0])]
        if stops:
            return best_of(stops, lambda move: _tidiness(position, move), rng)
    if captures:
        return best_of(captures, lambda move: -move.to_square.rank, rng)
    for runner in runners:
        if runner.rank <= 5 and not _is_caught(position.chief, runner):
            blocks = [move for move in moves if _blocks(position, move, runner)]
            if blocks:
                return best_of(blocks, lambda move: _tidiness(position, move), rng)
    steps = [move for move in moves if move.from_square == position.chief]
    goal = runners[0] if runners else min(position.buffaloes, key=lambda square: square.rank)
    return best_of(steps or moves, lambda move: -_distance(move.to_square, goal), rng)


def _stops(position: Position, move: Move, runner: Square) -> bool:
    """Whether a move captures a runner or blocks its file."""
    return move.to_square == runner or _blocks(position, move, runner)


def _blocks(position: Position, move: Move, runner: Square) -> bool:
    """Whether a dog goes in front of a runner, a dog that doesn't hold back another buffalo already."""
    end = move.to_square
    if move.from_square == position.chief or end.file != runner.file or end.rank >= runner.rank:
        return False
    return not any(
        square.file == move.from_square.file and square.rank > move.from_square.rank
        for square in position.buffaloes
        if square.rank < 7
    )


def _tidiness(position: Position, move: Move) -> int:
    """Prefers captures, then blocks close to the runner, so that it has no steps left."""
    return CAPTURE if position.is_capture(move) else move.to_square.rank


def _is_open(position: Position, buffalo: Square) -> bool:
    """Whether no dog and no chief stands ahead of a buffalo on its file."""
    others = (*position.dogs, position.chief)
    return not any(one.file == buffalo.file and one.rank < buffalo.rank for one in others)


def _is_caught(chief: Square, runner: Square) -> bool:
    """Whether the chief gets in a runner's way in time, so that no dog has to."""
    return chief.rank < runner.rank and abs(chief.file - runner.file) <= runner.rank - 3


def _is_reached(chief: Square, square: Square) -> bool:
    """Whether the chief can capture on a square in one step; it never leaves the prairie (B2.4)."""
    return square.in_prairie and _distance(chief, square) == 1


def _distance(one: Square, other: Square) -> int:
    return max(abs(one.file - other.file), abs(one.rank - other.rank))
