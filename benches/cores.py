"""How long a cluster would take for long jobs, computed from what one core of this machine makes.

Each job runs as a worker of `stampede.lab.shards` runs it: one item after another, in this process, with one thread.
Its rate, by processor time, is that of one core. On N cores a job takes the time of one core divided by N, and at the
end waits for the shard that was begun last, as a shard's items are made one after another; with a core for every
shard, it takes the time of one. All items pass through one process that writes them, so that its rate is a bound,
too; it is measured by writing shards of the same items, synced as often as on a large cluster.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice, repeat
from pathlib import Path

from rich.table import Table

from stampede.buffalo import Side
from stampede.core.json import Json, JsonObject, canonical
from stampede.kernels.buffalo.keys import canonical_key
from stampede.kernels.buffalo.lookups import WIDTH
from stampede.lab import simulation_job
from stampede.lab.buffalo_network.positions import self_play_job
from stampede.lab.puzzle_maker import collection_job
from stampede.lab.shards import ItemMaker, Job, JobFolder
from stampede.lab.shards.cluster import FEWEST_SHARDS, task_seconds
from stampede.lab.shards.folder import ShardFile
from stampede.lab.shards.job import make_lines
from stampede.lab.tournament.pairing import all_bouts
from stampede.lab.tournament.run import stage_job
from stampede.lab.tournament.spec import TournamentSpec
from stampede.proofs.manager.leaf import LeafJob, search_leaf
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.search.starts import opening_key

__all__ = ["CoreRate", "StatedJob", "as_table", "measure", "open_leaves", "stated_jobs"]

SEED = "cores"
_WRITTEN = 20
"""How many shards are written, to time it: the quickest counts, as other processes disturb the rest."""
_WRITER_CORES = 1_000
"""The writing process is timed as on a cluster of so many: it sets how many items come at once."""
_PLAYERS = 5
LEAF_POSITIONS = 200_000
"""The positions of a measured leaf: the second of the usual tiers."""
_LEAF_OF_A_DAY = 80_000_000_000
"""What a leaf of the tree at threshold 500 needs by the estimate of docs/proofs.md."""


@dataclass(frozen=True, slots=True)
class StatedJob:
    """A job whose time is asked for.

    Attributes:
        name: What it is.
        amount: How much of it.
        unit: Of what.
        sample: A job whose items are like its items.
        each: Units of an item of the sample.
        whole: Units of an item of the job itself.
        lines: How many items of the sample are as long as one of the job itself.
    """

    name: str
    amount: int
    unit: str
    sample: Job
    each: int = 1
    whole: int = 1
    lines: int = 1

    @property
    def shard_items(self) -> int:
        """Items of a shard when a cluster does the job."""
        job = replace(self.sample, items=-(-self.amount // self.whole))
        return job.usual_shard_size(FEWEST_SHARDS)


@dataclass(frozen=True, slots=True)
class CoreRate:
    """What one core makes of a job, and what follows from it.

    Attributes:
        stated: The job.
        rate: Units a second of one core.
        written: Units a second that the writing process can take.
    """

    stated: StatedJob
    rate: float
    written: float

    def seconds(self, cores: int) -> float:
        """The time on so many cores."""
        units = self.stated.shard_items * self.stated.whole
        alone, shard = self.stated.amount / self.rate, units / self.rate
        made = shard if self.stated.amount <= cores * units else alone / cores + shard
        return alone if cores == 1 else max(made, self.stated.amount / self.written)

    def to_json(self, cores: int) -> JsonObject:
        """Returns the row as JSON."""
        return {
            "amount": self.stated.amount,
            "unit": self.stated.unit,
            "rate": round(self.rate, 4),
            "written": round(self.written, 1),
            "seconds_on_one": round(self.seconds(1), 1),
            "seconds": round(self.seconds(cores), 1),
        }


def stated_jobs() -> tuple[StatedJob, ...]:
    """The jobs of docs/clusters.md."""
    zoff: JsonObject = {"edition": "fx-schmid-1998-r1", "players": _PLAYERS}
    games, million = 10_000, 1_000_000

    def play(game: str, rules: JsonObject, bot: str, seats: int) -> Job:
        return simulation_job(game, rules, [bot] * seats, games, SEED)

    return (
        StatedJob("Zoff, 5 × random", million, "games", play("zoff", zoff, "random", _PLAYERS)),
        StatedJob("Zoff, 5 × zoff-2", million, "games", play("zoff", zoff, "zoff-2", _PLAYERS)),
        StatedJob("Zoff, 5 × zoff-4", million, "games", play("zoff", zoff, "zoff-4", _PLAYERS)),
        StatedJob("Buffalo, 2 × buffalo-3", million, "games", play("buffalo", {}, "buffalo-3", 2)),
        StatedJob("Buffalo, 2 × buffalo-6", million, "games", play("buffalo", {}, "buffalo-6", 2)),
        StatedJob(
            "Zoff, tournament at tables of four: zoff-4, zoff-3",
            100_000,
            "games",
            _tournament("zoff", ("zoff-4", "zoff-3"), 4),
            4,
            4,
        ),
        StatedJob(
            "Buffalo, tournament in pairs: buffalo-6, buffalo-5",
            100_000,
            "games",
            _tournament("buffalo", ("buffalo-6", "buffalo-5"), 2),
            2,
            2,
        ),
        StatedJob("Buffalo, puzzles", 100_000, "puzzles", collection_job(SEED, 5), 5, 25, 5),
        StatedJob(
            "Buffalo, self-play of 5,000 nodes a move",
            16_000_000,
            "games",
            self_play_job(games, 10, 5_000, SEED),
            10,
            400,
            40,
        ),
        StatedJob(
            "Buffalo, a proof tree of 974 leaves of a day",
            974 * _LEAF_OF_A_DAY,
            "positions",
            Job("leaves", "benches.cores:open_leaves", 1_000, SEED),
            LEAF_POSITIONS,
            _LEAF_OF_A_DAY,
        ),
    )


def _tournament(game: str, players: tuple[str, ...], seats: int) -> Job:
    names: list[Json] = [*players]
    spec = TournamentSpec.parse({"game": game, "players": names, "seats": seats, "bouts": 1_000})
    return stage_job(spec, all_bouts(spec))


def open_leaves(job: Job) -> ItemMaker:
    """Searches leaves for proofs, without a tablebase: all eleven on one step (B4.3), but for one file on none.

    Within `LEAF_POSITIONS` none of them is decided, as is the case with most leaves of the trees that are open.
    """
    del job

    def search(index: int) -> Json:
        files = [1] * WIDTH
        files[index % WIDTH] = 0
        key = int(canonical_key(opening_key(files)))
        spec = TreeSpec("benchmark", key, Side.BUFFALO, tiers=(1, LEAF_POSITIONS, 1 << 40))
        found = search_leaf(LeafJob(spec, key, 1))
        assert found.positions >= LEAF_POSITIONS, "a decided leaf would count as a whole one"
        return found.to_json()

    return search


def measure(
    jobs: Sequence[StatedJob],
    seconds: float,
    track: Callable[[Sequence[StatedJob]], Iterable[StatedJob]] = iter,
) -> list[CoreRate]:
    """Measures each job for about so many seconds of processor time, one item at least; the first isn't timed."""
    return [_rate(stated, seconds) for stated in track(jobs)]


def _rate(stated: StatedJob, seconds: float) -> CoreRate:
    text = stated.sample.dumps()
    first = [*make_lines(text, 0, 1)]  # compiles and loads
    several = stated.sample.items > 1
    lines: list[str] = []
    begin = time.process_time()
    for line in make_lines(text, int(several), stated.sample.items):
        lines.append(line)
        if time.process_time() - begin > seconds:
            break
    spent = time.process_time() - begin
    assert lines, canonical(first)
    rate = stated.each * len(lines) / spent
    return CoreRate(stated, rate, _writing_rate(stated, lines, rate))


def _writing_rate(stated: StatedJob, lines: Sequence[str], rate: float) -> float:
    """Units a second that one process writes on a large cluster, shard by shard, as tasks send them.

    Args:
        stated: The job.
        lines: Items of its sample, to write again and again.
        rate: Units a second of one core.
    """
    size = stated.shard_items
    at_once = max(1, min(size, int(rate / stated.whole * task_seconds(_WRITER_CORES))))
    again = cycle(lines)
    supply = ("".join(islice(again, stated.lines)) for _ in repeat(None))
    quickest = math.inf
    with tempfile.TemporaryDirectory() as name:
        job = replace(stated.sample, items=size * _WRITTEN)
        folder = JobFolder.open(Path(name), job, size)
        for shard in folder.shards:
            begin = time.perf_counter()
            with ShardFile(folder, shard) as file:
                for start in range(0, size, at_once):
                    file.rest()
                    for line in islice(supply, min(at_once, size - start)):
                        file.append(line)
                    file.sync()
                file.finish()
            quickest = min(quickest, time.perf_counter() - begin)
    return stated.whole * size / quickest


def as_table(rates: Sequence[CoreRate], cores: int) -> Table:
    """Shows what follows from the rates."""
    rows = Table(title=f"From one core to {cores:,}", title_justify="left")
    rows.add_column("job")
    for column in (
        "amount",
        "one core makes",
        "one process writes",
        "one core",
        f"{cores:,} cores",
    ):
        rows.add_column(column, justify="right")
    for found in rates:
        stated = found.stated
        rows.add_row(
            stated.name,
            f"{stated.amount:,} {stated.unit}",
            f"{found.rate:,.2f} a second",
            f"{found.written:,.0f} a second",
            duration(found.seconds(1)),
            duration(found.seconds(cores)),
        )
    rows.caption = f"Load average: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."
    return rows


def duration(seconds: float) -> str:
    """A time for people, in the largest unit that has two of it."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.0f} seconds"
