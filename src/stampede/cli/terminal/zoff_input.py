"""Typed answers of Zoff: ``ll 4m, dm 3s`` and the like, read with the viewer's own view and nothing else.

What is read here is only what the player means. Whether the rules allow it, the rules say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stampede.cli.terminal.matching import initials, one_of
from stampede.core.errors import ParseError
from stampede.zoff.actions import Bid, Choose, Pair, Pick, Place, PlaceBonus, Settle, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.legal import BidOptions, ChangeOptions, ChoiceOptions
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["choice_options", "example", "parse"]

NOTHING = ("none", "nothing", "no", "-", "0")
TIMES = re.compile(r"(\d)[x*](.+)|(.+)[x*](\d)")


def parse(view: ZoffView, text: str) -> ZoffAction:
    """The viewer's answer to what is awaited; ParseError when it can't be read."""
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
            return Bid(text.strip())
        case ZoffPhase.PICK:
            return Pick(one_of(text, _pickable(view), "a colour", rows=False))
        case ZoffPhase.OVER:
            raise ParseError("expected nothing: the game is over")


def example(view: ZoffView) -> str:
    """An answer as it can be typed, made of what the viewer has."""
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _choice_example(choice_options(view))
        case ZoffPhase.BONUS:
            ways = [action.on for action in view.legal if isinstance(action, PlaceBonus)]
            return " ".join(initials(name) for name in max(ways, key=len)) or "none"
        case ZoffPhase.SETTLE:
            first = next(iter(view.legal))
            assert isinstance(first, Settle), "settling is awaited"
            return " ".join(colour[0] for _, colour in first.colours)
        case ZoffPhase.PICK:
            return _pickable(view)[0]
        case ZoffPhase.BID:
            return "1.25"
        case _:
            return "2"


def choice_options(view: ZoffView) -> ChoiceOptions:
    """The viewer's choices, whether one is sealed already or not."""
    legal = view.legal
    options = legal.answers if isinstance(legal, ChangeOptions) else legal
    assert isinstance(options, ChoiceOptions), "a choice is awaited"
    return options


def least_bid(view: ZoffView) -> str:
    """The least bid that the viewer may make."""
    legal = view.legal
    options = legal.answers if isinstance(legal, ChangeOptions) else legal
    assert isinstance(options, BidOptions), "a bid is awaited"
    return Bid.of_units(options.least).text


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
    ways = [way for way in view.legal if isinstance(way, Settle)]
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
