"""Does it matter in Zoff what was reconstructed: bonuses, spaces, and the letters of cow cards?"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, ZoffEndings, play_zoff
from stampede.lab.studies.report import StudyReport, StudySection, estimate_mean, estimate_ratio
from stampede.zoff import ZoffRules
from stampede.zoff.edition import CARDS_OF_VALUE, CowCard, Edition, Pasture

__all__ = ["draw_letters", "study_edition"]

PLAYERS = 5
LETTERINGS = 12
"""How many editions with other letters are drawn."""
MORE = 4
"""Games with each of them beside those with another bonus: what a colour wins varies much."""


def study_edition(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """What changes if a reconstructed value is another one: how level the game is, how long, and how many cows.

    With other letters, which seldom change more than who wins a tie, it asks whom they favour.
    """
    rules = ZoffRules(players=PLAYERS)
    shipped = rules.printed
    changes = _changes(shipped)
    letterings = [
        (f"draw {draw}", draw_letters(shipped, random.Random(f"{seed}/{draw}")))
        for draw in range(1, LETTERINGS + 1)
    ]
    plain = play_zoff(rules, [bot] * PLAYERS, games, seed)
    spread: list[Estimate] = []
    cows: list[Estimate] = []
    much = play_zoff(rules, [bot] * PLAYERS, MORE * games, seed + 1)
    letters = _by_colour("as shipped", shipped, much)
    for number in track(range(len(changes) + len(letterings))):
        name, edition = (*changes, *letterings)[number]
        changed = replace(rules, edition=edition.id, edition_data=edition)
        lettered = number >= len(changes)
        found = play_zoff(changed, [bot] * PLAYERS, games * (MORE if lettered else 1), seed)
        if lettered:
            letters += _by_colour(name, edition, found)
            name = f"letters, {name}"
        spread.append(estimate_ratio(name, _spread(found), _spread(plain)))
        cows.append(estimate_ratio(name, found.scores.sum(axis=1), plain.scores.sum(axis=1)))
    ratio = "ratio to the edition that ships"
    sections = (
        StudySection(
            "edition-spread",
            "Another value: cows between the first and the last player",
            ratio,
            tuple(spread),
            1.0,
        ),
        StudySection(
            "edition-cows", "Another value: cows on all pastures", ratio, tuple(cows), 1.0
        ),
        StudySection(
            "edition-letters",
            "Other letters: victories by colour",
            "victories / a fair share of them",
            tuple(sorted(letters, key=lambda row: shipped.colours.index(row.group))),
            1.0,
        ),
    )
    total = games * (1 + len(changes) + MORE * (1 + len(letterings)))
    return StudyReport("zoff-edition", total, seed, bot, sections)


def _by_colour(name: str, edition: Edition, found: ZoffEndings) -> list[Estimate]:
    return [
        estimate_mean(f"{colour}, {name}", found.wins[:, seat], colour, PLAYERS)
        for seat, colour in enumerate(edition.colours[:PLAYERS])
    ]


def _spread(found: ZoffEndings) -> npt.NDArray[np.float32]:
    spread: npt.NDArray[np.float32] = np.ptp(found.scores, axis=1)
    return spread


def draw_letters(shipped: Edition, rng: random.Random) -> Edition:
    """The edition with its reconstructed letters dealt anew among the first five colours, value by value.

    Letters that a source states stay where they are, so that every value still has each of its letters once.
    """
    colours = shipped.colours[:PLAYERS]
    cards = dict(shipped.cards)
    for value in CARDS_OF_VALUE:
        slots = [
            (colour, card)
            for colour in colours
            for card in shipped.cards[colour]
            if card.value == value and shipped.source_of(colour, card) == "reconstructed"
        ]
        letters = [card.letter for _, card in slots]
        rng.shuffle(letters)
        new = {slot: CowCard(value, letter) for slot, letter in zip(slots, letters, strict=True)}
        for colour in colours:
            cards[colour] = tuple(new.get((colour, card), card) for card in cards[colour])
    cards = {colour: tuple(sorted(own)) for colour, own in cards.items()}
    return replace(shipped, id="study-letters", cards=cards, letter_sources={})


def _changes(shipped: Edition) -> list[tuple[str, Edition]]:
    """Editions that differ from the shipped one in one reconstructed value each."""
    changed = []
    for index, pasture in enumerate(shipped.pastures[:-1]):
        if pasture.source.bonus == "reconstructed":
            first, *rest = pasture.bonus
            for bonus in ((first + 1, *rest), (*pasture.bonus[:-1], pasture.bonus[-1] + 1)):
                text = "-".join(map(str, bonus))
                name = f"{pasture.name} pays {text}"
                changed.append((name, _with(shipped, index, replace(pasture, bonus=bonus))))
        if pasture.source.capacity == "reconstructed":
            name = f"{pasture.name} has {pasture.capacity + 1} spaces"
            larger = replace(pasture, capacity=pasture.capacity + 1)
            changed.append((name, _with(shipped, index, larger)))
    return changed


def _with(shipped: Edition, index: int, pasture: Pasture) -> Edition:
    pastures = (*shipped.pastures[:index], pasture, *shipped.pastures[index + 1 :])
    return replace(shipped, id=f"study-{index}", pastures=pastures)
