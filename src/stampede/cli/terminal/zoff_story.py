"""What happened in Zoff, told in few lines: one for each pasture and one for each bonus. `why` tells the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import RenderableType
from rich.text import Text

from stampede.cli.terminal.base import Names
from stampede.cli.terminal.zoff_colours import Palette
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

__all__ = ["choice_text", "story"]

INDENT: Final = "  "


def story(events: Sequence[Event], names: Names, palette: Palette) -> list[RenderableType]:
    """The events in short."""
    teller = _Teller(names, palette)
    for event in events:
        teller.tell(event)
    teller.close()
    return teller.lines


def choice_text(choice: Choose) -> str:
    """A choice in words: ``4M on Lucky-Lake, 2B on Fire-Fields``."""
    return ", ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in choice.pairs
    )


class _Teller:
    """Gathers what happens on one pasture into one line, and everything else as it comes."""

    def __init__(self, names: Names, palette: Palette) -> None:
        self.names = names
        self.palette = palette
        self.lines: list[RenderableType] = []
        self.line: Text | None = None
        self.pasture = ""
        self.round = 0
        self.final = False

    def tell(self, event: Event) -> None:
        match event:
            case Sealed() | Precedence():
                pass
            case Revealed():
                self._reveal(event)
            case Placed():
                self._on(event.pasture, event.colour, self._card(event), f"+{event.cows}")
                self._add(f" = {event.herd}" if event.cows else "")
            case Wasted():
                self._on(event.pasture, event.colour, self._card(event), "wasted")
            case FinalBonus():
                self._final_bonus(event)
            case _:
                self.close()
                self.lines.append(self._sentence(event))

    def close(self) -> None:
        """Ends the line of a pasture."""
        if self.line is not None:
            self.lines.append(self.line)
        self.line, self.pasture = None, ""

    def _card(self, event: Placed | Wasted) -> str:
        return "" if event.card is None else f" {event.card}"

    def _on(self, pasture: str, colour: str, card: str, what: str) -> None:
        if pasture != self.pasture or self.line is None:
            self.close()
            self.line, self.pasture = Text(f"{INDENT}{pasture}: "), pasture
        else:
            self.line.append("  ")
        self.line.append_text(self.palette.badge(colour)).append(f"{card} {what}")

    def _add(self, text: str) -> None:
        assert self.line is not None, "a line was begun"
        self.line.append(text)

    def _reveal(self, event: Revealed) -> None:
        self.close()
        if event.round != self.round:
            self.round = event.round
            self.lines.append(Text(f"Round {event.round}: the cards are turned over", "bold"))
        choice = "two pairs" if event.choice is None else choice_text(event.choice)
        self.lines.append(Text(f"{INDENT}{self.names[event.seat]}: {choice}"))

    def _final_bonus(self, event: FinalBonus) -> None:
        if not self.final:
            self.close()
            self.final = True
            self.lines.append(Text("Open pastures pay on themselves (Z7.1)", "bold"))
        if event.cows:
            self._on(event.pasture, event.colour, "", f"+{event.cows}")

    def _sentence(self, event: Event) -> Text:
        match event:
            case Filled():
                wait = f", and waits behind {', '.join(event.waits_behind)}"
                text = Text(f"{INDENT}{event.pasture} is full, by ")
                text.append_text(self.palette.badge(event.colour))
                return text.append(wait if event.waits_behind else "")
            case BonusPlaced():
                return self._bonus(event)
            case BonusLapsed():
                rank = RANKS[event.rank]
                return Text(f"{INDENT * 2}nobody gets the {rank} bonus of {event.cows}", "dim")
            case RoundEnded():
                return Text(f"Round {event.round} is over.", "bold")
            case ZoffEnded():
                return Text(describe(event, self.names), "bold")
            case _:
                return Text(describe(event, self.names))

    def _bonus(self, event: BonusPlaced) -> Text:
        text = Text(INDENT * 2).append_text(self.palette.badge(event.colour))
        text.append(f" {RANKS[event.rank]} bonus {event.due}: ")
        text.append(", ".join(event.on) if event.on else "none placed")
        if event.lost is not None and event.lost.code != "declined":
            text.append(f" ({describe_reason(event.lost)})", "dim")
        return text
