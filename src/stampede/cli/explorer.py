"""`stampede explorer`: the first moves of Buffalo, to show and to build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from stampede.buffalo import Position
from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, write_json
from stampede.core.errors import InputError

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Shows and builds the opening explorer of Buffalo.")


@app.callback()
def group() -> None:
    """Shows and builds the opening explorer of Buffalo: what the engine and the proofs say about the first moves."""


@app.command("show")
def show(
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="MOVE", help="Moves from the start.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Shows what is known about a position of the opening.

    Example:
    stampede explorer show f7f6 f2f3
    """
    from stampede.oracle.explorer import shipped_explorer  # noqa: PLC0415 - loads compiled code

    position = Position.start()
    for move in moves or []:
        position = position.play(move)
    explorer = shipped_explorer()
    found = explorer.find(position)
    if not found:
        raise InputError(f"moves: expected an explored position, got {position.fen()}")
    if as_json:
        rows = [
            {"move": str(one.move), "score": one.score, "plies": one.plies, "source": one.source}
            for one in found
        ]
        write_json({"fen": position.fen(), "budget": explorer.budget.to_json(), "moves": rows})
        return
    table = Table("move", "score", "proven")
    for one in found:
        proven = "" if one.plies is None else f"{'wins' if one.plies > 0 else 'loses'} {one.source}"
        table.add_row(str(one.move), f"{one.score / 100:+.2f}", proven)
    out = console()
    out.print(table)
    out.print(f"{explorer.budget.nodes:,} positions searched for each move")


@app.command("build")
def build(
    output: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")
    ] = Path("explorer.json"),
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", min=1, help="Positions searched for each move.")
    ] = 400_000,
    widths: Annotated[
        str,
        typer.Option(
            "--widths", metavar="LIST", help="By ply: how many of the best moves are followed."
        ),
    ] = "6,4,3",
) -> None:
    """Builds the opening explorer: searches every move of the first plies, and follows the best.

    The same budget gives the same file. Only the shipped certificates are used.

    Example:
    stampede explorer build --nodes 1000 --widths 2 -o explorer.json
    """
    from stampede.oracle.explorer import ExplorerBudget, build_explorer  # noqa: PLC0415

    try:
        wide = tuple(int(one) for one in widths.split(",") if one)
    except ValueError:
        raise InputError(f"widths: expected numbers such as 6,4,3, got {widths!r}") from None
    with Console(stderr=True).status("Exploring …") as status:
        explorer = build_explorer(
            ExplorerBudget(nodes=nodes, widths=wide),
            lambda done, known: status.update(f"{done} of {known} positions so far"),
        )
    with whole_file(output) as file:
        file.write(explorer.dumps())
    console().print(f"{len(explorer.positions)} positions in {output}")
