"""The printed data (Z1): what ships, what is refused, and with which cell."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from stampede.core.errors import EditionError, ParseError, RuleSetError
from stampede.zoff import CowCard, Edition, ZoffGame, ZoffRules
from stampede.zoff.edition import CARDS_OF_VALUE
from stampede.zoff.rules import COWS


def shipped_text() -> str:
    """The edition file of the package."""
    return resources.files("stampede.zoff").joinpath("edition.toml").read_text(encoding="utf-8")


def test_the_shipped_edition_has_everything_in_the_box() -> None:
    """Z1.1: eleven pastures and one for six, ten cow cards a colour, four extras, 48 cows."""
    edition = Edition.default()
    assert len(edition.pastures) == 12
    assert [len(cards) for cards in edition.cards.values()] == [10] * 6
    for cards in edition.cards.values():
        values = [card.value for card in cards]
        assert {value: values.count(value) for value in CARDS_OF_VALUE} == {2: 3, 3: 3, 4: 2, 5: 2}
    extras = {str(card) for cards in edition.extras.values() for card in cards}
    assert extras == {"2N", "4M", "2S", "4F"}
    assert COWS == 48


def test_every_printed_value_says_where_it_comes_from() -> None:
    """Z1.2: seed, public or reconstructed, for each cell of each pasture."""
    for pasture in Edition.default().pastures:
        source = dict(pasture.source)
        assert set(source) == {"name", "capacity", "bonus"}
        assert set(source.values()) <= {"seed", "public", "reconstructed"}


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    [
        ("capacity = 8\n", "capacity = 6\n", "pasture[1].capacity"),
        ("capacity = 8\n", 'capacity = "8"\n', "pasture[1].capacity"),
        ("capacity = 8\n", "capacity = 8\nspaces = 8\n", "pasture[1].spaces"),
        ("bonus = [1, 2, 3]", "bonus = [1]", "pasture[9].bonus"),
        ("bonus = [1, 2, 3]", "bonus = [1, -2, 3]", "pasture[9].bonus[1]"),
        ('name = "Lucky-Pickle"', 'name = "Lucky-Lake"', "pasture[7].name"),
        ('name = "Lucky-Pickle"', 'name = ""', "pasture[7].name"),
        ('4 = "GT"', '4 = "GG"', "cow_cards.pink.4"),
        ('4 = "GT"', '4 = "GN"', "cow_cards.pink.4"),
        ('4 = "GT"', '4 = "G"', "cow_cards.pink.4"),
        ('4 = "GT"', '4 = "gt"', "cow_cards.pink.4"),
        ("[cow_cards.yellow]", "[cow_cards.orange2]\n[cow_cards.yellow]", "cow_cards"),
        ('2 = "N"', '2 = "F"', "two_player_extras.blue.2"),
        ('id = "fx-schmid-1998-r1"', "id = 3", "edition.id"),
        ('capacity = "public"', 'capacity = "guess"', "pasture[9].source.capacity"),
        ("[edition]", "[edition", "file"),
    ],
)
def test_a_wrong_edition_file_gets_an_error_that_names_the_cell(
    old: str, new: str, cell: str
) -> None:
    """Z1.2: an owner who corrects a copy is told which cell he got wrong."""
    text = shipped_text()
    assert old in text
    with pytest.raises(EditionError) as caught:
        Edition.parse(text.replace(old, new, 1))
    assert caught.value.cell == cell
    assert str(caught.value).startswith(f"{cell}: ")


def test_a_missing_edition_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match=r"nowhere\.toml"):
        Edition.load(tmp_path / "nowhere.toml")


def test_a_corrected_edition_is_played_under_its_own_name(tmp_path: Path) -> None:
    """Z1.2: a table says which edition it plays, and no code changes for another."""
    path = tmp_path / "mine.toml"
    text = shipped_text().replace("fx-schmid-1998-r1", "my-box").replace("= 21\n", "= 20\n")
    path.write_text(text, encoding="utf-8")
    game = ZoffGame([Edition.load(path)])
    rules = game.read_rules({**ZoffRules(3).to_json(), "edition": "my-box"})
    assert game.edition(rules).pastures[7].capacity == 20
    with pytest.raises(RuleSetError, match="my-box"):
        ZoffGame().edition(rules)


@pytest.mark.parametrize("text", ["", "4", "M4", "6M", "44", "4m", "4MM", "1A"])
def test_a_wrong_card_text_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="such as 4M"):
        CowCard.parse(text)


def test_every_card_reads_back_from_its_text() -> None:
    for cards in Edition.default().cards.values():
        assert [CowCard.parse(str(card)) for card in cards] == list(cards)
