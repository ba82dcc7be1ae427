"""A group-commit writer in virtual time, on a database that does what a test says."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from stampede.store import (
    Append,
    StoreError,
)
from stampede.store.log.group_commit import GroupWriter, Retryable
from tests.virtual_time import run_virtually

BUSY = Retryable("database is locked")
BACK_OFF = [0.0, 0.01, 0.03, 0.07, 0.15, 0.31, 0.56, 0.81, 1.06]
"""When a busy database is tried: after 10, 20, 40, 80, 160 ms, then every 250 ms."""


@dataclass
class Backend:
    """A database that does what a test says, commit by commit, and notes when it was asked.

    Attributes:
        answers: What each commit does: raise, return refusals, or succeed; the last one is repeated.
        seconds: How long a commit takes.
    """

    answers: list[Exception | list[StoreError | None] | None] = field(
        default_factory=lambda: [None]
    )
    seconds: float = 0.0
    groups: list[list[str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    closed: int = 0
    busy: bool = False

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        assert not self.busy, "two groups at once"
        assert not self.closed
        self.busy = True
        self.times.append(asyncio.get_running_loop().time())
        self.groups.append([append.table_id for append in group])
        try:
            await asyncio.sleep(self.seconds)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if isinstance(answer, Exception):
                raise answer
            results: list[StoreError | None] = [None] * len(group) if answer is None else answer
            pairs = zip(group, results, strict=True)
            self.stored += [append.table_id for append, error in pairs if error is None]
            return results
        finally:
            self.busy = False

    async def close(self) -> None:
        assert not self.busy, "closed while a group is on its way"
        self.closed += 1


def entry(name: object) -> Append:
    return Append(str(name), 1, ("{}",), mark="0" * 16)


class Told:
    """What the callbacks were told, in order, with the time."""

    def __init__(self) -> None:
        self.outcomes: list[tuple[str, StoreError | None]] = []
        self.times: list[float] = []

    def by(self, name: object) -> Callable[[StoreError | None], None]:
        def tell(error: StoreError | None) -> None:
            self.outcomes.append((str(name), error))
            self.times.append(asyncio.get_running_loop().time())

        return tell

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.outcomes]

    @property
    def errors(self) -> list[StoreError | None]:
        return [error for _, error in self.outcomes]


def with_writer(
    backend: Backend, scenario: Callable[[GroupWriter, Told], Awaitable[None]], **options: float
) -> Told:
    """Runs a scenario with a writer, and closes it."""
    told = Told()

    async def run() -> None:
        writer = GroupWriter(backend, **options)  # type: ignore[arg-type] # counts and seconds
        await scenario(writer, told)
        if not backend.closed:
            await writer.close()
        assert backend.closed == 1
        assert writer.pending == 0

    run_virtually(run())
    return told
