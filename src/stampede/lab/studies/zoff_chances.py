"""Does it matter in Zoff which colour you have, in which seat you sit, or where your first cows stand?

Seats take the colours in the order of the edition's file. So games are played with every rotation of that order: each
colour sits in each seat equally often, and what a colour does is told apart from what a seat does. Of two players the
order is fixed; theirs are games with an auction (Z11.1), in which either colour falls to either seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from stampede.lab.plots import Estimate
from stampede.lab.studies.play import Track, ZoffEndings, play_zoff
from stampede.lab.studies.report import StudyReport, StudySection, estimate_mean
from stampede.zoff import ZoffRules
from stampede.zoff.edition import TWO_PLAYER_GROUPS, Edition

__all__ = ["study_chances"]


@dataclass(frozen=True, slots=True)
class _Seated:
    """Games in which seats had these colours.

    Attributes:
        found: How they ended.
        colours: The colour's number by game and seat: int16[n, players].
    """

    found: ZoffEndings
    colours: npt.NDArray[np.int16]


def study_chances(games: int, seed: int, bot: str, track: Track) -> StudyReport:
    """Victories by colour and by seat for every number of players, and the lead by the pastures of the first cows."""
    colours: list[Estimate] = []
    seats: list[Estimate] = []
    starts: list[Estimate] = []
    played = 0
    for players in track(range(2, 7)):
        rules = ZoffRules(players=players)
        names = tuple(TWO_PLAYER_GROUPS) if players == 2 else rules.printed.colours[:players]
        parts = _play_rotated(rules, bot, games, seed + players)
        wins = np.concatenate([part.found.wins for part in parts])
        owned = np.concatenate([part.colours for part in parts])
        played += len(wins)
        colours += [
            estimate_mean(f"{players} players, {name}", wins[owned == colour], scale=players)
            for colour, name in enumerate(names)
        ]
        seats += [
            estimate_mean(f"{players} players, seat {seat}", wins[:, seat], scale=players)
            for seat in range(players)
        ]
        if players > 2:  # two settle on six pastures each
            starts += _starts([part.found for part in parts], rules, f"{players} players")
    share = "victories / a fair share of them"
    sections = (
        StudySection("colours", "Victories by colour", share, tuple(colours), 1.0),
        StudySection("seats", "Victories by seat", share, tuple(seats), 1.0),
        StudySection(
            "starts", "First cow on a pasture", "lead at the end, in cows", tuple(starts), 0.0
        ),
    )
    return StudyReport("zoff-chances", played, seed, bot, sections)


def _play_rotated(rules: ZoffRules, bot: str, games: int, seed: int) -> list[_Seated]:
    """Plays as many games with each rotation of the colours."""
    players = rules.players
    if players == 2:
        found = play_zoff(replace(rules, auction=True), [bot] * 2, games, seed)
        return [_Seated(found, found.groups)]
    parts = []
    for turn in range(players):
        edition = rotated(rules.printed, players, turn)
        turned = replace(rules, edition=edition.id, edition_data=edition)
        found = play_zoff(turned, [bot] * players, max(1, games // players), 10 * seed + turn)
        own = (np.arange(players) + turn) % players
        parts.append(_Seated(found, np.tile(own.astype(np.int16), (len(found.wins), 1))))
    return parts


def rotated(edition: Edition, players: int, turn: int) -> Edition:
    """The edition with the colours of so many players in another order: seat 0 gets the one of this number."""
    names = edition.colours
    order = (*names[turn:players], *names[:turn], *names[players:])
    cards = {name: edition.cards[name] for name in order}
    return replace(edition, id=f"study-{players}-{turn}", cards=cards)


def _starts(found: list[ZoffEndings], rules: ZoffRules, group: str) -> list[Estimate]:
    """The mean lead of the seats whose first cows stand on a pasture."""
    leads = np.concatenate([part.leads for part in found])
    dealt = np.concatenate([part.dealt for part in found])
    rows = []
    for number, pasture in enumerate(rules.printed.pastures_for(rules.players)):
        game, seat, _ = np.nonzero(dealt == number)
        rows.append(estimate_mean(pasture.name, leads[game, seat], group))
    return rows
