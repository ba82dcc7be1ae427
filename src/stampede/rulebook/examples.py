"""The worked examples of the rules of Zoff: scripts of what is laid and placed, played by the rules themselves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from stampede.core.events import Event, JsonFields
from stampede.zoff import Choose, CowCard, Deal, Pair, Place, PlaceBonus, State, ZoffGame, ZoffRules
from stampede.zoff.actions import Settle, ZoffAction
from stampede.zoff.events import BonusPlaced, Filled, Placed, Revealed, Wasted
from stampede.zoff.rules import COWS
from stampede.zoff.state import ZoffPhase, free_spaces
from stampede.zoff.view import PastureView

__all__ = [
    "EXAMPLES",
    "Example",
    "ExampleStep",
    "PlayedExample",
    "Script",
    "arrange",
    "pastures_of",
]

Herds = Mapping[str, Mapping[str, int]]
THREE: Final = ("orange", "pink", "green")


@dataclass(frozen=True, slots=True)
class ExampleStep(JsonFields):
    """Cows that are put on a pasture, or a pair that is wasted.

    Attributes:
        colour: Whose.
        card: The cow card; None for bonus cows.
        source: The pasture that pays the bonus; None for a card.
        pasture: Where to.
        herd: The herd's size before.
        cows: How many cows; 0 where the pair is wasted.
        full: Whether the pasture is full now.
        wasted: Whether the pair is wasted.
    """

    colour: str
    card: str | None
    source: str | None
    pasture: str
    herd: int
    cows: int
    full: bool = False
    wasted: bool = False


@dataclass(frozen=True, slots=True)
class Example(JsonFields):
    """What happens in a worked example.

    Attributes:
        choices: What is laid: pasture, card and colour of each pair.
        steps: What is placed, in order.
    """

    choices: tuple[tuple[str, str, str], ...]
    steps: tuple[ExampleStep, ...]


@dataclass(frozen=True, slots=True)
class PlayedExample:
    """An example from its first moment to its last, with everything that happened between."""

    before: State
    after: State
    events: tuple[Event, ...]

    def summary(self) -> Example:
        """Returns what a reader is shown."""
        return Example(tuple(self._choices()), tuple(self._steps()))

    def _choices(self) -> Iterator[tuple[str, str, str]]:
        owner = self.before.setup.colours
        for event in self.events:
            if isinstance(event, Revealed) and event.choice is not None:
                for pair in event.choice.pairs:
                    yield pair.pasture, str(pair.card), pair.colour or owner[event.seat]

    def _steps(self) -> list[ExampleStep]:
        setup = self.before.setup
        herds = {
            (pasture.name, colour): cows
            for pasture, row in zip(setup.pastures, self.before.herds, strict=True)
            for colour, cows in zip(setup.colours, row, strict=True)
        }
        steps: list[ExampleStep] = []

        def put(step: ExampleStep) -> None:
            herds[step.pasture, step.colour] += step.cows
            steps.append(step)

        for event in self.events:
            match event:
                case Placed(colour=colour, card=card, pasture=name, cows=cows):
                    put(ExampleStep(colour, str(card), None, name, herds[name, colour], cows))
                case BonusPlaced(colour=colour, source=source):
                    for name in dict.fromkeys(event.on):
                        old, cows = herds[name, colour], event.on.count(name)
                        put(ExampleStep(colour, None, source, name, old, cows))
                case Wasted(colour=colour, card=card, pasture=name):
                    put(
                        ExampleStep(
                            colour, str(card), None, name, herds[name, colour], 0, wasted=True
                        )
                    )
                case Filled(pasture=filled):
                    last = max(n for n, step in enumerate(steps) if step.pasture == filled)
                    steps[last] = replace(steps[last], full=True)
                case _:
                    pass
        return steps


class Script:
    """A game that is played on as told."""

    def __init__(self, state: State) -> None:
        self.game = ZoffGame()
        self.state = state
        self.events: list[Event] = []

    @property
    def asked(self) -> int:
        """The one seat that is asked."""
        (seat,) = self.game.to_act(self.state)
        return seat

    def act(self, seat: int, action: ZoffAction) -> Script:
        """Carries an action out."""
        self.state, events = self.game.apply(self.state, seat, action)
        self.events.extend(events)
        return self

    def choose(self, seat: int, *pairs: str) -> Script:
        """Lays pairs written as ``Lucky-Lake 4M`` or ``Lucky-Lake 4M blue``."""
        words = [text.split() for text in pairs]
        laid = [
            Pair(pasture, CowCard.parse(card), colour[0] if colour else None)
            for pasture, card, *colour in words
        ]
        return self.act(seat, Choose(tuple(laid)))

    def place(self, *cows: int) -> Script:
        """Places for one seat after the other, as they are asked."""
        for number in cows:
            self.act(self.asked, Place(number))
        return self

    def bonus(self, *on: str) -> Script:
        """Places the cows of a bonus for the seat that is asked."""
        return self.act(self.asked, PlaceBonus(on))

    def place_nothing(self) -> Script:
        """Lets every seat place nothing until the round is over."""
        while self.state.phase is ZoffPhase.PLACE:
            self.place(0)
        return self


def arrange(rules: ZoffRules, colours: tuple[str, ...], herds: Herds, *, spent: int = 0) -> State:
    """Returns the first moment of a round with exactly these herds.

    Args:
        rules: The rules; they have no auction.
        colours: The seats' colours.
        herds: By pasture, its herds by colour; every other pasture is empty.
        spent: How many rounds have been played.
    """
    game = ZoffGame()
    state = game.initial(rules, game.draw(rules, random.Random(1), colours))
    setup = state.setup
    rows = tuple(
        tuple(herds.get(pasture.name, {}).get(colour, 0) for colour in setup.colours)
        for pasture in setup.pastures
    )
    placed = [sum(row[index] for row in rows) for index in range(len(setup.colours))]
    cards = 2 * spent
    return replace(
        state,
        herds=rows,
        free=free_spaces(setup, rows),
        reserves=tuple(COWS - cows for cows in placed),
        phase=ZoffPhase.CHOOSE,
        round=spent + 1,
        sealed=(None,) * rules.players,
        hands=tuple(hand[: len(hand) - cards] for hand in state.hands),
        discards=tuple(hand[len(hand) - cards :] for hand in state.hands),
    )


def pastures_of(state: State) -> tuple[PastureView, ...]:
    """Returns the pastures as everyone sees them."""
    return ZoffGame().view(state, None).pastures


def _play(before: State, play: Callable[[Script], object]) -> PlayedExample:
    script = Script(before)
    play(script)
    return PlayedExample(before, script.state, tuple(script.events))


@cache
def three_players() -> PlayedExample:
    """A first round of three players."""
    deal = Deal(
        (
            ("orange", ("Lone-Star-Valley", "Fire-Fields", "Lucky-Pickle")),
            ("pink", ("Powder-Prairie", "Drunk'n-Creek", "Buzzard-Bluff")),
            ("green", ("Coffee-Canyon", "Dead-Bull-Desert", "Lucky-Lake")),
        ),
        THREE,
        (0, 1, 2),
    )

    def play(table: Script) -> None:
        table.choose(0, "Lone-Star-Valley 4M", "Powder-Prairie 3D")
        table.choose(1, "Lone-Star-Valley 2D", "Coffee-Canyon 5L")
        table.choose(2, "Lone-Star-Valley 3B", "Coffee-Canyon 5F")
        table.place(4, 1).bonus("Fire-Fields").bonus("Powder-Prairie")
        table.place(3, 5, 4).bonus("Dead-Bull-Desert").bonus("Buzzard-Bluff")

    return _play(ZoffGame().initial(ZoffRules(3), deal), play)


@cache
def cascade() -> PlayedExample:
    """One cow fills a pasture, and its bonuses fill two more."""
    herds: Herds = {
        "Lone-Star-Valley": {"orange": 4, "green": 2},
        "Powder-Prairie": {"pink": 5, "orange": 3},
        "Dead-Bull-Desert": {"green": 7, "pink": 5},
        "Coffee-Canyon": {"green": 6, "pink": 3},
        "Fire-Fields": {"orange": 7, "pink": 4, "green": 2},
        "Drunk'n-Creek": {"pink": 8, "orange": 5, "green": 2},
        "Lucky-Lake": {"green": 5, "orange": 3, "pink": 1},
        "Lucky-Pickle": {"pink": 4, "green": 2},
        "Buzzard-Bluff": {"orange": 6, "green": 4, "pink": 3},
    }

    def play(table: Script) -> None:
        table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M")
        table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J")
        table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H")
        table.place(1)
        table.bonus("Drunk'n-Creek").bonus("Coffee-Canyon", "Lucky-Lake").bonus("Lucky-Pickle")
        table.bonus("Lucky-Pickle").bonus("Lucky-Lake").bonus("Buzzard-Bluff", "Lucky-Pickle")
        table.bonus("Lucky-Lake").bonus("Lucky-Lake")

    return _play(arrange(ZoffRules(3), THREE, herds, spent=2), play)


@cache
def two_players() -> PlayedExample:
    """Settling and the first round of two players."""
    deal = Deal(
        (
            ("blue", ("Lone-Star-Valley", "Dead-Bull-Desert", "Lucky-Lake")),
            ("pink", ("Powder-Prairie", "Coffee-Canyon", "Buzzard-Bluff")),
        ),
        ("blue", "pink"),
        (0, 1),
    )
    ann = (("Lone-Star-Valley", "blue"), ("Dead-Bull-Desert", "green"), ("Lucky-Lake", "blue"))
    ben = (("Powder-Prairie", "pink"), ("Coffee-Canyon", "orange"), ("Buzzard-Bluff", "pink"))
    settled = Script(ZoffGame().initial(ZoffRules(2), deal)).act(0, Settle(ann)).act(1, Settle(ben))

    def play(table: Script) -> None:
        table.choose(0, "Lone-Star-Valley 4J blue", "Coffee-Canyon 5H green")
        table.choose(1, "Lone-Star-Valley 3E pink", "Coffee-Canyon 5L orange")
        table.place(4, 1).bonus("Lucky-Lake").bonus("Powder-Prairie")
        table.place(5, 4).bonus("Drunk'n-Creek").bonus("Dead-Bull-Desert")

    return _play(settled.state, play)


EXAMPLES: Final[Mapping[str, Callable[[], PlayedExample]]] = {
    "three-players": three_players,
    "cascade": cascade,
    "two-players": two_players,
}
"""The worked examples by the names that the pages use."""
