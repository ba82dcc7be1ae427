"""`stampede simulate`: plays many games between bots, writes their records and sums them up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeAlias

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.bots import describe_bots
from stampede.cli.common.compile import compile_for
from stampede.cli.common.files import whole_file
from stampede.cli.common.options import (
    AsJson,
    EditionFile,
    GameCount,
    GameName,
    GamesSeed,
    Jobs,
    RayAddress,
    Variants,
    listed,
    variant_rules,
)
from stampede.cli.common.output import console, counting, write_json
from stampede.cli.common.own_bots import see_current_folder
from stampede.cli.terminal import AnyGameTerminal, terminal_for
from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord
from stampede.games import game_named
from stampede.lab.shards import JobResult, executor_for, run
from stampede.lab.simulate import SimulationPlan, Summary, plan_of, read_game, simulation_job

__all__ = ["app"]

app = typer.Typer()

BOTS = f"{describe_bots()}, a player of the panel such as beginner, or module:Class for one of your own"


Players: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help="The number of players; default: as many as --seats names, else 5 in Zoff.",
    ),
]
Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Keep the games in this folder, and continue with those that it lacks.",
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
    out: Folder = None,
    jobs: Jobs = 1,
    ray: RayAddress = None,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Plays many games between bots and sums them up.

    Game i of seed S is always the same, whatever the number of processes: its deal comes from S/i/deal, the bot in seat
    k draws from S/i/k. The file of records appears after the last game. With --out each game is kept at once, in files
    of the folder, and the same command continues an interrupted run; a folder of another simulation is refused.

    Examples:
    stampede simulate zoff --games 200 --players 5 --variant fair --seed 1 --records games.jsonl
    stampede simulate zoff --seats zoff-5,zoff-3,random --games 50 --jobs 2 --out games
    """
    terminal = terminal_for(game, edition)
    names = _bots(bot, seats)
    rules = _rules(terminal, players or (len(names) if len(names) > 1 else None), variant)
    count = terminal.game.seats(terminal.game.read_rules(rules))
    if len(names) == 1:
        names *= count
    if len(names) != count:
        raise InputError(f"--seats: expected {count} bots, got {len(names)}")
    see_current_folder(*names)
    job = simulation_job(game, rules, names, games, _number(seed))
    plan = plan_of(job)
    compile_for(plan.game.name, plan.bots)
    summary = Summary(count)
    begin = time.perf_counter()
    with ExitStack() as stack:
        stream = None if records is None else stack.enter_context(whole_file(records))
        folder = out or Path(stack.enter_context(TemporaryDirectory(prefix="stampede-")))
        show = stack.enter_context(counting(games, "Playing"))
        size = min(1000, -(-games // (4 * jobs))) if out is None and ray is None else None
        result = run(job, folder, executor_for(jobs, ray), progress=show, shard_size=size)
        for _, line in result.folder.lines():
            summary.add(read_game(GameRecord.loads(line)))
            if stream is not None:
                stream.write(line)
    seconds = time.perf_counter() - begin
    if as_json:
        report = _report(plan, summary, seconds, result.made)
        write_json({**report, "sha256": result.sha256})
    else:
        titles = terminal.titles(plan.game.read_rules(rules))
        console().print(_tables(plan, titles, summary, _pace(result, seconds)))
        if records is not None:
            console().print(f"Records: {records}", markup=False, soft_wrap=True)
        if out is not None:
            told = f"Games: {out}, SHA-256 {result.sha256}"
            console().print(told, markup=False, soft_wrap=True)


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


def _report(plan: SimulationPlan, summary: Summary, seconds: float, made: int) -> JsonObject:
    return {
        "game": plan.game.name,
        "rules": plan.rules,
        "seed": plan.seed,
        "bots": [bot.name for bot in plan.bots],
        **summary.to_json(),
        "seconds": round(seconds, 3),
        "games_per_second": round(made / seconds, 1),
    }


def _pace(result: JobResult, seconds: float) -> str:
    """How fast games were played; those that an earlier run had played took no time of this one."""
    if not result.made:
        return f"All {result.items} games were there."
    rate = result.made / seconds
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"
    told = f"{result.made} games in {seconds:.2f} s: {speed} a second"
    kept = result.items - result.made
    return f"{told}; {kept} were there" if kept else told


def _tables(
    plan: SimulationPlan, titles: Sequence[str], summary: Summary, pace: str
) -> RenderableType:
    parts: list[RenderableType] = [_seats(plan, titles, summary)]
    if plan.rules.get("auction"):
        parts.append(_colours(summary))
    lengths = f"{min(summary.lengths)}–{max(summary.lengths)}, mean {summary.mean_length:.1f}"
    reasons = ", ".join(f"{reason} {n}" for reason, n in summary.reasons.most_common())
    shared = f"; {summary.shared} victories shared" if summary.shared else ""
    parts += [
        Text(f"Decisions a game: {lengths}"),
        Text(f"Ends: {reasons}{shared}"),
        Text(pace),
    ]
    return Group(*parts)


def _seats(plan: SimulationPlan, titles: Sequence[str], summary: Summary) -> Table:
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
