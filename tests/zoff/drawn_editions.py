"""Editions drawn at random, as far apart as the checker allows."""

from __future__ import annotations

import random
from string import ascii_uppercase

from stampede.core.json import Json, JsonObject
from stampede.zoff import Edition
from stampede.zoff.edition import (
    CARDS_OF_VALUE,
    EXTRA_VALUES,
    MAX_BONUS,
    MAX_CAPACITY,
    MAX_RANKS,
    MIN_CAPACITY,
    MIN_RANKS,
    SOURCES,
    TWO_PLAYER_CAPACITIES,
    TWO_PLAYER_GROUPS,
)

COLOURS = ("pink", "teal", "orange", "blue", "green", "white")
"""In another order than the shipped edition's, two of them unknown to it."""


def draw_data(rng: random.Random, *, six: bool = True) -> dict[str, Json]:
    """The data of a random edition, in the shape of a file."""
    return {
        "edition": {"id": f"drawn-{rng.randrange(10**9)}", "title": "Drawn at random"},
        "pasture": _pastures(rng, 12 if six else 11),
        **_cards(rng, COLOURS if six else COLOURS[:5]),
    }


def draw_edition(rng: random.Random, *, six: bool = True) -> Edition:
    """A random edition that the checker accepts."""
    return Edition.from_json(draw_data(rng, six=six))


def _pastures(rng: random.Random, count: int) -> list[Json]:
    free = [n for n in range(MIN_CAPACITY, MAX_CAPACITY + 1) if n not in TWO_PLAYER_CAPACITIES]
    below = len(free) - (count - 11)  # leaves one for the twelfth, which is the largest
    pool = rng.choice((free[:6], free[below - 6 : below], free[:below]))
    capacities = sorted([*TWO_PLAYER_CAPACITIES, *rng.sample(pool, 4)])
    if count == 12:
        capacities.append(rng.choice((capacities[-1] + 1, MAX_CAPACITY)))
    most = rng.choice((1, 3, MAX_BONUS, MAX_BONUS))
    return [
        {
            "name": f"Pasture {index} of {capacity}",
            "capacity": capacity,
            "bonus": [rng.randint(0, most) for _ in range(rng.randint(MIN_RANKS, MAX_RANKS))],
            "source": {key: rng.choice(SOURCES) for key in ("name", "capacity", "bonus")},
        }
        for index, capacity in enumerate(capacities)
    ]


def _cards(rng: random.Random, colours: tuple[str, ...]) -> JsonObject:
    cards: dict[str, dict[str, Json]] = {colour: {} for colour in colours}
    for value, count in CARDS_OF_VALUE.items():
        letters = rng.sample(ascii_uppercase, count * len(colours))
        for index, colour in enumerate(colours):
            cards[colour][str(value)] = "".join(letters[index * count : (index + 1) * count])
    extras: dict[str, dict[str, Json]] = {colour: {} for colour in TWO_PLAYER_GROUPS}
    for value in EXTRA_VALUES:
        held = {letter for colour in extras for letter in str(cards[colour][str(value)])}
        left = rng.sample(sorted(set(ascii_uppercase) - held), len(extras))
        for colour, letter in zip(extras, left, strict=True):
            extras[colour][str(value)] = letter
    return {"cow_cards": cards, "two_player_extras": extras}
