"""`stampede puzzles`: positions of Buffalo with exactly one winning move, to show, to solve and to make."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import islice, repeat
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from stampede.cli.compile import compile_once, worker_pool
from stampede.cli.files import read_text, whole_file
from stampede.cli.options import AsJson
from stampede.cli.output import console, tracked, write_json
from stampede.cli.terminal.buffalo import parse_move
from stampede.cli.terminal.buffalo_board import board
from stampede.core.errors import InputError, ParseError
from stampede.proofs.puzzles.puzzle import (
    THEMES,
    Puzzle,
    daily,
    puzzle_numbered,
    read_puzzles,
    shipped_puzzles,
)
from stampede.proofs.puzzles.zoff_puzzle import (
    describe_choice,
    explain,
    shipped_zoff_puzzles,
    zoff_puzzle_numbered,
)
from stampede.zoff import ZoffGame

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, help="Shows and makes puzzles of Buffalo: find the only winning move."
)

Solution = Annotated[bool, typer.Option("--solution", help="Show the solution, too.")]


@app.callback()
def group() -> None:
    """Shows and makes puzzles of Buffalo: find the only winning move. All other moves lose; both is proven."""


@app.command("show")
def show(
    number: Annotated[int, typer.Argument(metavar="N", help="The puzzle's number, from 1.")],
    *,
    solution: Solution = False,
    as_json: AsJson = False,
) -> None:
    """Shows a puzzle.

    Example:
    stampede puzzles show 12 --solution
    """
    _show(puzzle_numbered(number), solution=solution, as_json=as_json)


@app.command("daily")
def daily_command(
    *,
    day: Annotated[
        str | None,
        typer.Option("--date", metavar="YYYY-MM-DD", help="A day; default: today (UTC)."),
    ] = None,
    solution: Solution = False,
    as_json: AsJson = False,
) -> None:
    """Shows the puzzle of the day, the same one everywhere.

    Example:
    stampede puzzles daily --date 2026-12-24
    """
    _show(daily(_day(day)), solution=solution, as_json=as_json)


@app.command("solve")
def solve(
    number: Annotated[
        int | None, typer.Argument(metavar="N", help="The puzzle's number; default: today's.")
    ] = None,
    move: Annotated[
        str | None, typer.Argument(metavar="MOVE", help="Check this move only.")
    ] = None,
) -> None:
    """Lets you solve a puzzle: type moves until one is right; `hint`, or an empty line to give up.

    Exit code: 0 solved, 1 not.

    Example:
    stampede puzzles solve 12
    """
    puzzle = daily(_day(None)) if number is None else puzzle_numbered(number)
    out = console()
    answers: Iterator[str] = iter([move]) if move is not None else _read_answers()
    if move is None:
        out.print(_page(puzzle))
    for text in answers:
        if text == "hint":
            out.print(f"Look for this: {THEMES[puzzle.theme]}.")
        elif _check(puzzle, text, out):
            out.print(_solution_text(puzzle))
            return
    if move is None:
        out.print(_solution_text(puzzle))
    raise typer.Exit(1)


@app.command("make")
def make(
    *,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="The number of puzzles.")
    ] = 20,
    seed: Annotated[
        str,
        typer.Option(
            "--seed", "-s", metavar="TEXT", help="Any text; the same seed gives the same puzzles."
        ),
    ] = "0",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", min=1, help="The number of processes.")
    ] = 1,
    parts: Annotated[
        Path | None,
        typer.Option(
            "--parts",
            metavar="FOLDER",
            help="Keep finished parts there, and resume from them when the command is run again.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the puzzles as JSON Lines.")
    ],
) -> None:
    """Makes new puzzles from games between bots, and from quick games with random moves.

    A puzzle takes about half a second of processor time. The same seed and count make the same puzzles, whatever the
    number of processes.

    Example:
    stampede puzzles make --count 20 --seed mine --out puzzles.jsonl
    """
    from stampede.lab.puzzle_maker import divide_collection, merge_parts  # noqa: PLC0415 - compiled code loads slowly

    compile_once("buffalo")
    if parts is not None:
        parts.mkdir(parents=True, exist_ok=True)
    wanted = range(len(divide_collection(seed, count)))
    arguments = wanted, repeat(seed), repeat(count), repeat(parts)
    if jobs == 1:
        texts = list(tracked(map(_make_lines, *arguments), len(wanted), "Making"))
    else:
        with worker_pool(jobs) as pool:
            texts = list(tracked(pool.map(_make_lines, *arguments), len(wanted), "Making"))
    puzzles = merge_parts([read_puzzles(text) for text in texts], seed)
    with whole_file(out) as stream:
        stream.writelines(puzzle.to_line() + "\n" for puzzle in puzzles)
    print(f"{len(puzzles)} puzzles: {out}")


def _make_lines(number: int, seed: str, count: int, folder: Path | None) -> str:
    """Makes a part of the puzzles, perhaps in another process, or reads it if the folder has it."""
    from stampede.lab.puzzle_maker import divide_collection, make_part  # noqa: PLC0415 - compiled code loads slowly

    part = divide_collection(seed, count)[number]
    path = None if folder is None else folder / f"{part.seed.replace('/', '-')}-{part.count}.jsonl"
    if path is not None and path.exists():
        return read_text(path)
    text = "".join(puzzle.to_line() + "\n" for puzzle in make_part(part))
    if path is not None:
        with whole_file(path) as stream:
            stream.write(text)
    return text


@app.command("verify")
def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Puzzles; default: the shipped ones.")
    ] = None,
) -> None:
    """Proves puzzles anew: the solution wins, every other move loses, and the line wins to the end.

    Exit code: 0 all are proven, 1 not.

    Example:
    stampede puzzles verify mine.jsonl
    """
    from stampede.proofs.puzzles.prove import why_no_puzzle  # noqa: PLC0415 - compiled code loads slowly

    compile_once("buffalo")
    puzzles = shipped_puzzles() if file is None else read_puzzles(read_text(file), str(file))
    faults = 0
    for puzzle in tracked(puzzles, len(puzzles), "Proving"):
        reason = why_no_puzzle(puzzle)
        if reason is not None:
            faults += 1
            print(f"{puzzle.number}: {reason}")
    print(f"{len(puzzles) - faults} of {len(puzzles)} puzzles are proven")
    if faults:
        raise typer.Exit(1)


@app.command("zoff")
def zoff(
    number: Annotated[int, typer.Argument(metavar="N", help="The puzzle's number, from 1.")],
    *,
    solution: Solution = False,
) -> None:
    """Shows a puzzle of Zoff: a placement of the last round with one best choice.

    Example:
    stampede puzzles zoff 3 --solution
    """
    from stampede.proofs.puzzles.zoff_solver import solve as play_out  # noqa: PLC0415 - only here

    game = ZoffGame()
    puzzle = zoff_puzzle_numbered(number)
    state = puzzle.state()
    (seat,) = game.to_act(state)
    out = console()
    out.print(f"Puzzle {number} of {len(shipped_zoff_puzzles())}, Zoff", style="bold")
    out.print(Text(str(game.view(state, seat))))
    choices = play_out(state)
    out.print("Which is best? " + ", ".join(sorted(describe_choice(c.action) for c in choices)))
    if solution:
        out.print(explain(state, choices))


@app.command("make-zoff")
def make_zoff(
    *,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="The number of puzzles.")
    ] = 48,
    seed: Annotated[
        str,
        typer.Option(
            "--seed", "-s", metavar="TEXT", help="Any text; the same seed gives the same puzzles."
        ),
    ] = "0",
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the puzzles as JSON Lines.")
    ],
) -> None:
    """Makes puzzles of Zoff from games between weak bots. One takes some seconds.

    Example:
    stampede puzzles make-zoff --count 10 --seed mine --out zoff.jsonl
    """
    from stampede.lab.zoff_puzzle_maker import make_zoff_puzzles  # noqa: PLC0415 - loads the lab

    made = islice(make_zoff_puzzles(seed), count)
    with whole_file(out) as stream:
        stream.writelines(puzzle.to_line() + "\n" for puzzle in tracked(made, count, "Making"))
    print(f"{count} puzzles: {out}")


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(tz=UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"date: expected a day such as 2026-12-24, got {text!r}") from error


def _read_answers() -> Iterator[str]:
    with suppress(EOFError):
        while text := console().input("Your move: ").strip():
            yield text


def _check(puzzle: Puzzle, text: str, out: Console) -> bool:
    position = puzzle.position
    try:
        move = parse_move(position, position.legal_moves, text)
        position.play(move)
    except ParseError as error:
        out.print(Text(str(error), "yellow"))
        return False
    if move == puzzle.solution:
        out.print(Text(f"{move} is right.", "green"))
        return True
    out.print(Text(f"{move} loses. Another move wins.", "yellow"))
    return False


def _show(puzzle: Puzzle, *, solution: bool, as_json: bool) -> None:
    if as_json:
        write_json(puzzle.to_json(solved=solution))
        return
    out = console()
    out.print(_page(puzzle))
    if solution:
        out.print(_solution_text(puzzle))


def _page(puzzle: Puzzle) -> Text:
    known = len(shipped_puzzles())
    heading = f"Puzzle {puzzle.number} of {known}, grade {puzzle.grade} of 8\n"
    turn = f"\n{str(puzzle.position.turn).capitalize()} to move: one move wins, all others lose."
    return Text.assemble((heading, "bold"), board(puzzle.position), turn)


def _solution_text(puzzle: Puzzle) -> Text:
    line = " ".join(map(str, puzzle.line))
    moves = (puzzle.plies + 1) // 2
    text = f"{puzzle.solution}: {THEMES[puzzle.theme]}. Proven, at most {moves} moves: {line}"
    if puzzle.missed:
        text += f"\nMissed by bots of level {', '.join(map(str, puzzle.missed))}."
    return Text(text)
