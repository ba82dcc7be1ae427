"""`stampede lab`: trains baselines on the vector environments, and measures what they reach."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from rich.table import Table

from stampede.bots import find_bot
from stampede.cli.common.compile import compile_for
from stampede.cli.common.options import AsJson, listed
from stampede.cli.common.output import console, tracked, write_json
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.lab.baselines.player import Reached

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)

JUDGES: Final = {
    "zoff": ("random", "zoff-1", "zoff-2"),
    "buffalo": ("random", "buffalo-1", "buffalo-2"),
}
"""By game: the bots that play by kernels."""

Game: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", help="zoff or buffalo.")]
Folder: TypeAlias = Annotated[
    Path, typer.Option("--out", metavar="FOLDER", help="Where the run's files go.")
]
Rounds: TypeAlias = Annotated[
    int, typer.Option("--rounds", min=1, metavar="N", help="Rounds of learning.")
]
Players: TypeAlias = Annotated[
    int, typer.Option("--players", "-p", min=2, max=6, metavar="N", help="Players of Zoff.")
]
Against: TypeAlias = Annotated[
    str,
    typer.Option(
        "--against",
        metavar="LIST",
        help="The players that it learns from: self, or bots of the vector environment.",
    ),
]
Judges: TypeAlias = Annotated[
    str, typer.Option("--judges", metavar="LIST", help="Bots that it is measured against.")
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", metavar="N", help="What everything is derived from.")
]
Hidden: TypeAlias = Annotated[
    int, typer.Option("--hidden", min=1, metavar="N", help="The size of each hidden layer.")
]
Games: TypeAlias = Annotated[
    int,
    typer.Option(
        "--games",
        min=1,
        metavar="N",
        help="Games side by side, against each opponent.",
    ),
]
Fewest: TypeAlias = Annotated[
    int,
    typer.Option(
        "--fewest",
        min=1,
        max=11,
        metavar="N",
        help="Buffalo: games start with so many buffaloes at least; 11 for the full start only.",
    ),
]
Rate: TypeAlias = Annotated[
    float,
    typer.Option("--rate", min=1e-6, max=1.0, metavar="N", help="The length of a step, at first."),
]
Points: TypeAlias = Annotated[
    int, typer.Option("--points", min=1, metavar="N", help="Measurements on the way.")
]
Resume: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Go on with the run in the folder.")
]


@app.callback()
def group() -> None:
    """Trains baselines on the vector environments, and measures what they reach."""


@app.command("train")
def train_command(  # noqa: PLR0913 - one argument an option
    game: Game,
    *,
    out: Folder,
    rounds: Rounds = 200,
    players: Players = 4,
    against: Against = "self",
    judges: Judges = "",
    seed: Seed = 1,
    hidden: Hidden = 128,
    games: Games = 64,
    fewest: Fewest = 3,
    rate: Rate = 0.001,
    points: Points = 20,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Trains a network by PPO, in NumPy; writes checkpoint.npz, points.jsonl and curve.svg into the folder.

    The same settings give the same network. A run that was stopped goes on with --resume and ends the same. Buffalo is
    learned from starts with 3 to 11 buffaloes, drawn anew: from the full start a beginner's hunter never wins.

    Examples:
    stampede lab train zoff --players 4 --rounds 600 --out build/zoff
    stampede lab train buffalo --against self,buffalo-1 --out build/buffalo --resume
    """
    # Matrices are small: more threads would wait for each other, and add up in another order on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from stampede.lab.baselines.run import CHECKPOINT, CURVE, TrainingRun  # noqa: PLC0415 - heavy
    from stampede.lab.baselines.training import TrainingPlan  # noqa: PLC0415 - heavy

    if game not in JUDGES:
        raise InputError(f"GAME: expected zoff or buffalo, got {game!r}")
    names = tuple(listed(against))
    if not names:
        raise InputError("--against: expected self, or names of bots, got none")
    plan = TrainingPlan(
        game,
        players=players if game == "zoff" else 2,
        against=names,
        fewest=fewest if game == "buffalo" else 11,
        seed=seed,
        hidden=hidden,
        games=games,
        rate=rate,
        rounds=rounds,
    )
    judged = listed(judges) or JUDGES[game]
    run = TrainingRun(plan, out, judged, points=points, resume=resume)
    for _ in tracked(run.run(), rounds - run.trainer.rounds, "Learning"):
        pass
    last = [point.result for point in run.points if point.round == run.trainer.rounds]
    _show(last, judged, as_json=as_json)
    if not as_json:
        files = f"Network: {out / CHECKPOINT}; curve: {out / CURVE}"
        console().print(files, markup=False, soft_wrap=True)


@app.command("rate")
def rate_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The checkpoint of a training.")],
    *,
    against: Annotated[
        str, typer.Option("--against", metavar="LIST", help="Bots of any kind.")
    ] = "",
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Games against each.")
    ] = 400,
    seed: Seed = 1,
    likeliest: Annotated[
        bool, typer.Option("--likeliest", help="Take the likeliest atom instead of drawing one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Plays a trained network against bots, each seat in turn, and shows what it reaches.

    Bots of the vector environment play by kernels; all others by the readable rules, from views.

    Example:
    stampede lab rate build/zoff/checkpoint.npz --against random,beginner,zoff-2,zoff-4 --games 100
    """
    from stampede.lab.baselines import LearnedBot, measure, read_learned  # noqa: PLC0415 - heavy
    from stampede.lab.baselines.player import measure_slowly  # noqa: PLC0415 - heavy

    learned = read_learned(file)
    game = learned.plan.game
    found: list[Reached] = []
    names = listed(against) or JUDGES[game]
    for name in tracked(names, len(names), "Playing"):
        bot = find_bot(name, game)
        if name in JUDGES[game]:
            found += measure(learned, name, games, seed, draws=not likeliest)
        else:
            compile_for(game, (bot,))
            own = LearnedBot(learned, draws=not likeliest)
            found += measure_slowly(own, bot, games, seed)
    _show(found, dict.fromkeys(one.against for one in found), as_json=as_json)


def _show(results: Sequence[Reached], judges: Iterable[str], *, as_json: bool) -> None:
    from stampede.lab.baselines.run import total  # noqa: PLC0415 - heavy

    shown = []
    for judge in judges:
        own = [result for result in results if result.against == judge]
        shown += [*own, total(own)]
    if as_json:
        write_json([one.to_json() for one in shown])
        return
    rows = Table(title="Reached", title_justify="left")
    leads = any(one.lead for one in shown)  # Buffalo has none
    columns = ("against", "seat", "games", "share of victories", "95 %")
    for column in (*columns, "lead in cows") if leads else columns:
        rows.add_column(column, justify="left" if column == "against" else "right")
    for one in shown:
        low, high = one.share.interval
        cells = (
            one.against,
            "all" if one.seat is None else str(one.seat + 1),
            str(one.games),
            f"{one.share.share:.1%}",
            f"{low:.1%} – {high:.1%}",
        )
        rows.add_row(*cells, f"{one.lead:+.1f}") if leads else rows.add_row(*cells)
    console().print(rows)
