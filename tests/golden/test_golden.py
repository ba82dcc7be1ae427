"""The golden playthroughs are what the rules play today, and none is missing."""

from __future__ import annotations

import pytest

from stampede.games import GAMES
from tests.golden.playthroughs import FOLDER, VARIANTS, texts

MADE = dict(texts())


@pytest.mark.parametrize("name", sorted(MADE))
def test_the_rules_play_as_in_the_golden_playthrough(name: str) -> None:
    """Z4.6, B2.1: whole games, every event told. `make golden` writes them anew."""
    path = FOLDER / name
    assert path.exists(), f"{name} is missing: run `make golden` and read it"
    assert MADE[name].splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_every_game_seat_number_and_variant_has_a_golden_playthrough() -> None:
    names = {path.name for path in FOLDER.glob("*.txt")}
    assert names == set(MADE)
    zoff = GAMES["zoff"]
    for players in zoff.seats:
        for variant in zoff.variants:
            assert f"zoff-{players}p-{variant}.txt" in names
    assert {name.split("-")[0] for name in names} == set(GAMES)
    assert "all" in VARIANTS
