"""Puzzles of Zoff as responses. Every choice is played out by the rules; nothing of it is sent with the puzzle."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import cache, lru_cache
from hashlib import sha256
from typing import cast

from stampede.core.errors import StampedeError
from stampede.core.events import Event
from stampede.core.json import Json, JsonObject
from stampede.proofs.puzzles.zoff_puzzle import (
    NAMES,
    ZoffPuzzle,
    same_choice,
    shipped_zoff_puzzles,
    zoff_puzzle_numbered,
)
from stampede.proofs.puzzles.zoff_reasons import difference, tempting_choice
from stampede.proofs.puzzles.zoff_solver import Choice, Solved, solve
from stampede.server.http.problems import problem_of
from stampede.zoff import State, ZoffGame

__all__ = [
    "zoff_attempt_json",
    "zoff_choices_json",
    "zoff_hint_json",
    "zoff_puzzle_json",
    "zoff_puzzle_key",
    "zoff_solution_json",
    "zoff_state",
]

KEPT = 256
"""How many puzzles are kept played out."""


def zoff_puzzle_key(puzzle: ZoffPuzzle) -> str:
    """A puzzle's name in the database: a digest of its game, which outlives its number."""
    return sha256(puzzle.game.encode()).hexdigest()[:32]


@lru_cache(maxsize=KEPT)
def zoff_state(number: int) -> State:
    """The state that a puzzle asks about."""
    return zoff_puzzle_numbered(number).state()


@lru_cache(maxsize=KEPT)
def _solved(number: int) -> Solved:
    return solve(zoff_state(number))


def zoff_puzzle_json(puzzle: ZoffPuzzle) -> JsonObject:
    """Returns a puzzle as a `ZoffPuzzleAnswer`, without its solution."""
    game, state = ZoffGame(), zoff_state(puzzle.number)
    seat = game.to_act(state)[0]
    others = [other for other in range(puzzle.players) if other != seat]
    held = [
        str(card)
        for other in others
        for card in state.hands[state.group_of_seat(other)]
        if puzzle.kind == "choose"
    ]
    return {
        "number": puzzle.number,
        "count": len(shipped_zoff_puzzles()),
        "players": puzzle.players,
        "kind": puzzle.kind,
        "grade": puzzle.grade,
        "names": list(NAMES[: puzzle.players]),
        "view": game.view(state, seat).to_json(),
        "held": list[Json](held),
    }


@cache
def zoff_choices_json() -> JsonObject:
    """Returns how many puzzles there are of each kind, as a `ZoffChoicesAnswer`."""
    puzzles = shipped_zoff_puzzles()
    players = Counter(str(puzzle.players) for puzzle in puzzles)
    kinds = Counter(puzzle.kind for puzzle in puzzles)
    grades = Counter(str(puzzle.grade) for puzzle in puzzles)
    return {
        "count": len(puzzles),
        "players": dict(sorted(players.items())),
        "kinds": {str(kind): count for kind, count in sorted(kinds.items())},
        "grades": dict(sorted(grades.items())),
    }


def zoff_attempt_json(puzzle: ZoffPuzzle, data: JsonObject) -> JsonObject:
    """Returns what becomes of a choice, as a `ZoffAttemptAnswer`; raises a Problem if it is illegal."""
    game, state = ZoffGame(), zoff_state(puzzle.number)
    solved = _solved(puzzle.number)
    try:
        action = game.read_action(state, data)
        asked = game.apply(state, solved.seat, action).state
    except StampedeError as error:
        raise problem_of(error) from error
    choice = next(
        one
        for one in solved.choices
        if same_choice(one.action, action)
        or game.apply(state, solved.seat, one.action).state == asked
    )
    right = choice == solved.choices[0]
    return {
        "right": right,
        "brought": _brought(choice),
        **_played_out(state, solved, choice),
        "solution": zoff_solution_json(puzzle) if right else None,
    }


def zoff_solution_json(puzzle: ZoffPuzzle) -> JsonObject:
    """Returns every choice with what it brings, as a `ZoffSolutionAnswer`."""
    state, solved = zoff_state(puzzle.number), _solved(puzzle.number)
    found = difference(state, solved)
    return {
        "choices": [_brought(choice) for choice in solved.choices],
        "tempting": _brought(tempting_choice(solved)),
        "difference": None if found is None else cast("JsonObject", asdict(found)),
        **_played_out(state, solved, solved.choices[0]),
    }


def zoff_hint_json(puzzle: ZoffPuzzle) -> JsonObject:
    """Returns how the game ends after the best choice and where to look, as a `ZoffPuzzleHintAnswer`."""
    solved = _solved(puzzle.number)
    end, found = solved.choices[0].end, difference(zoff_state(puzzle.number), solved)
    look = None if found is None else {"kind": found.kind, "pasture": found.pasture}
    return {"cows": list(end.cows), "winners": list(end.winners), "look": look}


def _brought(choice: Choice) -> JsonObject:
    end = choice.end
    return {
        "action": choice.action.to_json(),
        "cows": list(end.cows),
        "winners": list(end.winners),
    }


def _played_out(state: State, solved: Solved, choice: Choice) -> JsonObject:
    """Plays a choice to the end."""
    game = ZoffGame()
    events: list[Event] = []
    for seat, action in choice.line:
        state, new = game.apply(state, seat, action)
        events += new
    return {
        "events": [event.to_json() for event in events],
        "after": game.view(state, solved.seat).to_json(),
    }
