"""`stampede db` and `stampede record verify` on what a real server has written."""

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.clients import guests
from tests.server.servers import running, settings_for

BOT = {"bot": "random"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of three games: two finished, one running."""
    folder = tmp_path_factory.mktemp("played")

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            for number, (game, players) in enumerate((("zoff", 3), ("buffalo", 2), ("zoff", 4))):
                opened = await ann.open(game, [{}, *[BOT] * (players - 1)])
                await ann.claim(opened["table"], 0, "Ann")
                if number < 2:
                    async with ann.socket(opened["table"]) as socket:
                        await socket.play(random.Random(number))

    with running(settings_for(folder)) as base:
        asyncio.run(scenario(base))
    return folder


def stampede(*arguments: str, code: int = 0) -> str:
    """Runs a command; returns what it said."""
    command = [sys.executable, "-m", "stampede.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_check_rebuilds_every_table(played: Path) -> None:
    address = f"sqlite:///{played / 'tables.db'}"
    found = json.loads(stampede("db", "check", "--database", address, "--json"))
    assert (found["valid"], found["tables"]) == (True, 3)


def test_check_names_the_table_that_is_damaged(played: Path, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'broken.db'}"
    stampede(
        "db", "backup", str(tmp_path / "copy.db"), "--database", f"sqlite:///{played}/tables.db"
    )
    stampede("db", "restore", str(tmp_path / "copy.db"), "--database", address)
    database = sqlite3.connect(tmp_path / "broken.db")
    table, *_ = database.execute("SELECT table_id FROM entries WHERE seq = 4").fetchone()
    database.execute("DELETE FROM entries WHERE table_id = ? AND seq = 4", (table,))
    database.commit()
    database.close()
    told = stampede("db", "check", "--database", address, code=1)
    assert f"{table}: entry 4 is missing" in told


def test_games_go_out_as_records_and_come_in_again(played: Path, tmp_path: Path) -> None:
    old, new = f"sqlite:///{played / 'tables.db'}", f"sqlite:///{tmp_path / 'new.db'}"
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert "2 games" in stampede("db", "export", str(first), "--database", old)
    assert "all valid" in stampede("record", "check", str(first))
    assert "2 of 2 games are new" in stampede("db", "import", str(first), "--database", new)
    assert "0 of 2 games are new" in stampede("db", "import", str(first), "--database", new)
    stampede("db", "export", str(second), "--database", new)
    assert sorted(first.read_text().splitlines()) == sorted(second.read_text().splitlines())
    everything = stampede("db", "export", str(second), "--running", "--database", old)
    assert "3 games" in everything


def test_a_wrong_record_keeps_all_of_its_file_out(played: Path, tmp_path: Path) -> None:
    old, new = f"sqlite:///{played / 'tables.db'}", f"sqlite:///{tmp_path / 'new.db'}"
    file = tmp_path / "games.jsonl"
    stampede("db", "export", str(file), "--database", old)
    lines = file.read_text().splitlines()
    record = json.loads(lines[-1])
    record["actions"] = record["actions"][:-1]
    file.write_text("\n".join([*lines[:-1], json.dumps(record)]))
    assert "games.jsonl:2" in stampede("db", "import", str(file), "--database", new, code=2)
    assert "0 games" in stampede("db", "export", str(tmp_path / "out.jsonl"), "--database", new)


def test_verify_finds_a_deal_that_isn_t_the_committed_one(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    stampede("db", "export", str(file), "--database", f"sqlite:///{played / 'tables.db'}")
    assert "2 dealt as committed" in stampede("record", "verify", str(file))
    record = json.loads(file.read_text().splitlines()[0])
    one = tmp_path / "one.json"
    one.write_text(json.dumps(record))
    right = record["meta"]["deal"]["commitment"]
    stampede("record", "verify", str(one), "--commitment", right)
    wrong = "0" * 64
    assert "1 of 1 not fair" in stampede(
        "record", "verify", str(one), "--commitment", wrong, code=1
    )
    record["meta"]["deal"]["seed"] = "0" * 64
    one.write_text(json.dumps(record))
    assert "commitment" in stampede("record", "verify", str(one), code=1)
