"""Bots have names: one for each level, known to the server and to every language of the client."""

import json
from pathlib import Path

import pytest

from stampede.bots import bot_names
from stampede.bots.characters import CHARACTERS, COMPANIONS, name_bots
from stampede.games import GAMES

LOCALES = Path(__file__).parents[2] / "web" / "src" / "lib" / "i18n" / "locales"


@pytest.mark.parametrize("game", GAMES)
def test_every_level_has_a_character_of_its_own(game: str) -> None:
    names = [CHARACTERS[level].name for level in bot_names(game)]
    assert len(set(names)) == len(names)


def test_all_names_differ_so_that_no_one_is_taken_for_another() -> None:
    names = [character.name for character in CHARACTERS.values()]
    assert len({*names, *COMPANIONS}) == len(names) + len(COMPANIONS)


@pytest.mark.parametrize("language", ["en", "fr", "de", "it", "nl"])
def test_every_language_tells_who_the_bots_are(language: str) -> None:
    texts = json.loads((LOCALES / language / "bots.json").read_text("utf-8"))
    assert set(texts["name"]) == set(CHARACTERS) == set(texts["about"])
    if language == "en":
        assert texts["name"] == {level: one.name for level, one in CHARACTERS.items()}
    companions = json.dumps(COMPANIONS)
    assert f"COMPANIONS = {companions}" in (LOCALES.parents[1] / "levels.ts").read_text("utf-8")


def test_six_bots_of_one_level_have_six_names() -> None:
    names = name_bots(["zoff-2"] * 6)
    assert names[0] == "Clem"
    assert len(set(names)) == 6


def test_a_level_from_elsewhere_gets_a_companions_name() -> None:
    assert name_bots(["mine", None, "zoff-1"]) == ("Buck", "", "Pip")
