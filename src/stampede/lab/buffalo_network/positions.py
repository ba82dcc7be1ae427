"""Positions to learn from: games of self-play, and what search says of their positions and of neighbours.

A job in shards (`stampede.lab.shards`), so that it can be interrupted and spread. An item is a batch of games. Where
tablebases cover what a search meets, its scores are exact, and such a position is learned as won or lost.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Position
from stampede.core.json import Json, expect_int, expect_object, expect_str
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.rng import new_rng
from stampede.lab.shards import ItemMaker, Job, JobFolder
from stampede.oracle import default_oracle
from stampede.oracle.knowledge import Knowledge
from stampede.search.buffalo.training import self_play, start_key
from stampede.search.buffalo.transposition import new_transposition_table
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import EVALUATION, new_workspace

__all__ = ["Batch", "open_self_play", "read_batches", "self_play_job"]

_LONGEST: Final = 300
"""Positions of a game that are kept at most."""
_RANDOM_BEGINNINGS: Final = 12
"""A game begins with fewer random moves than this."""
_RANDOM_MOVES: Final = 4
_NEIGHBOURS: Final = 35
"""Percentages: random moves, and positions that have a random neighbour searched, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Positions of some games.

    Attributes:
        keys: Their keys, int64[n].
        scores: What search says, for the buffalo side, int16[n]; odd for neighbours (see `self_play`).
        won: Whether the buffalo side won the game, bool[n].
    """

    keys: Words
    scores: npt.NDArray[np.int16]
    won: npt.NDArray[np.bool_]

    def to_json(self) -> Json:
        """The batch as an item of its job."""
        return {
            "keys": _pack(self.keys.astype("<i8")),
            "scores": _pack(self.scores.astype("<i2")),
            "won": _pack(np.packbits(self.won)),
        }

    @classmethod
    def from_json(cls, value: Json) -> Batch:
        """Reads an item."""
        data = expect_object(value, "batch")
        keys = np.frombuffer(_unpack(data.get("keys"), "keys"), "<i8").astype(np.int64)
        scores = np.frombuffer(_unpack(data.get("scores"), "scores"), "<i2").astype(np.int16)
        won = np.unpackbits(np.frombuffer(_unpack(data.get("won"), "won"), np.uint8))
        return cls(keys, scores, won[: len(keys)].astype(np.bool_))


def self_play_job(batches: int, games: int, nodes: int, seed: str) -> Job:
    """A job of self-play: so many batches of so many games, with so many nodes a move."""
    tablebases: list[Json] = [*_knowledge().names[0]]
    return Job(
        "Buffalo self-play",
        "stampede.lab.buffalo_network.positions:open_self_play",
        batches,
        seed,
        {"games": games, "nodes": nodes, "tablebases": tablebases},
    )


def open_self_play(job: Job) -> ItemMaker:
    """Prepares self-play by the evaluation without a network."""
    games = expect_int(job.parameters["games"], "games")
    nodes = expect_int(job.parameters["nodes"], "nodes")
    knowledge = _knowledge()  # keeps the tablebases in memory
    space = new_workspace(shipped_weights().sums, knowledge.probe_words[0])

    def play(index: int) -> Json:
        rng = random.Random(f"{job.seed}/{index}")
        state = new_rng(rng.getrandbits(64))
        parts = []
        for _ in range(games):
            keys, scores = np.empty(_LONGEST, dtype=np.int64), np.empty(_LONGEST, dtype=np.int64)
            space[:EVALUATION] = 0
            tt = new_transposition_table(2 * nodes)
            start = start_key(rng)
            settings = np.array(
                [rng.randrange(_RANDOM_BEGINNINGS), nodes, _RANDOM_MOVES, _NEIGHBOURS]
            )
            count, winner = self_play(space, tt, start, settings, state, keys, scores)
            parts.append((keys[:count], scores[:count], np.full(count, winner == 0)))
        keys, scores, won = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Batch(keys, scores.astype(np.int16), won).to_json()

    return play


def read_batches(folder: JobFolder) -> Iterator[Batch]:
    """The batches that a folder has, in order."""
    for _, line in folder.lines():
        yield Batch.from_json(json.loads(line))


def _knowledge() -> Knowledge:
    return default_oracle().knowledge(Position.start())


def _pack(array: npt.NDArray[np.generic]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


def _unpack(value: Json, name: str) -> bytes:
    return base64.b64decode(expect_str(value, name))
