"""What an operator relies on: readiness, figures, logs without secrets, orderly stops, backups under load."""

import asyncio
import json
import random
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from stampede.server.ops.check import check_database
from stampede.server.ops.logs import redact
from stampede.store.ops.backup import restore
from tests.server.clients import Guest, closed, guests
from tests.server.cluster.test_workers import logs_of
from tests.server.ops.test_kills import entries_of, one_game
from tests.server.servers import ServerProcess, reserved_port, running, settings_for
from tests.server.stubborn import open_and_sit
from tests.store.databases import PostgresServer, running_postgres
from tests.waiting import PATIENCE, until

BOT = {"bot": "random"}
MOST_TABLES = 60


# --- readiness ---


def test_a_server_is_unready_while_its_database_is_away_and_finds_its_fellows_again(
    tmp_path: Path,
) -> None:
    """PostgreSQL is stopped and started under two servers; afterwards they tell each other what happens, as before."""

    async def ready(base: str, status: int, missing: list[str]) -> None:
        answers: list[httpx.Response] = []

        async def is_so() -> bool:
            answers.append(await client.get("/readyz"))
            assert (await client.get("/healthz")).status_code == 200, "alive all the while"
            found = answers[-1].json().get("missing", [])
            return (answers[-1].status_code, found) == (status, missing)

        async with httpx.AsyncClient(base_url=base, timeout=PATIENCE) as client:
            what = f"/readyz says {status}, {missing}"
            await until(what, is_so, lambda: answers[-1].text, pause=0.1)

    async def scenario(postgres: PostgresServer, one: str, two: str) -> None:
        await ready(one, 200, [])
        await asyncio.to_thread(postgres.stop)
        await ready(one, 503, ["database", "workers"])
        await asyncio.to_thread(postgres.start)
        await asyncio.gather(ready(one, 200, []), ready(two, 200, []))
        async with guests(one, 1) as (ann,), guests(two, 1) as (ben,):
            opened = await ann.open("buffalo", [{}, {}])
            async with ben.socket(opened["table"]) as socket:
                await socket.next()
                await ann.claim(opened["table"], 0, "Ann")
                await socket.until(lambda frame: frame["type"] == "update")
                assert socket.view["players"][0]["name"] == "Ann"

    with running_postgres() as postgres:
        settings = settings_for(tmp_path, database_url=postgres.new_database())
        with running(settings) as one, running(settings) as two:
            asyncio.run(scenario(postgres, one, two))


# --- figures ---


def figures_of(port: int) -> dict[str, float]:
    """Every sample, by its name and labels."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
    return {
        f"{sample.name}{dict(sorted(sample.labels.items()))}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_figures_are_on_a_port_of_their_own_and_bounded(tmp_path: Path) -> None:
    """Whatever is asked for, there are no more series than routes; and strangers find no figures at all."""

    async def scenario(base: str, port: int) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT])
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.play(random.Random(1))
                during = figures_of(port)
            assert during["stampede_websockets{}"] == 1
            assert (await ann.request("GET", "/metrics")).status_code == 404
            await ann.request("GET", "/api/tables/unknown0")
            few = len(figures_of(port))
            for number in range(30):
                await ann.request("GET", f"/api/tables/unknown{number}")
                await ann.request("GET", f"/nowhere/{number}")
            assert len(figures_of(port)) <= few + 2, "one more for what has no route"

    with reserved_port() as port:
        with running(settings_for(tmp_path, metrics_port=port)) as base:
            asyncio.run(scenario(base, port))
            figures = figures_of(port)
        with pytest.raises(httpx.ConnectError):
            figures_of(port)
    logs = entries_of(tmp_path / "tables.db")
    written = sum(len(log) for log in logs.values())
    by_bots = sum(entry["who"] == "system" for log in logs.values() for entry in log)
    assert figures["stampede_appends_total{}"] == written
    assert figures["stampede_bot_moves_total{}"] == by_bots
    assert figures["stampede_command_seconds_count{'outcome': 'ack'}"] == written - by_bots - 1


def test_workers_share_the_bots_and_each_thinks_once(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """Two servers follow the same tables; together they think exactly as often as bots have answered."""
    address = postgres.new_database()

    def thoughts(ports: list[int]) -> list[float]:
        return [figures_of(port)["stampede_bot_moves_total{}"] for port in ports]

    def workers(ports: list[int]) -> list[float]:
        return [figures_of(port)["stampede_workers{}"] for port in ports]

    async def play(base: str, number: int) -> None:
        async with guests(base, 1) as (person,):
            table = await open_and_sit([person], "zoff", 2, pace_ms=0)
            async with person.socket(table) as socket:
                await socket.play(random.Random(number))

    async def scenario(bases: list[str], ports: list[int]) -> None:
        await until("both know of each other", lambda: workers(ports) == [2, 2])
        for number in range(MOST_TABLES):
            await play(bases[number % 2], number)
            # Whose bots they are is drawn by lot for every table: eight may well be one worker's.
            if number >= 7 and min(thoughts(ports)) > 0:
                break

    with ExitStack() as stack:
        ports = [stack.enter_context(reserved_port()) for _ in range(2)]
        settings = [
            settings_for(tmp_path, database_url=address, metrics_port=port) for port in ports
        ]
        bases = [stack.enter_context(running(each)) for each in settings]
        asyncio.run(scenario(bases, ports))
        thought = thoughts(ports)
    logs = asyncio.run(logs_of(address))
    by_bots = sum(entry["who"] == "system" for log in logs.values() for entry in log)
    assert sum(thought) == by_bots
    assert min(thought) > 0, "both have thought"


# --- logs ---


def test_a_log_is_json_and_tells_no_secret(tmp_path: Path) -> None:
    """Whole games, refusals, nonsense and a kill of the line: every line is JSON, and no byte of it opens anything."""
    server = ServerProcess(tmp_path, None, "--log", "json")
    secrets: set[str] = set()

    async def scenario() -> None:
        async with guests(server.base, 3) as (ann, ben, eve):
            opened = await ann.open("zoff", [{}, {}, BOT])
            table = opened["table"]
            acks = [
                await ann.claim(table, 0, "Ann"),
                await ben.claim(table, 1, "Ben", opened["invite"]),
            ]
            async with ann.socket(table) as one, ben.socket(table) as two:
                await asyncio.gather(one.play(random.Random(1)), two.play(random.Random(2)))
            await nonsense(eve, table, acks[0]["token"])
            secrets.update({table, opened["invite"], *(ack["token"] for ack in acks)})
            for person in (ann, ben, eve):
                secrets.update(person.client.cookies.values())
                secrets.update(value.split(".")[0] for value in person.client.cookies.values())

    try:
        asyncio.run(scenario())
    finally:
        server.stop()
    for log in entries_of(tmp_path / "tables.db").values():
        secrets.update(re.findall(r"[0-9a-f]{64}", json.dumps(log)))
    text = server.log.read_text()
    lines = [json.loads(line) for line in text.splitlines() if not line.startswith("Stampede is")]
    assert {line["level"] for line in lines} >= {"info"}
    assert any(line.get("route") == "/api/tables/{table_id}/commands" for line in lines)
    assert len(secrets) > 10
    assert [secret for secret in secrets if secret in text] == []


async def nonsense(eve: Guest, table: str, token: str) -> None:
    """What makes servers talk: guesses, broken JSON, a foreign token in the wrong places."""
    await eve.request("GET", f"/api/tables/{table}?token={token}", token=token)
    await eve.request("GET", f"/{token}/{table}")
    await eve.client.post(f"/api/tables/{table}/commands", content=b"{", headers={"X-T": token})
    await eve.send(table, {"type": "claim", "player": 0, "name": token}, key=token, token=token)
    async with eve.socket(table) as socket:
        await socket.next()
        await socket.raw.send(json.dumps({"type": token, "key": token}))
        await socket.next()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("token 8Xb2kQm4zR1vNt7yWc3uJh6fLs0pDg9A here", "token 8Xb2… here"),
        ("/api/tables/nltlHjlxmz2eCplLhepCZX/socket", "/api/tables/nltl…/socket"),
        ("/api/tables/CCx6lbyXqflCVZMNHjyrwf/socket", "/api/tables/CCx6…/socket"),
        ("g0123456789abcdef0123456789abcdef", "g012…"),
        ("a" * 64, "aaaa…"),
        ("websockets_sansio_impl.py in HttpToolsProtocolFactory", None),
        ("KeyReused: expected the settings that came with this key before", None),
    ],
)
def test_what_looks_drawn_by_lot_is_shortened(text: str, shown: str | None) -> None:
    assert redact(text) == (text if shown is None else shown)


# --- an orderly stop ---


def test_a_stop_sends_everybody_away_to_come_back_and_loses_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    acked: list[tuple[str, int]] = []

    async def player(ann: Guest) -> int:
        opened = await ann.open("buffalo", [{}, {}], hot_seat=True)
        for number in range(2):
            await ann.claim(opened["table"], number, f"P{number}")
        async with ann.socket(opened["table"]) as socket:
            await socket.next()
            try:
                while True:
                    answer = await socket.command({"type": "seat_link", "player": 0})
                    if answer["type"] == "ack":
                        acked.append((opened["table"], answer["seq"]))
                    await asyncio.sleep(0.005)
            except ConnectionClosed:
                return await closed(socket)

    async def scenario() -> list[int]:
        async with guests(server.base, 5) as people:
            players = [asyncio.create_task(player(person)) for person in people]
            await until(
                "all five are busy",
                lambda: len(acked) >= 40 and len({table for table, _ in acked}) == 5,
                lambda: acked,
            )
            assert await asyncio.to_thread(server.stop) in (0, -15)
            return await asyncio.gather(*players)

    assert asyncio.run(scenario()) == [1012] * 5, "service restart: come back"
    logs = entries_of(tmp_path / "tables.db")
    for table, seq in acked:
        assert len(logs[table]) >= seq


# --- backups ---


def test_a_backup_under_load_restores_to_sound_tables(tmp_path: Path) -> None:
    """`stampede db backup` while games are played: a moment of them all, every table whole up to there."""
    server = ServerProcess(tmp_path)
    source, target = tmp_path / "tables.db", tmp_path / "backup.db"
    command = [sys.executable, "-m", "stampede.cli", "db", "backup", str(target)]
    command += ["--database", f"sqlite:///{source}"]

    def all_under_way() -> bool:
        logs = entries_of(source).values()
        acts = [[e for e in log if e["command"]["type"] == "act"] for log in logs]
        return sum(bool(log) for log in acts) == 4

    async def scenario() -> None:
        copied = asyncio.Event()
        games = [asyncio.create_task(one_game(server.base, n, copied)) for n in range(4)]
        await until("all four games are under way", all_under_way, lambda: entries_of(source))
        await asyncio.to_thread(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
        copied.set()
        await asyncio.gather(*games)

    try:
        asyncio.run(scenario())
    finally:
        server.stop()
    asyncio.run(check_restored(tmp_path, target))


async def check_restored(folder: Path, target: Path) -> None:
    address = f"sqlite:///{folder / 'restored.db'}"
    await restore(target, address)
    report = await check_database(address, list)
    assert (report.tables, report.findings, report.notes) == (4, [], [])
    whole = entries_of(folder / "tables.db")
    for table, log in entries_of(folder / "restored.db").items():
        assert log == whole[table][: len(log)]
