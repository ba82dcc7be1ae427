"""The sample data set of the repository: it loads, its card tells the truth, and its games are games by the rules."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
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


def _card(game: str) -> dict[str, str]:
    """What the card says about a game."""
    row = GAMES.index(game) + 1
    return {
        cells[0].strip(): cells[row].strip()
        for line in CARD.splitlines()
        if line.startswith("|") and len(cells := line.strip("|").split("|")) == 3
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_card_states_what_the_tables_hold(game: str) -> None:
    data = Dataset(SAMPLE / game)
    assert data.game == game
    games, seats, steps = (data.arrow(name).to_pylist() for name in ("games", "seats", "steps"))
    card = _card(game)
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
def test_the_card_states_the_hash_of_the_records(game: str) -> None:
    """It is that of `stampede data records`, which anyone can run."""
    lines = "".join(record.dumps() + "\n" for record in Dataset(SAMPLE / game).records())
    stated = _card(game)["SHA-256 of the file that `stampede data records` writes"]
    assert stated == f"`{sha256(lines.encode()).hexdigest()}`"


def test_the_card_states_a_commit_of_this_history() -> None:
    found = re.search("at commit `([0-9a-f]+)`", CARD)
    assert found is not None
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout: no history")
    if _git("rev-parse", "--is-shallow-repository").stdout.strip() == "true":
        pytest.skip("a shallow checkout: not all of the history")
    assert _git("merge-base", "--is-ancestor", found[1], "HEAD").returncode == 0


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


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
