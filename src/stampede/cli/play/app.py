"""`stampede play`: the menu, and a game at once for those who know what they want."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stampede.buffalo import Position
from stampede.cli.options import (
    EditionFile,
    Seed,
    Variants,
    edition_id,
    listed,
    variant_rules,
    zoff_game,
)
from stampede.cli.play.menu import Menu
from stampede.cli.play.players import human_seats, seated, side_seats
from stampede.cli.play.series import SERIES_NAMES, Format, SeriesPlay, go_on, series_of
from stampede.cli.play.start import NewGame, any_seed, open_new, open_saved, play_out
from stampede.cli.terminal import BuffaloTerminal, ZoffTerminal
from stampede.cli.terminal.screen import Screen
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.games import game_named

__all__ = ["app"]

app = typer.Typer()

Bots = Annotated[
    str,
    typer.Option(
        "--bot",
        "--bots",
        metavar="BOT",
        help="Who sits in the other seats: random, or a level (Buffalo: 1 to 8).",
    ),
]
PlayerNames = Annotated[
    str, typer.Option("--names", metavar="LIST", help="Names of the people, in order of seats.")
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Keep the game in this new file, after every move."
    ),
]
Resume = Annotated[
    Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game.")
]


@app.callback(invoke_without_command=True)
def play(context: typer.Context, resume: Resume = None) -> None:
    """Plays a game in the terminal. Alone, it opens a menu.

    Games are kept as they are played: leave with Ctrl-C and go on later.

    Examples:
    stampede play
    stampede play buffalo --as hunter
    stampede play --resume game.json
    """
    if context.invoked_subcommand is not None:
        if resume is not None:
            raise InputError("--resume: expected it after the game's name, or without a game")
    elif resume is not None:
        go_on(resume, Screen())
    else:
        Menu(Screen()).run()


@app.command()
def zoff(  # noqa: PLR0913 - one argument an option
    *,
    players: Annotated[int, typer.Option("--players", "-p", help="2 to 6.")] = 4,
    human: Annotated[
        str,
        typer.Option("--human", metavar="SEATS", help="Seats of people, from 0; or all, or none."),
    ] = "0",
    bots: Bots = "random",
    names: PlayerNames = "",
    variant: Variants = "",
    edition: EditionFile = None,
    seed: Seed = None,
    save: Save = None,
    resume: Resume = None,
) -> None:
    """Plays Zoff in Buffalo: against bots, or several people at one screen.

    Examples:
    stampede play zoff --players 3 --human all --names Anna,Ben,Cleo
    stampede play zoff --players 5 --variant auction,fair
    """
    face = ZoffTerminal(zoff_game(edition))
    if resume is not None:
        play_out(open_saved(resume, Screen(), face))
        return
    switches = variant_rules(game_named("zoff"), variant)
    rules: JsonObject = {"edition": edition_id(face.game), "players": players, **switches}
    titles = face.titles(face.game.read_rules(rules))
    seats = seated(titles, human_seats(human, len(titles)), names, bots, "zoff")
    play_out(open_new(NewGame(face, rules, seats, seed or any_seed(), save), Screen()))


@app.command()
def buffalo(  # noqa: PLR0913 - one argument an option
    *,
    side: Annotated[
        str, typer.Option("--as", metavar="SIDE", help="Your side: buffalo, hunter, both, or none.")
    ] = "buffalo",
    bots: Bots = "random",
    names: PlayerNames = "",
    removed: Annotated[
        str, typer.Option("--removed", metavar="FILES", help="Files without a buffalo: a,c (B4.2).")
    ] = "",
    opening_moves: Annotated[
        int, typer.Option("--opening-moves", help="Opening steps of the buffalo side (B4.3).")
    ] = 1,
    start: Annotated[
        str | None, typer.Option("--start", metavar="FEN", help="Begin with this position.")
    ] = None,
    series: Annotated[
        Format | None, typer.Option("--series", help="Game after game with handicap (B4).")
    ] = None,
    seed: Seed = None,
    save: Save = None,
    resume: Resume = None,
) -> None:
    """Plays Alex Randolph's Buffalo: against a bot, or two people at one screen.

    Examples:
    stampede play buffalo --as both --names Anna,Ben
    stampede play buffalo --series ladder
    """
    if resume is not None:
        go_on(resume, Screen())
        return
    face, chosen = BuffaloTerminal(), seed or any_seed()
    if series is not None:
        if removed or opening_moves != 1 or start or save:
            raise InputError("--series sets handicap and files itself; leave the other options out")
        first, second = seated(SERIES_NAMES, side_seats(side), names, bots, "buffalo")
        SeriesPlay(face, series_of(series), (first, second), Screen(), chosen).run()
        return
    rules: JsonObject = {"removed": listed(removed), "opening_moves": opening_moves}
    titles = face.titles(face.game.read_rules(rules))
    seats = seated(titles, side_seats(side), names, bots, "buffalo")
    deal = None if start is None else Position.from_fen(start)
    play_out(open_new(NewGame(face, rules, seats, chosen, save, deal), Screen()))
