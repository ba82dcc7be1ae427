"""Zoff in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.cli.terminal import zoff_input
from stampede.cli.terminal.base import GameTerminal, Names
from stampede.cli.terminal.matching import initials
from stampede.cli.terminal.zoff_board import board
from stampede.cli.terminal.zoff_colours import Palette
from stampede.cli.terminal.zoff_story import choice_text, story
from stampede.core.events import Event
from stampede.core.game import Outcome, Seat, Viewer
from stampede.zoff import ZoffGame, ZoffRules, ZoffView, describe
from stampede.zoff.actions import (
    Bid,
    Choose,
    Pick,
    Place,
    PlaceBonus,
    Settle,
    TakeBack,
    ZoffAction,
)
from stampede.zoff.describe import RANKS, cow_word
from stampede.zoff.setup import Deal, default_colours
from stampede.zoff.state import SEALED_PHASES, State, ZoffPhase

__all__ = ["ZoffTerminal"]


class ZoffTerminal(GameTerminal[ZoffRules, State, ZoffAction, Deal, ZoffView]):
    """Zoff in a terminal: a table for everybody, a hand for the one who looks."""

    name: ClassVar[str] = ZoffGame.name
    can_undo: ClassVar[bool] = False

    def __init__(self, game: ZoffGame | None = None) -> None:
        self.game: ZoffGame = game or ZoffGame()
        editions = self.game.editions.values()
        self.palette = Palette(dict.fromkeys(c for edition in editions for c in edition.colours))

    def view(self, state: State, viewer: Viewer) -> ZoffView:
        """What a seat or a spectator may know."""
        return self.game.view(state, viewer)

    def titles(self, rules: ZoffRules) -> tuple[str, ...]:
        """The colours, unless they are still to be bought."""
        if rules.auction:
            return tuple(f"Seat {seat}" for seat in range(rules.players))
        colours = default_colours(rules, self.game.edition(rules))
        return tuple(colour.capitalize() for colour in colours)

    def is_secret(self, state: State) -> bool:
        """Whether the answers that are awaited now are sealed (Z3.4, Z10.2, Z11.1)."""
        return state.phase in SEALED_PHASES

    def sealed_seats(self, state: State) -> tuple[Seat, ...]:
        """Those who have answered while others haven't."""
        return tuple(seat for seat, answer in enumerate(state.sealed) if answer is not None)

    def take_back(self) -> ZoffAction:
        """A choice may be changed until the last one is in (Z3.4)."""
        return TakeBack()

    def screen(self, view: ZoffView, names: Names, width: int) -> RenderableType:
        """The table as the viewer sees it."""
        return board(view, names, self.palette, width)

    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """What happened, in short."""
        return story(events, names, self.palette)

    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, with all reasons and clauses."""
        return [describe(event, names) for event in events]

    def parse(self, view: ZoffView, text: str) -> ZoffAction:
        """The action that the viewer typed."""
        return zoff_input.parse(view, text)

    def question(self, view: ZoffView, names: Names) -> Text:
        """What the viewer is asked, with an example of an answer."""
        assert view.viewer is not None, "a player is asked"
        like = Text(zoff_input.example(view), "bold")
        text = Text.assemble((f"{names[view.viewer]}: ", "bold"), _asked(view))
        if view.phase is not ZoffPhase.PLACE:
            text.append(" Such as: ").append_text(like)
        return text

    def moves(self, view: ZoffView, width: int) -> RenderableType:
        """The viewer's legal answers, and how to type them."""
        del width
        match view.phase:
            case ZoffPhase.CHOOSE:
                return self._choices(view)
            case ZoffPhase.BID:
                least = zoff_input.least_bid(view)
                return Text(f"Any number from {least} to 9999.9999 with up to four decimals.")
            case _:
                rows = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
                for number, action in enumerate(view.legal, start=1):
                    rows.add_row(
                        f"{number}." if isinstance(action, Settle) else "•", self.echo(action)
                    )
                return rows

    def _choices(self, view: ZoffView) -> RenderableType:
        options = zoff_input.choice_options(view)
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        numbers = {pasture.name: row for row, pasture in enumerate(view.pastures, start=1)}
        for name in options.pastures:
            rows.add_row(str(numbers[name]), initials(name), name)
        cards = " ".join(map(str, options.cards))
        colours = (
            f" One pair for {' and one for '.join(options.colours)}." if options.colours else ""
        )
        return Group(
            Text(f"Open pastures, by number, initials or the beginning of the name:{colours}"),
            rows,
            Text(f"Your cow cards: {cards}. Choices in all: {len(options)}."),
        )

    def echo(self, action: ZoffAction) -> str:
        """An action in words."""
        match action:
            case Choose():
                return choice_text(action)
            case Settle():
                return ", ".join(f"{colour} on {name}" for name, colour in action.colours)
            case Bid():
                return f"a bid of {action.text}"
            case Pick():
                return action.colour
            case Place():
                return cow_word(action.cows)
            case PlaceBonus():
                return ", ".join(action.on) or "none"
            case TakeBack():
                return "the answer is taken back"

    def summary(self, view: ZoffView, outcome: Outcome, names: Names) -> RenderableType:
        """Scores and winners."""
        winners = outcome.winners
        result = view.result
        assert result is not None, "the game is over"
        scores = result["scores"]
        assert isinstance(scores, list)
        rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        for title in ("player", "score", "placed", "bid" if view.rules.auction else "", ""):
            rows.add_column(title, justify="left" if title in ("player", "") else "right")
        for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
            player = view.seats[seat]
            won = "wins" if seat in winners else ""
            bid = player.bid or ""
            rows.add_row(names[seat], str(scores[seat]), str(player.placed), bid, won)
        return rows


def _asked(view: ZoffView) -> str:
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _choice_asked(view)
        case ZoffPhase.PLACE:
            pair = view.line[0]
            cows = [action.cows for action in view.legal if isinstance(action, Place)]
            numbers = ", ".join(map(str, cows[:-1])) + f" or {cows[-1]}"
            return f"how many {pair.colour} cows with {pair.card} on {pair.pasture}? {numbers}"
        case ZoffPhase.BONUS:
            due = view.due[0]
            rank = "for filling it" if due.kind == "fair" else f"as {RANKS[due.rank]}"
            return (
                f"{due.source} pays {due.colour} up to {cow_word(due.cows)} {rank}. "
                "On which pastures, one word a cow, or none?"
            )
        case ZoffPhase.SETTLE:
            way = next(iter(view.legal))
            assert isinstance(way, Settle), "settling is awaited"
            places = ", ".join(name for name, _ in way.colours)
            own = " and ".join(dict.fromkeys(c for _, c in way.colours))
            return f"which colour starts on {places}? Both of {own} at least once."
        case ZoffPhase.BID:
            return (
                f"your secret bid for the choice of colour, {zoff_input.least_bid(view)} or more."
            )
        case ZoffPhase.PICK:
            return "which colour do you take?"
        case ZoffPhase.OVER:
            return ""


def _choice_asked(view: ZoffView) -> str:
    options = zoff_input.choice_options(view)
    if options.colours:
        first, second = options.colours
        if len(options.pastures) == 1:
            return f"a cow card for {first} and one for {second}, both on {options.pastures[0]}."
        return f"lay a pair for {first} and a pair for {second}."
    if options.pairs == 1:
        return f"only {options.pastures[0]} is open: lay one cow card."
    return "lay two pairs of pasture and cow card."
