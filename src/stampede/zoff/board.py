"""The table as plain text: pastures with herds, free spaces and bonuses, then the players. Made from a view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from stampede.zoff.palette import SHADES, letters_of

if TYPE_CHECKING:
    from stampede.zoff.view import PastureView, ZoffView

__all__ = ["draw_board", "letters_in_play", "summarise"]


def summarise(view: ZoffView) -> str:
    """Returns the moment of the game in a few words.

    For example ``Zoff in Buffalo, 4 players, round 2 of 5``.
    """
    moment = f"round {view.round} of {view.rounds}" if view.round else "before round 1"
    return f"Zoff in Buffalo, {view.rules.players} players, {moment}"


def letters_in_play(view: ZoffView) -> dict[str, str]:
    """Returns the letters of the colours in play; the shipped edition's colours always have the same ones."""
    owned = [colour for seat in view.seats for colour in seat.colours]
    return letters_of(dict.fromkeys([*SHADES, *owned, *view.free_colours]))


def draw_board(view: ZoffView) -> str:
    """Draws the table as text. Each cow is a letter, each free space a dot."""
    letters = letters_in_play(view)
    head = ("pasture", "herds", "free", "bonus by rank")
    pastures = [
        (pasture.name, _cows(pasture, letters), str(pasture.free), _bonus(pasture, letters))
        for pasture in view.pastures
    ]
    parts = [f"{summarise(view)}; {_moment(view)}", "", *_columns([head, *pastures], right={2}), ""]
    return "\n".join([*parts, *_players(view, letters), *_own(view)])


def _moment(view: ZoffView) -> str:
    if view.result is not None:
        return f"won by {', '.join(map(str, view.result.winners))} ({view.result.reason})"
    return f"{view.phase.value}, to act: {', '.join(map(str, view.to_act))}"


def _cows(pasture: PastureView, letters: dict[str, str]) -> str:
    herds = "".join(letters[colour] * cows for colour, cows in pasture.herds.items())
    return herds + "·" * pasture.free


def _bonus(pasture: PastureView, letters: dict[str, str]) -> str:
    """What each rank would get if the pasture were full now."""
    ranks = [letters[colour] for colour in pasture.herds]
    return " ".join(
        f"{ranks[rank] if rank < len(ranks) else '-'}:{cows}"
        for rank, cows in enumerate(pasture.bonus)
    )


def _players(view: ZoffView, letters: dict[str, str]) -> list[str]:
    rows = [("seat", "colour", "placed", "reserve", "cards", "")]
    for number, seat in enumerate(view.seats):
        colours = ", ".join(f"{colour} ({letters[colour]})" for colour in seat.colours)
        reserve = ", ".join(str(cows) for cows in seat.reserves.values())
        told = ["has chosen"] if seat.answered else []
        told += [f"bid {seat.bid}"] if seat.bid is not None else []
        shown = (str(number), colours or "-", str(seat.placed), reserve, str(seat.cards))
        rows.append((*shown, ", ".join(told)))
    return _columns(rows, right={2, 3, 4})


def _own(view: ZoffView) -> list[str]:
    if not view.hand:
        return []
    return ["", f"Seat {view.viewer} holds {' '.join(map(str, view.hand))}"]


def _columns(rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[str]:
    """Sets rows in columns; those in ``right`` are flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    flush = set(right)
    return [
        "  ".join(
            cell.rjust(width) if column in flush else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
