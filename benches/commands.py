"""The commands of ``python -m benches``, one a subject.

A command imports its benchmark when it runs: the compiled code loads slowly, and each benchmark needs only its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.text import Text

from benches.options import Seconds, progress
from benches.research import COMMANDS
from stampede.cli.common.guard import guard
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, tracked, write_json
from stampede.cli.research.bench import measurement_table, new_table, show_measurements
from stampede.core.errors import InputError
from stampede.games import GAMES

if TYPE_CHECKING:
    from benches.load.peer import Comparison
    from benches.load.report import Report

__all__ = ["app", "main"]

app = typer.Typer(
    name="python -m benches",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Sockets: TypeAlias = Annotated[
    int, typer.Option("--sockets", min=4, metavar="N", help="WebSockets in all.")
]
Tables: TypeAlias = Annotated[
    int, typer.Option("--tables", min=1, metavar="N", help="Busy tables, two sockets each.")
]
Audience: TypeAlias = Annotated[
    int,
    typer.Option(
        "--audience",
        min=0,
        metavar="N",
        help="How many of the other sockets watch a busy table; the rest sit at quiet ones.",
    ),
]
GameName: TypeAlias = Annotated[
    str, typer.Option("--game", metavar="NAME", help="The game that two players play.")
]
Steady: TypeAlias = Annotated[
    float,
    typer.Option("--steady", min=1, metavar="N", help="Actions a second in the second phase."),
]
PhaseSeconds: TypeAlias = Annotated[
    float, typer.Option("--seconds", min=1, metavar="S", help="How long each phase takes.")
]
Database: TypeAlias = Annotated[
    str,
    typer.Option(
        "--database", metavar="URL", help="An empty database; a new SQLite file by default."
    ),
]
Workers: TypeAlias = Annotated[
    int,
    typer.Option("--workers", min=1, metavar="N", help="Worker processes; needs PostgreSQL."),
]
Peer: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--peer",
        help="Compare with boardgame.io instead: needs Node.js, and npm fetches it into build/.",
    ),
]
ServerCore: TypeAlias = Annotated[
    int, typer.Option("--server-core", min=0, metavar="N", help="The server's core.")
]
ClientCore: TypeAlias = Annotated[
    int, typer.Option("--client-core", min=0, metavar="N", help="The core of all clients.")
]


@app.callback()
def group() -> None:
    """Measures speed. Run it from the root of a checkout of the repository."""


@app.command("rules")
def measure_rules(seconds: Seconds = 10.0, as_json: AsJson = False) -> None:
    """Measures the readable rules: complete random games a second, beside a fixed loop of plain Python.

    Example:
    python -m benches rules --seconds 20
    """
    from benches import rules

    count = rules.slices(seconds)
    report = rules.measure(count, progress(count))
    if as_json:
        write_json(report.to_json())
        return
    rows = new_table("The readable rules on one core", "a second", "expected", "in one fixed loop")
    for rate in report.rates:
        expected = "" if rate.expected is None else f"≥ {rate.expected:,.0f}"
        rows.add_row(
            rate.name, f"{rate.per_second:,.0f} {rate.unit}", expected, f"{rate.per_loop:.1f}"
        )
    out = console()
    out.print(rows)
    note = (
        f"The fixed loop of plain Python took {1000 * report.loop_seconds:.1f} ms. Compare the "
        "last column between machines, or before and after a change."
    )
    out.print(Text(note, "dim"))


@app.command("buffalo")
def measure_buffalo(
    seconds: Seconds = 15.0,
    fairy: Annotated[
        str | None,
        typer.Option(
            "--fairy",
            metavar="FOLDER",
            envvar="STAMPEDE_FAIRY",
            help="The folder of the npm package fairy-stockfish-nnue.wasm.",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="COMMAND", help="A native Fairy-Stockfish instead."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measures Buffalo's kernels and search beside the readable rules and, if given, Fairy-Stockfish.

    Example: python -m benches buffalo --fairy ~/fairy/node_modules/fairy-stockfish-nnue.wasm
    """
    from benches import buffalo

    try:
        command = buffalo.fairy_command(fairy, engine)
    except ValueError as error:
        raise InputError(str(error)) from error
    count = buffalo.rounds(seconds)
    show_measurements(
        buffalo.measure(count, progress(count), command), "Buffalo on one core", as_json=as_json
    )


@app.command("zoff")
def measure_zoff(seconds: Seconds = 15.0, as_json: AsJson = False) -> None:
    """Measures Zoff's kernels and search beside the readable rules and, if installed, OpenSpiel's goofspiel.

    Example: python -m benches zoff --json
    """
    from benches import zoff

    count = zoff.rounds(seconds)
    show_measurements(zoff.measure(count, progress(count)), "Zoff on one core", as_json=as_json)


for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


@app.command("solve")
def measure_solve(as_json: AsJson = False) -> None:
    """Measures building tablebases and searching proofs of Buffalo; takes minutes and several GB of memory.

    Example: python -m benches solve
    """
    from benches import solve

    with tempfile.TemporaryDirectory() as folder, Console(stderr=True).status("Measuring"):
        report = solve.measure(Path(folder))
    show_measurements(report, "Tablebases and proofs", as_json=as_json)


@app.command("trees")
def measure_trees(
    processes: Annotated[
        str, typer.Option("--processes", metavar="NUMBERS", help="Separated by commas.")
    ] = "1,2",
    batches: Annotated[int, typer.Option("--batches", min=1, metavar="N")] = 24,
    as_json: AsJson = False,
) -> None:
    """Measures how a proof tree grows with more processes. Run it on an idle machine: times are on the clock.

    Example: python -m benches trees --processes 1,2,4
    """
    from benches import trees

    with Console(stderr=True).status("Measuring"):
        report = trees.measure([int(part) for part in processes.split(",")], batches)
    show_measurements(report, "Proof trees", as_json=as_json)


@app.command("verify")
def measure_verify(as_json: AsJson = False) -> None:
    """Measures how many positions of a certificate one core checks.

    Example: python -m benches verify --json
    """
    from benches import verify

    with Console(stderr=True).status("Measuring"):
        report = verify.measure()
    show_measurements(report, "Certificates", as_json=as_json)


@app.command("cold")
def measure_cold(
    levels: Annotated[
        str,
        typer.Option("--levels", metavar="NAMES", help="Which, separated by commas; default: all."),
    ] = "",
    answers: Annotated[
        int, typer.Option("--answers", min=1, metavar="N", help="Of the bots, in each game.")
    ] = 4,
    as_json: AsJson = False,
) -> None:
    """Measures a machine on which nothing is compiled: a server's start, and how long people wait for bots.

    Each level has a server of its own with an empty cache. Run it on an idle machine: waits are on the clock.

    Example: python -m benches cold --levels buffalo-1,buffalo-4,zoff-1,zoff-4
    """
    from benches import cold

    known = cold.all_levels()
    names = [name.strip() for name in levels.split(",")] if levels else known
    for name in names:
        if name not in known:
            raise InputError(f"--levels: expected some of {', '.join(known)}, got {name!r}")
    report = cold.measure(names, answers, partial(tracked, total=len(names), what="Measuring"))
    if as_json:
        write_json(report.to_json())
        return
    columns = ("server's processor time", "in loops", "first answer", "in loops", "longest wait")
    rows = new_table("On a machine where nothing is compiled", *columns)
    for one in report.levels:
        told = one.to_json()
        rows.add_row(
            one.level,
            f"{told['ready_seconds']} s",
            f"{told['ready_in_loops']}",
            f"{told['first_answer_seconds']} s",
            f"{told['first_answer_in_loops']}",
            f"{told['longest_wait_seconds']} s",
            style="" if one.is_quick else "yellow",
        )
    console().print(rows)


@app.command("server")
def measure_server(  # noqa: PLR0913, PLR0917 - options
    sockets: Sockets = 2000,
    tables: Tables = 200,
    audience: Audience = 0,
    game: GameName = "buffalo",
    steady: Steady = 2000.0,
    seconds: PhaseSeconds = 10.0,
    database: Database = "",
    workers: Workers = 1,
    server_core: ServerCore = 1,
    client_core: ClientCore = 0,
    peer: Peer = False,
    as_json: AsJson = False,
) -> None:
    """Measures a server under load: actions a second, latencies, memory; and the bare log and sockets beside it.

    The server and the client run on a core each. With --peer, our server and boardgame.io with a trivial game take
    turns on the same core, with --tables matches of two clients each.

    Example: python -m benches server --json

    Example: python -m benches server --peer --tables 100
    """
    from benches.load import measure

    if game not in GAMES:
        raise InputError(f"--game: expected {' or '.join(sorted(GAMES))}, got {game!r}")
    if sockets < 2 * tables + audience:
        raise InputError(
            f"--sockets: expected at least {2 * tables + audience}, two for every table and the"
            f" audience, got {sockets}"
        )
    plan = measure.Plan(
        game=game,
        sockets=sockets,
        tables=tables,
        audience=audience,
        seconds=seconds,
        steady=steady,
        database=database,
        workers=workers,
        server_core=server_core,
        client_core=client_core,
    )
    if peer:
        with _telling() as tell:
            comparison = measure.compare(plan, tell)
        _show_peers(comparison, as_json=as_json)
    else:
        with _telling() as tell:
            report = measure.run(plan, tell)
        _show_load(report, as_json=as_json)


@app.command("hostile")
def measure_hostile(
    attacks: Annotated[
        str,
        typer.Option(
            "--attacks",
            metavar="NAMES",
            help="Which, separated by commas; by default every one and all at once.",
        ),
    ] = "",
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, metavar="S", help="How long each attack takes.")
    ] = 30.0,
    server_core: ServerCore = 1,
    client_core: ClientCore = 0,
    as_json: AsJson = False,
) -> None:
    """Attacks a server from one address while ordinary people play, and measures what it costs them and the server.

    The server has the limits that it ships with. Everything stays on this machine: the attacker is 127.0.0.2.

    Example: python -m benches hostile --attacks pings --seconds 10
    """
    from benches.hostile import measure
    from benches.hostile.attacks import ATTACKS

    known = [measure.CALM, *ATTACKS, measure.ALL]
    names = [name.strip() for name in attacks.split(",")] if attacks else known
    for name in names:
        if name not in known:
            raise InputError(f"--attacks: expected some of {', '.join(known)}, got {name!r}")
    with Console(stderr=True).status("Attacking") as status:
        found = measure.run(
            names,
            seconds,
            server_core=server_core,
            client_core=client_core,
            tell=lambda what: status.update(f"Attacking: {what}"),
        )
    if as_json:
        write_json([attacked.to_json() for attacked in found])
        return
    rows = new_table(
        "One hostile address",
        "memory",
        "others' p50",
        "p99",
        "a new request, p99",
        "a bot, p99",
        "missed",
    )
    for attacked in found:
        told = attacked.to_json()
        rows.add_row(
            attacked.name,
            f"+ {told['memory_mb']} MB",
            *(f"{told[key]} ms" for key in ("p50_ms", "p99_ms", "request_p99_ms", "bot_p99_ms")),
            "; ".join(attacked.misses),
            style="yellow" if attacked.misses else "",
        )
    console().print(rows)


@contextmanager
def _telling() -> Iterator[Callable[[str], None]]:
    """Shows what is measured while the block runs."""
    with Console(stderr=True).status("Measuring") as status:
        yield lambda what: status.update(f"Measuring: {what}")


def _show_load(report: Report, *, as_json: bool) -> None:
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(measurement_table(report.figures, "A server under load", small_digits=1))
    out.print(Text("Marked figures miss their goal: see docs/load.md.", "dim"))


def _show_peers(comparison: Comparison, *, as_json: bool) -> None:
    if as_json:
        write_json(comparison.to_json())
        return
    columns = ("a second", "p50", "p99", "processor time", "ours moves", "ours needs")
    rows = new_table("Moves on one core", *columns)
    ours = comparison.ours
    for rival in comparison.rivals:
        rows.add_row(
            rival.name,
            f"{rival.rate:,.0f}",
            f"{1000 * rival.wait(0.5):,.1f} ms",
            f"{1000 * rival.wait(0.99):,.1f} ms",
            f"{1e6 * rival.each:,.0f} µs each",
            "" if rival is ours else f"{ours.rate / rival.rate:.2f} times as many",
            "" if rival is ours else f"{ours.each / rival.each:.2f} of the time",
        )
    out = console()
    out.print(rows)
    out.print(Text("What each of them does for a move: see docs/load.md.", "dim"))


guard(app)


def main() -> None:
    """Runs the command line."""
    app(prog_name="python -m benches")
