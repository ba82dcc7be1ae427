"""What a long job makes: its description as JSON, its shards, and the function that makes its items."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Final, TypeAlias

import stampede
from stampede.core.errors import InputError, JobStopped, StampedeError
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_int,
    expect_object,
    expect_str,
)

__all__ = ["FEWEST_SHARDS", "FORMAT", "ItemMaker", "Job", "Shard", "make_lines"]

FORMAT: Final = "stampede-job/1"
FEWEST_SHARDS: Final = 64
"""On one machine, a job with enough items has at least so many shards, so that they can be spread."""
_LARGEST_SHARD: Final = 1000

ItemMaker: TypeAlias = Callable[[int], Json]
"""Makes the item of an index, a JSON value."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of indices whose items are kept in one file.

    Attributes:
        number: Its number, from 0.
        start: Its first index.
        stop: The index after its last one.
    """

    number: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Job:
    """A job by names and numbers, so that any process can be given it.

    Attributes:
        kind: What people call such a job, such as ``simulation``.
        work: The function that prepares the job and returns its `ItemMaker`, as ``module:function``.
        items: How many items there are.
        seed: What all chance is derived from.
        parameters: Anything else that the items depend on.
        version: The version of this kind: raise it when the same parameters come to make other items.
        package: The version of Stampede that makes the items.
    """

    kind: str
    work: str
    items: int
    seed: int | str = 0
    parameters: JsonObject = field(default_factory=dict)
    version: int = 1
    package: str = stampede.__version__

    def __post_init__(self) -> None:
        if self.items < 1:
            raise InputError(f"items: expected at least 1, got {self.items}")

    def to_json(self) -> JsonObject:
        """The job as it stands in a manifest."""
        return {
            "format": FORMAT,
            "package": self.package,
            "kind": self.kind,
            "version": self.version,
            "work": self.work,
            "items": self.items,
            "seed": self.seed,
            "parameters": self.parameters,
        }

    def dumps(self) -> str:
        """The job as one line of JSON: what a worker is given."""
        return canonical(self.to_json())

    @classmethod
    def from_json(cls, value: Json) -> Job:
        """Reads a job; InputError if it isn't one."""
        data = expect_object(value, "job")
        if data.get("format") != FORMAT:
            raise InputError(
                f'format: expected "{FORMAT}", got {canonical(data.get("format"))[:80]}'
            )
        seed = data.get("seed")
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise InputError(f"seed: expected a number or a text, got {canonical(seed)[:80]}")
        return cls(
            expect_str(data.get("kind"), "kind"),
            expect_str(data.get("work"), "work"),
            expect_int(data.get("items"), "items"),
            seed,
            expect_object(data.get("parameters"), "parameters"),
            expect_int(data.get("version"), "version"),
            expect_str(data.get("package"), "package"),
        )

    def differences(self, other: Job) -> list[str]:
        """What differs in another job: ``seed 8 (this job: 7)``."""
        found = []
        for key, own in self.to_json().items():
            others = other.to_json()[key]
            if canonical(own) != canonical(others):
                found.append(f"{key} {_short(others)} (this job: {_short(own)})")
        return found

    def open(self) -> ItemMaker:
        """Prepares the job in this process; InputError if this is another version of Stampede."""
        if self.package != stampede.__version__:
            raise InputError(
                f"expected a worker with stampede {self.package}, got {stampede.__version__}"
            )
        module, _, name = self.work.partition(":")
        prepare: Callable[[Job], ItemMaker] = getattr(import_module(module), name)
        return prepare(self)

    def usual_shard_size(self, fewest_shards: int = FEWEST_SHARDS) -> int:
        """How many items a shard has unless it is asked otherwise: so that there are about so many shards or more."""
        return min(_LARGEST_SHARD, -(-self.items // fewest_shards))

    def shards(self, size: int) -> tuple[Shard, ...]:
        """Cuts the indices into shards of a size; the last may be smaller."""
        starts = range(0, self.items, size)
        return tuple(
            Shard(number, start, min(start + size, self.items))
            for number, start in enumerate(starts)
        )


@lru_cache(maxsize=1)
def _open_once(text: str) -> ItemMaker:
    return Job.from_json(json.loads(text)).open()


def make_lines(text: str, start: int, stop: int) -> Iterator[str]:
    """Makes the items of a range, each as a line of JSON. All workers are this loop; a process prepares a job once.

    Args:
        text: The job, as `Job.dumps` gives it.
        start: The first index.
        stop: The index after the last.

    Raises:
        JobStopped: An item can't be made.
    """
    make = _open_once(text)
    for index in range(start, stop):
        try:
            line = canonical(make(index))
        except StampedeError as error:
            raise JobStopped(f"item {index}: {error}") from error
        yield line + "\n"


def _short(value: Json, most: int = 60) -> str:
    text = canonical(value)
    return text if len(text) <= most else text[:most] + "…"
