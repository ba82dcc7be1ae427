"""`stampede analyse RECORD`: a finished game of Zoff, decision by decision; in the terminal, as HTML, as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from stampede.cli.analyse_html import html_report
from stampede.cli.compile import compile_once
from stampede.cli.files import read_text, whole_file
from stampede.cli.output import console, waiting, write_json
from stampede.core.errors import InputError
from stampede.core.record import GameRecord, read_records
from stampede.zoff import Edition, ZoffGame

if TYPE_CHECKING:
    from stampede.search.zoff.review.game import GameReview

__all__ = ["analyse_record", "is_record"]

SHOWN = 12
"""How many of the costliest decisions the terminal shows."""


def is_record(text: str) -> bool:
    """Whether the argument of ``analyse`` names a file, and not a position."""
    return text == "-" or text.endswith((".json", ".jsonl")) or Path(text).is_file()


def analyse_record(
    path: Path,
    edition: Path | None = None,
    *,
    game: int = 1,
    html: Path | None = None,
    as_json: bool = False,
    rounds: int | None = None,
) -> None:
    """Looks at a finished game of Zoff again and tells what each decision was worth.

    Args:
        path: A record, or JSON Lines of records; ``-`` for standard input.
        edition: A file with the edition that the game was played with.
        game: Which of them, from 1.
        html: Where the report is written to; by default beside the record, under its name with ``.html``.
        as_json: One JSON object instead of text; then HTML is written only when a path is given.
        rounds: How many rounds are played for each round of choices, with more than two players for each
            seat's; by default 8000.
    """
    from stampede.search.zoff.review.game import EFFORT, analyse_game  # noqa: PLC0415 - loads compiled code
    from stampede.search.zoff.strategy import with_rounds  # noqa: PLC0415

    record = _nth_record(path, game)
    effort = EFFORT if rounds is None else with_rounds(EFFORT, rounds)
    compile_once(ZoffGame.name)
    with waiting("Reviewing the game"):
        found = analyse_game(record, _zoff(edition), effort=effort)
    if html is None and not as_json and str(path) != "-":
        html = path.with_suffix(".html")
    if html is not None:
        with whole_file(html) as stream:
            stream.write(html_report(found))
    if as_json:
        write_json(found.to_json())
        return
    show(found, console())
    if html is not None:
        print(f"The whole report: {html}")


def _zoff(edition: Path | None) -> ZoffGame:
    return ZoffGame() if edition is None else ZoffGame((Edition.load(edition),))


def _nth_record(path: Path, number: int) -> GameRecord:
    records = [record for _, record in read_records(read_text(path).splitlines())]
    if not 1 <= number <= len(records):
        raise InputError(f"--game: expected 1 to {len(records)}, got {number}")
    return records[number - 1]


def show(found: GameReview, out: Console) -> None:
    """Prints chances by round, what each seat gave away, and the costliest decisions."""
    from stampede.search.zoff.review.remarks import describe_action  # noqa: PLC0415 - loads compiled code

    chances = Table(title="Chances to win", title_justify="left")
    chances.add_column("seat")
    for moment in found.moments:
        chances.add_column(f"round {moment.round}" if moment.round else "end", justify="right")
    chances.add_column("score", justify="right")
    chances.add_column("given away", justify="right")
    for seat, name in enumerate(found.names):
        row = [f"{moment.chances[seat]:.0%}" for moment in found.moments]
        chances.add_row(name, *row, f"{found.scores[seat]:g}", f"{found.regrets()[seat]:.1f} cows")
    costly = Table(title="The costliest decisions", title_justify="left")
    for name in ("round", "seat", "decision", "cows", "why"):
        costly.add_column(name, justify="right" if name in ("round", "cows") else "left")
    for decision in sorted(found.decisions, key=lambda decision: -decision.regret)[:SHOWN]:
        costly.add_row(
            str(decision.round or "start"),
            found.names[decision.seat],
            describe_action(decision.chosen),
            f"-{decision.regret:.1f}",
            decision.words,
        )
    out.print(Group(chances, Text(""), costly))
