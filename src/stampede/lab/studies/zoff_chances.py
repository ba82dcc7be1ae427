"""Does it matter in Zoff which colour you have, where your first cows stand, or what was reconstructed?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, ZoffEndings, play_zoff
from stampede.lab.studies.report import StudyReport, StudySection, estimate_mean, estimate_ratio
from stampede.zoff import ZoffRules
from stampede.zoff.edition import Edition, Pasture

__all__ = ["study_chances", "study_edition"]


def study_chances(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """Victories by colour for every number of players, and the lead by the pastures of the first cows."""
    colours: list[Estimate] = []
    starts: list[Estimate] = []
    for players in track(range(2, 7)):
        rules = ZoffRules(players=players)
        names, pastures = _names(rules)
        found = play_zoff(rules, [bot] * players, games, seed + players)
        colours += [
            estimate_mean(f"{players} players, {name}", found.wins[:, seat], scale=players)
            for seat, name in enumerate(names)
        ]
        if players in (3, 5):
            starts += _starts(found, pastures, f"{players} players")
    sections = (
        StudySection(
            "colours",
            "Victories by colour",
            "victories / a fair share of them",
            tuple(colours),
            1.0,
        ),
        StudySection(
            "starts",
            "First cow on a pasture",
            "lead at the end, in cows",
            tuple(starts),
            0.0,
        ),
    )
    return StudyReport("zoff-chances", 5 * games, seed, bot, sections)


def _names(rules: ZoffRules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    edition = rules.printed
    pastures = tuple(pasture.name for pasture in edition.pastures_for(rules.players))
    return (("blue", "pink") if rules.players == 2 else edition.colours[: rules.players]), pastures


def _starts(found: ZoffEndings, pastures: tuple[str, ...], group: str) -> list[Estimate]:
    """The mean lead of the seats whose first cows stand on a pasture."""
    leads = found.leads
    rows = []
    for number, name in enumerate(pastures):
        game, seat, _ = np.nonzero(found.dealt == number)
        rows.append(estimate_mean(name, leads[game, seat], group))
    return rows


def study_edition(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """What changes if a reconstructed value is another one: how level the game is, how long, and how many cows."""
    rules = ZoffRules(players=5)
    shipped = rules.printed
    plain = play_zoff(rules, [bot] * 5, games, seed)
    changes = _changes(shipped)
    spread: list[Estimate] = []
    cows: list[Estimate] = []
    for number in track(range(len(changes))):
        name, edition = changes[number]
        changed = replace(rules, edition=edition.id, edition_data=edition)
        found = play_zoff(changed, [bot] * 5, games, seed)
        spread.append(estimate_ratio(name, _spread(found), _spread(plain)))
        cows.append(estimate_ratio(name, found.scores.sum(axis=1), plain.scores.sum(axis=1)))
    sections = (
        StudySection(
            "edition-spread",
            "Another value: cows between the first and the last player",
            "ratio to the edition that ships",
            tuple(spread),
            1.0,
        ),
        StudySection(
            "edition-cows",
            "Another value: cows on all pastures",
            "ratio to the edition that ships",
            tuple(cows),
            1.0,
        ),
    )
    return StudyReport("zoff-edition", games * (1 + len(changes)), seed, bot, sections)


def _spread(found: ZoffEndings) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    spread: np.ndarray[tuple[int], np.dtype[np.float32]] = np.ptp(found.scores, axis=1)
    return spread


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
