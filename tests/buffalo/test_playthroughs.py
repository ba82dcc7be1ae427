import pytest

from tests.buffalo.playthroughs import FOLDER, GAMES, transcript


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_still_played_as_it_was_written_down(name: str) -> None:
    """B2.1, B3.1, B3.2, B4.2, B4.3: legal moves, events, sentences and positions of whole games."""
    assert transcript(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)
