"""How long reviews take: the first curve and the whole, as a server computes them, on so many threads."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from stampede.bots import bot_named
from stampede.buffalo import BuffaloRules
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord
from stampede.games import game_named
from stampede.lab.simulate import SimulationPlan, play_one
from stampede.oracle.reviews import plan_quick_review
from stampede.search.review import ReviewPart
from stampede.zoff import ZoffRules

__all__ = ["KINDS", "ReviewTimes", "play_usual", "time_review"]

_RULES: Final[Mapping[str, tuple[str, int, JsonObject]]] = MappingProxyType(
    {
        **{f"zoff, {seats} players": ("zoff", seats, ZoffRules(players=seats).to_json())
           for seats in (2, 4, 6)},
        "buffalo": ("buffalo", 2, BuffaloRules().to_json()),
    }
)  # fmt: skip
_BOTS: Final = MappingProxyType({"zoff": "zoff-4", "buffalo": "buffalo-6"})
KINDS: Final = tuple(_RULES)
"""What is timed: games between bots of a middle level, which are of the usual length."""


@dataclass(frozen=True, slots=True)
class ReviewTimes:
    """Seconds until the first curve and until the end of one review, and what both take of the processor."""

    first: float
    first_processor: float
    whole: float
    processor: float
    decisions: int


def play_usual(kind: str, games: int, seed: int = 0) -> Iterator[GameRecord]:
    """Plays games of a kind, always the same ones."""
    game, seats, rules = _RULES[kind]
    bots = (bot_named(_BOTS[game]),) * seats
    simulation = SimulationPlan(game_named(game).game, rules, bots, games, f"times/{seed}")
    for index in range(games):
        yield play_one(simulation, index).record


def time_review(record: GameRecord, threads: int = 2) -> ReviewTimes:
    """Reviews a game as the server does: the first part alone, then the others on so many threads."""
    begin, worked = time.perf_counter(), time.process_time()
    plan = plan_quick_review(record)
    waiting = deque(plan.tasks)
    parts: list[ReviewPart] = [waiting.popleft()()]
    first, first_processor = time.perf_counter() - begin, time.process_time() - worked
    running: set[Future[ReviewPart]] = set()
    with ThreadPoolExecutor(threads) as pool:
        while waiting or running:
            while waiting and len(running) < threads:
                running.add(pool.submit(waiting.popleft()))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            parts.extend(one.result() for one in done)
    whole = time.perf_counter() - begin
    decisions = sum(len(part.decisions) for part in parts)
    processor = time.process_time() - worked
    return ReviewTimes(first, first_processor, whole, processor, decisions)
