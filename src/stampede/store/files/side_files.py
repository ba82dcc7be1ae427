"""What a process does with the files beside a SQLite database while it uses it.

It checks at the start that the database holds what its mark says, raises the mark after each commit, notices when the
database is unlinked or replaced, and copies the write-ahead log into the file, renewing the page digests. SQLite's own
automatic copying is off: the digests would not know of it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.errors import LogDamaged, StoreUnavailable
from stampede.store.files.lock import find_server
from stampede.store.files.mark import HighWater, Mark, MarkFile, PageRecord, mark_path, read_mark
from stampede.store.files.wal import (
    FRAME_HEADER,
    WAL_HEADER,
    digest_frames,
    read_salts,
    read_wal,
    wal_path,
)

__all__ = [
    "DAMAGE_ERRORS",
    "SideFiles",
    "accept",
    "connect",
    "find_loss",
    "read_counts",
    "reading_mode",
    "renew",
    "side_files",
    "survey_pages",
]

log = logging.getLogger("stampede.store")

CHECKPOINT_FRAMES: Final = 2000
"""Pages (8 MB) after which the write-ahead log is copied into the file. Higher values save writes, as the same pages
change often, but block all actions for longer: at 8,192, one action in fifty waited half a second."""
LOOK_EVERY: Final = 8
"""Commits after which the length of the write-ahead log is looked at."""
PRIVATE: Final = 0o600
DAMAGE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises. SQLite's own messages can hold broken text."""
RENEW: Final = (
    "`stampede db check` tells more; after a deliberate restore, `stampede db mark` accepts it"
)


def connect(path: Path, mode: str, timeout: float = 1.0) -> sqlite3.Connection:
    """Opens an existing file, ``ro`` or ``rw``; never makes one."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(
        uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )


def side_files(engine: AsyncEngine) -> SideFiles | None:
    """Returns the files beside an engine's database; None for PostgreSQL."""
    found = engine.get_execution_options().get("side_files")
    return found if isinstance(found, SideFiles) and found.is_open else None


def reading_mode(path: Path) -> str:
    """Returns how to open a file that is only read: without a write-ahead log SQLite needs no files beside it."""
    return "ro" if wal_path(path).exists() or find_server(path) else "ro&immutable=1"


class SideFiles:
    """The files beside a database, for one process that uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark: MarkFile | None = None
        self._identity: tuple[int, int] | None = None
        self._keeper: sqlite3.Connection | None = None
        self._wal: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._next = CHECKPOINT_FRAMES
        self._notes = 0

    @property
    def is_open(self) -> bool:
        """Whether the mark is kept."""
        return self._mark is not None

    def open(self) -> None:
        """Makes the database's file if there is none, and checks it against its mark.

        Raises:
            LogDamaged: The database isn't the one that was last written, or its mark is missing.
        """
        # A process makes the mark before it writes to the database, so a database that isn't empty has one.
        is_new = _is_empty(self.path)
        mark = read_mark(self.path)
        if is_new:
            told = mark is not None and (mark.counts is None or mark.counts.writes)
            if told and _is_empty(self.path):  # or another process has written meanwhile
                raise LogDamaged(
                    f"{self.path}: expected the database that its mark speaks of, got no data;"
                    f" bring it back, or remove the mark, {self.path.name}-mark"
                )
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE))
        elif (problem := find_loss(self.path, mark)) is not None:
            raise LogDamaged(f"{self.path}: {problem}; {RENEW}")
        for file in (self.path, *(self.path.with_name(self.path.name + end) for end in ENDINGS)):
            _make_private(file)
        self._mark = MarkFile(self.path)
        if mark is None and not is_new:  # it comes from an earlier version
            renew(self.path, self._mark)
        self._begin_wal(self._mark)
        self._identity = _identify(self.path)
        self._keep_wal()

    def _begin_wal(self, mark: MarkFile) -> None:
        """Switches a file to a write-ahead log, as a backup has none. That changes page 1 past the log."""
        with suppress(sqlite3.OperationalError):  # busy: the next connection does it
            database = connect(self.path, "rw")
            with ExitStack() as stack:
                stack.callback(database.close)
                if database.execute("PRAGMA journal_mode").fetchone() == ("wal",):
                    # Not closed: a process that was killed has left frames, and closing the last connection would
                    # copy them into the file without their digests.
                    stack.pop_all()
                    self._keeper = database
                    return
            old = _digest_first_page(self.path, mark.record().page_size)
            with closing(connect(self.path, "rw")) as database:
                database.execute("PRAGMA journal_mode=WAL")
            known = read_mark(self.path)
            if known is not None and known.record.pages and known.digests[:1] == (old,):
                new = _digest_first_page(self.path, known.record.page_size)
                mark.set_digests(known.record, {1: new})

    def _keep_wal(self) -> None:
        """Holds a connection: SQLite removes the write-ahead log only when the last one closes."""
        try:
            if self._keeper is None:
                self._keeper = connect(self.path, "rw")
            self._keeper.execute("PRAGMA wal_autocheckpoint=0")
            self._keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the files
            self._wal = _identify(wal_path(self.path))
        except (sqlite3.Error, OSError) as error:
            log.warning("can't watch the database's write-ahead log: %s", error)

    def release(self) -> None:
        """Closes what is held, and renews nothing: as the end of the process does."""
        if self._keeper is not None:
            self._keeper.close()
        if self._mark is not None:
            self._mark.close()
        self._keeper = self._mark = self._wal = None

    def note(self, *, entries: int = 0, chain: str = "", writes: int = 0) -> None:
        """Raises the mark after a commit, and copies the write-ahead log into the file when it is long.

        Raises:
            StoreUnavailable: The file isn't in its place, so nobody will find what was committed.
        """
        self.check_in_place()
        if self._mark is None:
            return
        try:
            self._mark.note(entries=entries, chain=chain, writes=writes)
            self._notes += 1
            if self._notes % LOOK_EVERY == 0 and self._is_due():
                self.checkpoint()
        except OSError as error:  # a mark that lags behind is no loss
            log.warning("can't write the database's mark: %s", error)

    def note_present(self) -> None:
        """Raises the mark to what the database holds now."""
        with closing(connect(self.path, "ro")) as database:
            found = read_counts(database) or HighWater()
        self.note(entries=found.entries, chain=found.chain, writes=found.writes)

    def check_in_place(self) -> None:
        """Raises StoreUnavailable if a file was unlinked or replaced: its data would go nowhere."""
        for path, name, wanted in (
            (self.path, "database", self._identity),
            (wal_path(self.path), "database's write-ahead log", self._wal),
        ):
            if wanted is None:
                continue
            try:
                found = _identify(path)
            except OSError as error:
                raise StoreUnavailable(
                    f"expected the {name} at {path}, got: {error.strerror}"
                ) from error
            if found != wanted:
                raise StoreUnavailable(
                    f"expected the {name} that was opened at {path}, got another file:"
                    " restart the server"
                )

    def checkpoint(self) -> None:
        """Copies the write-ahead log into the file as far as readers allow, and renews the page digests."""
        mark = self._mark
        if mark is None or not self._lock.acquire(blocking=False):  # another thread does it
            return
        try:
            with suppress(sqlite3.OperationalError), self._holding() as lines:  # busy: the next one
                self._copy(mark, *lines)
        finally:
            self._lock.release()

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Renews the page digests after the block, in which all other connections close.

        A connection is held meanwhile: SQLite copies and removes the write-ahead log when the last one closes.
        """
        mark = self._mark
        if mark is None:
            yield
            return
        try:
            with ExitStack() as stack:
                if self._keeper is not None:  # the last to close
                    stack.callback(self._keeper.close)
                lines = self._try_holding(stack)
                yield  # in any case: what is queued is written there
                if lines is not None:
                    self._copy(mark, *lines)
            if lines is not None and not mark.record().pages and not wal_path(self.path).exists():
                renew(self.path, mark)
        except (sqlite3.Error, OSError) as error:
            log.warning("can't renew the digests of the database's pages: %s", error)
        finally:
            self.release()

    def _try_holding(
        self, stack: ExitStack
    ) -> tuple[sqlite3.Connection, sqlite3.Connection] | None:
        if not self._is_in_place():
            return None
        try:
            return stack.enter_context(self._holding())
        except (sqlite3.Error, OSError) as error:
            log.warning("can't hold the database while its connections close: %s", error)
            return None

    def _is_in_place(self) -> bool:
        try:
            self.check_in_place()
        except StoreUnavailable:
            return False
        return True

    @contextmanager
    def _holding(self) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
        """Two connections: one holds the write lock while the other copies."""
        with (
            closing(connect(self.path, "rw")) as holder,
            closing(connect(self.path, "rw")) as worker,
        ):
            for line in (holder, worker):
                line.execute("PRAGMA wal_autocheckpoint=0")
                line.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the files
            yield holder, worker

    def _copy(self, mark: MarkFile, holder: sqlite3.Connection, worker: sqlite3.Connection) -> None:
        holder.execute(
            "BEGIN IMMEDIATE"
        )  # nobody begins the log anew before the digests are written
        try:
            _, frames, _ = worker.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            (page_size,) = worker.execute("PRAGMA page_size").fetchone()
            if frames > 0:
                update_digests(self.path, mark, page_size, frames)
            self._next = max(0, frames) + CHECKPOINT_FRAMES
        finally:
            holder.execute("ROLLBACK")

    def _is_due(self) -> bool:
        """Whether the write-ahead log has grown by so many frames in its present round."""
        try:
            with wal_path(self.path).open("rb", buffering=0) as stream:
                salts = read_salts(stream)
                stream.seek(WAL_HEADER + (self._next - 1) * (FRAME_HEADER + 4096) + 8)
                if stream.read(8).hex() == salts:
                    return True
                if self._next > CHECKPOINT_FRAMES:  # has a new round begun?
                    stream.seek(WAL_HEADER + (CHECKPOINT_FRAMES - 1) * (FRAME_HEADER + 4096) + 8)
                    if stream.read(8).hex() != salts:
                        self._next = CHECKPOINT_FRAMES
        except FileNotFoundError:
            pass
        return False


ENDINGS: Final = ("-wal", "-shm", "-mark", "-lock")


def _identify(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _digest_first_page(path: Path, page_size: int) -> int:
    """No connection of this process may be open: closing the file would end its locks."""
    with path.open("rb") as stream:
        return zlib.crc32(stream.read(page_size))


def _is_empty(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def _make_private(path: Path) -> None:
    """Takes the rights of others away: the database holds every secret of the tables."""
    with suppress(FileNotFoundError):
        if path.stat().st_mode & 0o077:
            try:
                path.chmod(PRIVATE)
            except OSError as error:
                log.warning("%s: others may read it, and that can't be changed: %s", path, error)


# --- the high-water mark ---


def read_counts(database: sqlite3.Connection) -> HighWater | None:
    """Returns how many entries and writes a database holds; None if its schema is older than the mark."""
    found = database.execute("SELECT name FROM sqlite_master WHERE name = 'writes'").fetchone()
    if found is None:
        return None
    last = database.execute("SELECT rowid, chain FROM entries ORDER BY rowid DESC LIMIT 1")
    entries, chain = last.fetchone() or (0, "")
    (writes,) = database.execute("SELECT max(number) FROM writes").fetchone()
    return HighWater(entries, chain, writes or 0)


def find_loss(path: Path, mark: Mark | None) -> str | None:
    """Returns what a database lacks of what its mark says; None if it has everything."""
    try:
        with closing(connect(path, reading_mode(path))) as database:
            database.text_factory = _decode
            found = read_counts(database)
            if mark is None:
                return "its mark is missing" if found is not None and found.writes else None
            wanted, found = mark.counts, found or HighWater()
            if wanted is None:
                return "its mark can't be read"
            if found.entries < wanted.entries or found.writes < wanted.writes:
                return (
                    f"expected at least {wanted.entries} entries and {wanted.writes} other writes,"
                    f" which were acknowledged, got {found.entries} and {found.writes}:"
                    " its write-ahead log is missing or damaged, or it is an older copy"
                )
            if not wanted.entries:  # there may be no schema yet: the first start was interrupted
                return None
            query = "SELECT chain FROM entries WHERE rowid = ?"
            kept = database.execute(query, (wanted.entries,)).fetchone()
            if kept != (wanted.chain,):
                return (
                    f"expected the entry that was written as number {wanted.entries}, got another"
                )
    except DAMAGE_ERRORS as error:
        return str(error)
    return None


def _decode(text: bytes) -> str:
    return text.decode(errors="replace")


# --- page digests ---


def update_digests(path: Path, mark: MarkFile, page_size: int, frames: int) -> None:
    """Renews the digests of the pages in the write-ahead log. The write lock is held; SQLite has counted the frames."""
    old = mark.record()
    with wal_path(path).open("rb") as stream:
        salts = read_salts(stream)
        begin = old.frames if salts == old.salts else 0
        digests, committed = digest_frames(stream, page_size, begin + 1, frames)
        pages = committed or old.pages
    if not old.pages and len(digests) < pages:
        return  # pages from before aren't known; they are read when the database is closed
    digests = {page: value for page, value in digests.items() if page <= pages}
    mark.set_digests(PageRecord(pages, page_size, salts, frames), digests)


def survey_pages(path: Path) -> tuple[PageRecord, dict[int, int]]:
    """Computes the digests of all pages, from the file and its write-ahead log. Nobody may use the database."""
    wal = read_wal(path)
    with path.open("rb") as stream:
        header = stream.read(100)
        page_size = int.from_bytes(header[16:18], "big")
        page_size = 65536 if page_size == 1 else page_size or 4096
        stream.seek(0)
        digests, page = {}, 0
        while content := stream.read(page_size):
            page += 1
            digests[page] = zlib.crc32(content)
    if wal is None or not wal.frames:
        return PageRecord(page, page_size), digests
    for frame in wal.frames:
        digests[frame.page] = frame.digest
    kept = {page: value for page, value in digests.items() if page <= wal.pages}
    return PageRecord(wal.pages, page_size, wal.salts, len(wal.frames)), kept


def accept(path: Path) -> int:
    """Makes a new mark for a database that nobody uses; returns how many entries it has."""
    mark_path(path).unlink(missing_ok=True)
    mark = MarkFile(path)
    try:
        return renew(path, mark).entries
    finally:
        mark.close()


def renew(path: Path, mark: MarkFile) -> HighWater:
    """Makes the mark say what the database holds now, and returns that."""
    mark.set_digests(*survey_pages(path))
    with closing(connect(path, "ro")) as database:
        found = read_counts(database) or HighWater()
    mark.reset(found)
    return found
