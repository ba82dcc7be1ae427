"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from stampede.core.errors import RuleSetError
from stampede.core.json import Json, JsonObject
from stampede.core.spec import GameSpec
from stampede.games import GAMES

__all__ = [
    "AsJson",
    "Cores",
    "EditionFile",
    "GameCount",
    "GameName",
    "GamesSeed",
    "Jobs",
    "RayAddress",
    "Seed",
    "Variants",
    "listed",
    "variant_rules",
]

AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Write one JSON object to standard output, and nothing else.")
]
GameName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"{' or '.join(GAMES)}.",
        autocompletion=lambda: list(GAMES),
        show_default=False,
    ),
]
Variants: TypeAlias = Annotated[
    str,
    typer.Option(
        "--variant",
        "-v",
        metavar="LIST",
        help=(
            "Variants of Zoff: auction, fair, open_discards; house rules: must_place, last_cow_counts, one_last_card, "
            "rebid_among_tied (on with auction; no-rebid_among_tied turns it off)."
        ),
    ),
]
EditionFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--edition", metavar="FILE", help="Use Zoff's printed data from this file."),
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--seed", "-s", metavar="TEXT", help="Any text; the same seed gives the same deal."
    ),
]


GameCount: TypeAlias = Annotated[
    int, typer.Option("--games", "-n", metavar="N", min=1, help="The number of games.")
]
Jobs: TypeAlias = Annotated[
    int,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="The number of games played at once."),
]
RayAddress: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Use the Ray cluster at host:port, or local for one that is started on this machine.",
    ),
]
Cores: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--cores",
        "--workers",
        min=1,
        metavar="N",
        help="The number of threads; default: all cores.",
    ),
]
GamesSeed: TypeAlias = Annotated[
    str,
    typer.Option(
        "--seed", "-s", metavar="TEXT", help="Any text; the same seed gives the same games."
    ),
]


def listed(text: str) -> list[str]:
    """Splits a text at commas and blanks."""
    return text.replace(",", " ").split()


def variant_rules(spec: GameSpec, text: str) -> JsonObject:
    """Returns the switches of a record's ``rules`` that a list of variants and house rules sets; no-… turns one off."""
    flags = (*spec.variants, *spec.house_rules)
    switches: dict[str, Json] = {}
    for word in listed(text.replace("-", "_")):
        name = word.removeprefix("no_")
        if name not in flags:
            raise RuleSetError(
                f"variant: {spec.title} has {', '.join(flags) or 'none'}, got {name!r}"
            )
        switches[name] = name == word
    return switches
