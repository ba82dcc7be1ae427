"""`stampede record`: checks and shows game records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stampede.cli.common.files import read_text
from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson, EditionFile
from stampede.cli.common.output import console, tracked, write_json
from stampede.cli.terminal import AnyGameTerminal, AnyPlaythrough, Terminals
from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.core.replay import replay

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Checks and shows game records.")

RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A record, or JSON Lines of records; - for standard input."
    ),
]
MOST_SHOWN = 20
"""How many wrong records are listed one by one."""


@dataclass(frozen=True, slots=True)
class WrongRecord:
    """A wrong record: its line, the step at fault, and why."""

    line: int
    step: int | None
    problem: str

    def to_json(self) -> JsonObject:
        """Returns it as JSON."""
        return {"line": self.line, "step": self.step, "error": self.problem}


@app.command("check")
def check(file: RecordFile, edition: EditionFile = None, as_json: AsJson = False) -> None:
    """Replays every record of a file; exit code 1 if one is wrong, with line, step and reason.

    Example:
    stampede record check games.jsonl
    """
    terminals = Terminals(edition)
    rows = _rows(file)
    wrong_records = [
        found
        for line, text in tracked(rows, len(rows), "Checking")
        if (found := _problem(terminals, line, text)) is not None
    ]
    if as_json:
        wrong = [found.to_json() for found in wrong_records]
        report: JsonObject = {"file": str(file), "records": len(rows), "wrong": wrong}
        write_json({"valid": not wrong_records, **report})
    else:
        _print_wrong(file, len(rows), wrong_records)
    if wrong_records:
        raise typer.Exit(WRONG)


def _print_wrong(file: Path, records: int, wrong_records: list[WrongRecord]) -> None:
    for found in wrong_records[:MOST_SHOWN]:
        typer.echo(f"{file}:{found.line}: {found.problem}", err=True)
    if len(wrong_records) > MOST_SHOWN:
        typer.echo(f"{file}: and {len(wrong_records) - MOST_SHOWN} more", err=True)
    verdict = (
        f"{len(wrong_records)} of {records} wrong"
        if wrong_records
        else f"{records} records, all valid"
    )
    print(f"{file}: {verdict}")


@app.command("show")
def show(
    file: RecordFile,
    game: Annotated[
        int | None,
        typer.Option("--game", "-g", metavar="N", help="Show the Nth game of the file, from 1."),
    ] = None,
    events: Annotated[
        bool,
        typer.Option("--events", help="Show everything that happened, with reasons and clauses."),
    ] = False,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Shows a game from its first step to its result, or a list if there are several games.

    Example:
    stampede record show games.jsonl --game 3 --events
    """
    rows = _rows(file)
    if game is not None and not 1 <= game <= len(rows):
        raise InputError(f"--game: expected 1 to {len(rows)}, got {game}")
    if game is None and len(rows) > 1:
        _list(file, rows, as_json=as_json)
        return
    line, text = rows[(game or 1) - 1]
    try:
        record = GameRecord.loads(text)
        terminal = Terminals(edition).named(record.game)
        played = replay(terminal.game, record)
    except StampedeError as error:
        raise InputError(f"{file}:{line}: {error}") from error
    if as_json:
        told: JsonObject = {"events": [event.to_json() for event in played.events]}
        write_json({**record.to_json(), **(told if events else {})})
    else:
        _print_game(console(), terminal, record, played, events=events)


# --- reading ---


def _problem(terminals: Terminals, line: int, text: str) -> WrongRecord | None:
    """Replays a record and returns what is wrong with it; None if nothing is."""
    try:
        record = GameRecord.loads(text)
        replay(terminals.named(record.game).game, record)
    except RecordError as error:
        return WrongRecord(line, error.index, str(error))
    except StampedeError as error:
        return WrongRecord(line, None, str(error))
    return None


def _rows(file: Path) -> list[tuple[int, str]]:
    """Returns the unread records of a file with their line numbers: each may be wrong on its own."""
    text = read_text(file)
    rows = [(number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    if not rows:
        raise InputError(f"{file}: expected a game record, got an empty file")
    if rows[0][1].strip() == "{":  # one record over several lines
        return [(rows[0][0], text)]
    return rows


# --- showing ---


def _list(file: Path, rows: list[tuple[int, str]], *, as_json: bool) -> None:
    if as_json:
        write_json({"file": str(file), "games": [_in_short(row) for row in _records(file, rows)]})
        return
    out = console()
    table = Table(title=f"{file}: {len(rows)} games; --game N shows one", title_justify="left")
    for title in ("game", "players", "steps", "result"):
        table.add_column(title, justify="right" if title == "steps" else "left")
    for number, record in enumerate(_records(file, rows), start=1):
        players = ", ".join(seat.name for seat in record.seats)
        table.add_row(f"{number} {record.game}", players, str(len(record.actions)), _result(record))
    out.print(table)


def _records(file: Path, rows: list[tuple[int, str]]) -> Iterator[GameRecord]:
    for line, text in rows:
        try:
            yield GameRecord.loads(text)
        except RecordError as error:
            raise InputError(f"{file}:{line}: {error}") from error


def _in_short(record: GameRecord) -> Json:
    return {
        "game": record.game,
        "rules": record.rules,
        "seats": [seat.to_json() for seat in record.seats],
        "steps": len(record.actions),
        "result": record.result,
    }


def _result(record: GameRecord) -> str:
    result = record.result
    if result is None:
        return "unfinished"
    winners = result.get("winners", [result.get("winner")])
    assert isinstance(winners, list), "one winner or a list of them"
    names = ", ".join(_seat_name(record, seat) for seat in winners)
    return f"{names} ({result.get('reason')})"


def _seat_name(record: GameRecord, seat: Json) -> str:
    if isinstance(seat, int) and 0 <= seat < len(record.seats):
        return record.seats[seat].name
    return f"seat {seat}"


def _print_game(
    out: Console,
    terminal: AnyGameTerminal,
    record: GameRecord,
    played: AnyPlaythrough,
    *,
    events: bool,
) -> None:
    names = [seat.name for seat in record.seats]
    rules = ", ".join(f"{key} {value}" for key, value in record.rules.items())
    out.print(Text(f"{record.game}: {', '.join(names)}", "bold"))
    out.print(Text(f"rules: {rules}", "dim"))
    if events:
        for text in terminal.explain(played.events, names):
            out.print(Text(text), soft_wrap=True)
    else:
        for line in terminal.story(played.events, names):
            out.print(line, soft_wrap=True)
    view = terminal.game.view(played.state, None)
    out.print()
    out.print(terminal.screen(view, names, out.width))
    if played.outcome is None:
        out.print(Text("The game isn't finished.", "bold"))
    else:
        out.print(terminal.summary(view, played.outcome, names))
