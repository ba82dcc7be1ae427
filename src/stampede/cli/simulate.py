"""`stampede simulate`: plays many games between bots, writes their records and sums them up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.bots import describe_bots
from stampede.cli.compile import compile_for
from stampede.cli.options import (
    AsJson,
    EditionFile,
    GameCount,
    GameName,
    GamesSeed,
    Jobs,
    Variants,
    listed,
    variant_rules,
)
from stampede.cli.output import console, tracked, write_json
from stampede.cli.simulation_job import SimulationJob, open_records, play_job
from stampede.cli.terminal import AnyGameTerminal, terminal_for
from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import JsonObject, canonical
from stampede.games import game_named
from stampede.lab import Simulation, Summary

__all__ = ["app"]

app = typer.Typer()

BOTS = f"{describe_bots()}, or module:Class for one of your own"


Players: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help="The number of players; default: as many as --seats names, else 5 in Zoff.",
    ),
]
Resume: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--resume", help="Write each game at once, and continue after those that FILE holds."
    ),
]


@app.command("simulate")
def simulate_command(  # noqa: PLR0913 - one argument an option
    game: GameName,
    *,
    games: GameCount = 100,
    players: Players = None,
    variant: Variants = "",
    seed: GamesSeed = "0",
    bot: Annotated[
        str | None, typer.Option("--bot", metavar="BOT", help=f"The bot in every seat: {BOTS}.")
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option("--seats", metavar="LIST", help="A bot for each seat: zoff-5,zoff-3,random."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option("--records", metavar="FILE", help="Write the games as JSON Lines."),
    ] = None,
    resume: Resume = False,
    jobs: Jobs = 1,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Plays many games between bots and sums them up.

    Game i of seed S is always the same, whatever the number of processes: its deal comes from S/i/deal, the bot in seat
    k draws from S/i/k. The file of records appears after the last game; with --resume it grows game by game, and the
    same command continues an interrupted run.

    Examples:
    stampede simulate zoff --games 200 --players 5 --variant fair --seed 1 --records games.jsonl
    stampede simulate zoff --seats zoff-5,zoff-3,random --games 50 --jobs 2 --records games.jsonl --resume
    """
    if resume and records is None:
        raise InputError("--resume: expected --records FILE, too")
    terminal = terminal_for(game, edition)
    names = _bots(bot, seats)
    rules = _rules(terminal, players or (len(names) if len(names) > 1 else None), variant)
    count = terminal.game.seats(terminal.game.read_rules(rules))
    if len(names) == 1:
        names *= count
    if len(names) != count:
        raise InputError(f"--seats: expected {count} bots, got {len(names)}")
    job = SimulationJob(game, canonical(rules), tuple(names), games, _number(seed))
    plan = job.plan()
    compile_for(plan.game.name, plan.bots)
    summary = Summary(count)
    begin = time.perf_counter()
    with open_records(records, plan, resume=resume) as (kept, write):
        for played in kept:
            summary.add(played)
        new = play_job(job, summary.games, jobs)
        for played in tracked(new, games - summary.games, "Playing"):
            summary.add(played)
            write(played)
    seconds = time.perf_counter() - begin
    if as_json:
        write_json(_report(plan, summary, seconds))
    else:
        titles = terminal.titles(plan.game.read_rules(rules))
        console().print(_tables(plan, titles, summary, seconds))
        if records is not None:
            console().print(f"Records: {records}", markup=False, soft_wrap=True)


def _bots(bot: str | None, seats: str | None) -> list[str]:
    """Returns the names of the bots: one for all seats, or one for each."""
    if seats is None:
        return [bot or "random"]
    if bot is not None:
        raise InputError("expected --bot or --seats, got both")
    names = listed(seats)
    if not names:
        raise InputError("--seats: expected bots such as zoff-5,zoff-3,random, got none")
    return names


def _number(seed: str) -> int | str:
    """Returns a seed of digits as a number, as records have it; the games are the same."""
    return int(seed) if seed.isdecimal() and str(int(seed)) == seed else seed


def _rules(terminal: AnyGameTerminal, players: int | None, variant: str) -> JsonObject:
    spec = terminal.spec
    switches = variant_rules(spec, variant)
    seats = players if players is not None else max(spec.seats) - 1 if len(spec.seats) > 1 else 2
    if seats not in spec.seats:
        known = ", ".join(map(str, spec.seats))
        raise RuleSetError(f"players: {spec.title} is played by {known}, got {seats}")
    return terminal.rule_set(seats, switches)


def _report(plan: Simulation, summary: Summary, seconds: float) -> JsonObject:
    return {
        "game": plan.game.name,
        "rules": plan.rules,
        "seed": plan.seed,
        "bots": [bot.name for bot in plan.bots],
        **summary.to_json(),
        "seconds": round(seconds, 3),
        "games_per_second": round(summary.games / seconds, 1),
    }


def _tables(
    plan: Simulation, titles: Sequence[str], summary: Summary, seconds: float
) -> RenderableType:
    parts: list[RenderableType] = [_seats(plan, titles, summary)]
    if plan.rules.get("auction"):
        parts.append(_colours(summary))
    lengths = f"{min(summary.lengths)}–{max(summary.lengths)}, mean {summary.mean_length:.1f}"
    reasons = ", ".join(f"{reason} {n}" for reason, n in summary.reasons.most_common())
    shared = f"; {summary.shared} victories shared" if summary.shared else ""
    rate = summary.games / seconds
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"
    parts += [
        Text(f"Decisions a game: {lengths}"),
        Text(f"Ends: {reasons}{shared}"),
        Text(f"{summary.games} games in {seconds:.2f} s: {speed} a second"),
    ]
    return Group(*parts)


def _seats(plan: Simulation, titles: Sequence[str], summary: Summary) -> Table:
    rows = Table(
        title=f"{game_named(plan.game.name).title}, {summary.games} games", title_justify="left"
    )
    rows.add_column("seat")
    rows.add_column("bot")
    rows.add_column("wins", justify="right")
    rows.add_column("%", justify="right")
    if summary.scores:
        rows.add_column("mean score", justify="right")
    scores: Iterable[float | None] = summary.mean_scores or [None] * summary.seats
    for seat, (title, wins, score) in enumerate(zip(titles, summary.wins, scores, strict=True)):
        cells = [f"{seat} {title.lower()}", plan.bots[seat].name, f"{wins:g}"]
        cells.append(f"{100 * wins / summary.games:.1f}")
        rows.add_row(*cells, *([] if score is None else [f"{score:.2f}"]))
    return rows


def _colours(summary: Summary) -> Table:
    rows = Table(title="By colour", title_justify="left")
    rows.add_column("colour")
    rows.add_column("wins", justify="right")
    for colour, wins in sorted(summary.colour_wins.items(), key=lambda item: -item[1]):
        rows.add_row(colour, f"{wins:g}")
    return rows
