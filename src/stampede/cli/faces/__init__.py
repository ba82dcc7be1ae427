"""The face of each game in a terminal: how it is shown, and how answers are typed."""

from __future__ import annotations

from pathlib import Path

from stampede.cli.faces.base import AnyFace, AnyPlaythrough, Face, heading
from stampede.cli.faces.buffalo import BuffaloFace
from stampede.cli.faces.zoff import ZoffFace
from stampede.cli.options import zoff_game
from stampede.core.errors import InputError
from stampede.games import game_named

__all__ = ["AnyFace", "AnyPlaythrough", "BuffaloFace", "Face", "ZoffFace", "face_of", "heading"]


def face_of(name: str, edition: Path | None = None) -> AnyFace:
    """The face of the game of this name; Zoff's may know the edition of a file, too."""
    spec = game_named(name)
    if spec.name == ZoffFace.name:
        return ZoffFace(zoff_game(edition))
    if edition is not None:
        raise InputError(f"--edition: only Zoff has editions, not {spec.title}")
    return BuffaloFace()
