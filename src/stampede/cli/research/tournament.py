"""`stampede tournament`: plays a tournament of either game that a TOML file describes, and reports on it."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.cli.common.compile import compile_once
from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson, Jobs, RayAddress
from stampede.cli.common.output import console, counting, write_json
from stampede.cli.common.own_bots import see_current_folder
from stampede.core.json import JsonObject
from stampede.lab.shards import executor_for

if TYPE_CHECKING:
    from stampede.lab.ratings import RatingEstimate
    from stampede.lab.tournament.spec import TournamentSpec
    from stampede.lab.tournament.standings import TournamentReport

__all__ = ["app"]

app = typer.Typer()

SAMPLES = 4
"""Games that an estimate plays at most."""


@app.command("tournament")
def tournament_command(  # noqa: PLR0913 - one argument an option
    spec_file: Annotated[
        Path,
        typer.Argument(metavar="SPEC", help="The tournament, a TOML file.", show_default=False),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where it is kept; default: SPEC's name."),
    ] = None,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check SPEC and estimate games and time only.")
    ] = False,
    report_only: Annotated[
        bool, typer.Option("--report", help="Report on what is played so far, and play nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Plays a tournament of Zoff or Buffalo: round robin, gauntlet or Swiss.

    Each deal is played with rotated seats, each opening with both sides. FOLDER keeps every game, report.html and
    report.json; the same command continues after an interruption. Node budgets give the same games with any number
    of jobs. A player that hangs, crashes or acts illegally loses that game, and the report says why.

    Examples:
    stampede tournament examples/zoff_tournament.toml --dry-run
    stampede tournament examples/buffalo_tournament.toml --jobs 2 --out levels
    stampede tournament examples/buffalo_tournament.toml --out levels --report
    """
    from stampede.lab.tournament.html import html_page  # noqa: PLC0415 - loads NumPy
    from stampede.lab.tournament.run import (  # noqa: PLC0415
        most_bouts,
        read_tournament,
        run_tournament,
    )
    from stampede.lab.tournament.spec import read_spec  # noqa: PLC0415
    from stampede.lab.tournament.standings import report_of  # noqa: PLC0415

    spec = read_spec(spec_file)
    see_current_folder(*(player.player for player in spec.players))
    folder = out or Path(spec_file.stem)
    if dry_run:
        _estimate(spec, jobs, as_json=as_json)
        return
    if report_only:
        tournament = read_tournament(spec, folder)
    else:
        _prepare(spec)
        with counting(most_bouts(spec), "Playing bouts") as show:
            tournament = run_tournament(spec, folder, executor_for(jobs, ray), show)
    report = report_of(tournament)
    with whole_file(folder / "report.json") as stream:
        stream.write(json.dumps(report.to_json(), ensure_ascii=False, indent=1) + "\n")
    with whole_file(folder / "report.html") as stream:
        stream.write(html_page(report))
    if as_json:
        write_json(report.to_json())
    else:
        console().print(_tables(report))
        console().print(f"Report: {folder / 'report.html'}", markup=False, soft_wrap=True)


def _prepare(spec: TournamentSpec) -> None:
    """Finds unknown players before anything is played, and compiles what levels need."""
    from stampede.lab.tournament.contestants import contestants_of  # noqa: PLC0415

    players = contestants_of(spec).values()
    if any(player.needs_compiled_code for player in players):
        compile_once(spec.game)


def _estimate(spec: TournamentSpec, jobs: int, *, as_json: bool) -> None:
    """Plays some bouts, spread over the pairings, and says how long all of them would take."""
    from stampede.lab.tournament.contestants import contestants_of  # noqa: PLC0415
    from stampede.lab.tournament.play import Arena  # noqa: PLC0415
    from stampede.lab.tournament.run import first_bouts, most_bouts  # noqa: PLC0415

    _prepare(spec)
    arena = Arena(spec, contestants_of(spec))
    bouts = first_bouts(spec)
    chosen = bouts[:: max(1, len(bouts) // SAMPLES)][:SAMPLES]
    begin = time.perf_counter()
    for bout in chosen:
        arena.play(bout)
    each = (time.perf_counter() - begin) / len(chosen)
    total = most_bouts(spec)
    made: JsonObject = {
        "bouts": total,
        "games": total * spec.seats,
        "seconds": round(each * total / jobs, 1),
        "sampled_bouts": len(chosen),
        "openings": len(spec.openings),
    }
    if as_json:
        write_json(made)
        return
    most = "at most " if spec.sprt is not None else ""
    time_left = f"about {_duration(each * total / jobs)} with {jobs} at once"
    lines = [
        f"{spec.name}: {most}{total} bouts, {total * spec.seats} games, {time_left} (from {len(chosen)} bouts)."
    ]
    starts = spec.bouts * max(1, spec.rounds)
    if spec.openings and starts > len(spec.openings):
        lines.append(
            f"There are {len(spec.openings)} openings for {starts} bouts of a pairing: players that leave nothing to"
            " chance will repeat games."
        )
    console().print("\n".join(lines), markup=False, soft_wrap=True)


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _tables(report: TournamentReport) -> RenderableType:
    spec = report.tournament.spec
    rows = Table(title=spec.name, title_justify="left")
    names = ("", "player", "rating", "95 % interval", "games", "wins", "%", *report.seats)
    for name in names:
        rows.add_column(name, justify="left" if name == "player" else "right")
    for place, each in enumerate(report.standings, 1):
        seats = [f"{100 * wins / n:.0f} %" if n else "" for n, wins in each.by_seat]
        rows.add_row(
            str(place),
            each.name,
            "" if math.isnan(each.rating.value) else f"{each.rating.value:.0f}",
            _interval(each.rating),
            str(each.chairs),
            f"{each.wins:g}" if each.wins == round(each.wins, 2) else f"{each.wins:.2f}",
            f"{100 * each.share:.1f}",
            *seats,
        )
    parts: list[RenderableType] = [rows]
    so_far = "" if report.tournament.is_over else " so far"
    parts.append(
        Text(f"{len(report.games)} games in {len(report.tournament.bouts)} bouts{so_far}.")
    )
    course = report.tournament.course
    if course is not None:
        parts.append(Text(f"Sequential test: {course.verdict} after {course.score.pairs} pairs."))
    parts += [Text(f"{count} × {name}: {why}") for name, why, count in report.faults]
    return Group(*parts)


def _interval(rating: RatingEstimate) -> str:
    low = f"{rating.low:.0f}" if math.isfinite(rating.low) else ""
    high = f"{rating.high:.0f}" if math.isfinite(rating.high) else ""
    return f"{low} to {high}".strip()
