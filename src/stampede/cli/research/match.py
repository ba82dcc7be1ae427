"""`stampede match`: engine against engine, over pairs of openings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.buffalo import Side
from stampede.cli.common.compile import compile_once
from stampede.cli.common.options import AsJson, GameCount, GamesSeed, Jobs
from stampede.cli.common.output import console, tracked, write_json
from stampede.cli.common.own_bots import see_current_folder
from stampede.core.json import JsonObject
from stampede.lab.arena.stats import PairScore, Score, Sprt, elo

if TYPE_CHECKING:
    from stampede.lab.arena.games import GameReport
    from stampede.lab.arena.players import MatchPlayer

__all__ = ["app"]

app = typer.Typer()

_PLAYER = (
    "A level 1 to 10, random, one-move, two-move, watchful, beginner, module:Class for a bot of your own, engine,"
    " nodes=N, seconds=S, depth=N (our engine takes options: nodes=N,network=no), or uci:COMMAND for any engine."
)
_OPENINGS = "A FEN a line, or tuning for those to tune with; default: balanced ones."


@app.command("match")
def match_command(  # noqa: PLR0913 - one argument an option
    *,
    a: Annotated[str, typer.Option("--a", metavar="PLAYER", help=_PLAYER)],
    b: Annotated[str, typer.Option("--b", metavar="PLAYER", help="The same.")],
    games: GameCount = 100,
    openings: Annotated[
        Path | None,
        typer.Option("--openings", metavar="FILE", help=_OPENINGS),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="SECONDS", help="Time per move; default: 1."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="Nodes per move instead.")
    ] = None,
    grace: Annotated[
        float, typer.Option("--grace", metavar="SECONDS", help="How much UCI engines may overrun.")
    ] = 5.0,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="E0,E1", help="Stop when pairs prove an Elo difference."),
    ] = None,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="End a game when our player proves a win.")
    ] = False,
    clock: Annotated[
        bool,
        typer.Option("--clock/--no-clock", help="Whether level 10 keeps its time limit."),
    ] = True,
    jobs: Jobs = 1,
    seed: GamesSeed = "0",
    as_json: AsJson = False,
) -> None:
    """Plays two Buffalo engines against each other, each opening with both sides.

    An engine that hangs, crashes or moves illegally loses that game, and the report says why. With --adjudicate a game
    ends as soon as our engine or level has proven a win; engines that always play their best move get the same
    result sooner. --no-clock lets level 10 use all of its nodes even on a busy machine.

    Examples:
    stampede match --a 6 --b 5 --games 200
    stampede match --a 10 --b 9 --games 200 --no-clock --adjudicate
    stampede match --a nodes=20000 --b nodes=10000 --openings tuning --sprt 0,20 --games 400
    stampede match --a nodes=14800 --b nodes=20000,network=no --openings tuning --sprt 0,20 --games 400
    stampede match --a nodes=8000,reverse_depth=7 --b nodes=8000 --openings tuning --sprt 0,20 --games 4000
    stampede match --a seconds=1 --b "uci:my-engine --quiet" --seconds 1 --games 100 --jobs 2
    """
    from stampede.lab.arena import games as arena  # noqa: PLC0415 - compiled code loads slowly
    from stampede.lab.arena.openings import openings_of  # noqa: PLC0415
    from stampede.lab.arena.players import player_of  # noqa: PLC0415
    from stampede.search.buffalo.engine import Limits  # noqa: PLC0415

    see_current_folder(a, b)
    limits = Limits(nodes=nodes, seconds=1.0 if seconds is None and nodes is None else seconds)
    test = None if sprt is None else Sprt.parse(sprt)
    plan = arena.MatchPlan(openings_of(openings), games, seed, adjudicate)
    make = partial(player_of, limits=limits, grace=grace, clock=clock)
    pairs = [(make(a), make(b)) for _ in range(jobs)]
    compile_once("buffalo")
    result = _Result(a, b, test, [])
    try:
        _play(result, arena.play_match(plan, pairs), games)
    finally:
        _close(pairs)
    if as_json:
        write_json(result.to_json())
    else:
        console().print(result.table())


def _play(result: _Result, match: Generator[GameReport, None, None], games: int) -> None:
    """Plays until all games are over, or the sequential test has a verdict."""
    with closing(match) as played:
        for report in tracked(played, games, "Playing"):
            result.reports.append(report)
            if result.is_settled:
                break


def _close(pairs: Sequence[tuple[MatchPlayer, MatchPlayer]]) -> None:
    for pair in pairs:
        for player in pair:
            player.close()


@dataclass(slots=True)
class _Result:
    """The result of a match."""

    a: str
    b: str
    sprt: Sprt | None
    reports: list[GameReport]

    def score(self, side: Side | None = None) -> Score:
        games = [game for game in self.reports if side is None or game.a_side is side]
        return Score(sum(game.a_won for game in games), len(games))

    def pairs(self) -> PairScore:
        """The openings that were played with both sides."""
        pairs = zip(self.reports[::2], self.reports[1::2], strict=False)
        return PairScore.of(float(first.a_won + second.a_won) for first, second in pairs)

    @property
    def verdict(self) -> str | None:
        return None if self.sprt is None else self.sprt.verdict(self.pairs())

    @property
    def is_settled(self) -> bool:
        return self.verdict not in (None, "open")

    def to_json(self) -> JsonObject:
        return {
            "a": self.a,
            "b": self.b,
            "score": self.score().to_json(),
            "as_buffalo": self.score(Side.BUFFALO).to_json(),
            "as_hunter": self.score(Side.HUNTER).to_json(),
            "pairs": self.pairs().to_json(),
            "sprt": self.verdict,
            "faults": [game.reason for game in self.reports if game.fault],
            "games": [game.to_json() for game in self.reports],
        }

    def table(self) -> RenderableType:
        rows = Table(title=f"{self.a} against {self.b}", title_justify="left")
        for name in ("A plays", "games", "won", "%", "95 % interval", "Elo"):
            rows.add_column(name, justify="left" if name == "A plays" else "right")
        for name, side in (
            ("the buffalo side", Side.BUFFALO),
            ("the hunter", Side.HUNTER),
            ("both", None),
        ):
            rows.add_row(name, *_cells(self.score(side)))
        parts: list[RenderableType] = [rows]
        ends = Counter(game.reason for game in self.reports)
        parts += [Text(f"{count} × {reason}") for reason, count in ends.most_common()]
        if self.verdict is not None:
            pairs = self.pairs()
            lost, _, even, _, won = pairs.counts
            told = f"{won} won, {even} shared, {lost} lost"
            parts.append(
                Text(f"Sequential test: {self.verdict} after {pairs.pairs} pairs ({told})")
            )
        return Group(*parts)


def _cells(score: Score) -> list[str]:
    low, high = score.interval
    difference = elo(score.share)
    return [
        str(score.games),
        str(score.wins),
        f"{100 * score.share:.1f}",
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{difference:+.0f}" if math.isfinite(difference) else "",
    ]
