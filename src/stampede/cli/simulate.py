"""`stampede simulate`: plays many games between bots, writes their records and sums them up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.bots import BOT_NAMES, bot_named
from stampede.cli.compile import compile_for
from stampede.cli.files import whole_file
from stampede.cli.options import (
    AsJson,
    EditionFile,
    GameName,
    Variants,
    variant_rules,
)
from stampede.cli.output import console, tracked, write_json
from stampede.cli.terminal import AnyGameTerminal, terminal_for
from stampede.core.errors import RuleSetError
from stampede.core.json import JsonObject
from stampede.games import game_named
from stampede.lab import SimulatedGame, Simulation, Summary, simulate

__all__ = ["app"]

app = typer.Typer()


@app.command("simulate")
def simulate_command(  # noqa: PLR0913 - one argument an option
    game: GameName,
    *,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    players: Annotated[
        int | None,
        typer.Option(
            "--players", "-p", metavar="K", help="How many players; Zoff: 2 to 6, by default 5."
        ),
    ] = None,
    variant: Variants = "",
    seed: Annotated[
        str,
        typer.Option(
            "--seed", "-s", metavar="S", help="Any text; the same seed gives the same games."
        ),
    ] = "0",
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", help=f"Who plays: {', '.join(BOT_NAMES)}.")
    ] = "random",
    records: Annotated[
        Path | None,
        typer.Option("--records", metavar="FILE", help="Write the games as JSON Lines."),
    ] = None,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Plays many games between bots and sums them up.

    Game i of seed S is always the same: its deal comes from S/i/deal, the bot in seat k draws from S/i/k.
    The file of records appears after the last game.

    Example:
    stampede simulate zoff --games 200 --players 5 --variant fair --seed 1 --records games.jsonl
    """
    terminal = terminal_for(game, edition)
    rules_of = terminal.game
    rules = _rules(terminal, players, variant)
    seats = rules_of.seats(rules_of.read_rules(rules))
    plan = Simulation(
        rules_of, rules, (bot_named(bot, rules_of.name),) * seats, games, _number(seed)
    )
    compile_for(rules_of.name, plan.bots)
    summary = Summary(seats)
    begin = time.perf_counter()
    with _writer(records) as write:
        for played in tracked(simulate(plan), games, "Playing"):
            summary.add(played)
            write(played)
    seconds = time.perf_counter() - begin
    if as_json:
        write_json(_report(plan, summary, seconds))
    else:
        titles = terminal.titles(rules_of.read_rules(rules))
        console().print(_tables(plan, titles, summary, seconds))
        if records is not None:
            console().print(f"Records: {records}", markup=False, soft_wrap=True)


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


@contextmanager
def _writer(path: Path | None) -> Iterator[Callable[[SimulatedGame], None]]:
    if path is None:
        yield lambda _: None
        return
    with whole_file(path) as stream:

        def write(played: SimulatedGame) -> None:
            stream.write(played.record.dumps() + "\n")

        yield write


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
    parts += [
        Text(f"Decisions a game: {lengths}"),
        Text(f"Ends: {reasons}{shared}"),
        Text(f"{summary.games} games in {seconds:.2f} s: {summary.games / seconds:.0f} a second"),
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
