"""Zoff's questions and typed answers such as ``ll 4m, dm 3s``, from the viewer's own view and nothing else.

This module reads what the player means; the rules decide whether it is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stampede.cli.terminal.matching import initials, one_of
from stampede.core.errors import ParseError
from stampede.core.game import LegalActions
from stampede.zoff.actions import Bid, Choose, Pair, Pick, Place, PlaceBonus, Settle, ZoffAction
from stampede.zoff.describe import RANKS, cow_word
from stampede.zoff.edition import CowCard
from stampede.zoff.legal import BidOptions, ChangeOptions, ChoiceOptions
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["choice_options", "example", "least_bid", "parse", "question"]

NOTHING = ("none", "nothing", "no", "-", "0")
TIMES = re.compile(r"(\d)[x*](.+)|(.+)[x*](\d)")


def parse(view: ZoffView, text: str) -> ZoffAction:
    """Reads the viewer's answer to what is awaited; ParseError if it can't be read."""
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _choose(view, text)
        case ZoffPhase.PLACE:
            return _place(text)
        case ZoffPhase.BONUS:
            return _bonus(view, text)
        case ZoffPhase.SETTLE:
            return _settle(view, text)
        case ZoffPhase.BID:
            return Bid(text.strip().replace(",", "."))
        case ZoffPhase.PICK:
            return Pick(one_of(text, _pickable(view), "a colour", rows=False))
        case ZoffPhase.OVER:
            raise ParseError("expected nothing: the game is over")


def example(view: ZoffView) -> str:
    """Returns an answer as it can be typed, made of what the viewer has."""
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _choice_example(choice_options(view))
        case ZoffPhase.BONUS:
            ways = [action.on for action in view.legal if isinstance(action, PlaceBonus)]
            return " ".join(initials(name) for name in max(ways, key=len)) or "none"
        case ZoffPhase.SETTLE:
            return " ".join(colour[0] for _, colour in _settlements(view)[0].colours)
        case ZoffPhase.PICK:
            return _pickable(view)[0]
        case ZoffPhase.BID:
            return "1.25"
        case _:
            return "2"


def question(view: ZoffView) -> str:
    """Asks for what is awaited."""
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _ask_choice(choice_options(view))
        case ZoffPhase.PLACE:
            pair = view.line[0]
            *most, last = [action.cows for action in view.legal if isinstance(action, Place)]
            numbers = f"{', '.join(map(str, most))} or {last}"
            return f"how many {pair.colour} cows with {pair.card} on {pair.pasture}? {numbers}"
        case ZoffPhase.BONUS:
            due = view.due[0]
            rank = "for filling it" if due.kind == "fair" else f"as {RANKS[due.rank]}"
            return (
                f"{due.source} pays {due.colour} up to {cow_word(due.cows)} {rank}. "
                "On which pastures, one word a cow, or none?"
            )
        case ZoffPhase.SETTLE:
            way = _settlements(view)[0]
            places = ", ".join(name for name, _ in way.colours)
            own = " and ".join(dict.fromkeys(colour for _, colour in way.colours))
            return f"which colour starts on {places}? Both of {own} at least once."
        case ZoffPhase.BID:
            return f"your secret bid for the choice of colour, {least_bid(view)} or more."
        case ZoffPhase.PICK:
            return "which colour do you take?"
        case ZoffPhase.OVER:
            return ""


def _ask_choice(options: ChoiceOptions) -> str:
    if options.colours:
        first, second = options.colours
        if len(options.pastures) == 1:
            return f"a cow card for {first} and one for {second}, both on {options.pastures[0]}."
        return f"lay a pair for {first} and a pair for {second}."
    if options.pairs == 1:
        return f"only {options.pastures[0]} is open: lay one cow card."
    return "lay two pairs of pasture and cow card."


def _answers(view: ZoffView) -> LegalActions[ZoffAction]:
    """The viewer's legal answers, whether one is sealed already or not."""
    legal = view.legal
    return legal.answers if isinstance(legal, ChangeOptions) else legal


def choice_options(view: ZoffView) -> ChoiceOptions:
    """Returns the viewer's choices."""
    options = _answers(view)
    assert isinstance(options, ChoiceOptions), "a choice is awaited"
    return options


def least_bid(view: ZoffView) -> str:
    """Returns the least bid that the viewer may make."""
    options = _answers(view)
    assert isinstance(options, BidOptions), "a bid is awaited"
    return Bid.of_units(options.least).text


def _settlements(view: ZoffView) -> list[Settle]:
    return [way for way in view.legal if isinstance(way, Settle)]


# --- choosing ---


def _choose(view: ZoffView, text: str) -> Choose:
    options = choice_options(view)
    parts = _split_pairs(text, options)
    if len(parts) != options.pairs:
        like = _choice_example(options)
        raise ParseError(f"expected {options.pairs} pairs such as {like!r}, got {text!r}")
    pairs = [_pair(view, options, words) for words in parts]
    if options.colours:
        pairs = _coloured(pairs, options.colours)
    return Choose(tuple(pairs))


def _split_pairs(text: str, options: ChoiceOptions) -> list[list[str]]:
    """The words of each pair: split at commas, or evenly where there are none."""
    marked = re.sub(r"\b(?:and|on)\b|[+;]", ",", text)
    parts = [part.split() for part in marked.split(",") if part.strip()]
    cards_only = len(options.pastures) == 1
    if (
        len(parts) == 1
        and options.pairs == 2
        and len(parts[0]) in ((2, 4) if cards_only else (4, 6))
    ):
        half = len(parts[0]) // 2
        parts = [parts[0][:half], parts[0][half:]]
    return parts


def _pair(view: ZoffView, options: ChoiceOptions, words: list[str]) -> Pair:
    colour = None
    if options.colours and len(words) > 1 and _is_colour(words[0], options.colours):
        colour = one_of(words[0], options.colours, "a colour", rows=False)
        words = words[1:]
    if len(options.pastures) == 1 and len(words) == 1:  # Z3.3, Z10.5: nothing to choose but cards
        return Pair(options.pastures[0], _card(words[0], options.cards), colour)
    if len(words) != 2:
        raise ParseError(f"expected a pasture and a card such as 'll 4m', got {' '.join(words)!r}")
    names = [pasture.name for pasture in view.pastures]
    pasture = one_of(words[0], names, "a pasture")
    return Pair(pasture, _card(words[1], options.cards), colour)


def _is_colour(word: str, colours: Sequence[str]) -> bool:
    return any(colour.startswith(word.lower()) for colour in colours)


def _coloured(pairs: list[Pair], colours: Sequence[str]) -> list[Pair]:
    """Pairs of two players, in the order of the colours; those that name none take what is left (Z10.4)."""
    named = [pair.colour for pair in pairs if pair.colour is not None]
    left = [colour for colour in colours if colour not in named]
    done = [
        pair if pair.colour is not None else Pair(pair.pasture, pair.card, left.pop(0))
        for pair in pairs
    ]
    return sorted(done, key=lambda pair: list(colours).index(str(pair.colour)))


def _card(word: str, hand: Sequence[CowCard]) -> CowCard:
    wanted = word.upper()
    found = [card for card in hand if wanted in (str(card), str(card.value), card.letter)]
    exact = [card for card in found if str(card) == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    held = ", ".join(map(str, hand))
    if found:
        raise ParseError(f"{word!r} can mean {' or '.join(map(str, found))}; type value and letter")
    raise ParseError(f"expected one of your cards ({held}), got {word!r}")


def _choice_example(options: ChoiceOptions) -> str:
    cards = [str(card).lower() for card in options.cards]
    names = [initials(name) for name in options.pastures]
    if len(names) == 1:
        return ", ".join(cards[: options.pairs])
    return f"{names[-1]} {cards[-1]}, {names[0]} {cards[0]}"


# --- the rest ---


def _place(text: str) -> Place:
    if not re.fullmatch(r"\d{1,3}", text.strip()):
        raise ParseError(f"expected a number of cows, got {text!r}")
    return Place(int(text))


def _bonus(view: ZoffView, text: str) -> PlaceBonus:
    if text.strip().lower() in NOTHING:
        return PlaceBonus()
    names = [pasture.name for pasture in view.pastures]
    on: list[str] = []
    for word in text.replace(",", " ").split():
        count, pasture = _times(word)
        on += [one_of(pasture, names, "a pasture")] * count
    return PlaceBonus(tuple(on))


def _times(word: str) -> tuple[int, str]:
    """``2xll`` or ``llx2``: several cows on one pasture."""
    found = TIMES.fullmatch(word.lower())
    if found is None:
        return 1, word
    return (int(found[1]), found[2]) if found[1] else (int(found[4]), found[3])


def _settle(view: ZoffView, text: str) -> Settle:
    ways = _settlements(view)
    if re.fullmatch(r"\d", text.strip()) and 1 <= int(text) <= len(ways):
        return ways[int(text) - 1]
    names = [name for name, _ in ways[0].colours]
    own = list(dict.fromkeys(colour for way in ways for _, colour in way.colours))
    words = text.replace(",", " ").split()
    if len(words) == 1 and len(words[0]) == len(names):
        words = list(words[0])
    if len(words) != len(names):
        places = ", ".join(names)
        raise ParseError(f"expected a colour for each of {places}, got {text!r}")
    return Settle(
        tuple(
            (name, one_of(word, own, "a colour", rows=False))
            for name, word in zip(names, words, strict=True)
        )
    )


def _pickable(view: ZoffView) -> list[str]:
    return [action.colour for action in view.legal if isinstance(action, Pick)]
