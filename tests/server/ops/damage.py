"""A database with games and people, and random damage to its files.

`python -m tests.server.ops.damage 10000` tries that much damage and prints what was found, by layer.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from stampede.core.json import canonical
from stampede.matches.table import Table
from stampede.server.ops.check import check_database
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.listing import listing_of
from stampede.store import Append, Store
from stampede.store.accounts.accounts import Account, AccountStore
from stampede.store.accounts.sessions import Passkey, PasskeyStore, Session, SessionStore
from stampede.store.community.chat import ChatMessage, ChatStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock
from stampede.store.files import side_files
from stampede.store.ops.file_check import check_file
from stampede.store.schema import ALL
from tests.matches.golden_logs import read_log
from tests.store.chains import Chains

OLD = Path(__file__).with_name("old") / "schema-0001.db"
NOW = 1_700_000_000_000
ENDINGS = ("", "-wal", "-mark", "-shm")


def read_game(chains: Chains, name: str, number: int) -> Iterator[Append]:
    """Yields the appends of a golden game, at a table of another name."""
    log = read_log(name)
    state = Table.rebuild(CATALOGUE, log).state
    table_id = f"{state.table}{number or ''}"
    listing = listing_of(state)
    listing = replace(
        listing,
        table_id=table_id,
        summary=listing.summary.replace(f'"{state.table}"', f'"{table_id}"'),
    )
    for count, entry in enumerate(log, 1):
        payload = canonical(entry.to_json()).replace(f'"{state.table}"', f'"{table_id}"')
        last = count == len(log)
        yield chains.following(table_id, payload, listing=listing if last else None)


async def fill(path: Path) -> Store:
    """Makes a database of old and new games and of people; returns the open store."""
    shutil.copyfile(OLD, path)
    store = await Store.open(f"sqlite:///{path}")
    chains, accounts, passkeys = Chains(), AccountStore(store.engine), PasskeyStore(store.engine)
    for number in range(6):
        name = "buffalo" if number else "zoff"  # Zoff's fair deals know their table's id
        await asyncio.gather(*map(store.append, read_game(chains, name, number)))
        who = f"a{number}"
        account = Account(who, f"Zoë {number}", f"zoë {number}", "$argon2id$" + "x" * 90, NOW)
        await accounts.create(account, [f"digest{number}{code}" for code in range(8)])
        session = Session(f"{number}" * 64, f"s{number}", who, "Zoë", NOW, NOW, NOW, "phone")
        await SessionStore(store.engine).begin(session, None)
        await passkeys.add(
            Passkey(f"{number}" * 64, who, "id" * 40, "key" * 60, 7, "localhost", "phone", NOW)
        )
        block = PlayerBlock(who, "g2", f"b{number}", "Eve", NOW)
        await ModerationStore(store.engine).add_block(block)
        message = ChatMessage(0, NOW, f"guest:{who}", 0, "phrase", "hello" * 20)
        await ChatStore(store.engine).add("zoff0", message)
        if number == 3 and (side := side_files.side_files(store.engine)) is not None:
            await asyncio.to_thread(side.checkpoint)  # a part is in the file, a part in the log
    return store


async def make_databases(folder: Path) -> dict[str, Path]:
    """Makes one database that was closed, one as a killed process leaves it, and an older copy of both."""
    made = {name: folder / name for name in ("closed", "killed", "older")}
    for place in made.values():
        place.mkdir()
    store = await fill(folder / "tables.db")
    for file in folder.glob("tables.db*"):
        shutil.copy(file, made["killed"] / file.name)
    await store.close()
    for file in folder.glob("tables.db*"):
        shutil.copy(file, made["older"] / file.name)
    store = await Store.open(f"sqlite:///{folder / 'tables.db'}")
    await store.append(Chains().following("later", "{}"))
    await store.close()
    store = await fill(made["closed"] / "tables.db")
    await store.close()
    return made


def content(path: Path) -> object:
    """All rows of all tables, or the error that keeps them from being read."""
    try:
        with closing(side_files.connect(path, side_files.reading_mode(path))) as database:
            return [
                database.execute(f"SELECT rowid, * FROM {table.name} NOT INDEXED").fetchall()  # noqa: S608
                for table in ALL
            ]
    except side_files.DAMAGE_ERRORS as error:
        return str(error)


@dataclass(frozen=True)
class Damage:
    """Damage that was done.

    Attributes:
        kind: What was done, and to which file.
        at: Where.
    """

    kind: str
    at: int


def do_damage(path: Path, draw: random.Random) -> Damage:
    """Flips a bit, cuts or removes one of the files."""
    files = [path.with_name(path.name + end) for end in ENDINGS]
    files = [file for file in files if file.exists() and file.stat().st_size]
    # By size, so that every bit is equally likely; the mark and small files come up now and then, too.
    weights = [max(file.stat().st_size, 30_000) for file in files]
    (file,) = draw.choices(files, weights)
    name, size = file.name.removeprefix(path.name) or "database", file.stat().st_size
    kind = draw.choices(["flip", "cut", "removed"], [94, 5, 1])[0]
    if kind == "removed":
        file.unlink()
        return Damage(f"{name} removed", 0)
    if kind == "cut":
        at = draw.randrange(size)
        with file.open("r+b") as stream:
            stream.truncate(at)
        return Damage(f"{name} cut", at)
    at = draw.randrange(8 * size)
    with file.open("r+b") as stream:
        stream.seek(at // 8)
        (byte,) = stream.read(1)
        stream.seek(at // 8)
        stream.write(bytes([byte ^ 1 << at % 8]))
    return Damage(f"{name} flipped", at)


def find_layer(path: Path) -> str | None:
    """Returns the first layer of the file's check that finds damage; None if none does."""
    for problem in check_file(path).problems:
        if problem.startswith("pages"):
            return "page digests"
        if problem.startswith(("integrity", "SQLite", "foreign", "expected entries")):
            return "SQLite"
        return "mark"
    return None


def try_damage(source: Path, count: int, seed: int, *, without_mark: bool = False) -> Counter[str]:
    """Damages copies of a database; counts what was found by layer, what was harmless, and what was missed."""
    draw, found = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(count):
            for file in folder.iterdir():
                file.unlink()
            for file in source.iterdir():
                shutil.copy(file, folder / file.name)
            path = folder / "tables.db"
            if without_mark:
                path.with_name("tables.db-mark").unlink()
                with closing(sqlite3.connect(path)) as database:
                    database.execute("DELETE FROM writes")
                    database.commit()
            before = content(path)
            damage = do_damage(path, draw)
            layer = find_layer(path) if path.exists() or not without_mark else "missing"
            if layer is not None:
                found[f"found: {layer}"] += 1
            elif content(path) == before:
                found[f"harmless: {damage.kind}"] += 1
            elif asyncio.run(check_database(f"sqlite:///{path}", list)).findings:
                found["found: log and what is derived"] += 1
            else:
                found["missed"] += 1
                found[f"missed: {damage}"] += 1
    return found


def main() -> None:
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        made = asyncio.run(make_databases(Path(name)))
        for state in ("closed", "killed"):
            found = try_damage(made[state], count // 2, 1)
            sys.stdout.write(f"{state}: {dict(found)}\n")


if __name__ == "__main__":
    main()
