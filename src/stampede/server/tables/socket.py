"""One WebSocket a viewer: numbered messages out, commands in. See docs/protocol.md.

Out: ``welcome`` (where things stand, and what was missed), ``update`` (what happened, and the view now or what is new
in it), ``ack`` and ``error`` (the answer to a command, by its key), ``ping``. In: ``command`` with a key, ``ping``,
``pong``.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import ExitStack, suppress
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.server.http.encode import encode
from stampede.server.http.identity import SUBPROTOCOL, check_origin
from stampede.server.http.limits import address_of, identity_of
from stampede.server.http.models import RequestModel
from stampede.server.http.problems import Problem, problem_of
from stampede.server.http.websocket import CloseFrame, protocol_of
from stampede.server.services import Services
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.service import choose_view
from stampede.server.tables.wire import CommandRequest

__all__ = ["router"]

log = logging.getLogger("stampede.server")

router = APIRouter()

SILENT = CloseFrame(1001, "silent")
FLOOD = CloseFrame(1008, "flood")
FAILED = CloseFrame(1011, "failed")
REFUSED = 4000
CLOSE_TIMEOUT = 10.0
"""Seconds that a peer has to answer the close frame."""
PING = b'{"type":"ping"}'
PONG = b'{"type":"pong"}'
MISSED_BEATS = 3
"""A peer that leaves so many heartbeats unanswered is gone: its socket is half open."""


class CommandFrame(CommandRequest):
    """A command, with its key."""

    type: Literal["command"]


class PingFrame(RequestModel):
    """A heartbeat."""

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
    """Streams a table to a viewer, and takes their commands."""
    services: Services = websocket.app.state.services
    with ExitStack() as stack:
        try:
            check_origin(websocket)
            caller = await services.caller(websocket)
            services.limit(websocket, caller)
            stack.enter_context(services.limits.connections.acquire(address_of(websocket)))
            actor = await services.registry.find(table_id)
            async with actor.reading() as table:
                viewpoint = choose_view(table, caller, player)
        except Problem as problem:
            await _refuse(websocket, problem)
            return
        except StampedeError as error:
            await _refuse(websocket, problem_of(error))
            return
        viewer = Viewer(caller, viewpoint, services.settings.max_queue, changes=changes)
        stack.callback(actor.leave, viewer)
        with suppress(WebSocketDisconnect):  # gone before the welcome
            await _accept(websocket)
            try:
                frame = await Connection(services, websocket, actor, viewer).serve(since)
            except Problem as problem:  # the seat has moved meanwhile
                await _send_refusal(websocket, problem)
                return
            if frame is not None:
                await _close(websocket, frame)


async def _close(websocket: WebSocket, frame: CloseFrame) -> None:
    """Closes the connection; aborts it when the peer doesn't read even the close frame."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await websocket.close(frame.code, frame.reason)
    except TimeoutError:
        protocol_of(websocket).abort()


async def _accept(websocket: WebSocket) -> None:
    """Accepts the subprotocol that is offered: browsers drop a connection that doesn't answer their offer."""
    offered = SUBPROTOCOL in websocket.scope.get("subprotocols", [])
    await websocket.accept(SUBPROTOCOL if offered else None)


async def _refuse(websocket: WebSocket, problem: Problem) -> None:
    """Says why before closing: browsers don't show the response to a refused handshake."""
    with suppress(WebSocketDisconnect):
        await _accept(websocket)
        await _send_refusal(websocket, problem)


async def _send_refusal(websocket: WebSocket, problem: Problem) -> None:
    await websocket.send_text(_error(problem, None).decode())
    await websocket.close(REFUSED + problem.status, problem.code)


class Connection:
    """One viewer's WebSocket.

    Frames are handled one after the other: while a command is under way the next ones wait, and the socket isn't read
    (backpressure). It needs no task while nothing happens.
    """

    __slots__ = (
        "_actor",
        "_address",
        "_frames",
        "_identity",
        "_is_draining",
        "_is_waiting",
        "_loop",
        "_missed",
        "_protocol",
        "_services",
        "_timer",
        "_viewer",
    )

    def __init__(
        self, services: Services, websocket: WebSocket, actor: TableActor, viewer: Viewer
    ) -> None:
        self._services = services
        self._address = address_of(websocket)
        self._identity = identity_of(viewer.caller, self._address)
        self._protocol = protocol_of(websocket)
        self._actor = actor
        self._viewer = viewer
        self._loop = asyncio.get_running_loop()
        self._missed = 0
        self._frames: deque[bytes] = deque()
        self._is_waiting = False  # for the answer to a command
        self._is_draining = False
        self._timer: asyncio.TimerHandle | None = None

    async def serve(self, since: int | None) -> CloseFrame | None:
        """Runs until either side ends the connection; returns how to close it, None when the peer has gone."""
        welcome = await self._actor.enter(self._viewer, since)
        self._protocol.write_texts(encode({"type": "welcome", **welcome}))
        self._viewer.connect(self._protocol)
        self._protocol.set_handlers(self._receive, self._viewer.flush)
        self._timer = self._loop.call_later(self._services.settings.heartbeat, self._beat)
        try:
            return await self._protocol.wait_closed()
        finally:
            self._timer.cancel()
            self._frames.clear()

    def _beat(self) -> None:
        """Sends a heartbeat; ends the connection when several have gone unanswered."""
        if self._missed == MISSED_BEATS:
            self._protocol.request_close(SILENT)
            return
        self._missed += (
            1  # counted, not timed: after a stop of our own every peer would seem silent
        )
        self._viewer.send(PING)
        self._timer = self._loop.call_later(self._services.settings.heartbeat, self._beat)

    def _receive(self, frame: bytes) -> None:
        self._missed = 0
        if self._is_waiting:
            self._protocol.pause_reading()
            if len(self._frames) >= self._services.settings.max_queue:
                self._protocol.request_close(FLOOD)  # one read can hold tens of thousands
                return
        self._frames.append(frame)
        self._drain()

    def _drain(self) -> None:
        """Handles frames until one has to wait. Not reentrant: an answer may come while its command is handled."""
        if self._is_draining:
            return
        self._is_draining = True
        try:
            while self._frames and not self._is_waiting:
                self._handle(self._frames.popleft())
        finally:
            self._is_draining = False
        if not self._frames:
            self._protocol.resume_reading()

    def _handle(self, text: bytes) -> None:
        try:
            self._services.limits.count_message(self._address, self._identity)
            if len(text) > self._services.settings.max_frame:
                raise Problem(413, "too_large", "expected a shorter message")
            frame = _parse(text)
        except Problem as problem:
            self._viewer.send(_error(problem, None))
            return
        if isinstance(frame, CommandFrame):
            self._is_waiting = True
            self._viewer.cork()
            reply = partial(self._answer, frame.key)
            self._services.tables.submit(self._actor, frame, self._viewer.caller, reply)
        elif frame.type == "ping":
            self._viewer.send(PONG)

    def _answer(self, key: str, answer: JsonObject | Exception) -> None:
        """Sends the answer to a command, and handles what has come meanwhile."""
        try:
            if isinstance(answer, Problem):
                self._viewer.send(_error(answer, key))
            elif isinstance(answer, Exception):
                log.error("a command over a WebSocket failed", exc_info=answer)
                self._protocol.request_close(FAILED)
            else:
                self._viewer.send(encode({"type": "ack", **answer}))
        finally:
            self._viewer.uncork()
            self._is_waiting = False
        self._drain()


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
