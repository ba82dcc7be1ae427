"""`stampede study`: answers a question about a game by many games between bots, with intervals and figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, tracked, write_json
from stampede.core.errors import InputError

__all__ = ["app"]

app = typer.Typer()

LEAST = 8


@app.command("study")
def study_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="zoff-chances, zoff-edition, zoff-worth, zoff-variants or buffalo-rungs.",
        ),
    ],
    *,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=LEAST, metavar="N", help="Games of each kind that it compares."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="What the games are derived from.")
    ] = 1,
    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="BOT", help="The players: a bot of the vector environment."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Write figures (SVG) and the numbers here."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answers a question about a game by many games between bots: tables with 95 % intervals, and figures.

    One core plays about 15,000 games of Zoff a second; a study takes from seconds to a minute. The same arguments
    give the same numbers.

    Examples:
    stampede study zoff-chances --out build/studies
    stampede study buffalo-rungs --games 400 --bot buffalo-1 --json
    """
    from stampede.lab.studies import STUDIES, run_study  # noqa: PLC0415 - loads compiled code

    if name not in STUDIES:
        raise InputError(f"NAME: expected one of {', '.join(STUDIES)}, got {name!r}")
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"--out: expected a folder, got the file {out}")

    def track(steps: Sequence[int]) -> Iterable[int]:
        return tracked(steps, len(steps), STUDIES[name].question)

    report = run_study(name, games, seed, bot, track)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for section in report.sections:
            with whole_file(out / f"{name}-{section.name}.svg") as stream:
                stream.write(section.draw())
        numbers = json.dumps(report.to_json(), indent=1, ensure_ascii=False)
        with whole_file(out / f"{name}.json") as stream:
            stream.write(numbers + "\n")
    if as_json:
        write_json(report.to_json())
    else:
        console().print(report.markdown(), markup=False, soft_wrap=True)
