"""The games of a calibration: which are played, each repeatable by its name, kept in a file of JSON lines."""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from stampede.bots import RandomBot, bot_named
from stampede.bots.buffalo.levels import Thought
from stampede.bots.buffalo.player import BuffaloBot
from stampede.buffalo import BuffaloGame, BuffaloRules, Position, Side
from stampede.core.bot import Bot
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.lab.arena.openings import shipped_openings, tuning_openings
from stampede.lab.panel import Beginner, Cautious, Greedy, OneMove, TwoMove, Watchful
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["JUDGING", "PANEL", "Pairing", "Result", "play_missing", "player_named"]

PANEL = ("random", "one-move", "two-move", "watchful", "beginner", "greedy", "cautious")
"""The reference players, by name."""
JUDGING = 1000
"""Games with this number or a higher one judge. Those below are for tuning: other seeds, deals and openings."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays whom.

    Attributes:
        first: The player whose wins are counted: in Buffalo the buffalo side, in Zoff the one.
        second: The hunter, or each of the others.
        players: The number of seats.
    """

    first: str
    second: str
    players: int


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played: its pairing, its number and the first player's share of the victory."""

    first: str
    second: str
    players: int
    index: int
    won: float

    @property
    def pairing(self) -> Pairing:
        """Who played whom."""
        return Pairing(self.first, self.second, self.players)


@cache
def player_named(name: str) -> Bot:
    """A player of the panel or a level; a level has no clock, so that a busy machine doesn't make it weaker."""
    made: dict[str, Bot] = {
        bot.name: bot
        for bot in (
            *(RandomBot(), OneMove(), TwoMove(), Watchful()),
            *(Beginner(), Greedy(), Cautious()),
        )
    }
    if name in made:
        return made[name]
    bot = bot_named(name)
    return BuffaloBot(bot.level.without_clock()) if isinstance(bot, BuffaloBot) else bot


def play_missing(
    pairings: Iterable[tuple[str, Pairing]], games: range, file: Path, jobs: int
) -> Generator[Result, None, None]:
    """Yields some games of every pairing: those in the file, and then those that it plays and adds to it.

    Args:
        pairings: The pairings, each with the name of its game.
        games: The numbers of the games of each: other numbers are other games.
        file: The file of results; continued if it exists.
        jobs: How many processes play.
    """
    done: set[tuple[Pairing, int]] = set()
    wanted = list(pairings)
    known = {pairing for _, pairing in wanted}
    if file.exists():
        for line in file.read_text("utf-8").splitlines():
            result = Result(**json.loads(line))
            if result.pairing in known and result.index in games:
                done.add((result.pairing, result.index))
                yield result
    missing = [
        (game, pairing, index)
        for index in games
        for game, pairing in wanted
        if (pairing, index) not in done
    ]
    if not missing:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        for result in _played(missing, jobs):
            out.write(json.dumps(asdict(result)) + "\n")
            out.flush()
            yield result


def _played(missing: list[tuple[str, Pairing, int]], jobs: int) -> Iterator[Result]:
    if jobs == 1:
        yield from map(_play, missing)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_play, missing, chunksize=4)


def _play(job: tuple[str, Pairing, int]) -> Result:
    game, pairing, index = job
    play = play_buffalo if game == BuffaloGame().name else play_zoff
    return Result(pairing.first, pairing.second, pairing.players, index, play(pairing, index))


def play_buffalo(pairing: Pairing, index: int) -> float:
    """Plays a game of Buffalo: 1.0 if the first player's buffaloes win.

    It begins with the start, as games of people do. Where neither player leaves anything to chance, it begins with an
    opening, as all games from the start would be the same.
    """
    game, rules = BuffaloGame(), BuffaloRules()
    bots = (player_named(pairing.first), player_named(pairing.second))
    openings = shipped_openings() if index >= JUDGING else tuning_openings()
    is_fixed = all(_is_fixed(bot, side) for bot, side in zip(bots, Side, strict=True))
    start = openings[index % len(openings)] if is_fixed else Position.start()
    return float(_play_out(Playthrough(game, rules, start), bots, pairing, index) == (0,))


def play_zoff(pairing: Pairing, index: int) -> float:
    """Plays a game of Zoff: the share of the victory of the one. Each deal comes once for each of its seats."""
    game, rules = ZoffGame(), ZoffRules(players=pairing.players)
    seat = index % pairing.players
    bots = [player_named(pairing.second)] * pairing.players
    bots[seat] = player_named(pairing.first)
    deal = game.draw(rules, random.Random(f"calibration/{index // pairing.players}/deal"))
    winners = _play_out(Playthrough(game, rules, deal), tuple(bots), pairing, index)
    return (seat in winners) / len(winners)


def _play_out(
    played: AnyPlaythrough, bots: tuple[Bot, ...], pairing: Pairing, index: int
) -> tuple[int, ...]:
    streams = [
        random.Random(f"calibration/{pairing.first}/{pairing.second}/{index}/{seat}")
        for seat in range(len(bots))
    ]
    while awaited := played.to_act:
        seat = awaited[0]
        played.play_bot(bots[seat], streams[seat], seat)
    assert played.outcome is not None, "nobody is to act, so the game is over"
    return played.outcome.winners


def _is_fixed(bot: Bot, side: Side) -> bool:
    """Whether a bot's moves on a side leave nothing to chance."""
    if not isinstance(bot, BuffaloBot):
        return False
    play = bot.level.plays(side)
    return isinstance(play, Thought) and play.temperature == 0
