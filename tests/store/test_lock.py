"""The lock of a SQLite database: one server a file, and looking for it keeps none from starting."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.store.files.lock import ATTEMPTS, ServerLock, find_server, lock_path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "tables.db"
    assert not find_server(path), "nothing has ever run here"
    ServerLock(path).release()
    return path


def test_a_server_is_found_while_it_runs(database: Path) -> None:
    assert not find_server(database)
    lock = ServerLock(database)
    assert find_server(database)
    lock.release()
    assert not find_server(database)


def test_those_who_look_for_a_server_do_not_find_each_other(database: Path) -> None:
    with lock_path(database).open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        assert not find_server(database)


def test_a_server_starts_while_another_process_looks_for_one(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lock_path(database).open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        monkeypatch.setattr("time.sleep", lambda _: fcntl.flock(other, fcntl.LOCK_UN))
        ServerLock(database).release()


def test_a_second_server_gives_up_after_a_few_attempts(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    first = ServerLock(database)
    with pytest.raises(InputError, match="expected a database that no other server uses"):
        ServerLock(database)
    assert len(waits) == ATTEMPTS
    first.release()
