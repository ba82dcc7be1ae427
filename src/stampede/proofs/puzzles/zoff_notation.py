"""A short text for a game of Zoff, about a tenth of its record: for collections that hold many games.

The deal comes first, a word for each seat: the colour of its cards, and its pastures by letter, the smallest pasture in
play being ``a``. After a bar follow the actions in the order in which the game asks for them, a word each:

| word | action |
|---|---|
| ``=a0c1f0`` | settle: pastures, each with the number of the colour among the seat's two |
| ``a5Yd5B`` | choose: pairs of pasture and cow card; with two players the colour's number behind each pair |
| ``3`` | place so many cows |
| ``+ac`` | a bonus on these pastures |
"""

from __future__ import annotations

from typing import Final, TypeAlias

from stampede.core.errors import InputError, ParseError
from stampede.core.game import Seat
from stampede.core.playthrough import Playthrough
from stampede.zoff import State, ZoffGame, ZoffRules
from stampede.zoff.actions import Choose, Pair, Place, PlaceBonus, Settle, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.setup import Deal

__all__ = ["ZoffPlaythrough", "read_game", "read_word", "write_game", "write_word"]

ZoffPlaythrough: TypeAlias = Playthrough[ZoffRules, State, ZoffAction, Deal]

_GAME: Final = ZoffGame()
_LETTERS: Final = "abcdefghijkl"


def write_game(played: ZoffPlaythrough) -> str:
    """The text of a game by the shipped edition, without variants, so far."""
    deal = played.start.setup.deal
    if deal.seats is None:
        raise InputError("expected a game without an auction")
    names = played.start.setup.pasture_names
    dealt = dict(deal.pastures)
    seats = [
        f"{colour}={''.join(_LETTERS[names.index(name)] for name in dealt[colour])}"
        for colour in deal.seats
    ]
    words = [write_word(played.start, turn.seat, turn.action) for turn in played.turns]
    return " ".join([*seats, "|", *words])


def read_game(text: str) -> ZoffPlaythrough:
    """Plays a text by the rules.

    Raises:
        ParseError: A word is no action.
        ActionError: The rules refuse an action.
    """
    head, bar, tail = text.partition(" | ")
    seats = [word.partition("=") for word in head.split()]
    if not bar or not all(equals for _, equals, _ in seats):
        raise ParseError(f"expected a deal and actions behind a bar, got {text[:40]!r}")
    rules = ZoffRules(players=len(seats))
    names = [pasture.name for pasture in rules.printed.pastures_for(rules.players)]
    deal = Deal(
        tuple((colour, _pastures(letters, names)) for colour, _, letters in seats),
        tuple(colour for colour, _, _ in seats),
        tuple(range(rules.players)),
    )
    played = Playthrough(_GAME, rules, deal)
    for word in tail.split():
        if not played.to_act:
            raise ParseError(f"expected no action after the end, got {word!r}")
        seat = played.to_act[0]
        played.play(seat, read_word(played.state, seat, word))
    return played


def write_word(state: State, seat: Seat, action: ZoffAction) -> str:
    """The word of an action."""
    names = state.setup.pasture_names
    own = _own_colours(state, seat)
    match action:
        case Place(cows=cows):
            return str(cows)
        case PlaceBonus(on=on):
            return "+" + "".join(_LETTERS[names.index(name)] for name in on)
        case Choose(pairs=pairs):
            return "".join(
                f"{_LETTERS[names.index(pair.pasture)]}{pair.card}"
                + ("" if pair.colour is None else str(own.index(pair.colour)))
                for pair in pairs
            )
        case Settle(colours=colours):
            return "=" + "".join(
                f"{_LETTERS[names.index(name)]}{own.index(colour)}" for name, colour in colours
            )
        case _:
            raise InputError(f"expected an action of a game without variants, got {action}")


def read_word(state: State, seat: Seat, word: str) -> ZoffAction:
    """The action of a word; ParseError if it is none."""
    names = state.setup.pasture_names
    own = _own_colours(state, seat)
    if word.isascii() and word.isdigit():
        return Place(int(word))
    if word.startswith("+"):
        return PlaceBonus(_pastures(word[1:], names))
    try:
        if word.startswith("="):
            settled = zip(word[1::2], word[2::2], strict=True)
            return Settle(
                tuple((_pastures(name, names)[0], own[int(colour)]) for name, colour in settled)
            )
        size = 3 if len(own) == 1 else 4
        if not word or len(word) % size:
            raise ParseError(f"expected an action, got {word!r}")
        return Choose(
            tuple(
                Pair(
                    _pastures(word[at], names)[0],
                    CowCard.parse(word[at + 1 : at + 3]),
                    own[int(word[at + 3])] if size == 4 else None,
                )
                for at in range(0, len(word), size)
            )
        )
    except (ValueError, IndexError) as error:
        raise ParseError(f"expected an action, got {word!r}") from error


def _own_colours(state: State, seat: Seat) -> tuple[str, ...]:
    group = state.setup.groups[state.group_of_seat(seat)]
    return tuple(state.setup.colours[colour] for colour in group.colours)


def _pastures(letters: str, names: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    known = dict(zip(_LETTERS, names, strict=False))
    for letter in letters:
        if letter not in known:
            raise ParseError(f"expected pastures a to {max(known)}, got {letters!r}")
    return tuple(known[letter] for letter in letters)
