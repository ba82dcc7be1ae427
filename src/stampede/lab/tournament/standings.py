"""The result of a tournament: wins, ratings with intervals, the cross table, the sequential test, faults."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass

from stampede.core.json import Json, JsonObject
from stampede.games import game_named
from stampede.lab.arena.stats import SprtCourse
from stampede.lab.ratings import Contest, RatingEstimate, rank_contests, rate_units
from stampede.lab.tournament.results import PlayedBout, TournamentGame
from stampede.lab.tournament.run import Tournament

__all__ = ["Standing", "TournamentReport", "report_of"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's result.

    Attributes:
        name: The player.
        chairs: How often it sat down; several chairs of a game count each.
        wins: Shared victories count in part.
        rating: Its rating.
        byes: Rounds of a Swiss tournament without an opponent.
        by_seat: By seat, the chairs and the wins.
        faults: How many games it lost by failing.
    """

    name: str
    chairs: int
    wins: float
    rating: RatingEstimate
    byes: int
    by_seat: tuple[tuple[int, float], ...]
    faults: int

    @property
    def share(self) -> float:
        """Wins for each chair."""
        return self.wins / self.chairs if self.chairs else 0.0


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """All that a report shows.

    Attributes:
        tournament: What was played.
        standings: The players, best rating first.
        cross: By two players, the first one's share of what both won, chair for chair; None if they never met.
        seats: The names of the seats, or their numbers.
        faults: Faults by player and reason, with their number.
        games: All games.
    """

    tournament: Tournament
    standings: tuple[Standing, ...]
    cross: dict[tuple[str, str], float]
    seats: tuple[str, ...]
    faults: tuple[tuple[str, str, int], ...]
    games: tuple[TournamentGame, ...]

    def to_json(self) -> JsonObject:
        """The report as JSON; an open end of an interval is null."""
        spec, course = self.tournament.spec, self.tournament.course
        return {
            "name": spec.name,
            "game": spec.game,
            "format": spec.format,
            "seats": spec.seats,
            "seed": spec.seed,
            "over": self.tournament.is_over,
            "bouts": len(self.tournament.bouts),
            "games": len(self.games),
            "standings": [_standing_json(each, self.seats) for each in self.standings],
            "cross": [
                {"player": first, "against": second, "share": round(share, 4)}
                for (first, second), share in self.cross.items()
            ],
            "sprt": None if course is None else _test_json(course),
            "faults": [
                {"player": name, "reason": why, "games": count} for name, why, count in self.faults
            ],
        }


def report_of(tournament: Tournament) -> TournamentReport:
    """Sums a tournament up."""
    spec = tournament.spec
    games = tuple(game for bout in tournament.bouts for game in bout.games)
    ratings = _ratings(tournament)
    none = RatingEstimate(math.nan, -math.inf, math.inf)
    standings = [
        _standing(name, games, ratings.get(name, none), tournament.byes.get(name, 0))
        for name in spec.names
    ]
    standings.sort(
        key=lambda each: (-each.rating.value if each.chairs else math.inf, -each.share, each.name)
    )
    faults = Counter(fault for game in games for fault in game.faults)
    sides = game_named(spec.game).sides
    return TournamentReport(
        tournament,
        tuple(standings),
        _cross(spec.names, games),
        sides or tuple(f"seat {number + 1}" for number in range(spec.seats)),
        tuple((name, why, count) for (name, why), count in sorted(faults.items())),
        games,
    )


def _standing(
    name: str, games: tuple[TournamentGame, ...], rating: RatingEstimate, byes: int
) -> Standing:
    seats = max((len(game.seats) for game in games), default=0)
    chairs, wins, faults = [0] * seats, [0.0] * seats, 0
    for game in games:
        for seat, (player, share) in enumerate(zip(game.seats, game.shares, strict=True)):
            if player == name:
                chairs[seat] += 1
                wins[seat] += share
        faults += any(player == name for player, _ in game.faults)
    by_seat = tuple(zip(chairs, wins, strict=True))
    return Standing(name, sum(chairs), sum(wins), rating, byes, by_seat, faults)


def _ratings(tournament: Tournament) -> dict[str, RatingEstimate]:
    """Ratings from bouts: a bout is drawn as a whole, within the bouts of the same players."""
    spec = tournament.spec
    strata: dict[tuple[str, ...], list[list[Contest]]] = {}
    for bout in tournament.bouts:
        unit = _contests(bout, whole=spec.ranking == "places")
        strata.setdefault(tuple(sorted(bout.lineup)), []).append(unit)
    anchors = {} if spec.anchor is None else {spec.anchor[0]: spec.anchor[1]}
    return rate_units(list(strata.values()), anchors, random.Random(f"{spec.seed}/ratings"))


def _contests(bout: PlayedBout, *, whole: bool) -> list[Contest]:
    if whole:
        return [contest for game in bout.games for contest in rank_contests(game.places)]
    return [
        Contest(tuple(sorted(game.seats)), {name: game.won_by(name) for name in set(game.seats)})
        for game in bout.games
    ]


def _cross(
    names: tuple[str, ...], games: tuple[TournamentGame, ...]
) -> dict[tuple[str, str], float]:
    rates: dict[tuple[str, str], list[float]] = {}
    for game in games:
        present = sorted(set(game.seats))
        for first in present:
            for second in present:
                if first != second:
                    sums = rates.setdefault((first, second), [0.0, 0.0])
                    sums[0] += game.won_by(first)
                    sums[1] += game.seats.count(first)
    cross = {}
    for first in names:
        for second in names:
            if (first, second) in rates:
                own, other = (w / n for w, n in (rates[first, second], rates[second, first]))
                cross[first, second] = own / (own + other) if own + other else 0.5
    return cross


def _test_json(course: SprtCourse) -> JsonObject:
    return {
        "verdict": course.verdict,
        "ratio": round(course.ratios[-1], 4) if course.ratios else 0.0,
        "bound": round(course.test.bound, 4),
        **course.score.to_json(),
    }


def _standing_json(each: Standing, seats: tuple[str, ...]) -> JsonObject:
    return {
        "player": each.name,
        "chairs": each.chairs,
        "wins": round(each.wins, 4),
        "share": round(each.share, 4),
        "rating": _round(each.rating.value),
        "interval_95": [_round(each.rating.low), _round(each.rating.high)],
        "byes": each.byes,
        "by_seat": {
            name: {"chairs": chairs, "wins": round(wins, 4)}
            for name, (chairs, wins) in zip(seats, each.by_seat, strict=False)
        },
        "faults": each.faults,
    }


def _round(value: float) -> Json:
    return round(value, 1) if math.isfinite(value) else None
