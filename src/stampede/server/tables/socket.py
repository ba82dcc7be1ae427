"""One WebSocket a viewer: numbered messages out, commands in. See docs/protocol.md.

Out: ``welcome`` (where things stand, and what was missed), ``update`` (what happened, and the view now or what is new
in it), ``ack`` and ``error`` (the answer to a command, by its key), ``ping``. In: ``command`` with a key, ``ping``,
``pong``.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.server.http.encode import encode
from stampede.server.http.frames import CloseFrame
from stampede.server.http.identity import SUBPROTOCOL, check_origin
from stampede.server.http.limits import address_of, identity_of
from stampede.server.http.models import RequestModel
from stampede.server.http.problems import Problem, TooManyRequests, problem_of
from stampede.server.http.websocket import protocol_of
from stampede.server.services import Services
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.memory import Holder
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
MISSED_BEATS = 3
"""A peer that leaves so many heartbeats unanswered is gone: its socket is half open."""
MAX_REFUSALS = 100
"""A peer that sends so many frames above its rate between two heartbeats is let go."""


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
    async with AsyncExitStack() as stack:
        try:
            check_origin(websocket)
            caller = await services.caller(websocket)
            session = await services.sessions.find(websocket)
            services.limit(websocket, caller)
            holder = Holder(address_of(websocket), caller.guest)
            stack.enter_context(services.limits.connections.acquire(*holder))
            lease = services.registry.lease(table_id, holder)
            actor = await stack.enter_async_context(lease)
            async with actor.reading() as table:
                viewpoint = choose_view(table, caller, player)
        except Problem as problem:
            await _refuse(websocket, problem)
            return
        except StampedeError as error:
            await _refuse(websocket, problem_of(error))
            return
        viewer = Viewer(
            caller,
            viewpoint,
            services.settings.max_waiting,
            changes=changes,
            session="" if session is None else session.digest,
        )
        stack.callback(actor.leave, viewer)
        with suppress(WebSocketDisconnect):  # gone before the welcome
            await _accept(websocket)
            try:
                frame = await Connection(services, websocket, actor, viewer).serve(since)
            except Problem as problem:  # the seat has moved meanwhile, or the session has ended
                await _send_refusal(websocket, problem)
                return
            except StampedeError as error:  # the log can't be read now
                await _send_refusal(websocket, problem_of(error))
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

    Messages are handled one after the other: while a command is under way the next ones wait, and the socket isn't read
    (backpressure). It needs no task while nothing happens.
    """

    __slots__ = (
        "_actor",
        "_address",
        "_identity",
        "_loop",
        "_missed",
        "_protocol",
        "_refusals",
        "_services",
        "_timer",
        "_viewer",
        "_websocket",
    )

    def __init__(
        self, services: Services, websocket: WebSocket, actor: TableActor, viewer: Viewer
    ) -> None:
        self._services = services
        self._address = address_of(websocket)
        self._identity = identity_of(viewer.caller, self._address)
        self._protocol = protocol_of(websocket)
        self._websocket = websocket
        self._actor = actor
        self._viewer = viewer
        self._loop = asyncio.get_running_loop()
        self._missed = 0  # heartbeats
        self._refusals = 0  # since the last heartbeat
        self._timer: asyncio.TimerHandle | None = None

    async def serve(self, since: int | None) -> CloseFrame | None:
        """Runs until either side ends the connection; returns how to close it, None when the peer has gone."""
        welcome = await self._actor.enter(self._viewer, since)
        # From here on a signal drops the viewer. A session that ended before is looked for in the database.
        if self._viewer.session and not await self._services.sessions.is_current(self._websocket):
            raise Problem(401, "signed_out", "expected a session, but it has just ended")
        if not self._viewer.dropped:
            self._protocol.write_texts(encode({"type": "welcome", **welcome}))
        self._viewer.connect(self._protocol)
        self._timer = self._loop.call_later(self._services.settings.heartbeat, self._beat)
        self._protocol.set_handlers(self._receive, self._count_frame, self._viewer.flush)
        try:
            return await self._protocol.wait_closed()
        finally:
            self._timer.cancel()

    def _beat(self) -> None:
        """Sends a heartbeat; ends the connection when several have gone unanswered."""
        if self._missed == MISSED_BEATS:
            self._protocol.request_close(SILENT)
            return
        # Counted, not timed: after a stop of our own every peer would seem silent.
        self._missed += 1
        self._refusals = 0
        self._viewer.send(self._sign_of_life("ping"))
        self._timer = self._loop.call_later(self._services.settings.heartbeat, self._beat)

    def _sign_of_life(self, kind: Literal["ping", "pong"]) -> bytes:
        """A heartbeat, which also tells the time: a client's own clock may have slept."""
        return b'{"type":"%s","now":%d}' % (kind.encode(), self._actor.now())

    def _receive(self, text: bytes) -> None:
        """Handles a message."""
        self._missed = 0
        try:
            self._services.limits.count_message(self._address, self._identity)
            frame = _parse(text)
        except TooManyRequests as problem:
            self._viewer.send(_error(problem, None))
            self._count_refusal()
            return
        except Problem as problem:
            self._viewer.send(_error(problem, None))
            return
        if isinstance(frame, CommandFrame):
            self._protocol.hold()
            self._viewer.cork()
            reply = partial(self._answer, frame.key)
            self._services.tables.submit(self._actor, frame, self._viewer.caller, reply)
        elif frame.type == "ping":
            self._viewer.send(self._sign_of_life("pong"))

    def _count_frame(self) -> bool:
        """Counts a ping, pong or fragment; returns whether it is within the rate."""
        self._missed = 0
        try:
            self._services.limits.count_message(self._address, self._identity)
        except TooManyRequests:
            self._count_refusal()
            return False
        return True

    def _count_refusal(self) -> None:
        """Lets a peer go that keeps sending above its rate."""
        self._refusals += 1
        if self._refusals >= MAX_REFUSALS:
            self._protocol.request_close(FLOOD)

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
        self._protocol.release()


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
