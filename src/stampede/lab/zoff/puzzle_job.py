"""Zoff's puzzles as a job for `stampede.lab.shards`: a part of a collection is an item."""

from __future__ import annotations

import json

from stampede.core.json import expect_int, expect_list, expect_str
from stampede.lab.shards import ItemMaker, Job, JobFolder
from stampede.lab.zoff.puzzle_maker import (
    divide_zoff_collection,
    make_zoff_part,
    merge_zoff_parts,
)
from stampede.proofs.puzzles.zoff_puzzle import ZoffPuzzle, read_zoff_puzzles

__all__ = ["read_zoff_collection", "zoff_collection_job"]


def zoff_collection_job(seed: str, count: int) -> Job:
    """Describes a collection as a job: item ``i`` has the puzzles of part ``i``."""
    parts = len(divide_zoff_collection(seed, count))
    work = "stampede.lab.zoff.puzzle_job:open_zoff_collection"
    return Job("zoff-puzzles", work, parts, seed, {"count": count})


def open_zoff_collection(job: Job) -> ItemMaker:
    """Prepares a collection in a worker."""
    count = expect_int(job.parameters.get("count"), "count")
    parts = divide_zoff_collection(str(job.seed), count)
    return lambda index: [puzzle.to_line() for puzzle in make_zoff_part(parts[index])]


def read_zoff_collection(folder: JobFolder) -> list[ZoffPuzzle]:
    """Reads the puzzles of a collection's folder, merged and numbered."""
    parts = [
        read_zoff_puzzles(
            "\n".join(expect_str(puzzle, "puzzle") for puzzle in expect_list(part, "part"))
        )
        for part in (json.loads(line) for _, line in folder.lines())
    ]
    return merge_zoff_parts(parts, str(folder.job.seed))
