"""Positions of Buffalo that are set up by hand: what is wrong with one, or what can be played there.

Only the rules speak here, not the engine, so every position may be asked about.
"""

from __future__ import annotations

from stampede.buffalo import Position, Side
from stampede.buffalo.fen import FenError
from stampede.core.errors import ActionError, InputError
from stampede.core.json import JsonObject
from stampede.server.http.problems import problem_of

__all__ = ["position_json"]


def position_json(fen: str, moves: list[str]) -> JsonObject:
    """A position after some moves, or what is wrong with it, as a `PositionAnswer`.

    A move that the rules refuse raises a Problem.
    """
    try:
        position = Position.from_fen(fen)
    except FenError as error:
        problem: JsonObject = {"code": error.code, "values": dict(error.values), "text": str(error)}
        return {**_NOTHING, "problem": problem}
    for move in moves:
        try:
            position = position.play(move)
        except (InputError, ActionError) as error:
            raise problem_of(error) from error
    legal: dict[str, list[str]] = {}
    if not position.is_over:
        for one in position.legal_moves:
            legal.setdefault(str(one.from_square), []).append(str(one.to_square))
    winner = position.winner
    return {
        "fen": position.fen(),
        "turn": position.turn.word,
        "legal": {square: sorted(places) for square, places in legal.items()},
        "winner": None if winner is None else winner.word,
        "problem": None,
    }


_NOTHING: JsonObject = {"fen": None, "turn": Side.BUFFALO.word, "legal": {}, "winner": None}
