"""How long a cluster would take for long jobs, computed from what one core of this machine makes.

Each job runs as a worker of `stampede.lab.shards` runs it: one item after another, in this process, with one thread.
Its rate, by processor time, is that of one core. On N cores a job takes the time of one core divided by N, and at the
end waits for the item that was begun last; with a core for every item, it takes the time of one item. All items pass
through one process that writes them, so that its rate is a bound, too; it is measured by writing the same items to a
shard's file.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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
_WRITTEN = 200
"""How often the items are written, to time it."""
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
    """

    name: str
    amount: int
    unit: str
    sample: Job
    each: int = 1
    whole: int = 1


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
        alone, item = self.stated.amount / self.rate, self.stated.whole / self.rate
        made = item if self.stated.amount <= cores * self.stated.whole else alone / cores + item
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
        StatedJob("Buffalo, puzzles", 100_000, "puzzles", collection_job(SEED, 5), 5, 25),
        StatedJob(
            "Buffalo, self-play of 5,000 nodes a move",
            16_000_000,
            "games",
            self_play_job(games, 10, 5_000, SEED),
            10,
            400,
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
    return CoreRate(
        stated, stated.each * len(lines) / spent, stated.each * _writing_rate(stated.sample, lines)
    )


def _writing_rate(job: Job, lines: Sequence[str]) -> float:
    """Lines a second that one process writes to a shard's file."""
    with tempfile.TemporaryDirectory() as name:
        folder = JobFolder.open(Path(name), job)
        with ShardFile(folder, folder.shards[0]) as file:
            begin = time.process_time()
            for _ in range(_WRITTEN):
                for line in lines:
                    file.append(line)
            return _WRITTEN * len(lines) / (time.process_time() - begin)


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
