"""`stampede analyse RECORD`: a finished game, decision by decision; in the terminal, as HTML, as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from stampede.cli.common.compile import compile_once
from stampede.cli.common.files import read_text, whole_file
from stampede.cli.common.output import console, waiting, write_json
from stampede.cli.records.analyse_html import html_report, name_moment, name_point, shown_points
from stampede.core.errors import InputError
from stampede.core.record import GameRecord, read_records
from stampede.zoff import Edition, ZoffGame

if TYPE_CHECKING:
    from stampede.search.review import GameReview, ReviewPlan

__all__ = ["analyse_record", "is_record"]

SHOWN = 12
"""How many of the costliest decisions the terminal shows."""


def is_record(text: str) -> bool:
    """Whether the argument of ``analyse`` names a file, and not a position."""
    return text == "-" or text.endswith((".json", ".jsonl")) or Path(text).is_file()


def analyse_record(  # noqa: PLR0913 - the options of a command
    path: Path,
    edition: Path | None = None,
    *,
    game: int = 1,
    html: Path | None = None,
    as_json: bool = False,
    rounds: int | None = None,
    quick: bool = False,
) -> None:
    """Reviews a finished game and tells what each decision was worth.

    Args:
        path: A record, or JSON Lines of records; ``-`` for standard input.
        edition: A file with the edition that a game of Zoff was played with.
        game: Which of them, from 1.
        html: Where the report is written to; by default beside the record, under its name with ``.html``.
        as_json: One JSON object instead of text; then HTML is written only when a path is given.
        rounds: How many rounds of Zoff are played for each round of choices, with more than two players for each
            seat's; by default 8000.
        quick: Take the budget of the browser's reviews, so that the numbers are the same.
    """
    record = _nth_record(path, game)
    if record.game == ZoffGame.name:
        compile_once(ZoffGame.name)
        plan = _plan_zoff(record, edition, rounds, quick=quick)
    else:
        if edition is not None:
            raise InputError(f"--edition: expected a game of zoff, got one of {record.game}")
        compile_once(record.game)
        plan = _plan_other(record)
    from stampede.search.review import run_review  # noqa: PLC0415 - loads compiled code

    with waiting("Reviewing the game"):
        found = run_review(plan)
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


def _plan_zoff(
    record: GameRecord, edition: Path | None, rounds: int | None, *, quick: bool
) -> ReviewPlan:
    from stampede.oracle.reviews import QUICK_ZOFF  # noqa: PLC0415 - loads compiled code
    from stampede.search.zoff.review.game import EFFORT, plan_review  # noqa: PLC0415
    from stampede.search.zoff.strategy import with_rounds  # noqa: PLC0415

    effort = QUICK_ZOFF if quick else EFFORT
    effort = effort if rounds is None else with_rounds(effort, rounds)
    return plan_review(record, _zoff(edition), effort)


def _plan_other(record: GameRecord) -> ReviewPlan:
    from stampede.oracle.reviews import plan_quick_review  # noqa: PLC0415 - loads compiled code

    return plan_quick_review(record)


def _zoff(edition: Path | None) -> ZoffGame:
    return ZoffGame() if edition is None else ZoffGame((Edition.load(edition),))


def _nth_record(path: Path, number: int) -> GameRecord:
    records = [record for _, record in read_records(read_text(path).splitlines())]
    if not 1 <= number <= len(records):
        raise InputError(f"--game: expected 1 to {len(records)}, got {number}")
    return records[number - 1]


def show(found: GameReview, out: Console) -> None:
    """Prints chances by round, what each seat gave away, and the costliest decisions."""
    chances = Table(title="Chances to win", title_justify="left")
    chances.add_column("seat")
    points = shown_points(found)
    for point in points:
        chances.add_column(name_point(found, point), justify="right")
    chances.add_column("given away", justify="right")
    for seat, info in enumerate(found.record.seats):
        row = [f"{point.chances[seat]:.0%}" for point in points]
        chances.add_row(info.name, *row, _loss(found, found.conclusion.losses[seat]))
    costly = Table(title="The costliest decisions", title_justify="left")
    for name in ("when", "seat", "decision", "loss", "why"):
        costly.add_column(name, justify="right" if name in ("when", "loss") else "left")
    for decision in sorted(found.decisions, key=lambda decision: -decision.loss)[:SHOWN]:
        costly.add_row(
            name_moment(decision),
            found.record.seats[decision.seat].name,
            f"{decision.summary}{decision.mark}",
            _loss(found, -decision.loss),
            decision.words,
        )
    out.print(Group(chances, Text(""), costly))


def _loss(found: GameReview, loss: float) -> str:
    """A loss in the unit of the game: cows, or percent of the chance to win."""
    unit = found.decisions[0].unit if found.decisions else "cows"
    return f"{loss:.1f} cows" if unit == "cows" else f"{loss:.0%}"
