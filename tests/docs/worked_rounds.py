"""The worked examples of docs/rules/zoff.md, played by the real rules; `make reference` writes them anew.

Each example is a script: what stands where, what is laid, what is answered. The page shows its tables between
`<!-- worked: NAME -->` and the end of the block that follows; the prose around them is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from stampede.core.events import Event
from stampede.zoff import Deal, Settle, State, ZoffRules
from stampede.zoff.events import BonusPlaced, Filled, Placed, Wasted
from tests.zoff.arranged import GAME, Table, arranged

__all__ = ["EXAMPLES", "PAGE", "Worked", "make_page"]

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "rules" / "zoff.md"
BLOCK: Final = re.compile(
    r"(<!-- worked: (?P<name>[\w ]+) -->\n+```text\n)(?P<text>.*?)(```)", re.DOTALL
)
NAMES: Final = 17
"""The width of the longest pasture's name."""


@dataclass(frozen=True, slots=True)
class Worked:
    """An example from its first moment to its last, with everything that happened between."""

    before: State
    after: State
    events: tuple[Event, ...]

    def tables(self) -> dict[str, str]:
        """The example's tables as text."""
        return {
            "before": _write_pastures(self.before, bonuses=True),
            "steps": _write_steps(self.before, self.events),
            "after": _write_pastures(self.after, bonuses=False),
        }


def three_players() -> Worked:
    """A first round of three players."""
    deal = Deal(
        (
            ("orange", ("Lone-Star-Valley", "Fire-Fields", "Lucky-Pickle")),
            ("pink", ("Powder-Prairie", "Drunk'n-Creek", "Buzzard-Bluff")),
            ("green", ("Coffee-Canyon", "Dead-Bull-Desert", "Lucky-Lake")),
        ),
        ("orange", "pink", "green"),
        (0, 1, 2),
    )

    def play(table: Table) -> None:
        table.choose(0, "Lone-Star-Valley 4M", "Powder-Prairie 3D")
        table.choose(1, "Lone-Star-Valley 2D", "Coffee-Canyon 5L")
        table.choose(2, "Lone-Star-Valley 3B", "Coffee-Canyon 5F")
        table.place(4).place(1)
        table.bonus("Fire-Fields").bonus("Powder-Prairie")
        table.place(3)
        table.place(5).place(4)
        table.bonus("Dead-Bull-Desert").bonus("Buzzard-Bluff")

    return _work(GAME.initial(ZoffRules(3), deal), play)


def cascade() -> Worked:
    """One cow fills a pasture, and its bonuses fill two more."""
    herds: Mapping[str, Mapping[str, int]] = {
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

    def play(table: Table) -> None:
        table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M")
        table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J")
        table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H")
        table.place(1)
        table.bonus("Drunk'n-Creek").bonus("Coffee-Canyon", "Lucky-Lake").bonus("Lucky-Pickle")
        table.bonus("Lucky-Pickle").bonus("Lucky-Lake").bonus("Buzzard-Bluff", "Lucky-Pickle")
        table.bonus("Lucky-Lake").bonus("Lucky-Lake")

    state = arranged(ZoffRules(3), herds, colours=("orange", "pink", "green"))
    spent = 4  # cards of two rounds
    return _work(
        replace(
            state,
            hands=tuple(hand[:-spent] for hand in state.hands),
            discards=tuple(hand[-spent:] for hand in state.hands),
        ),
        play,
    )


def two_players() -> Worked:
    """Settling and the first round of two players."""
    deal = Deal(
        (
            ("blue", ("Lone-Star-Valley", "Dead-Bull-Desert", "Lucky-Lake")),
            ("pink", ("Powder-Prairie", "Coffee-Canyon", "Buzzard-Bluff")),
        ),
        ("blue", "pink"),
        (0, 1),
    )
    table = Table(GAME.initial(ZoffRules(2), deal))
    table.act(
        0,
        Settle(
            (("Lone-Star-Valley", "blue"), ("Dead-Bull-Desert", "green"), ("Lucky-Lake", "blue"))
        ),
    )
    table.act(
        1,
        Settle(
            (("Powder-Prairie", "pink"), ("Coffee-Canyon", "orange"), ("Buzzard-Bluff", "pink"))
        ),
    )

    def play(table: Table) -> None:
        table.choose(0, "Lone-Star-Valley 4J blue", "Coffee-Canyon 5H green")
        table.choose(1, "Lone-Star-Valley 3E pink", "Coffee-Canyon 5L orange")
        table.place(4).place(1)
        table.bonus("Lucky-Lake").bonus("Powder-Prairie")
        table.place(5).place(4)
        table.bonus("Drunk'n-Creek").bonus("Dead-Bull-Desert")

    return _work(table.state, play)


EXAMPLES: Final[Mapping[str, Callable[[], Worked]]] = {
    "three players": three_players,
    "cascade": cascade,
    "two players": two_players,
}


def _work(before: State, play: Callable[[Table], None]) -> Worked:
    table = Table(before)
    play(table)
    return Worked(before, table.state, tuple(table.events))


def _write_pastures(state: State, *, bonuses: bool) -> str:
    lines = [f" {'pasture':{NAMES}} capacity  {'bonuses   ' if bonuses else ''}herds"]
    for number, pasture in enumerate(state.setup.pastures):
        herds = sorted(
            (
                (cows, colour)
                for cows, colour in zip(state.herds[number], state.setup.colours, strict=True)
                if cows
            ),
            reverse=True,
        )
        shown = ", ".join(f"{colour} {cows}" for cows, colour in herds)
        free = state.free[number]
        ranks = f"{'-'.join(map(str, pasture.bonus)):10}" if bonuses else ""
        room = f"{free} free" if free else "full"
        lines.append(f" {pasture.name:{NAMES}} {pasture.capacity:5}     {ranks}{shown:30} {room}")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _write_steps(before: State, events: tuple[Event, ...]) -> str:
    """Every cow that is placed: whose, why, where, and what the herd becomes."""
    setup = before.setup
    herds = {
        (pasture.name, colour): cows
        for pasture, row in zip(setup.pastures, before.herds, strict=True)
        for colour, cows in zip(setup.colours, row, strict=True)
    }
    lines = [f" {'herd':8} {'by':{NAMES + 9}} {'cows on':{NAMES}} herd becomes"]
    for event in events:
        match event:
            case Placed():
                moves = [(event.pasture, event.cows)]
                why = str(event.card)
            case BonusPlaced():
                moves = [(name, event.on.count(name)) for name in dict.fromkeys(event.on)]
                why = f"bonus of {event.source}"
            case Wasted():
                lines.append(
                    f" {event.colour:8} {event.card!s:{NAMES + 9}} {event.pasture:{NAMES}} wasted"
                )
                continue
            case Filled():
                last = max(
                    n for n, line in enumerate(lines) if f" {event.pasture} " in f"{line[36:]} "
                )
                lines[last] += ", full"
                continue
            case _:
                continue
        for pasture, cows in moves:
            old = herds[pasture, event.colour]
            herds[pasture, event.colour] = old + cows
            lines.append(
                f" {event.colour:8} {why:{NAMES + 9}} {pasture:{NAMES}} {old} + {cows} = {old + cows}"
            )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def make_page(page: str) -> str:
    """Returns the page with every table of its examples written anew.

    Raises:
        KeyError: The page shows a table that no example has.
    """
    texts = dict(_list_tables())
    return BLOCK.sub(lambda found: f"{found[1]}{texts[found['name']]}{found[4]}", page)


def _list_tables() -> Iterator[tuple[str, str]]:
    for name, make in EXAMPLES.items():
        for part, text in make().tables().items():
            yield f"{name} {part}", text


if __name__ == "__main__":
    PAGE.write_text(make_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
