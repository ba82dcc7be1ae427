"""Tells what happened in Zoff in a few lines: one for each pasture and one for each bonus. `why` tells the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from stampede.cli.terminal.base import Names
from stampede.cli.terminal.zoff_board import Palette
from stampede.core.events import Event
from stampede.zoff.actions import Choose
from stampede.zoff.describe import RANKS, describe, describe_reason
from stampede.zoff.events import (
    BonusLapsed,
    BonusPlaced,
    Filled,
    FinalBonus,
    Placed,
    Precedence,
    Revealed,
    RoundEnded,
    Sealed,
    Wasted,
    ZoffEnded,
)

__all__ = ["choice_text", "tell_story"]

INDENT: Final = "  "


def choice_text(choice: Choose) -> str:
    """Puts a choice into words: ``4M on Lucky-Lake, 2B on Fire-Fields``."""
    return ", ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in choice.pairs
    )


def tell_story(events: Sequence[Event], names: Names, palette: Palette) -> Iterator[Text]:
    """Yields a line for each pasture where cows were placed, and one for everything else that matters."""
    title = ""
    told = (event for event in events if not _is_minor(event))
    for pasture, group in groupby(told, _pasture_of):
        happened = list(group)
        for event in happened if pasture is None else happened[:1]:
            if (header := _header(event)) not in ("", title):
                title = header
                yield Text(header, "bold")
            if pasture is None:
                yield _sentence(event, names, palette)
        if pasture is not None:
            cows = Text("  ").join(_cows(event, palette) for event in happened)
            yield Text(f"{INDENT}{pasture}: ").append_text(cows)


def _is_minor(event: Event) -> bool:
    return isinstance(event, Sealed | Precedence) or (
        isinstance(event, FinalBonus) and not event.cows
    )


def _pasture_of(event: Event) -> str | None:
    """The pasture whose line the event belongs to; None when it has a line of its own."""
    return event.pasture if isinstance(event, Placed | Wasted | FinalBonus) else None


def _header(event: Event) -> str:
    match event:
        case Revealed():
            return f"Round {event.round}: the cards are turned over"
        case FinalBonus():
            return "Open pastures pay on themselves (Z7.1)"
        case _:
            return ""


def _cows(event: Event, palette: Palette) -> Text:
    assert isinstance(event, Placed | Wasted | FinalBonus), "cows go to a pasture"
    card = "" if isinstance(event, FinalBonus) or event.card is None else f" {event.card}"
    match event:
        case Wasted():
            what = "wasted"
        case Placed() if event.cows:
            what = f"+{event.cows} = {event.herd}"
        case _:
            what = f"+{event.cows}"
    return Text.assemble(palette.badge(event.colour), f"{card} {what}")


def _sentence(event: Event, names: Names, palette: Palette) -> Text:
    match event:
        case Revealed():
            choice = "two pairs" if event.choice is None else choice_text(event.choice)
            return Text(f"{INDENT}{names[event.seat]}: {choice}")
        case Filled():
            wait = f", and waits behind {', '.join(event.waits_behind)}"
            text = Text(f"{INDENT}{event.pasture} is full, by ")
            text.append_text(palette.badge(event.colour))
            return text.append(wait if event.waits_behind else "")
        case BonusPlaced():
            text = Text(INDENT * 2).append_text(palette.badge(event.colour))
            text.append(f" {RANKS[event.rank]} bonus {event.due}: ")
            text.append(", ".join(event.on) if event.on else "none placed")
            if event.lost is not None and event.lost.code != "declined":
                text.append(f" ({describe_reason(event.lost)})", "dim")
            return text
        case BonusLapsed():
            rank = RANKS[event.rank]
            return Text(f"{INDENT * 2}nobody gets the {rank} bonus of {event.cows}", "dim")
        case RoundEnded() | ZoffEnded():
            return Text(describe(event, names), "bold")
        case _:
            return Text(describe(event, names))
