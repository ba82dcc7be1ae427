"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from stampede.core.errors import RuleSetError
from stampede.core.json import JsonObject
from stampede.core.spec import GameSpec
from stampede.games import GAMES

__all__ = [
    "AsJson",
    "EditionFile",
    "GameName",
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
        help=" or ".join(GAMES),
        autocompletion=lambda: list(GAMES),
        show_default=False,
    ),
]
Variants: TypeAlias = Annotated[
    str,
    typer.Option(
        "--variant", "-v", metavar="LIST", help="Variants of Zoff: auction, fair, open_discards."
    ),
]
EditionFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--edition", metavar="FILE", help="Use Zoff's printed data from this file."),
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option("--seed", "-s", metavar="S", help="Any text; the same seed gives the same deal."),
]


def listed(text: str) -> list[str]:
    """Splits a text at commas and blanks."""
    return text.replace(",", " ").split()


def variant_rules(spec: GameSpec, text: str) -> JsonObject:
    """Returns the switches of a record's ``rules`` that a list of variants turns on."""
    chosen = listed(text.replace("-", "_"))
    for name in chosen:
        if name not in spec.variants:
            known = ", ".join(spec.variants) or "none"
            raise RuleSetError(f"variant: {spec.title} has {known}, got {name!r}")
    return {name: name in chosen for name in spec.variants}
