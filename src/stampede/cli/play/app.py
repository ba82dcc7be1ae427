"""`stampede play`: a menu, or a game at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from stampede.buffalo import Position
from stampede.cli.common.options import EditionFile, Seed, Variants, listed, variant_rules
from stampede.cli.play.menu import Menu, series_titles, side_seats
from stampede.cli.play.series import LocalSeries
from stampede.cli.play.series import resume as resume_game
from stampede.cli.play.start import NewGame, any_seed, open_new, play_out, seat_players
from stampede.cli.terminal import BuffaloTerminal, Screen, ZoffTerminal
from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["app"]

app = typer.Typer()

Bots = Annotated[
    str,
    typer.Option(
        "--bot",
        "--bots",
        metavar="BOT",
        help="The other players: random, a level (Zoff: 1 to 6, Buffalo: 1 to 10), or module:Class for a bot of yours.",
    ),
]
PlayerNames = Annotated[
    str, typer.Option("--names", metavar="LIST", help="Names of the people, by seat.")
]
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Save the game to this new file after every move."),
]
Resume = Annotated[
    Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved game.")
]


@app.callback(invoke_without_command=True)
def play(context: typer.Context, resume: Resume = None) -> None:
    """Plays a game in the terminal; without a game, opens a menu.

    Games are saved as they are played: leave with Ctrl-C and resume later.

    Examples:
    stampede play
    stampede play buffalo --as hunter
    stampede play --resume game.json
    """
    if context.invoked_subcommand is not None:
        if resume is not None:
            raise InputError("--resume: expected after the game's name, or without a game")
    elif resume is not None:
        resume_game(resume, Screen())
    else:
        Menu(Screen()).run()


@app.command()
def zoff(  # noqa: PLR0913 - one argument an option
    *,
    players: Annotated[
        int, typer.Option("--players", "-p", metavar="N", help="The number of players, 2 to 6.")
    ] = 4,
    human: Annotated[
        str,
        typer.Option(
            "--human", metavar="SEATS", help="The seats of people, counted from 0; or all, or none."
        ),
    ] = "0",
    bots: Bots = "random",
    names: PlayerNames = "",
    variant: Variants = "",
    edition: EditionFile = None,
    seed: Seed = None,
    save: Save = None,
    resume: Resume = None,
) -> None:
    """Plays Zoff in Buffalo, against bots or with several people at one screen.

    Examples:
    stampede play zoff --players 3 --human all --names Anna,Ben,Cleo
    stampede play zoff --players 5 --variant auction,fair
    """
    terminal = ZoffTerminal() if edition is None else ZoffTerminal.with_edition(edition)
    if resume is not None:
        resume_game(resume, Screen(), terminal, bots)
        return
    rules = terminal.rule_set(players, variant_rules(terminal.spec, variant))
    titles = terminal.titles(terminal.game.read_rules(rules))
    seats = seat_players(titles, _human_seats(human, len(titles)), names, bots, terminal.spec.name)
    game = NewGame(terminal, rules, seats, seed or any_seed(), save)
    play_out(open_new(game, Screen()))


@app.command()
def buffalo(  # noqa: PLR0913 - one argument an option
    *,
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Your side: buffalo, hunter, both, or none.")
    ] = "buffalo",
    bots: Bots = "random",
    names: PlayerNames = "",
    removed: Annotated[
        str,
        typer.Option(
            "--removed",
            metavar="FILES",
            help="Files that start without a buffalo, such as a,c (B4.2).",
        ),
    ] = "",
    opening_moves: Annotated[
        int,
        typer.Option(
            "--opening-moves", metavar="N", help="The opening steps of the buffalo side (B4.3)."
        ),
    ] = 1,
    start: Annotated[
        str | None, typer.Option("--start", metavar="FEN", help="Start with this position.")
    ] = None,
    series: Annotated[
        Literal["ladder", "both-sides"] | None,
        typer.Option("--series", help="Play a series (B4): with handicaps, or on both sides."),
    ] = None,
    seed: Seed = None,
    save: Save = None,
    resume: Resume = None,
) -> None:
    """Plays Alex Randolph's Buffalo, against a bot or with two people at one screen.

    Examples:
    stampede play buffalo --as both --names Anna,Ben
    stampede play buffalo --series ladder
    """
    if resume is not None:
        resume_game(resume, Screen(), bot=bots)
        return
    terminal, chosen = BuffaloTerminal(), seed or any_seed()
    spec, people = terminal.spec, side_seats(terminal.spec, side)
    if series is not None:
        if removed or opening_moves != 1 or start or save:
            raise InputError(
                "--series: expected neither --removed, --opening-moves, --start nor --save with it"
            )
        seats = seat_players(series_titles(len(spec.sides)), people, names, bots, spec.name)
        LocalSeries(terminal, series.replace("-", "_"), seats, chosen).play(Screen())
        return
    rules: JsonObject = {"removed": listed(removed), "opening_moves": opening_moves}
    titles = terminal.titles(terminal.game.read_rules(rules))
    seats = seat_players(titles, people, names, bots, spec.name)
    deal = None if start is None else Position.from_fen(start)
    play_out(open_new(NewGame(terminal, rules, seats, chosen, save, deal), Screen()))


def _human_seats(text: str, seats: int) -> tuple[int, ...]:
    """Reads the seats of people: ``all``, ``none``, or numbers counted from 0."""
    match text.strip().lower():
        case "all":
            return tuple(range(seats))
        case "none" | "":
            return ()
    words = listed(text)
    for word in words:
        if not word.isdecimal() or not 0 <= int(word) < seats:
            raise InputError(f"human: expected seats 0 to {seats - 1}, all or none, got {word!r}")
    if len(set(words)) != len(words):
        raise InputError(f"human: expected different seats, got {text!r}")
    return tuple(int(word) for word in words)
