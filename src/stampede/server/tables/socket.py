"""One WebSocket a viewer: numbered messages out, commands in. See docs/protocol.md.

Out: ``welcome`` (where things stand, and what was missed), ``update`` (what happened, and the view now or what is new
in it), ``ack`` and ``error`` (the answer to a command, by its key), ``ping``. In: ``command`` with a key, ``ping``,
``pong``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from contextlib import ExitStack, suppress
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.matches.commands import Act
from stampede.matches.entries import Ack
from stampede.server.http.encode import encode
from stampede.server.http.identity import SUBPROTOCOL, check_origin
from stampede.server.http.limits import address_of, identity_of
from stampede.server.http.models import RequestModel
from stampede.server.http.problems import Problem, problem_of
from stampede.server.http.websocket import CloseFrame, protocol_of
from stampede.server.services import Services, viewer_of
from stampede.server.tables.rooms import Room
from stampede.server.tables.viewers import Viewer
from stampede.server.tables.wire import ActCommand, CommandRequest

__all__ = ["router"]

log = logging.getLogger("stampede.server")

router = APIRouter()

SILENT = CloseFrame(1001, "silent")
FLOOD = CloseFrame(1008, "flood")
FAILED = CloseFrame(1011, "failed")
REFUSED = 4000
FAREWELL = 10.0
"""Seconds that a peer has to take the farewell."""
PING = b'{"type":"ping"}'
PONG = b'{"type":"pong"}'
MISSED_BEATS = 3
"""A peer that is silent for so many heartbeats is gone: its socket is half open."""


class CommandFrame(CommandRequest):
    """A command, with its key."""

    type: Literal["command"]


class PingFrame(RequestModel):
    """A sign of life, asked for or given."""

    type: Literal["ping", "pong"]


ClientFrame = Annotated[CommandFrame | PingFrame, Field(discriminator="type")]
FRAMES: TypeAdapter[CommandFrame | PingFrame] = TypeAdapter(ClientFrame)


@router.websocket("/api/tables/{table_id}/socket")
async def socket(
    websocket: WebSocket,
    table_id: str,
    player: int | None = None,
    since: int | None = None,
    changes: bool = False,  # noqa: FBT001, FBT002 - a part of the address
) -> None:
    """Lets a viewer look on and play."""
    services: Services = websocket.app.state.services
    with ExitStack() as inside:
        try:
            check_origin(websocket)
            caller = await services.caller(websocket)
            services.limit(websocket, caller)
            inside.enter_context(services.limits.connections.acquire(address_of(websocket)))
            room = await services.hub.room(table_id)
            eyes = await viewer_of(room, caller, player)
        except Problem as problem:
            await _refuse(websocket, problem)
            return
        except StampedeError as error:
            await _refuse(websocket, problem_of(error))
            return
        viewer = Viewer(caller, eyes, services.settings.max_queue, changes=changes)
        inside.callback(room.leave, viewer)
        with suppress(WebSocketDisconnect):  # gone before he was welcomed
            await _accept(websocket)
            frame = await Connection(services, websocket, room, viewer).serve(since)
            if frame is not None:
                await _close(websocket, frame)


async def _close(websocket: WebSocket, frame: CloseFrame) -> None:
    """Says goodbye; who doesn't take even that is cut off."""
    try:
        async with asyncio.timeout(FAREWELL):
            await websocket.close(frame.code, frame.reason)
    except TimeoutError:
        protocol_of(websocket).abort()


async def _accept(websocket: WebSocket) -> None:
    """Takes up the subprotocol that is offered: browsers drop a connection whose offers nobody answers."""
    offered = SUBPROTOCOL in websocket.scope.get("subprotocols", [])
    await websocket.accept(SUBPROTOCOL if offered else None)


async def _refuse(websocket: WebSocket, problem: Problem) -> None:
    """Says why before it closes: browsers show nothing of a refused handshake."""
    with suppress(WebSocketDisconnect):
        await _accept(websocket)
        await websocket.send_text(_error(problem, None).decode())
        await websocket.close(REFUSED + problem.status, problem.code)


class _Acting(NamedTuple):
    """An action under way, and since when."""

    frame: CommandFrame
    begin: float


class Connection:
    """One viewer's socket: what comes in is done one after the other; it needs no task while nothing happens."""

    __slots__ = (
        "_acting",
        "_address",
        "_identity",
        "_loop",
        "_missed",
        "_protocol",
        "_room",
        "_services",
        "_task",
        "_timer",
        "_viewer",
        "_waiting",
    )

    def __init__(
        self, services: Services, websocket: WebSocket, room: Room, viewer: Viewer
    ) -> None:
        self._services = services
        self._address = address_of(websocket)
        self._identity = identity_of(viewer.caller, self._address)
        self._protocol = protocol_of(websocket)
        self._room = room
        self._viewer = viewer
        self._loop = asyncio.get_running_loop()
        self._missed = 0
        self._waiting: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None
        self._acting: _Acting | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def serve(self, since: int | None) -> CloseFrame | None:
        """Runs until either side has had enough; returns how to close, None when the peer has gone."""
        welcome = await self._room.enter(self._viewer, since)
        self._protocol.write_texts(encode({"type": "welcome", **welcome}))
        self._viewer.connect(self._protocol)
        self._protocol.set_handlers(self._hear, self._viewer.flush)
        self._timer = self._loop.call_later(self._services.settings.heartbeat, self._beat)
        try:
            return await self._protocol.wait_closed()
        finally:
            self._timer.cancel()
            self._waiting.clear()
            if self._task is not None:  # whoever goes away doesn't stop what he has asked for
                await asyncio.wait([self._task])

    def _beat(self) -> None:
        """Asks for a sign of life, and lets go of who gives none."""
        pause = self._services.settings.heartbeat
        if self._missed == MISSED_BEATS:
            self._protocol.request_close(SILENT)
            return
        self._missed += 1  # and no clock: after a stop of our own everybody would seem silent
        self._viewer.send(PING)
        self._timer = self._loop.call_later(pause, self._beat)

    def _hear(self, text: bytes) -> None:
        """Takes a message: at once, or when the one before is done. The line waits as long."""
        self._missed = 0
        if self._task is not None or self._acting is not None:
            self._protocol.pause_reading()
            if len(self._waiting) < self._services.settings.max_queue:
                self._waiting.append(text)
            else:  # one read can hold tens of thousands
                self._protocol.request_close(FLOOD)
            return
        self._take(text)

    def _take(self, text: bytes) -> None:
        """Answers what can be answered at once; lets a task see to a command."""
        try:
            self._services.limits.count_message(self._address, self._identity)
            if len(text) > self._services.settings.max_frame:
                raise Problem(413, "too_large", "expected a shorter message")
            frame = _parse(text)
        except Problem as problem:
            self._viewer.send(_error(problem, None))
            return
        if not isinstance(frame, CommandFrame):
            if frame.type == "ping":
                self._viewer.send(PONG)
        elif not self._act(frame):
            self._task = self._loop.create_task(self._carry_out(frame))

    def _act(self, frame: CommandFrame) -> bool:
        """Does what nearly every command asks for without a task of its own; False when it can't be done so."""
        command = frame.command
        if not isinstance(command, ActCommand):
            return False
        act = Act(command.player, command.decision, command.action)
        if not self._room.act(act, self._viewer, frame.key, self._acted):
            return False
        self._acting = _Acting(frame, time.perf_counter())
        return True

    def _acted(self, ack: Ack | None, update: bytes) -> None:
        """The action is durable; or it may not be, and a task finds out."""
        assert self._acting is not None, "something was asked for"
        (frame, begin), self._acting = self._acting, None
        if ack is None:
            self._task = self._loop.create_task(self._carry_out(frame))
            return
        self._services.metrics.observe_command("ack", time.perf_counter() - begin)
        answer = encode({"type": "ack", **ack.to_json()})
        if update:
            self._viewer.send(update, answer)
        else:  # somebody has sent him away meanwhile
            self._viewer.send(answer)
        self._go_on()

    async def _carry_out(self, frame: CommandFrame) -> None:
        """Does a command, answers it, and goes on with what has come meanwhile."""
        try:
            ack = await self._services.command(self._room, frame, self._viewer.caller, alone=True)
        except Problem as problem:
            self._viewer.send(_error(problem, frame.key))
        except Exception:
            log.exception("a socket failed")
            self._protocol.request_close(FAILED)
        else:
            self._viewer.send(encode({"type": "ack", **ack}))
        self._task = None
        self._go_on()

    def _go_on(self) -> None:
        """Sees to what has come meanwhile."""
        while self._waiting and self._task is None and self._acting is None:
            self._take(self._waiting.popleft())
        if not self._waiting:
            self._protocol.resume_reading()


def _parse(text: bytes) -> CommandFrame | PingFrame:
    try:
        frame: CommandFrame | PingFrame = FRAMES.validator.validate_json(text)
    except ValidationError as error:
        raise Problem(422, "invalid", explain(error)) from error
    return frame


def explain(error: ValidationError) -> str:
    """What is wrong with a message, without repeating what it held."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _error(problem: Problem, key: str | None) -> bytes:
    body: JsonObject = {
        "type": "error",
        "key": key,
        "status": problem.status,
        **problem.to_json(),
    }
    return encode(body)
