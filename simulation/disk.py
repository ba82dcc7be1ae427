"""The simulated disk: real SQLite files in memory, written by the real store without threads, with faults.

SQLAlchemy gets real `aiosqlite` connections whose thread is replaced by the simulated loop, and the log its own
`sqlite3` connection. Every statement passes `FaultyCursor`, where the disk may be slow, fail before or after a commit,
or be full. A crash copies the files as they are, then cuts or scrambles bytes of the write-ahead log beyond the last
commit that was reported as done.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiosqlite
from sqlalchemy.engine.url import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from simulation.loop import SimulatedLoop
from simulation.world import World, die
from stampede.store.backends import Backends
from stampede.store.engine import prepare_sqlite
from stampede.store.errors import StoreError
from stampede.store.files.lock import ServerLock
from stampede.store.files.side_files import SideFiles, side_files
from stampede.store.log.entries import Append
from stampede.store.log.sqlite import SqliteLog

__all__ = ["FAILURES", "Disk"]

FRAME_HEADER, WAL_HEADER = 24, 32
FAILURES: Final = {
    "before": "failed before a commit",
    "after": "failed after a commit",
    "full": "full",
    "read": "failed to read",
}
BUSY_RETRY: Final = 0.005
BUSY_TIMEOUT: Final = 5.0


class DiskFault(sqlite3.OperationalError):
    """What SQLite says when the disk fails."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.sqlite_errorcode = code


class FaultyCursor(sqlite3.Cursor):
    """A cursor that asks the disk before and after every statement."""

    connection: FaultyConnection

    def execute(self, sql: str, parameters: Any = (), /) -> FaultyCursor:
        """Runs a statement, unless the process has died."""
        disk = self.connection.disk
        if disk.is_dead(self.connection):
            die()
        disk.before(sql)
        super().execute(sql, parameters)
        disk.after(sql)
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> FaultyCursor:
        """Runs a statement with many values."""
        self.connection.disk.before(sql)
        super().executemany(sql, parameters)
        return self


class FaultyConnection(sqlite3.Connection):
    """A connection that asks the disk.

    Attributes:
        disk: The disk.
    """

    disk: Disk

    def cursor(self, factory: Any = None) -> Any:
        """Makes a cursor."""
        del factory
        return super().cursor(FaultyCursor)

    def execute(self, sql: str, parameters: Any = (), /) -> FaultyCursor:
        """Runs a statement. sqlite3's own method would pass the cursor's by."""
        cursor: FaultyCursor = self.cursor()
        return cursor.execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> FaultyCursor:
        """Runs a statement with many values."""
        cursor: FaultyCursor = self.cursor()
        return cursor.executemany(sql, parameters)

    def commit(self) -> None:
        """Commits, if there is something to commit."""
        if self.in_transaction:
            self.disk.before("COMMIT")
            super().commit()
            self.disk.after("COMMIT")


class _InlineQueue:
    """Takes the place of an aiosqlite connection's thread: runs what is queued on the loop, one after the other."""

    def __init__(self, disk: Disk, loop: SimulatedLoop) -> None:
        self._disk = disk
        self._loop = loop
        self._busy_until = 0.0

    def start(self) -> None:
        """Has no thread to start."""

    def put_nowait(self, item: tuple[Any, Callable[[], Any]]) -> None:
        """Queues a call."""
        when = max(self._busy_until, self._loop.time() + self._disk.draw_delay())
        self._busy_until = when
        self._loop.call_at(when, self._run, item, self._loop.time() + BUSY_TIMEOUT)

    def _run(self, item: tuple[Any, Callable[[], Any]], deadline: float) -> None:
        future, function = item
        try:
            result = function()
        except sqlite3.OperationalError as error:
            if _is_busy(error) and self._loop.time() < deadline:
                # Another connection writes. SQLite would sleep here, and nothing else could go on.
                self._loop.call_later(BUSY_RETRY, self._run, item, deadline)
            elif future is not None and not future.done():
                future.set_exception(error)
        except Exception as error:  # noqa: BLE001 - as aiosqlite's thread does
            if future is not None and not future.done():
                future.set_exception(error)
        else:
            if future is not None and not future.done():
                future.set_result(result)


class InlineConnection(aiosqlite.Connection):
    """aiosqlite's connection without its thread."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], queue: _InlineQueue) -> None:
        super().__init__(connector, 64)
        inline: Any = queue
        self._tx = self._thread = inline

    def __del__(self) -> None:
        """Does nothing: the disk closes the connections of processes that have died."""


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


class WatchedLog(SqliteLog):
    """The log, which tells the disk when an entry was written."""

    def __init__(
        self,
        disk: Disk,
        side: SideFiles | None,
        connect: Callable[[Path, str, float], sqlite3.Connection],
    ) -> None:
        super().__init__(disk.path, busy=0.0, side=side, connect=connect)
        self._disk = disk

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction."""
        for append in group:
            self._disk.begun.setdefault(append.mark, self._disk.world.now)
        results = await super().commit(group)
        self._disk.note_commit(group, results)
        return results


class Disk:
    """A database's files and what is wrong with them.

    Attributes:
        path: The database.
        slow: A factor for the time that everything takes.
        failing: The faults that happen now, with the probability of each: ``before``, ``after``, ``full``, ``read``.
        written: When each entry was written, by table and number: when it was decided, and when it was durable.
        begun: When an append was first tried, by its mark.
        ends: By table: when its log had which end.
    """

    def __init__(
        self, world: World, folder: Path, rng: random.Random, *, shared: bool = False
    ) -> None:
        self.world = world
        self.shared = shared
        self.path = folder / "tables.db"
        self.slow = 1.0
        self.failing: dict[str, float] = {}
        self.written: dict[tuple[str, int], tuple[float, float]] = {}
        self.begun: dict[str, float] = {}
        self.ends: dict[str, list[tuple[float, int]]] = {}
        self._rng = rng
        self._strike: str | None = None
        self._open: dict[FaultyConnection, SimulatedLoop] = {}
        self._locks: dict[ServerLock, SimulatedLoop] = {}
        self._sides: dict[SideFiles, SimulatedLoop] = {}
        self._reported = (b"", 0)
        self._reader: sqlite3.Connection | None = None

    def backends(self, loop: SimulatedLoop, **more: Any) -> Backends:
        """What a process needs to reach the database."""
        return Backends(
            make_engine=partial(self._make_engine, loop),
            make_log=partial(self._make_log, loop),
            make_lock=partial(self._make_lock, loop),
            **more,
        )

    def _make_lock(self, loop: SimulatedLoop, path: Path) -> ServerLock:
        lock = ServerLock(path)
        self._locks[lock] = loop
        return lock

    def _connect(self, loop: SimulatedLoop, *args: Any, **options: Any) -> FaultyConnection:
        options.update(timeout=0.0, check_same_thread=False, factory=FaultyConnection)
        self.before("open")
        connection: FaultyConnection = sqlite3.connect(*args, **options)
        connection.disk = self
        self._open[connection] = loop
        return connection

    def _make_engine(self, loop: SimulatedLoop, url: URL) -> AsyncEngine:
        def creator(*args: Any, **options: Any) -> aiosqlite.Connection:
            connector = partial(self._connect, loop, *args, **options)
            return InlineConnection(connector, _InlineQueue(self, loop))

        # Several workers stand for a PostgreSQL database, which has no files beside it.
        more = {}
        if not self.shared:
            side = SideFiles(self.path)
            self._sides[side] = loop
            more = {"execution_options": {"side_files": side}}
        engine = create_async_engine(
            url, hide_parameters=True, connect_args={"async_creator_fn": creator}, **more
        )
        prepare_sqlite(engine)
        return engine

    def _make_log(
        self, loop: SimulatedLoop, url: URL, engine: AsyncEngine, busy: float
    ) -> SqliteLog:
        del url, busy

        def connect(path: Path, mode: str, _: float) -> sqlite3.Connection:
            uri = f"{path.absolute().as_uri()}?mode={mode}"
            return self._connect(loop, uri, uri=True, isolation_level=None)

        return WatchedLog(self, side_files(engine), connect)

    def reading(self) -> sqlite3.Connection:
        """A connection that reads what is committed."""
        self.before("SELECT")
        if self._reader is None:
            uri = f"{self.path.absolute().as_uri()}?mode=ro"
            self._reader = sqlite3.connect(uri, uri=True, isolation_level=None)
        return self._reader

    def close_reader(self) -> None:
        """Closes the connection that reads."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    # --- what happens to statements ---

    def is_dead(self, connection: FaultyConnection) -> bool:
        """Whether a connection's process has died, while exceptions still leave its frames."""
        loop = self._open.get(connection)
        return loop is not None and loop.exit_code is not None

    def draw_delay(self) -> float:
        """Draws how long a statement takes."""
        if self._rng.random() < 0.7:
            return 0.0
        return self.slow * 0.002 * self._rng.random()

    def before(self, sql: str) -> None:
        """May fail before a statement has done anything."""
        if sql.startswith("COMMIT"):
            self._strike = self.world.reach("append")
            if self._strike in ("before", "full"):
                self._fail(self._strike)
        elif sql.startswith("SELECT") and self.world.reach("read") is not None:
            self._fail("read")
        if not self.failing:
            return
        rng = self._rng
        is_commit = sql.startswith("COMMIT")
        if is_commit and rng.random() < self.failing.get("before", 0.0):
            self._fail("before")
        if sql.startswith(("INSERT", "UPDATE", "COMMIT")) and rng.random() < self.failing.get(
            "full", 0.0
        ):
            self._fail("full")
        if sql.startswith(("SELECT", "open")) and rng.random() < self.failing.get("read", 0.0):
            self._fail("read")

    def after(self, sql: str) -> None:
        """May fail after a commit, whose success nobody hears of then."""
        if not sql.startswith("COMMIT"):
            return
        strike, self._strike = self._strike, None
        if strike == "crash":
            die()
        if strike == "after":
            self._fail(strike)
        if self.failing and self._rng.random() < self.failing.get("after", 0.0):
            self._fail("after")
        self._reported = self._wal_end()

    def _fail(self, kind: str) -> None:
        self.world.counts[f"disk: {FAILURES[kind]}"] += 1
        if kind == "full":
            raise DiskFault("database or disk is full", sqlite3.SQLITE_FULL)
        raise DiskFault("disk I/O error", sqlite3.SQLITE_IOERR)

    def note_commit(self, group: Sequence[Append], results: Sequence[StoreError | None]) -> None:
        """Remembers when entries were written."""
        now = self.world.now
        for append, error in zip(group, results, strict=True):
            if error is None:
                for index in range(len(append.payloads)):
                    begun = self.begun[append.mark]
                    self.written[append.table_id, append.first + index] = (begun, now)
                last = append.first + len(append.payloads) - 1
                self.ends.setdefault(append.table_id, []).append((now, last))
                self.world.note(f"disk: {append.table_id[:6]} {append.first} is durable")

    def end_before(self, table_id: str, moment: float) -> int:
        """The number of the last entry that a table had at a moment."""
        found = reversed(self.ends.get(table_id, []))
        return next((seq for at, seq in found if at < moment), 0)

    # --- crashes ---

    def kill(self, loop: SimulatedLoop) -> None:
        """A process has died: its files stay as they are, and the system takes its locks."""
        others = [owner for owner in self._open.values() if owner is not loop]
        if others or loop not in self._open.values():
            # SQLite's files serve another process, or this one has closed them already.
            self._disconnect(loop)
        else:
            self._leave_files([loop])

    def _leave_files(self, loops: Iterable[SimulatedLoop]) -> None:
        """Ends processes, with files as a kill leaves them. Closing a connection would tidy the files up."""
        kept = self.path.with_suffix(".kept")
        kept.mkdir()
        for part in self._files():
            if not part.name.endswith("-shm"):  # SQLite makes it anew
                shutil.copy(part, kept / part.name)
        self.close_reader()
        for loop in loops:
            self._disconnect(loop)
        for part in self._files():
            part.unlink()
        for part in kept.iterdir():
            shutil.move(part, self.path.parent / part.name)
        kept.rmdir()

    def _holders(self) -> list[SimulatedLoop]:
        """The processes that have something open."""
        found = [*self._open.values(), *self._locks.values(), *self._sides.values()]
        return list(dict.fromkeys(found))

    def dispose(self) -> None:
        """Closes everything that is still open."""
        self.close_reader()
        for loop in self._holders():
            self._disconnect(loop)

    def _files(self) -> list[Path]:
        found = self.path.parent.glob(f"{self.path.name}*")
        return sorted(part for part in found if part.is_file())

    def _disconnect(self, loop: SimulatedLoop) -> None:
        for connection in [found for found, owner in self._open.items() if owner is loop]:
            del self._open[connection]
            connection.close()
        for lock in [found for found, owner in self._locks.items() if owner is loop]:
            del self._locks[lock]
            with suppress(OSError):  # released already
                lock.release()
        for side in [found for found, owner in self._sides.items() if owner is loop]:
            del self._sides[side]
            side.release()

    def crash(self) -> None:
        """The power fails: all connections end, and what wasn't reported as done may be torn."""
        salt, end = self._reported
        now_salt, now_end = self._wal_end()
        self._leave_files(self._holders())
        if salt == now_salt and now_end > end:
            self._tear(end, now_end)

    def _tear(self, begin: int, end: int) -> None:
        """Cuts or scrambles bytes of the write-ahead log that no finished commit needs."""
        self.world.counts["disk: torn"] += 1
        self.world.note(f"disk: bytes {begin} to {end} of the write-ahead log are torn")
        rng = self._rng
        wal = Path(f"{self.path}-wal")
        data = bytearray(wal.read_bytes())
        if rng.random() < 0.5:
            del data[rng.randint(begin, end) :]
        else:
            start = rng.randint(begin, end - 1)
            data[start:end] = rng.randbytes(end - start)
        wal.write_bytes(data)

    def _wal_end(self) -> tuple[bytes, int]:
        """The write-ahead log's salt, and where its last committed frame ends."""
        try:
            with Path(f"{self.path}-wal").open("rb") as wal:
                header = wal.read(WAL_HEADER)
            with Path(f"{self.path}-shm").open("rb") as index:
                index.seek(14)
                page, frames = struct.unpack("=HI", index.read(6))
        except (OSError, struct.error):
            return b"", 0
        return header[16:24], WAL_HEADER + frames * (page + FRAME_HEADER)
