"""The face of each game in a terminal: how it is shown, and how answers are typed."""

from __future__ import annotations

from collections.abc import Callable

from stampede.cli.faces.base import AnyFace, AnyPlaythrough, Face, heading
from stampede.cli.faces.buffalo import BuffaloFace
from stampede.cli.faces.zoff import ZoffFace
from stampede.games import game_named

__all__ = ["AnyFace", "AnyPlaythrough", "BuffaloFace", "Face", "ZoffFace", "face_of", "heading"]


def face_of(name: str) -> AnyFace:
    """The face of the game of this name; RuleSetError when there is none."""
    game_named(name)
    faces: dict[str, Callable[[], AnyFace]] = {"zoff": ZoffFace, "buffalo": BuffaloFace}
    return faces[name]()
