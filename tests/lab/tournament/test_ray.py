"""A tournament on a real Ray: the same games as here. Runs where Ray is installed: `make lab`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from stampede.lab.shards import LocalExecutor, RayExecutor
from stampede.lab.tournament.run import run_tournament
from stampede.lab.tournament.spec import TournamentSpec

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: make lab"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


def test_a_cluster_plays_the_same_games(tmp_path: Path) -> None:
    players = ["random", "beginner", "tests.lab.tournament.players:First"]
    keys = {"game": "zoff", "format": "swiss", "rounds": 2, "bouts": 3, "players": players}
    spec = TournamentSpec.parse(keys)
    run_tournament(spec, tmp_path / "here", LocalExecutor())
    there = run_tournament(spec, tmp_path / "ray", RayExecutor(jobs=2))
    assert not any(game.faults for bout in there.bouts for game in bout.games)
    first, second = (tmp_path / name / "games.jsonl" for name in ("here", "ray"))
    assert first.read_bytes() == second.read_bytes()
