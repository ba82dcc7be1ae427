"""`stampede puzzles`: positions with exactly one best answer, to show, to solve, to make and to prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from stampede.buffalo import Position, Side
from stampede.cli.common.compile import compile_once
from stampede.cli.common.files import read_text, whole_file
from stampede.cli.common.options import AsJson, RayAddress
from stampede.cli.common.output import console, counting, tracked, write_json
from stampede.cli.terminal.buffalo import parse_move
from stampede.cli.terminal.buffalo_board import board
from stampede.core.errors import InputError, ParseError
from stampede.lab.shards import Executor, Job, JobFolder, executor_for, run
from stampede.proofs.puzzles.puzzle import (
    THEMES,
    Puzzle,
    daily,
    puzzle_numbered,
    read_puzzles,
    shipped_puzzles,
)
from stampede.proofs.puzzles.zoff_puzzle import (
    GRADES,
    ZoffPuzzle,
    read_zoff_puzzles,
    shipped_zoff_puzzles,
    why_no_zoff_puzzle,
    zoff_puzzle_numbered,
)
from stampede.proofs.puzzles.zoff_reasons import describe_choice, explain
from stampede.zoff import ZoffGame

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, help="Shows and makes puzzles of Buffalo and Zoff: find the best choice."
)

T = TypeVar("T")
Solution = Annotated[bool, typer.Option("--solution", help="Show the solution, too.")]
Count = Annotated[
    int, typer.Option("--count", "-n", metavar="N", min=1, help="The number of puzzles.")
]
Out = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Write the puzzles as JSON Lines.")
]
Seed = Annotated[
    str,
    typer.Option(
        "--seed", "-s", metavar="TEXT", help="Any text; the same seed gives the same puzzles."
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, help="The number of processes.")
]
Parts = Annotated[
    Path | None,
    typer.Option(
        "--parts",
        metavar="FOLDER",
        help="Keep finished parts in this folder; the same command continues with it.",
    ),
]


@app.callback()
def group() -> None:
    """Shows and makes puzzles: in Buffalo find the only winning move, in Zoff the best choice. All are proven."""


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
    count: Count = 20,
    seed: Seed = "0",
    jobs: Jobs = 1,
    ray: RayAddress = None,
    parts: Parts = None,
    out: Out,
) -> None:
    """Makes new puzzles from games between bots, and from quick games with random moves.

    A puzzle takes about half a second of processor time. The same seed and count make the same puzzles, whatever the
    number of processes and wherever they run. A part has 25 puzzles.

    Examples:
    stampede puzzles make --count 20 --seed mine --out puzzles.jsonl
    stampede puzzles make --count 2000 --parts parts --ray 10.0.0.1:6379 --out puzzles.jsonl
    """
    from stampede.lab.puzzle_maker import collection_job, read_collection  # noqa: PLC0415 - compiled code loads slowly

    compile_once("buffalo")
    _make(collection_job(seed, count), read_collection, executor_for(jobs, ray), parts, out)


def _make(
    job: Job,
    read: Callable[[JobFolder], Sequence[Puzzle] | Sequence[ZoffPuzzle]],
    executor: Executor,
    parts: Path | None,
    out: Path,
) -> None:
    """Makes the parts that are missing, and writes all puzzles to a file."""
    with ExitStack() as stack:
        stream = stack.enter_context(whole_file(out))
        folder = parts or Path(stack.enter_context(TemporaryDirectory(prefix="stampede-")))
        show = stack.enter_context(counting(job.items, "Making"))
        result = run(job, folder, executor, progress=show, shard_size=1)
        puzzles = read(result.folder)
        stream.writelines(puzzle.to_line() + "\n" for puzzle in puzzles)
    print(f"{len(puzzles)} puzzles: {out}")


@app.command("verify")
def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Puzzles; default: the shipped ones.")
    ] = None,
) -> None:
    """Proves puzzles anew: the solution wins, every other move loses, and the line wins to the end.

    Tablebases in their folder, and certificates, are second witnesses: where they know a position, they must agree.

    Exit code: 0 all are proven, 1 not.

    Example:
    stampede puzzles verify mine.jsonl
    """
    from stampede.oracle.local import default_oracle  # noqa: PLC0415 - compiled code loads slowly
    from stampede.proofs.puzzles.prove import why_no_puzzle  # noqa: PLC0415 - the same

    compile_once("buffalo")
    puzzles = shipped_puzzles() if file is None else read_puzzles(read_text(file), str(file))
    oracle, agreed = default_oracle(), 0

    def known(position: Position) -> Side | None:
        nonlocal agreed
        result = oracle.consult(position).result
        agreed += result is not None
        return None if result is None else result.winner

    _report(
        ((puzzle.number, why_no_puzzle(puzzle, known=known)) for puzzle in _proving(puzzles)),
        lambda: f"tablebases and certificates decide {agreed} positions after a move",
    )


def _proving(puzzles: Sequence[T]) -> Iterable[T]:
    return tracked(puzzles, len(puzzles), "Proving")


def _report(
    reasons: Iterable[tuple[int, str | None]], more: Callable[[], str] = lambda: ""
) -> None:
    """Prints what is wrong with each puzzle, and how many are proven; ends with exit code 1 if not all are."""
    faults = count = 0
    for number, reason in reasons:
        count += 1
        if reason is not None:
            faults += 1
            print(f"{number}: {reason}")
    print("; ".join(filter(None, (f"{count - faults} of {count} puzzles are proven", more()))))
    if faults:
        raise typer.Exit(1)


@app.command("zoff")
def zoff(
    number: Annotated[int, typer.Argument(metavar="N", help="The puzzle's number, from 1.")],
    *,
    solution: Solution = False,
) -> None:
    """Shows a puzzle of Zoff: a decision of the last round with one best choice.

    Example:
    stampede puzzles zoff 3 --solution
    """
    from stampede.proofs.puzzles.zoff_solver import solve as play_out  # noqa: PLC0415 - only here

    puzzle = zoff_puzzle_numbered(number)
    state = puzzle.state()
    solved = play_out(state)
    out = console()
    count = len(shipped_zoff_puzzles())
    out.print(
        f"Puzzle {number} of {count}, Zoff, grade {puzzle.grade} of {GRADES[-1]}", style="bold"
    )
    out.print(Text(str(ZoffGame().view(state, solved.seat))))
    if puzzle.kind == "choose":
        held = ", ".join(map(str, state.hands[state.group_of_seat(1 - solved.seat)]))
        out.print(f"The other player holds {held}.")
    answers = sorted(describe_choice(choice.action) for choice in solved.choices)
    out.print("Which is best? " + ", ".join(answers))
    if solution:
        out.print(explain(state, solved))


@app.command("make-zoff")
def make_zoff(
    *,
    count: Count = 50,
    seed: Seed = "0",
    jobs: Jobs = 1,
    ray: RayAddress = None,
    parts: Parts = None,
    out: Out,
) -> None:
    """Makes puzzles of Zoff from quick games, balanced over kinds and 2 to 6 players.

    A part has about 12 puzzles. Most time goes into searching for decisions with one best answer.
    The same seed and count make the same puzzles, whatever the number of processes and wherever they run.

    Examples:
    stampede puzzles make-zoff --count 10 --seed mine --out zoff.jsonl
    stampede puzzles make-zoff --count 2000 --parts parts --ray 10.0.0.1:6379 --out zoff.jsonl
    """
    from stampede.lab.zoff.puzzle_job import (  # noqa: PLC0415 - loads the lab
        read_zoff_collection,
        zoff_collection_job,
    )

    compile_once("zoff")
    _make(
        zoff_collection_job(seed, count), read_zoff_collection, executor_for(jobs, ray), parts, out
    )


@app.command("verify-zoff")
def verify_zoff(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Puzzles; default: the shipped ones.")
    ] = None,
) -> None:
    """Plays every puzzle of Zoff out anew: one choice is clearly best, and it is the solution.

    Exit code: 0 all are proven, 1 not.

    Example:
    stampede puzzles verify-zoff zoff.jsonl
    """
    puzzles = (
        shipped_zoff_puzzles() if file is None else read_zoff_puzzles(read_text(file), str(file))
    )
    _report((puzzle.number, why_no_zoff_puzzle(puzzle)) for puzzle in _proving(puzzles))


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
