"""The printed data (Z1): what ships, what is refused, and with which cell."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from stampede.core.errors import EditionError, ParseError, RuleSetError
from stampede.core.json import Json, canonical
from stampede.zoff import CowCard, Edition, ZoffGame, ZoffRules
from stampede.zoff.edition import CARDS_OF_VALUE
from stampede.zoff.edition_writer import write_edition
from stampede.zoff.rules import COWS
from tests.zoff.drawn_editions import draw_edition


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
        source = pasture.source.to_json()
        assert set(source) == {"name", "capacity", "bonus"}
        assert set(source.values()) <= {"seed", "public", "reconstructed"}


def test_seven_letters_are_known_and_the_others_are_reconstructed() -> None:
    """Z1.2: the rule sheets name three cards in examples, and the four extras."""
    edition = Edition.default()
    owned = [(c, card) for c, cards in edition.cards.items() for card in cards]
    owned += [(c, card) for c, cards in edition.extras.items() for card in cards]
    known = {f"{c} {card}" for c, card in owned if edition.source_of(c, card) == "seed"}
    assert known == {"orange 4M", "pink 4G", "green 3S", "blue 2N", "blue 4M", "pink 2S", "pink 4F"}
    assert {edition.source_of(c, card) for c, card in owned} == {"seed", "reconstructed"}


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
        ("bonus = [1, 2, 3]", "bonus = [1, 2, 5]", "pasture[9].bonus[2]"),
        ("capacity = 16\n", "capacity = 15\n", "pasture"),
        ('name = "Lucky-Pickle"', 'name = "Lucky [bold]Pickle"', "pasture[7].name"),
        ('id = "fx-schmid-1998-r1"', 'id = "my box"', "edition.id"),
        ('id = "fx-schmid-1998-r1"', f'id = "{"x" * 41}"', "edition.id"),
        ('r1"\ntitle = "', 'r1"\ntitle = "\\n', "edition.title"),
        ("[cow_cards.yellow]", "[cow_cards.'y,.']", "cow_cards"),
        (
            "[cow_cards.purple]",
            "[cow_cards.purple]\nsource = { 2 = ['seed'] }",
            "cow_cards.purple.source.2",
        ),
        (
            "[cow_cards.purple]",
            "[cow_cards.purple]\nsource = { 2 = 'sed' }",
            "cow_cards.purple.source.2",
        ),
        (
            "[cow_cards.purple]",
            "[cow_cards.purple]\nsource = { 6 = 'box' }",
            "cow_cards.purple.source.6",
        ),
        ("capacity = 21\n", "capacity = 20\n", "edition.id"),
        ('2 = "FPQ"', '2 = "FQA"', "edition.id"),
        ("[edition]", "[edition", "file"),
    ],
)
def test_a_wrong_edition_file_gets_an_error_that_names_the_cell(
    old: str, new: str, cell: str
) -> None:
    """Z1.2: an owner who corrects a copy is told which cell is wrong."""
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
    assert ZoffGame().edition(rules) == game.edition(rules), "the rules carry the data"
    with pytest.raises(RuleSetError, match="my-box"):
        ZoffGame().edition(replace(rules, edition_data=None))


def test_a_copy_with_other_data_needs_another_id_and_one_with_the_same_data_is_the_shipped_one() -> (
    None
):
    """Z1.2: the shipped id stands for the shipped data."""
    with pytest.raises(EditionError, match="expected another id than 'fx-schmid-1998-r1'"):
        Edition.parse(shipped_text().replace("capacity = 21\n", "capacity = 20\n"))
    copy = shipped_text().replace("reconstruction 1", "my copy").replace('"public"', '"box"')
    assert Edition.parse(copy) is Edition.default()


def without_six() -> dict[str, Json]:
    """The shipped data under another id, without what only six players need."""
    data: dict[str, Json] = json.loads(canonical(Edition.default().to_json()))
    cards = data["cow_cards"]
    assert isinstance(cards, dict)
    assert isinstance(data["pasture"], list)
    data["edition"] = {"id": "five", "title": "Without the extension"}
    data["pasture"] = data["pasture"][:-1]
    data["cow_cards"] = {colour: cards[colour] for colour in list(cards)[:-1]}
    return data


def test_an_edition_without_the_extension_plays_with_up_to_five() -> None:
    """Z11.4: data for six players is optional; six players are refused, and told why."""
    edition = Edition.from_json(without_six())
    game = ZoffGame([edition])
    for players in (2, 3, 4, 5):
        rules = game.read_rules({**ZoffRules(players).to_json(), "edition": "five"})
        state = game.initial(rules, game.draw(rules, random.Random(1)))
        assert set(state.setup.colours) <= set(Edition.default().colours[:5])
    with pytest.raises(
        RuleSetError, match=r"expected 2 to 5, as the edition 'five' has no twelfth"
    ):
        game.read_rules({**ZoffRules(6).to_json(), "edition": "five"})


def test_six_players_need_a_pasture_and_a_colour() -> None:
    """Z11.4: one without the other is refused."""
    data = {**without_six(), "pasture": Edition.default().to_json()["pasture"]}
    with pytest.raises(EditionError, match=r"a sixth colour and a twelfth pasture .* or neither"):
        Edition.from_json(data)


@pytest.mark.parametrize("six", [True, False])
def test_a_drawn_edition_reads_back_from_json_and_toml(six: bool) -> None:
    """Z1.2: both forms hold everything, sources included."""
    for seed in range(40):
        edition = draw_edition(random.Random(seed), six=six)
        assert Edition.from_json(json.loads(canonical(edition.to_json()))) == edition
        assert Edition.parse(write_edition(edition)) == edition
        assert sum(edition.count_sources().values()) == (36 + 60 + 4 if six else 33 + 50 + 4)


def test_rules_carry_the_data_of_other_editions() -> None:
    """Z1.2: rules with the data need no file; those with the id alone are refused; the shipped one adds nothing."""
    edition = draw_edition(random.Random(1))
    data = {**ZoffRules(4).to_json(), "edition": edition.id, "edition_data": edition.to_json()}
    rules = ZoffGame().read_rules(data)
    assert ZoffGame().write_rules(rules) == data
    assert rules.printed == edition
    with pytest.raises(RuleSetError, match="or edition_data, got 'drawn-"):
        ZoffGame().read_rules({**data, "edition_data": None})
    with pytest.raises(RuleSetError, match="or edition_data with the data of 'other'"):
        _ = ZoffRules(4, edition="other").printed
    with pytest.raises(RuleSetError, match="edition_data: expected the edition 'other', got"):
        ZoffGame().read_rules({**data, "edition": "other"})
    with pytest.raises(EditionError) as caught:
        ZoffGame().read_rules({**data, "edition_data": {**edition.to_json(), "pasture": []}})
    assert caught.value.cell == "pasture"
    usual = ZoffRules(4)
    again = {**usual.to_json(), "edition_data": Edition.default().to_json()}
    assert ZoffGame().read_rules(again) == usual


@pytest.mark.parametrize("text", ["", "4", "M4", "6M", "44", "4m", "4MM", "1A"])
def test_a_wrong_card_text_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="such as 4M"):
        CowCard.parse(text)


def test_every_card_reads_back_from_its_text() -> None:
    for cards in Edition.default().cards.values():
        assert [CowCard.parse(str(card)) for card in cards] == list(cards)
