"""The sample data set of the repository: it loads, its card tells the truth, and its games are games by the rules."""

from __future__ import annotations

from itertools import islice

import pytest

from stampede.core.replay import replay
from stampede.games import game_named
from stampede.lab.data import Dataset
from tests.repository.files import ROOT

SAMPLE = ROOT / "examples" / "dataset"
CARD = (SAMPLE / "README.md").read_text(encoding="utf-8")
GAMES = ["zoff", "buffalo"]
REPLAYED_EVERY = 40


def test_the_sample_is_small() -> None:
    files = [path for path in SAMPLE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 1_000_000


@pytest.mark.parametrize("game", GAMES)
def test_the_card_states_what_the_tables_hold(game: str) -> None:
    data = Dataset(SAMPLE / game)
    assert data.game == game
    games, seats, steps = (data.arrow(name).to_pylist() for name in ("games", "seats", "steps"))
    row = GAMES.index(game) + 1
    card = {
        cells[0].strip(): cells[row].strip()
        for line in CARD.splitlines()
        if line.startswith("|") and len(cells := line.strip("|").split("|")) == 3
    }
    assert card["games, steps"] == f"{len(games)}, {len(steps):,}"
    assert {found["seed"] for found in games} == {f'"{card["seed"].strip("`")}"'}
    assert [found["index"] for found in games] == list(range(len(games)))
    wins = [
        sum(found["won"] for found in seats if found["seat"] == seat)
        for seat in range(games[0]["players"])
    ]
    assert card["victories by seat"] == ", ".join(map(str, wins))
    bots = dict.fromkeys(found["bot"] for found in seats)
    assert all(f"`{bot}`" in card["seats, in order"] for bot in bots)
    assert all(found["rounds"] >= 1 for found in games)


@pytest.mark.parametrize("game", GAMES)
def test_the_games_of_the_sample_replay(game: str) -> None:
    rules = game_named(game).game
    replayed = 0
    for record in islice(Dataset(SAMPLE / game).records(), 0, None, REPLAYED_EVERY):
        played = replay(rules, record)
        assert played.outcome is not None
        assert len(played.turns) == record.meta["decisions"]
        replayed += 1
    assert replayed >= 6
