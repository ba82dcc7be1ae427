"""Zoff in a terminal."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Self

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.cli.terminal import zoff_input
from stampede.cli.terminal.base import GameTerminal, Names, bare_table
from stampede.cli.terminal.matching import initials
from stampede.cli.terminal.zoff_board import Palette, board
from stampede.cli.terminal.zoff_story import choice_text, tell_story
from stampede.core.events import Event
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject
from stampede.games import ZOFF
from stampede.zoff import (
    Bid,
    Choose,
    Deal,
    Edition,
    Pick,
    Place,
    PlaceBonus,
    Settle,
    State,
    TakeBack,
    ZoffAction,
    ZoffGame,
    ZoffPhase,
    ZoffRules,
    ZoffView,
    describe,
)
from stampede.zoff.describe import cow_word
from stampede.zoff.setup import default_colours
from stampede.zoff.state import SEALED_PHASES

__all__ = ["ZoffTerminal"]


class _DealtZoff(ZoffGame):
    def __init__(self, editions: Iterable[Edition], deal: Deal) -> None:
        super().__init__(editions)
        self.deal = deal

    def draw(
        self, rules: ZoffRules, rng: random.Random, colours: tuple[str, ...] | None = None
    ) -> Deal:
        del rules, rng, colours
        return self.deal


class ZoffTerminal(GameTerminal[ZoffRules, State, ZoffAction, Deal, ZoffView]):
    """Zoff in a terminal: the table for everybody, a hand for its owner."""

    easier: ClassVar[str] = "Fewer opponents help: `--players 3`."

    def __init__(self, game: ZoffGame | None = None) -> None:
        self.game: ZoffGame = game or ZoffGame()
        self.spec = replace(ZOFF, game=self.game)
        editions = self.game.editions.values()
        self.palette = Palette(dict.fromkeys(c for edition in editions for c in edition.colours))

    @classmethod
    def with_edition(cls, file: Path) -> Self:
        """Returns the terminal that also knows the edition of a file."""
        return cls(ZoffGame((Edition.load(file),)))

    def rule_set(self, players: int, switches: JsonObject) -> JsonObject:
        """Returns the rule set with the edition of a file if there is one, else with the shipped one."""
        edition = list(self.game.editions)[-1]
        rules = {**super().rule_set(players, switches), "edition": edition}
        return self.game.write_rules(self.game.read_rules(rules))

    def with_deal(self, deal: Deal) -> ZoffGame:
        """Returns the game with this deal."""
        return _DealtZoff(self.game.editions.values(), deal)

    def titles(self, rules: ZoffRules) -> tuple[str, ...]:
        """Returns the colours, unless they are still to be bought."""
        if rules.auction:
            return tuple(f"Seat {seat}" for seat in range(rules.players))
        colours = default_colours(rules, self.game.edition(rules))
        return tuple(colour.capitalize() for colour in colours)

    # --- secrets ---

    def is_secret(self, view: ZoffView) -> bool:
        """Returns whether the awaited answers are sealed (Z3.4, Z10.2, Z11.1)."""
        return view.phase in SEALED_PHASES

    def sealed_seats(self, view: ZoffView) -> tuple[Seat, ...]:
        """Returns the seats that have answered while others haven't."""
        return tuple(seat for seat, shown in enumerate(view.seats) if shown.answered)

    def take_back(self) -> ZoffAction:
        """Returns the action that reopens a choice: it may be changed until the last one is in (Z3.4)."""
        return TakeBack()

    # --- showing ---

    def screen(self, view: ZoffView, names: Names, width: int) -> RenderableType:
        """Draws the table as the viewer sees it."""
        return board(view, names, self.palette, width)

    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """Tells what happened in short."""
        return list(tell_story(events, names, self.palette))

    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """Tells what happened with all reasons and clauses."""
        return [describe(event, names) for event in events]

    def summary(self, view: ZoffView, outcome: Outcome, names: Names) -> RenderableType:
        """Shows scores and winners."""
        assert view.result is not None, "the game is over"
        scores = view.result.scores
        rows = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        for title in ("player", "score", "placed", "bid" if view.rules.auction else "", ""):
            rows.add_column(title, justify="left" if title in ("player", "") else "right")
        for seat in sorted(range(len(scores)), key=lambda seat: -scores[seat]):
            player = view.seats[seat]
            won = "wins" if seat in outcome.winners else ""
            rows.add_row(names[seat], str(scores[seat]), str(player.placed), player.bid or "", won)
        return rows

    # --- asking ---

    def question(self, view: ZoffView, names: Names) -> Text:
        """Asks the viewer for an answer, with an example."""
        assert view.viewer is not None, "a player is asked"
        text = Text.assemble((f"{names[view.viewer]}: ", "bold"), zoff_input.question(view))
        if view.phase is not ZoffPhase.PLACE:
            text.append(" Such as: ").append(zoff_input.example(view), "bold")
        return text

    def moves(self, view: ZoffView) -> RenderableType:
        """Lists the viewer's legal answers, and how to type them."""
        match view.phase:
            case ZoffPhase.CHOOSE:
                return _choices(view)
            case ZoffPhase.BID:
                least = zoff_input.least_bid(view)
                return Text(f"Any number from {least} to 9999.9999 with up to four decimals.")
            case _:
                rows = bare_table(gap=1)
                for number, action in enumerate(view.legal, start=1):
                    mark = f"{number}." if isinstance(action, Settle) else "•"
                    rows.add_row(mark, self.echo(action))
                return rows

    def parse(self, view: ZoffView, text: str) -> ZoffAction:
        """Reads the action that the viewer typed."""
        return zoff_input.parse(view, text)

    def echo(self, action: ZoffAction) -> str:
        """Puts an action into words."""
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


def _choices(view: ZoffView) -> RenderableType:
    options = zoff_input.choice_options(view)
    rows = bare_table()
    for row, pasture in enumerate(view.pastures, start=1):
        if pasture.name in options.pastures:
            rows.add_row(str(row), initials(pasture.name), pasture.name)
    cards = " ".join(map(str, options.cards))
    colours = f" One pair for {' and one for '.join(options.colours)}." if options.colours else ""
    return Group(
        Text(f"Open pastures, by number, initials or the beginning of the name:{colours}"),
        rows,
        Text(f"Your cow cards: {cards}. Choices in all: {len(options)}."),
    )
