"""Plays the levels of Buffalo at first sight against each other and the sensible beginner, a thousand games of each.

Levels 1 and 2 play on kernels: a thousand games between them take half a second of processor time. The beginner plays
in plain Python and takes half a minute. Seeds below 1000 are for tuning, as a calibration's numbers of games are:
  python scripts/buffalo_first_sight.py --games 1000 --seed 1000
  python scripts/buffalo_first_sight.py --seed 1 --buffalo 200,0.15,15,2 --hunter 36,0.1,5,0
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from stampede.bots.buffalo.levels import level_of
from stampede.bots.buffalo.sight import Sight
from stampede.buffalo import Side
from stampede.lab.arena.stats import Score
from stampede.lab.panel import Beginner
from stampede.lab.vector import BuffaloVec
from stampede.lab.vector.opponents import BuffaloOpponents

BEGINNER = "beginner"


class _Players(BuffaloOpponents):
    """Both sides at first sight; None for the beginner."""

    def __init__(self, games: BuffaloVec, plays: tuple[Sight | None, Sight | None]) -> None:
        super().__init__(games, {0: "buffalo-1", 1: "buffalo-1"})
        for seat, sight in enumerate(plays):
            if sight is None:
                del self._tastes[seat]
                self._bots[seat] = Beginner()
            else:
                self._tastes[seat] = _taste(sight)


def main() -> None:
    """Plays each pairing and prints a row of Markdown for it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="of each pairing")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--buffalo", default="", help="level 1's blur,overlooks,favours,ideas")
    parser.add_argument("--hunter", default="", help="the same of its hunter")
    told = parser.parse_args()
    sights = {
        f"buffalo-{number}": (_sight(number, Side.BUFFALO), _sight(number, Side.HUNTER))
        for number in (1, 2)
    }
    first = sights["buffalo-1"]
    sights["buffalo-1"] = (_read(told.buffalo) or first[0], _read(told.hunter) or first[1])
    plays: dict[str, tuple[Sight | None, Sight | None]] = {BEGINNER: (None, None), **sights}
    pairs = [("buffalo-2", "buffalo-1"), ("buffalo-1", BEGINNER), ("buffalo-2", BEGINNER)]
    print("| player | against | buffalo side | hunter |")
    print("| --- | --- | ---: | ---: |")
    for one, other in pairs:
        as_buffalo = _wins((plays[one][0], plays[other][1]), told.games, told.seed)
        as_hunter = told.games - _wins((plays[other][0], plays[one][1]), told.games, told.seed)
        shares = (_share(as_buffalo, told.games), _share(as_hunter, told.games))
        print(f"| {one} | {other} | {' | '.join(shares)} |", flush=True)


def _wins(plays: tuple[Sight | None, Sight | None], count: int, seed: int) -> int:
    """The games that the buffalo side wins."""
    games = BuffaloVec(count, seed=seed, autoreset="disabled")
    players = _Players(games, plays)
    players.seed(seed)
    won, over = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    while not over.all():
        _, reward, terminated, _, _ = games.step(players.choose())
        ended = terminated & ~over
        won[ended] = reward[ended, 0] > 0
        over |= ended
    return int(won.sum())


def _sight(number: int, side: Side) -> Sight:
    play = level_of(number).plays(side)
    assert isinstance(play, Sight), "levels 1 and 2 don't search"
    return play


def _taste(sight: Sight) -> npt.NDArray[np.float64]:
    return np.array((sight.blur, sight.overlooks, sight.favours, sight.ideas), dtype=np.float64)


def _read(text: str) -> Sight | None:
    if not text:
        return None
    blur, overlooks, favours, ideas = (float(part) for part in text.split(","))
    return Sight(blur, overlooks, favours, round(ideas))


def _share(won: int, games: int) -> str:
    low, high = Score(won, games).interval
    return f"{won / games:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
