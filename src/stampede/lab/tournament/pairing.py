"""Who plays whom: the bouts of a round robin and a gauntlet, and of a Swiss tournament round by round."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from stampede.core.errors import InputError
from stampede.lab.tournament.spec import TournamentSpec

__all__ = ["Bout", "Lineup", "all_bouts", "swiss_round", "tables_of"]

Lineup: TypeAlias = tuple[str, ...]
"""The players of a table, by name; one that sits on several chairs appears as often."""
MOST_TABLES = 5_000


@dataclass(frozen=True, slots=True)
class Bout:
    """One deal or opening, played once for each rotation of the seats.

    Attributes:
        lineup: The players.
        start: The number of the deal or opening. Different lineups play the same ones.
    """

    lineup: Lineup
    start: int

    def rotation(self, number: int) -> Lineup:
        """The players by seat in one of the bout's games; there are as many games as seats."""
        return self.lineup[number:] + self.lineup[:number]


def all_bouts(spec: TournamentSpec) -> list[Bout]:
    """The bouts of a round robin or a gauntlet. The pairings take turns, so that an early stop is fair to all."""
    lineups = list(tables_of(spec))
    return [
        Bout(_mixed_up(lineup, f"{spec.seed}/{start}/order"), start)
        for start in range(spec.bouts)
        for lineup in lineups
    ]


def tables_of(spec: TournamentSpec) -> Iterator[Lineup]:
    """The lineups that play each other; InputError when there are too many."""
    names, challengers = spec.names, set(spec.challengers)
    if spec.tables == "field":
        pairs: Iterator[Lineup] = combinations(names, 2)
        chosen = [pair for pair in pairs if _meets(pair, challengers)]
        found = [lineup for pair in chosen for lineup in _fields(pair, spec.seats)]
    else:
        groups = combinations(names, spec.seats)
        found = [group for group in groups if _meets(group, challengers)]
    if len(found) > MOST_TABLES:
        raise InputError(f"expected at most {MOST_TABLES} pairings, got {len(found)}: try swiss")
    return iter(found)


def _meets(group: Lineup, challengers: set[str]) -> bool:
    """Whether a group belongs to the tournament: all do, or in a gauntlet those with one challenger."""
    return not challengers or len(challengers.intersection(group)) == 1


def _fields(pair: Lineup, seats: int) -> list[Lineup]:
    """Each of two among copies of the other."""
    first, second = pair
    return [(first, *[second] * (seats - 1)), (second, *[first] * (seats - 1))]


def _mixed_up(lineup: Lineup, seed: str) -> Lineup:
    """The lineup in a drawn order where more than two differ: rotations alone keep the neighbours."""
    if len(set(lineup)) < 3:
        return lineup
    return tuple(random.Random(f"{seed}/{'/'.join(lineup)}").sample(lineup, len(lineup)))


# --- Swiss ---


def swiss_round(
    spec: TournamentSpec,
    number: int,
    points: Mapping[str, float],
    former: Sequence[Sequence[Lineup]],
) -> tuple[list[Bout], list[str]]:
    """A round's bouts, and the players that have a bye.

    Players of similar points meet; those that have met before are kept apart as long as possible. The byes go to the
    last of those who had the fewest.

    Args:
        spec: The tournament.
        number: The round, from 0.
        points: What each has scored so far, byes included.
        former: The groups of each round so far, those with a bye alone among them.
    """
    order = sorted(spec.names, key=lambda name: (-points.get(name, 0.0), spec.names.index(name)))
    size = 2 if spec.tables == "field" else spec.seats
    had = Counter(group[0] for groups in former for group in groups if len(group) == 1)
    met = Counter(
        pair
        for groups in former
        for group in groups
        for pair in combinations(sorted(set(group)), 2)
    )
    last_first = sorted(order, key=lambda name: (had[name], -order.index(name)))
    byes = last_first[: len(order) % size]
    groups = _groups([name for name in order if name not in byes], size, met)
    bouts = []
    for start in range(number * spec.bouts, (number + 1) * spec.bouts):
        for group in groups:
            lineups = _fields(group, spec.seats) if spec.tables == "field" else [group]
            bouts += [
                Bout(_mixed_up(each, f"{spec.seed}/{start}/order"), start) for each in lineups
            ]
    return bouts, byes


def _groups(order: list[str], size: int, met: Counter[tuple[str, str]]) -> list[Lineup]:
    """Cuts players into groups from the top; each takes the next that its members have met least."""
    if size == 2:
        for most in range(max(met.values(), default=0) + 1):
            found = _pairs(order, most, met, [20_000])
            if found is not None:
                return found
    groups = []
    left = list(order)
    while left:
        group = [left.pop(0)]
        while len(group) < size:
            best = min(left, key=lambda name: sum(_count(met, name, other) for other in group))
            left.remove(best)
            group.append(best)
        groups.append(tuple(group))
    return groups


def _pairs(
    order: Sequence[str], most: int, met: Counter[tuple[str, str]], tries: list[int]
) -> list[Lineup] | None:
    """Pairs from the top, none of which has met more than so often; None when there is no such way."""
    if not order:
        return []
    tries[0] -= 1
    for other in order[1:]:
        if tries[0] < 0:
            return None
        if _count(met, order[0], other) <= most:
            rest = [name for name in order[1:] if name != other]
            found = _pairs(rest, most, met, tries)
            if found is not None:
                return [(order[0], other), *found]
    return None


def _count(met: Counter[tuple[str, str]], first: str, second: str) -> int:
    return met[min(first, second), max(first, second)]
