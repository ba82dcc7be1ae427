"""The deal (Z2.3, Z10.2) and the set-up of a game: what never changes during play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stampede.core.errors import ParseError, RuleSetError
from stampede.core.game import Seat
from stampede.zoff.edition import COLOURS, TWO_PLAYER_GROUPS, CowCard, Edition, Pasture
from stampede.zoff.rules import ZoffRules

__all__ = ["Deal", "Group", "Setup"]


@dataclass(frozen=True, slots=True)
class Deal:
    """All that chance or agreement decides before the start.

    Attributes:
        pastures: For each group, by the colour of its cards, the pastures of the preliminary round.
        seats: The group of each seat; None when the groups are bought later (Z11.1).
        tie_order: Seats in the order in which the seed ranks bids that stay tied. Secret until used.
    """

    pastures: tuple[tuple[str, tuple[str, ...]], ...]
    seats: tuple[str, ...] | None
    tie_order: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """What one seat plays: a hand of cow cards, and the colours (by index) of its cows: one, or two of two players."""

    name: str
    colours: tuple[int, ...]
    hand: tuple[CowCard, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """A game's fixed part. Pastures, colours and groups are known by their index here.

    Attributes:
        pastures: Those in play, smallest first.
        colours: Those in play, in the edition's order.
        groups: One a seat; `group_of` has each colour's.
        dealt: The pastures (by index) of each group's preliminary cows.
    """

    rules: ZoffRules
    edition: Edition
    deal: Deal
    pastures: tuple[Pasture, ...]
    colours: tuple[str, ...]
    groups: tuple[Group, ...]
    group_of: tuple[int, ...]
    dealt: tuple[tuple[int, ...], ...]

    def __repr__(self) -> str:
        return f"<Setup: {self.rules}>"

    @classmethod
    def build(cls, rules: ZoffRules, deal: Deal) -> Setup:
        """Checks a deal against rules and edition; ParseError or RuleSetError when they don't fit."""
        edition = rules.printed
        colours = _colours_in_play(rules, edition, tuple(name for name, _ in deal.pastures))
        deal = _in_order(rules, edition, deal)
        names = tuple(name for name, _ in deal.pastures)
        groups = tuple(_group(rules, edition, name, colours) for name in names)
        pastures = edition.pastures_for(rules.players)
        _check_seats(rules, deal, names)
        return cls(
            rules=rules,
            edition=edition,
            deal=deal,
            pastures=pastures,
            colours=colours,
            groups=groups,
            group_of=tuple(
                next(g for g, group in enumerate(groups) if colour in group.colours)
                for colour in range(len(colours))
            ),
            dealt=_dealt(rules, deal, tuple(pasture.name for pasture in pastures)),
        )

    @property
    def pasture_names(self) -> tuple[str, ...]:
        """The names of the pastures in play, smallest pasture first."""
        return tuple([pasture.name for pasture in self.pastures])

    def pasture_index(self, name: str) -> int:
        """The index of a pasture in play; ParseError when it isn't."""
        for index, pasture in enumerate(self.pastures):
            if pasture.name == name:
                return index
        known = ", ".join(pasture.name for pasture in self.pastures)
        raise ParseError(f"expected a pasture in play ({known}), got {name!r}")

    def colour_index(self, name: str) -> int:
        """The index of a colour in play; ParseError when it isn't."""
        if name not in self.colours:
            raise ParseError(f"expected a colour in play ({', '.join(self.colours)}), got {name!r}")
        return self.colours.index(name)

    def group_index(self, name: str) -> int:
        """The index of the group whose cards have this colour."""
        for index, group in enumerate(self.groups):
            if group.name == name:
                return index
        known = ", ".join(group.name for group in self.groups)
        raise ParseError(f"expected one of {known}, got {name!r}")


def draw_deal(rules: ZoffRules, rng: random.Random, colours: tuple[str, ...] | None = None) -> Deal:
    """Shuffles one set of pasture cards and deals it evenly (Z2.3, Z10.2).

    Args:
        rules: The rule set.
        rng: Where the randomness comes from.
        colours: The colour of each seat; the edition's first ones by default. Two players: blue and pink.
    """
    edition = rules.printed
    wanted = colours or default_colours(rules, edition)
    cards = [pasture.name for pasture in edition.pastures_for(rules.players)]
    rng.shuffle(cards)
    share = cards_each(rules)
    pastures = tuple(
        (name, tuple(cards[index * share : (index + 1) * share]))
        for index, name in enumerate(sorted(wanted, key=_group_order(rules, edition).index))
    )
    tie_order = list(range(rules.players))
    if rules.auction:
        rng.shuffle(tie_order)
    return Deal(pastures, None if rules.auction else tuple(wanted), tuple(tie_order))


def complete_colours(rules: ZoffRules, asked: Sequence[str | None]) -> tuple[str, ...]:
    """The colour of each seat's cards: what it asked for, else the first one that is left (Z2.2, Z10.1).

    Raises:
        RuleSetError: Colours are bought (Z11.1), or one isn't there, or is asked for twice.
    """
    if rules.auction:
        raise RuleSetError("colour: expected none, as colours are bought in an auction (Z11.1)")
    known = offered_colours(rules)
    wanted = [colour for colour in asked if colour is not None]
    for colour in wanted:
        if colour not in known:
            raise RuleSetError(f"colour: expected one of {', '.join(known)}, got {colour!r}")
        if wanted.count(colour) > 1:
            raise RuleSetError(f"colour: expected different ones, got {colour} twice")
    left = iter([colour for colour in known if colour not in wanted])
    return tuple(next(left) if colour is None else colour for colour in asked)


def offered_colours(rules: ZoffRules) -> tuple[str, ...]:
    """The colours of cards that a seat may ask for; the sixth one is for six players (Z11.4)."""
    if rules.players == 2:
        return tuple(TWO_PLAYER_GROUPS)
    colours = rules.printed.colours
    return colours if rules.players == 6 else colours[:5]


def default_colours(rules: ZoffRules, edition: Edition) -> tuple[str, ...]:
    """The groups of seats 0, 1, … unless others are asked for."""
    if rules.players == 2:
        return tuple(TWO_PLAYER_GROUPS)
    return edition.colours[: rules.players]


def _group_order(rules: ZoffRules, edition: Edition) -> tuple[str, ...]:
    """Groups stand in this order, so that seat 0 settles blue and seat 1 pink before an auction (Z11.1)."""
    return tuple(TWO_PLAYER_GROUPS) if rules.players == 2 else edition.colours


def _in_order(rules: ZoffRules, edition: Edition, deal: Deal) -> Deal:
    """The deal with its groups in order: a record may tell them in any."""
    order = _group_order(rules, edition)
    return replace(deal, pastures=tuple(sorted(deal.pastures, key=lambda row: order.index(row[0]))))


def cards_each(rules: ZoffRules) -> int:
    """How many pasture cards each seat is dealt: 3 with two or three players, else 2."""
    return 3 if rules.players <= 3 else 2


def _colours_in_play(rules: ZoffRules, edition: Edition, names: tuple[str, ...]) -> tuple[str, ...]:
    if rules.players == 2:
        if sorted(names) != sorted(TWO_PLAYER_GROUPS):
            raise ParseError(f"deal: expected the groups blue and pink, got {', '.join(names)}")
        wanted = {colour for name in names for colour in TWO_PLAYER_GROUPS[name]}
    else:
        allowed = edition.colours if rules.players == 6 else edition.colours[:COLOURS]
        wanted = set(names)
        if (
            len(names) != rules.players
            or len(wanted) != rules.players
            or not wanted <= set(allowed)
        ):
            raise ParseError(
                f"deal: expected {rules.players} colours of {', '.join(allowed)}, "
                f"got {', '.join(names)}"
            )
    return tuple(colour for colour in edition.colours if colour in wanted)


def _group(rules: ZoffRules, edition: Edition, name: str, colours: tuple[str, ...]) -> Group:
    own = TWO_PLAYER_GROUPS[name] if rules.players == 2 else (name,)
    return Group(
        name, tuple(colours.index(colour) for colour in own), edition.hand(name, rules.players)
    )


def _check_seats(rules: ZoffRules, deal: Deal, names: tuple[str, ...]) -> None:
    if rules.auction != (deal.seats is None):
        raise ParseError("colours: expected none before an auction, and one a seat without")
    if deal.seats is not None and sorted(deal.seats) != sorted(names):
        raise ParseError(
            f"colours: expected each of {', '.join(names)} once, got {', '.join(deal.seats)}"
        )
    if sorted(deal.tie_order) != list(range(rules.players)):
        raise ParseError(f"tie order: expected every seat once, got {deal.tie_order}")


def _dealt(rules: ZoffRules, deal: Deal, pastures: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    share = cards_each(rules)
    seen: set[str] = set()
    for name, cards in deal.pastures:
        if len(cards) != share:
            raise ParseError(f"deal.{name}: expected {share} pastures (Z2.3), got {len(cards)}")
        for card in cards:
            if card not in pastures:
                raise ParseError(f"deal.{name}: {card!r} isn't a pasture in play (Z2.1)")
            if card in seen:
                raise ParseError(f"deal.{name}: {card!r} is dealt twice (Z2.3)")
            seen.add(card)
    return tuple(tuple(pastures.index(card) for card in cards) for _, cards in deal.pastures)
