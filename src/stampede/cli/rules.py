"""`stampede rules`: the rule book in the terminal, whole, by chapter or clause, or what a search finds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from stampede.buffalo import Position
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, write_json
from stampede.core.errors import InputError
from stampede.core.events import plain
from stampede.games import GAMES, game_named
from stampede.rulebook import (
    LANGUAGES,
    Block,
    BoardScene,
    Book,
    Clause,
    ExampleStep,
    Figure,
    Grid,
    ItemList,
    Labels,
    Paragraph,
    PastureScene,
    Section,
    Worked,
    plain_text,
    read_book,
)
from stampede.zoff.view import PastureView

__all__ = ["app", "find_part", "rules_summary", "short_rules"]

app = typer.Typer()

MARKS: Final = re.compile(
    r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*|`(?P<code>[^`]+)`|\[(?P<link>[^\]]+)\]\([^)]*\)"
    r"|(?P<clause>\b[ZB]\d+\.\d+\b)"
)
STYLES: Final = {"bold": "bold", "italic": "italic", "code": "cyan", "link": "", "clause": "bold"}


def short_rules(game: str) -> str:
    """Returns the game in a few sentences."""
    first = read_book(game).section("short").blocks[0]
    assert isinstance(first, Paragraph), "the book's short section begins with a paragraph"
    return plain_text(first.text)


def rules_summary(game: str, clause: str = "") -> RenderableType:
    """Renders what a player does, in short, or a clause.

    Raises:
        InputError: There is no such clause.
    """
    book = read_book(game_named(game).name)
    part = find_part(book, clause) if clause else book.section("short")
    if isinstance(part, Clause):
        return _render(book, part)
    return Group(Text(part.title, "bold"), *_render_all(book, part.blocks))


def find_part(book: Book, name: str) -> Section | Clause:
    """Returns the clause, the chapter or the section with this id, in any case.

    Raises:
        InputError: There is none.
    """
    wanted = name.strip().lower()
    for clause in book.clauses():
        if clause.id.lower() == wanted:
            return clause
    for section in book.sections:
        if section.id == wanted:
            return section
    known = [clause.id for clause in book.clauses()]
    sections = ", ".join(section.id for section in book.sections)
    raise InputError(
        f"clause: expected {known[0]} to {known[-1]}, or one of {sections}; got {name!r}"
    )


@app.command("rules")
def rules_command(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help=f"{' or '.join(GAMES)}; without it, both in short.",
            autocompletion=lambda: list(GAMES),
            show_default=False,
        ),
    ] = None,
    clause: Annotated[
        str | None,
        typer.Argument(
            metavar="CLAUSE",
            help="A clause such as Z4.4, a chapter such as Z4, or a section such as glossary.",
            show_default=False,
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", metavar="NAME", help=f"The language: {', '.join(LANGUAGES)}."
        ),
    ] = "en",
    search: Annotated[
        str, typer.Option("--search", metavar="TEXT", help="Show only what has all these words.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Shows the rules of a game: all of them, a chapter, a clause, or what a search finds.

    Examples:
    stampede rules buffalo
    stampede rules zoff Z4.4 --language fr
    stampede rules zoff --search "law of herds"
    """
    if game is None:
        _show_overview(language, as_json=as_json)
        return
    book = read_book(game_named(game).name, language)
    sections = _choose(book, clause, search)
    if as_json:
        shown = {
            block.id: plain(block)
            for section in sections
            for block in section.blocks
            if isinstance(block, Clause)
        }
        write_json({"game": book.game, "language": book.language, "clauses": shown})
        return
    out = console()
    if clause is None and not search:
        out.print(Text(book.title, "bold"), _render_text(book.intro), "")
    for section in sections:
        out.print(Text(section.title, "bold"))
        out.print(*_render_all(book, section.blocks), "", sep="\n")


def _show_overview(language: str, *, as_json: bool) -> None:
    books = [read_book(name, language) for name in GAMES]
    if as_json:
        write_json({book.game: [clause.id for clause in book.clauses()] for book in books})
        return
    for book in books:
        console().print(
            Text(book.title, "bold"), *_render_all(book, book.section("short").blocks), "", sep="\n"
        )


def _choose(book: Book, name: str | None, search: str) -> list[Section]:
    """Returns what was asked for; a search must find something.

    Raises:
        InputError: There is no such clause, or nothing has these words.
    """
    sections = list(book.sections)
    if name is not None:
        part = find_part(book, name)
        if isinstance(part, Section):
            sections = [part]
        else:
            home = next(section for section in sections if part in section.blocks)
            sections = [Section(home.id, home.title, (part,))]
    words = _fold(search).split()
    if not words:
        return sections
    found = []
    for section in sections:
        hits = tuple(
            block for block in section.blocks if all(w in _fold(_words_of(block)) for w in words)
        )
        if hits:
            found.append(Section(section.id, section.title, hits))
    if not found:
        raise InputError(
            f"search: expected words of the rules in {LANGUAGES[book.language]}, got {search!r}"
        )
    return found


def _fold(text: str) -> str:
    """A text without case and accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(one for one in parts if not unicodedata.combining(one)).lower()


def _words_of(block: Block) -> str:
    match block:
        case Paragraph(text=text) | Figure(text=text):
            return plain_text(text)
        case ItemList(items=items):
            return plain_text(" ".join(items))
        case Grid(rows=rows):
            return plain_text(" ".join(cell for row in rows for cell in row))
        case Clause(id=name, parts=parts):
            return " ".join([name, *map(_words_of, parts)])
        case Worked():
            return ""


# --- on the screen ---


def _render_all(book: Book, blocks: Iterable[Block]) -> list[RenderableType]:
    return [_render(book, block) for block in blocks]


def _render(book: Book, block: Block) -> RenderableType:
    match block:
        case Paragraph(text=text):
            return _render_text(text)
        case ItemList(ordered=ordered, items=items):
            rows = _bare_table()
            for number, item in enumerate(items, 1):
                rows.add_row(f"{number}." if ordered else "•", _render_text(item))
            return rows
        case Grid(head=head, rows=lines):
            return _render_grid(head, [[_render_text(cell) for cell in row] for row in lines])
        case Figure():
            return _render_figure(book, block)
        case Worked():
            return _render_worked(book, block)
        case Clause(id=name, parts=parts):
            rows = _bare_table()
            rows.add_row(Text(name, "bold"), Group(*(_render(book, part) for part in parts)))
            return rows


def _bare_table() -> Table:
    rows = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    rows.add_column(no_wrap=True)
    rows.add_column()
    return rows


def _render_text(text: str) -> Text:
    shown, at = Text(), 0
    for found in MARKS.finditer(text):
        kind = found.lastgroup or "link"
        shown.append(text[at : found.start()]).append(found[kind], STYLES[kind])
        at = found.end()
    return shown.append(text[at:])


def _render_grid(head: Iterable[str], rows: Iterable[list[Text]]) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0), pad_edge=False)
    for title in head:
        table.add_column(title)
    for row in rows:
        table.add_row(*row)
    return table


def _render_figure(book: Book, figure: Figure) -> RenderableType:
    """A position as text, and what it shows."""
    caption = Text(figure.text, "dim italic")
    match book.scenes[figure.scene]:
        case BoardScene(fen=fen):
            return Group(Padding(Text(str(Position.from_fen(fen))), (0, 0, 0, 2)), caption)
        case PastureScene():
            return caption


def _render_worked(book: Book, worked: Worked) -> RenderableType:
    labels, example = book.labels, book.examples[worked.example]
    if worked.part in ("before", "after"):
        scene = book.scenes[f"{book.game}-{worked.example}-{worked.part}"]
        assert isinstance(scene, PastureScene)
        head = [labels.pasture, labels.capacity, labels.bonuses, labels.herds, labels.free]
        rows = [_pasture_cells(labels, pasture) for pasture in scene.pastures]
    elif worked.part == "choices":
        head = [labels.herd, labels.pasture, labels.cards]
        rows = [[labels.colours[of], pasture, card] for pasture, card, of in example.choices]
    else:
        head = [labels.herd, labels.by, labels.cows_on, labels.becomes]
        rows = [_step_cells(labels, step) for step in example.steps]
    return _render_grid(head, [[Text(cell) for cell in row] for row in rows])


def _pasture_cells(labels: Labels, pasture: PastureView) -> list[str]:
    return [
        pasture.name,
        str(pasture.capacity),
        "-".join(map(str, pasture.bonus)),
        ", ".join(f"{labels.colours[name]} {cows}" for name, cows in pasture.herds.items()),
        str(pasture.free) if pasture.free else labels.full,
    ]


def _step_cells(labels: Labels, step: ExampleStep) -> list[str]:
    result = f"{step.herd} + {step.cows} = {step.herd + step.cows}"
    if step.full:
        result += f", {labels.full}"
    return [
        labels.colours[step.colour],
        step.card or labels.bonus_of.format(pasture=step.source),
        step.pasture,
        labels.wasted if step.wasted else result,
    ]
