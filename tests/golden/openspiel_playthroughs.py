"""OpenSpiel's playthroughs of our games, one text file each, compared by `tests/lab/test_openspiel.py`.

A playthrough asks every state of a game for all that it offers. `python -m tests.golden.openspiel_playthroughs`
rewrites the files; it needs OpenSpiel, which `make lab` installs.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

__all__ = ["FOLDER", "GAMES", "playthrough"]

FOLDER = Path(__file__).parent / "openspiel"
GAMES = {
    "buffalo-late": "stampede_buffalo(start=11/11/11/11/2b3b4/2DD1C1D2D/11 b - - 0 9)",
    "zoff-2p": "stampede_zoff(players=2)",
}
"""By the name of the file: the game. Others play as many states, but their texts are ten times as long."""


def playthrough(game: str) -> str:
    """Plays a game at random, always the same one, and returns what its states say."""
    import_module("stampede.lab.openspiel").register_all()
    generator = import_module("open_spiel.python.algorithms.generate_playthrough")
    text: str = generator.playthrough(game, action_sequence=[], seed=1)
    return text.rstrip("\n") + "\n"


def main() -> None:
    """Rewrites all files."""
    for name, game in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(game), encoding="utf-8")


if __name__ == "__main__":
    main()
