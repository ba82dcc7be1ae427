"""Zoff's table as a viewer sees it: pastures with their herds, pairs still to come, players, the own hand.

Every colour has a letter, too, so that nobody needs to tell colours apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from stampede.cli.terminal.base import Names, heading
from stampede.cli.terminal.matching import initials
from stampede.zoff.edition import CowCard
from stampede.zoff.palette import letters_of
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import PairView, PastureView, ZoffView

__all__ = ["Palette", "board"]

WIDE = 100
"""From this width on there is room for the initials of pastures."""

STYLES: Mapping[str, str] = {
    "orange": "black on dark_orange",
    "pink": "black on pink1",
    "green": "black on green3",
    "blue": "white on dodger_blue3",
    "purple": "white on purple",
    "yellow": "black on yellow1",
}
OTHER = "black on grey78"
"""The style of an unknown edition's colours."""


class Palette:
    """Letters and styles of colours."""

    def __init__(self, colours: Iterable[str]) -> None:
        self.letters = letters_of(colours)

    def letter(self, colour: str) -> str:
        """Returns a colour's letter; a colour that only a record's edition has gets one, too."""
        if colour not in self.letters:
            self.letters = letters_of([*self.letters, colour])
        return self.letters[colour]

    def badge(self, colour: str) -> Text:
        """Returns the colour's letter as a small block."""
        return Text(f" {self.letter(colour)} ", STYLES.get(colour, OTHER))

    def badges(self, colours: Iterable[str]) -> Text:
        """Returns several letters side by side."""
        return Text(" ").join(self.badge(colour) for colour in colours)

    def block(self, colour: str, cows: int) -> Text:
        """Returns a herd as a block with a character a cow: letter, number, then small letters."""
        letter = self.letter(colour)
        head = letter if cows == 1 else f"{letter}{cows}"
        text = head.ljust(cows, letter.lower())[: max(cows, 1)]
        return Text(text, STYLES.get(colour, OTHER))


def board(view: ZoffView, names: Names, palette: Palette, width: int) -> RenderableType:
    """Draws everything that lies on the table."""
    parts: list[RenderableType] = [_heading(view), _pastures(view, palette, width)]
    if view.line or view.waiting:
        parts.append(_still_to_come(view, palette))
    parts.append(_players(view, names, palette))
    if view.hand and view.phase is not ZoffPhase.OVER:
        parts.append(Text("Your cards ").append(_cards(view.hand)))
    return Group(*parts)


def _heading(view: ZoffView) -> Rule:
    if view.round == 0:
        return heading("Before the first round")
    over = view.phase is ZoffPhase.OVER
    return heading("The end" if over else f"Round {view.round} of {view.rounds}")


def _pastures(view: ZoffView, palette: Palette, width: int) -> Table:
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    grid.add_column("#", justify="right")
    grid.add_column("pasture", no_wrap=True)
    if width >= WIDE:
        grid.add_column("short", style="dim")
    grid.add_column("herds, largest first", no_wrap=True)
    grid.add_column("free", justify="right")
    grid.add_column("bonus", no_wrap=True)
    for row, pasture in enumerate(view.pastures, start=1):
        cells: list[RenderableType] = [str(row), pasture.name]
        if width >= WIDE:
            cells.append(initials(pasture.name))
        free = str(pasture.free) if pasture.free else "full"
        cells += [_bar(pasture, palette), free, _bonus(pasture, palette)]
        grid.add_row(*cells, style="" if pasture.free else "dim")
    return grid


def _bar(pasture: PastureView, palette: Palette) -> Text:
    bar = Text()
    for colour, cows in pasture.herds.items():
        bar.append_text(palette.block(colour, cows))
    return bar.append("·" * pasture.free, "dim")


def _bonus(pasture: PastureView, palette: Palette) -> Text:
    """What each rank would get if the pasture were full now."""
    ranks = list(pasture.herds)
    text = Text()
    for rank, cows in enumerate(pasture.bonus):
        who = palette.letters[ranks[rank]] if rank < len(ranks) else "–"
        text.append(f"{' ' if rank else ''}{who}:{cows}", "" if rank < len(ranks) else "dim")
    return text


def _still_to_come(view: ZoffView, palette: Palette) -> Table:
    """The revealed pairs whose turn is still to come: the running pasture in its order, the others by pasture."""
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False)
    grid.add_column(style="dim")
    grid.add_column()
    if view.line:
        grid.add_row("now", _pairs(view.line, palette, " then "))
    for index, name in enumerate(dict.fromkeys(pair.pasture for pair in view.waiting)):
        pairs = tuple(pair for pair in view.waiting if pair.pasture == name)
        grid.add_row("" if index else "next", _pairs(pairs, palette, ", "))
    return grid


def _pairs(pairs: tuple[PairView, ...], palette: Palette, joint: str) -> Text:
    text = Text(f"{pairs[0].pasture}: ")
    for index, pair in enumerate(pairs):
        text.append(joint if index else "", "dim").append_text(palette.badge(pair.colour))
        text.append(f" {pair.card}")
    return text


def _players(view: ZoffView, names: Names, palette: Palette) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for title in ("player", "colour", "placed", "reserve", "cards", ""):
        grid.add_column(title, justify="left" if title in ("player", "colour", "") else "right")
    placed = [seat.placed for seat in view.seats]
    lead = max(placed) if min(placed) < max(placed) else -1
    for number, seat in enumerate(view.seats):
        reserve = ", ".join(
            f"{palette.letters[colour]} {cows}" if len(seat.reserves) > 1 else str(cows)
            for colour, cows in seat.reserves.items()
        )
        grid.add_row(
            Text(names[number], "bold" if number == view.viewer else ""),
            palette.badges(seat.colours),
            str(seat.placed) if seat.colours else "",
            reserve,
            str(seat.cards) if seat.colours else "",
            _state(view, number, leads=bool(seat.colours) and seat.placed == lead),
        )
    if view.free_colours:
        grid.add_row("not yet bought", palette.badges(view.free_colours))
    return grid


def _state(view: ZoffView, number: int, *, leads: bool) -> Text:
    seat = view.seats[number]
    words = []
    if leads:
        words.append("leads")
    if seat.answered:
        words.append("has chosen")
    elif number in view.to_act:
        words.append("is to act")
    if seat.bid is not None:
        words.append(f"bid {seat.bid}")
    if view.discards is not None and view.discards[number]:
        words.append("played " + " ".join(map(str, view.discards[number])))
    return Text(", ".join(words), "dim")


def _cards(hand: tuple[CowCard, ...]) -> Text:
    return Text(" ").join(Text(f" {card} ", "black on white") for card in hand)
