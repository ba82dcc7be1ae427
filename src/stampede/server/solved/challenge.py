"""Games against a proof: the loser is a person, and the certificate answers.

Where a certificate leaves a position to a tablebase that this server doesn't have, the engine answers; the source of
every answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stampede.buffalo import BuffaloGame, BuffaloState, Move, Position
from stampede.buffalo.rules import BuffaloRules
from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.server.http.problems import Problem, problem_of
from stampede.server.solved.ladder import ProvenStart
from stampede.server.study.fair_play import Trace, check_not_running

__all__ = ["challenge_json"]

_NODES: Final = 150_000
_ENTRIES: Final = 1 << 18
_LINES: Final = 4
"""How many of the engine's moves are looked at on a narrow board: some of them may leave it."""


def challenge_json(
    start: ProvenStart, moves: Sequence[str], running: Sequence[Trace] = ()
) -> JsonObject:
    """Returns a `ChallengeAnswer`: the position after these moves, and the proof's answer if it is to move.

    Args:
        start: The proven position.
        moves: The moves so far, of both sides.
        running: The traces of running games between people, about which the proof says nothing.

    Raises:
        Problem: A move is illegal, or the position is close to that of a running game.
    """
    position = start.position
    for text in moves:
        position = _play(position, text, start.width)
    reply: str | None = None
    kind = source = None
    if not position.is_over and position.turn is start.winner:
        check_not_running(BuffaloGame.name, BuffaloState.begin(BuffaloRules(), position), running)
        move, kind, source = _answer(position, start.width)
        reply = str(move)
        position = position.play(move)
    return {
        "fen": position.fen(),
        "turn": position.turn.word,
        "reply": reply,
        "kind": kind,
        "source": source,
        "over": position.is_over,
        "winner": position.winner.word if position.winner is not None else None,
        "moves": {} if position.is_over else _legal(position, start.width),
    }


def _play(position: Position, text: str, width: int) -> Position:
    try:
        move = Move.parse(text)
        after = position.play(move)
    except StampedeError as error:
        raise problem_of(error) from error
    if move.to_square.file >= width:
        raise Problem(422, "illegal", f"move: expected a move on {width} columns, got {text}")
    return after


def _legal(position: Position, width: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for move in position.legal_moves:
        if move.to_square.file < width:
            found.setdefault(str(move.from_square), []).append(str(move.to_square))
    return found


def _answer(position: Position, width: int) -> tuple[Move, str, str]:
    """The winner's move, what kind of source it is from, and the source's name."""
    from stampede.oracle import default_oracle  # noqa: PLC0415 - loads compiled code
    from stampede.search.buffalo.engine import Engine, Limits  # noqa: PLC0415

    oracle = default_oracle()
    known = oracle.knowledge(position).look_up(position)
    if known is not None and known.move is not None and known.move.to_square.file < width:
        return known.move, "tablebase" if known.kind == "table" else "certificate", known.source
    lines = 1 if width == len(position.files) else _LINES
    engine = Engine(_ENTRIES, oracle=oracle)
    found = engine.search(position, Limits(nodes=_NODES), variations=lines)
    move = next(
        (line.move for line in found.variations if line.move.to_square.file < width),
        next(move for move in position.legal_moves if move.to_square.file < width),
    )
    return move, "engine", ""
