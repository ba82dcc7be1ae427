"""Checks that several kinds of commands share, and conflicts that carry what is awaited now."""

from __future__ import annotations

from typing import Final

from stampede.core.errors import InputError
from stampede.core.spec import GameSpec
from stampede.matches.errors import Conflict, StaleDecision, WrongPhase
from stampede.matches.plays import awaited
from stampede.matches.state import Phase, TableState

__all__ = ["check_digest", "check_name", "check_playing", "conflict", "stale"]

LONGEST_NAME: Final = 40
DIGEST_DIGITS: Final = 64


def conflict(kind: type[Conflict], spec: GameSpec, state: TableState, problem: str) -> Conflict:
    """A conflict that carries what is awaited now."""
    play = state.play
    if play is None or not state.in_game:
        return kind(problem, state.phase.value)
    return kind(problem, state.phase.value, play.decision_id, awaited(spec.game, play))


def check_playing(spec: GameSpec, state: TableState) -> None:
    """Whether a game runs, and not in a pause; WrongPhase when not."""
    if state.phase is not Phase.PLAYING:
        raise conflict(
            WrongPhase,
            spec,
            state,
            f"expected a running game, got a table: {state.phase.value}",
        )


def stale(spec: GameSpec, state: TableState, decision: str) -> Conflict:
    """What is raised when an answer names another decision than the present one."""
    present = state.running.decision_id
    return conflict(
        StaleDecision, spec, state, f"expected an answer to {present}, got {decision[:40]!r}"
    )


def check_name(name: str) -> None:
    """Whether a name can be shown; InputError when not."""
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise InputError(
            f"name: expected 1 to {LONGEST_NAME} printable characters, got {name[:60]!r}"
        )


def check_digest(digest: str, *, required: bool) -> None:
    """Whether this can be a digest; InputError, which doesn't repeat it, when not."""
    if not digest and not required:
        return
    if len(digest) != DIGEST_DIGITS or not set(digest) <= set("0123456789abcdef"):
        raise InputError(f"digest: expected {DIGEST_DIGITS} hexadecimal digits")
