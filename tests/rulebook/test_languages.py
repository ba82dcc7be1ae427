"""The rule books say the same in every language: the same clauses, pictures, numbers and references."""

import re
from collections.abc import Iterator

import pytest

from stampede.core.errors import InputError, ParseError
from stampede.rulebook import (
    LANGUAGES,
    Book,
    Clause,
    Figure,
    Grid,
    ItemList,
    Paragraph,
    Part,
    Section,
    Worked,
    anchor_of,
    plain_text,
    read_book,
)
from stampede.rulebook.markdown import read_page
from tests.repository.test_clauses import EXPECTED

GAMES = ("zoff", "buffalo")
OTHERS = [language for language in LANGUAGES if language != "en"]
CITED = re.compile(r"\b[ZB]\d+(?:\.\d+)?\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
# Two and more: the word for one is also an article.
WORDS = {
    "en": "two three four five six seven eight nine ten eleven",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf",
    "it": "due tre quattro cinque sei sette otto nove dieci undici",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf",
}
ALSO = {"de": {"zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "zehnt": 10}}
BOTH = re.compile(
    r"\b(?:both|les deux|ses deux|beid\w*|entramb\w*|allebei|tous deux|tutti e due)\b"
)


def words_of(part: Part | Clause | Section) -> str:
    """All that a reader reads of it."""
    match part:
        case Paragraph(text=text) | Figure(text=text):
            return text
        case ItemList(items=items):
            return " ".join(items)
        case Grid(rows=rows):
            return " ".join(cell for row in rows for cell in row)
        case Clause(parts=parts) | Section(blocks=parts):
            return " ".join(map(words_of, parts))
        case Worked():
            return ""


def numbers_in(text: str, language: str) -> set[str]:
    """The numbers of a text, in digits or words; ids of clauses, cards and squares aside."""
    plain = BOTH.sub("", plain_text(CITED.sub("", text)).lower())
    named = {word: str(n) for n, word in enumerate(WORDS[language].split(), 2)}
    named |= {word: str(n) for word, n in ALSO.get(language, {}).items()}
    found = {number.replace(",", ".") for number in NUMBER.findall(plain)}
    return found | {named[word] for word in re.findall(r"\w+", plain) if word in named}


def pieces(book: Book) -> Iterator[tuple[str, str]]:
    """Every clause and every other block by a name that is the same in every language."""
    yield "intro", book.intro
    for section in book.sections:
        for number, block in enumerate(section.blocks):
            yield (
                block.id if isinstance(block, Clause) else f"{section.id}/{number}",
                words_of(block),
            )


@pytest.mark.parametrize("game", GAMES)
def test_english_has_every_clause_once_in_order(game: str) -> None:
    ids = [clause.id for clause in read_book(game).clauses()]
    wanted = sorted(
        (one for one in EXPECTED if one[0] == ids[0][0]),
        key=lambda one: [int(number) for number in one[1:].split(".")],
    )
    assert ids == wanted


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_section_clause_and_picture_of_the_english_book(
    game: str, language: str
) -> None:
    def shape(book: Book) -> list[object]:
        shown: list[object] = []
        for section in book.sections:
            shown.append(section.id)
            for block in section.blocks:
                parts: tuple[Part, ...] = block.parts if isinstance(block, Clause) else (block,)
                shown.append(block.id if isinstance(block, Clause) else "")
                shown += [_frame(part) for part in parts]
        return shown

    assert shape(read_book(game, language)) == shape(read_book(game))


def _frame(part: Part) -> object:
    """A part without its words."""
    match part:
        case Figure(scene=scene):
            return scene
        case Worked():
            return part
        case ItemList(ordered=ordered, items=items):
            return (ordered, len(items))
        case Grid(head=head, rows=rows):
            return (len(head), [len(row) for row in rows])
        case Paragraph():
            return "paragraph"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_no_number_and_no_reference_differs_from_english(game: str, language: str) -> None:
    english = dict(pieces(read_book(game)))
    differ = {}
    for name, text in pieces(read_book(game, language)):
        ours, theirs = numbers_in(english[name], "en"), numbers_in(text, language)
        if ours != theirs:
            differ[name] = (sorted(ours - theirs), sorted(theirs - ours))
        if sorted(CITED.findall(english[name])) != sorted(CITED.findall(text)):
            differ[f"{name} cites"] = (CITED.findall(english[name]), CITED.findall(text))
    assert differ == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_are_unique_references_lead_somewhere_and_pictures_have_their_scenes(
    game: str, language: str
) -> None:
    book = read_book(game, language)
    clauses = {clause.id for clause in book.clauses()}
    anchors = [section.id for section in book.sections] + [anchor_of(one) for one in clauses]
    assert len(set(anchors)) == len(anchors)
    text = " ".join(words for _, words in pieces(book))
    chapters = {section.id.upper() for section in book.sections}
    assert {one for one in CITED.findall(text) if one not in clauses | chapters} == set()
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= set(anchors)
    figures = {
        part.scene
        for section in book.sections
        for block in section.blocks
        for part in (block.parts if isinstance(block, Clause) else (block,))
        if isinstance(part, Figure)
    }
    assert figures == set(book.scenes)
    assert all(words_of(section).strip() for section in book.sections)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_not_english(language: str) -> None:
    """A paragraph that was forgotten would be the same."""
    for game in GAMES:
        english = dict(pieces(read_book(game)))
        same = [
            name
            for name, text in pieces(read_book(game, language))
            if text == english[name] and len(text) > 30
        ]
        assert same == []


def test_an_unknown_game_or_language_is_refused() -> None:
    with pytest.raises(InputError, match="expected zoff or buffalo, got 'chess'"):
        read_book("chess")
    with pytest.raises(InputError, match="got 'pt'"):
        read_book("zoff", "pt")


@pytest.mark.parametrize("page", ["No title\n", "# Title\n\nIntro\n\n## Without an id\n\nText\n"])
def test_a_page_that_is_built_wrongly_is_refused(page: str) -> None:
    with pytest.raises(ParseError, match=r"xx/zoff\.md: expected"):
        read_page(page, "xx/zoff.md")
