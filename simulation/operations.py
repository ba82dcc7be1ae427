"""What people do: one function a kind of operation, which draws its details from a generator of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from simulation.choices import LEVELS, choose_action, draw_settings
from simulation.client import Disconnected
from simulation.people import PASSPHRASE, Device, KnownTable, Seat, TableSocket

__all__ = ["OPERATIONS"]

Perform: TypeAlias = Callable[[Device, random.Random], Awaitable[None]]


# --- with what ---


def _table(device: Device, rng: random.Random) -> KnownTable | None:
    """A table, mostly the one that everybody looks at."""
    tables = device.city.tables
    if not tables:
        return None
    return tables[0] if rng.random() < 0.4 else rng.choice(tables)


def _seat(device: Device, rng: random.Random) -> Seat | None:
    seats = device.city.seats[device.person]
    return rng.choice(seats) if seats else None


def _socket(device: Device, rng: random.Random) -> TableSocket | None:
    sockets = device.open_sockets()
    return rng.choice(sockets) if sockets else None


async def _command(device: Device, rng: random.Random, table: KnownTable, **command: Any) -> None:
    """Sends a command over a socket at the table if there is one, else over HTTP."""
    sockets = [found for found in device.open_sockets() if found.table is table]
    device.city.world.note(f"{device.name} sends {json.dumps(command)[:120]}")
    if sockets and rng.random() < 0.7:
        device.command_over(rng.choice(sockets), command)
    else:
        seats = [seat for seat in device.city.seats[device.person] if seat.table is table]
        token = seats[-1].token if seats and rng.random() < 0.3 else None
        await device.command(table, command, token)


# --- coming ---


async def arrive(device: Device, rng: random.Random) -> None:
    """Gets a cookie."""
    del rng
    await device.ask("GET", "/api/me")


async def open_table(device: Device, rng: random.Random) -> None:
    """Opens a table, and tells the others."""
    if device.guest is None and device.account is None:
        await arrive(device, rng)
    settings = draw_settings(rng)
    key = device.key()
    device.city.world.note(f"{device.name} opens {json.dumps(settings)}")
    for _ in range(3):
        try:
            answer = await device.ask("POST", "/api/tables", {"key": key, **settings})
        except Disconnected:
            continue
        if answer.status == 201:
            found = answer.json()
            if all(table.table_id != found["table"] for table in device.city.tables):
                table = KnownTable(
                    found["table"], settings["game"], found["invite"], device, settings
                )
                device.city.tables.append(table)
                device.city.observed.add_secret(found["invite"], *range(device.city.people))
                await _claim(device, table, rng)
        return


async def claim(device: Device, rng: random.Random) -> None:
    """Sits down."""
    if device.guest is None and device.account is None:
        await arrive(device, rng)
    table = _table(device, rng)
    if table is not None:
        await _claim(device, table, rng)


async def _claim(device: Device, table: KnownTable, rng: random.Random) -> None:
    command: dict[str, Any] = {"type": "claim", "name": f"P{device.person}"}
    if rng.random() < 0.2:
        command["player"] = rng.randrange(len(table.settings["chairs"]))
    if rng.random() < 0.3:
        command["salt"] = f"salt {rng.random()}"
    answer = await device.command(table, command, table.invite)
    if answer is not None:
        await device.watch(table, changes=rng.random() < 0.7)


async def connect(device: Device, rng: random.Random) -> None:
    """Watches a table: through an own chair, by a link, or as a spectator."""
    table, seat, token = _table(device, rng), _seat(device, rng), None
    player = None
    if seat is not None and rng.random() < 0.8:
        table = seat.table
        player = seat.player if rng.random() < 0.5 else None
        token = seat.token if rng.random() < 0.3 else None
    elif table is not None and rng.random() < 0.5:
        token = table.invite
    if table is not None:
        await device.watch(
            table, player, token, changes=rng.random() < 0.7, resume=rng.random() < 0.8
        )


# --- playing ---


async def act(device: Device, rng: random.Random) -> None:
    """Answers a decision, if one is awaited from this person."""
    asked = [
        socket
        for own in device.city.devices
        if own.person == device.person
        for socket in own.open_sockets()
        if socket.asked and socket.view["view"]
    ]
    if not asked:
        return
    socket = rng.choice(asked)
    device = socket.device
    action = choose_action(socket.view["view"].get("legal"), rng)
    if action is None:
        return
    if rng.random() < 0.03:
        action = rng.choice(("a1a9", {"type": "place", "cows": 99}, None, {"type": "take_back"}))
    await _act(device, rng, socket, action, socket.view["decision"]["id"])


async def _act(
    device: Device, rng: random.Random, socket: TableSocket, action: Any, decision: str
) -> None:
    command = {
        "type": "act",
        "player": socket.view["you"],
        "decision": decision,
        "action": action,
    }
    device.city.world.note(f"{device.name} sends {json.dumps(command)[:120]}")
    if rng.random() < 0.8:
        device.command_over(socket, command)
    else:
        await device.command(socket.table, command, socket.identity.token)


async def act_stale(device: Device, rng: random.Random) -> None:
    """Answers a decision that is over, perhaps several times."""
    socket = _socket(device, rng)
    if socket is not None and socket.view.get("you") is not None:
        for _ in range(rng.choice((1, 1, 5, 40))):
            await _act(device, rng, socket, {"type": "place", "cows": 0}, "1.1")


async def resend(device: Device, rng: random.Random) -> None:
    """Sends a command again that got no answer; sometimes one that did."""
    waiting = [item for item in device.pending.values() if item.answer is None]
    if rng.random() < 0.2:
        waiting = list(device.pending.values())
    if not waiting:
        return
    pending = rng.choice(waiting)
    if pending.identity != device.identity(pending.identity.token):
        return  # the device has another identity now
    table = next(found for found in device.city.tables if found.table_id == pending.table)
    await device.send_pending(table, pending)


async def vote(device: Device, rng: random.Random) -> None:
    """Proposes something, or agrees or declines."""
    seat = _seat(device, rng)
    if seat is None:
        return
    topic = rng.choice(("pause", "pause", "resume", "resume", "undo", "abort", "next", "next"))
    command = {"type": "vote", "player": seat.player, "on": topic, "agree": rng.random() < 0.85}
    views = [found.view for found in device.open_sockets() if found.table is seat.table]
    if topic == "undo" and views and views[0].get("decision"):
        command["decision"] = views[0]["decision"]["id"]
    await _command(device, rng, seat.table, **command)


def _for_own_chair(kind: str) -> Perform:
    async def perform(device: Device, rng: random.Random) -> None:
        seat = _seat(device, rng)
        if seat is not None:
            more: dict[str, Any] = {}
            if kind == "rename":
                more["name"] = f"Q{rng.randrange(100)}"
            if kind == "call_bot":
                more["missing"] = rng.randrange(len(seat.table.settings["chairs"]))
            await _command(device, rng, seat.table, type=kind, player=seat.player, **more)

    return perform


async def move_chair(device: Device, rng: random.Random) -> None:
    """Moves a seat of this person to this device."""
    seat = _seat(device, rng)
    if seat is not None:
        if device.guest is None and device.account is None:
            await arrive(device, rng)
        command = {"type": "move_chair", "player": seat.player}
        device.city.world.note(f"{device.name} moves chair {seat.player} to itself")
        await device.command(seat.table, command, seat.token)


# --- the host ---


def _for_host(kind: str) -> Perform:
    async def perform(device: Device, rng: random.Random) -> None:
        mine = [table for table in device.city.tables if table.host.person == device.person]
        if not mine:
            return
        table = rng.choice(mine)
        more: dict[str, Any] = {}
        if kind == "set_chair":
            more["player"] = rng.randrange(len(table.settings["chairs"]))
            more["level"] = rng.choice((None, None, LEVELS[table.game][0]))
        if kind == "start":
            more["fill"] = rng.choice((None, LEVELS[table.game][0]))
        await _command(table.host, rng, table, type=kind, **more)

    return perform


async def remove(device: Device, rng: random.Random) -> None:
    """The host removes a player."""
    mine = [table for table in device.city.tables if table.host.person == device.person]
    if mine:
        table = rng.choice(mine)
        body = {"key": device.key(), "player": rng.randrange(len(table.settings["chairs"]))}
        await table.host.ask("POST", f"/api/tables/{table.table_id}/remove", body)


# --- looking, talking ---


async def look(device: Device, rng: random.Random) -> None:
    """Reads something over HTTP."""
    table = _table(device, rng)
    if table is None:
        return
    path = f"/api/tables/{table.table_id}"
    kind = rng.choice(("look", "look", "events", "lobby", "mine", "record", "people", "chat"))
    if kind == "look":
        await device.look(table)
    elif kind in ("lobby", "mine"):
        await device.ask("GET", "/api/tables" if kind == "lobby" else "/api/tables/mine")
    else:
        await device.ask("GET", f"{path}/{kind}")


async def chat(device: Device, rng: random.Random) -> None:
    """Says something, or agrees to free text."""
    seat = _seat(device, rng)
    if seat is None:
        return
    path = f"/api/tables/{seat.table.table_id}/chat"
    if rng.random() < 0.4:
        await device.ask("POST", f"{path}/agree", {"agree": True})
    else:
        text = {"text": f"hello {rng.randrange(1000)}"} if rng.random() < 0.5 else {"phrase": "gg"}
        await device.ask("POST", path, {**text, "player": seat.player})


async def register(device: Device, rng: random.Random) -> None:
    """Makes an account, or signs in to it, or out."""
    name = f"Rider {device.person}"
    if device.account is not None:
        if rng.random() < 0.5:
            answer = await device.ask("DELETE", "/api/sessions/current")
            if answer.status == 200:
                device.account = None
        return
    credentials = {"name": name, "passphrase": PASSPHRASE}
    if name in device.city.accounts:
        answer = await device.ask("POST", "/api/sessions", credentials)
    else:
        device.city.accounts[name] = None
        answer = await device.ask("POST", "/api/accounts", credentials)
    if answer.status == 201:
        device.account = name


# --- leaving, and worse ---


async def drop(device: Device, rng: random.Random) -> None:
    """Ends a connection: politely, at once, or without anybody hearing of it."""
    socket = _socket(device, rng)
    if socket is None:
        return
    kind = rng.choice(("close", "abort", "half open"))
    device.city.world.note(f"{device.name} drops a socket: {kind}")
    device.city.world.counts[f"dropped: {kind}"] += 1
    if kind == "close":
        socket.raw.send((1000).to_bytes(2, "big"), 8)
        socket.raw.line.close()
    elif kind == "abort" or socket.raw.line.end is None:
        socket.raw.line.abort()
    else:
        device.city.network.half_open.add(socket.raw.line.end.link)
        socket.raw.line.over = True
        socket.raw.line._wake()


async def fall_asleep(device: Device, rng: random.Random) -> None:
    """Stops reading, or stops answering heartbeats."""
    socket = _socket(device, rng)
    if socket is None or socket.raw.line.end is None:
        return
    socket.flawed = True
    if rng.random() < 0.5:
        socket.silent = True
    else:
        socket.raw.line.end.reads = False


async def flood(device: Device, rng: random.Random) -> None:
    """Sends far too much: pings of both kinds, stale actions, rubbish, half a frame."""
    socket = _socket(device, rng)
    if socket is None or socket.raw.line.end is None:
        return
    socket.flawed = True
    kind = rng.choice(("pings", "texts", "stale", "rubbish", "half", "asleep"))
    device.city.world.counts[f"flood: {kind}"] += 1
    if kind == "asleep":
        socket.raw.line.end.reads = False
        kind = "stale"
    if kind == "half":
        frame = socket.raw.frame(b'{"type":"ping"}')
        socket.raw.line.write(frame[: rng.randrange(1, len(frame))])
    elif kind == "rubbish":
        socket.raw.line.write(rng.randbytes(200))
    else:
        stale = {"type": "act", "player": 0, "decision": "1.1", "action": None}
        key = device.key()
        command = {"type": "command", "key": key, "command": stale}
        body, opcode = {
            "pings": (b"x" * 120, 9),
            "texts": (b'{"type":"ping"}', 1),
            "stale": (json.dumps(command).encode(), 1),
        }[kind]
        if kind == "stale":
            device.forged.add(key)
        socket.raw.line.write(socket.raw.frame(body, opcode) * rng.choice((100, 400)))


OPERATIONS: Final[dict[str, tuple[float, Perform]]] = {
    "act": (50.0, act),
    "act_stale": (1.0, act_stale),
    "arrive": (1.0, arrive),
    "call_bot": (1.0, _for_own_chair("call_bot")),
    "chat": (1.0, chat),
    "claim": (5.0, claim),
    "close": (0.15, _for_host("close")),
    "connect": (9.0, connect),
    "drop": (4.0, drop),
    "fall_asleep": (0.5, fall_asleep),
    "flood": (0.5, flood),
    "invite": (1.0, _for_host("invite")),
    "leave": (0.7, _for_own_chair("leave")),
    "look": (5.0, look),
    "move_chair": (2.5, move_chair),
    "open_table": (1.5, open_table),
    "register": (0.6, register),
    "remove": (0.4, remove),
    "rename": (0.5, _for_own_chair("rename")),
    "resend": (4.0, resend),
    "resign": (0.3, _for_own_chair("resign")),
    "return": (1.5, _for_own_chair("return")),
    "seat_link": (0.7, _for_own_chair("seat_link")),
    "set_chair": (0.8, _for_host("set_chair")),
    "start": (1.5, _for_host("start")),
    "vote": (5.0, vote),
}
"""What people do: how often, and how."""
