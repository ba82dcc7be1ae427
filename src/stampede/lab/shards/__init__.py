"""Long jobs in shards: on one processor, on several, or on a Ray cluster, and always with the same bytes.

A `Job` makes items 0, 1, 2, …, each a JSON value that follows from the job and the item's index alone. `run` cuts the
indices into shards, lets an executor make what a folder lacks, and returns a hash of all items. The hash depends on the
job only: not on the executor, the number of processes, the size of the shards, or interruptions.

To plug in a job of your own, write a function that prepares it and returns the function that makes an item::

    # stampede/lab/dice.py
    def open_dice(job: Job) -> ItemMaker:
        sides = expect_int(job.parameters["sides"], "sides")  # whatever is slow to prepare goes here: once a process

        def roll(index: int) -> Json:
            return random.Random(f"{job.seed}/{index}").randint(1, sides)

        return roll

and run it, again and again, until it is done::

    job = Job("dice", "stampede.lab.dice:open_dice", items=1000, seed=7, parameters={"sides": 6})
    result = run(job, Path("rolls"), LocalExecutor(jobs=2))
    total = sum(json.loads(line) for _, line in JobFolder(Path("rolls")).lines())

What you can rely on:

- **A folder belongs to one job.** ``manifest.json`` names the job with its seed, parameters and version, and the
  version of Stampede. Another job is refused with an InputError that names the difference; so is a second run at the
  same time.
- **Little is lost.** An item is written at once, so that killing the processes loses only the items that are being
  made; a second later it survives a power failure, too. A cut line is made again. A finished shard is renamed.
- **A worker may die.** A killed process or a lost node is replaced, and its shard goes on. A shard whose worker dies
  `MAX_DEATHS` times without a new item stops the job.
- **A job that stops keeps its items**: after Ctrl-C, on a full disk, when an item raises (JobStopped names it).
  `JobFolder.lines` reads them, and the same `run` continues.
- **Workers are new processes** (spawned) with one Numba thread each. ``work`` must be importable there, parameters are
  JSON, and the items' chance must come from ``job.seed`` and the index, never from the process.

Items should take between a millisecond and some minutes. Where several belong together, such as a pair of games, make
them one item.
"""

from stampede.lab.shards.cluster import RayExecutor, executor_for
from stampede.lab.shards.folder import JobFolder
from stampede.lab.shards.job import ItemMaker, Job, Shard
from stampede.lab.shards.local import LocalExecutor
from stampede.lab.shards.running import MAX_DEATHS, Executor, JobResult, run

__all__ = [
    "MAX_DEATHS",
    "Executor",
    "ItemMaker",
    "Job",
    "JobFolder",
    "JobResult",
    "LocalExecutor",
    "RayExecutor",
    "Shard",
    "executor_for",
    "run",
]
