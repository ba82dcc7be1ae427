"""One WebSocket a viewer: numbered messages out, commands in. See docs/protocol.md.

Out: ``welcome`` (where things stand, and what was missed), ``update`` (what happened, and the view now), ``ack`` and
``error`` (the answer to a command, by its key), ``ping``. In: ``command`` with a key, ``ping``, ``pong``.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import ExitStack, suppress
from typing import Annotated, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject, canonical
from stampede.server.identity import SUBPROTOCOL, check_origin
from stampede.server.limits import address_of
from stampede.server.problems import Problem, problem_of
from stampede.server.rooms import Room
from stampede.server.services import Services, viewer_of
from stampede.server.viewers import Viewer
from stampede.server.wire import AnyCommand, CommandRequest, Key, Wire

__all__ = ["router"]

log = logging.getLogger("stampede.server")

router = APIRouter()

GOING_AWAY = 1001
TOO_SLOW = 4008
REFUSED = 4000
MISSED_BEATS = 3
"""A peer that is silent for so many heartbeats is gone: its socket is half open."""


class CommandFrame(Wire):
    """A command, with its key."""

    type: Literal["command"]
    key: Key
    command: AnyCommand


class PingFrame(Wire):
    """A sign of life, asked for or given."""

    type: Literal["ping", "pong"]


ClientFrame = Annotated[CommandFrame | PingFrame, Field(discriminator="type")]
FRAMES: TypeAdapter[CommandFrame | PingFrame] = TypeAdapter(ClientFrame)


@router.websocket("/api/tables/{table_id}/socket")
async def socket(
    websocket: WebSocket, table_id: str, player: int | None = None, since: int | None = None
) -> None:
    """Lets a viewer look on and play."""
    services: Services = websocket.app.state.services
    with ExitStack() as inside:
        try:
            check_origin(websocket)
            caller = await services.caller(websocket)
            services.limit(websocket, caller)
            inside.enter_context(services.gate.doors.entered(address_of(websocket)))
            room = await services.hub.room(table_id)
            eyes = await viewer_of(room, caller, player)
        except Problem as problem:
            await _refuse(websocket, problem)
            return
        except StampedeError as error:
            await _refuse(websocket, problem_of(error))
            return
        viewer = Viewer(caller, eyes, services.settings.max_queue)
        inside.callback(room.leave, viewer)
        with suppress(WebSocketDisconnect):  # gone before he was welcomed
            await _accept(websocket)
            await Connection(services, websocket, room, viewer).serve(since)


async def _accept(websocket: WebSocket) -> None:
    """Takes up the subprotocol that is offered: browsers drop a connection whose offers nobody answers."""
    offered = SUBPROTOCOL in websocket.scope.get("subprotocols", [])
    await websocket.accept(SUBPROTOCOL if offered else None)


async def _refuse(websocket: WebSocket, problem: Problem) -> None:
    """Says why before it closes: browsers show nothing of a refused handshake."""
    with suppress(WebSocketDisconnect):
        await _accept(websocket)
        await websocket.send_text(_error(problem, None))
        await websocket.close(REFUSED + problem.status, problem.code)


class Connection:
    """One viewer's socket: a reader, a writer and a heart."""

    def __init__(
        self, services: Services, websocket: WebSocket, room: Room, viewer: Viewer
    ) -> None:
        self._services = services
        self._websocket = websocket
        self._room = room
        self._viewer = viewer
        self._heard = asyncio.get_running_loop().time()

    async def serve(self, since: int | None) -> None:
        """Runs until either side has had enough."""
        welcome = await self._room.enter(self._viewer, since)
        await self._websocket.send_text(canonical({"type": "welcome", **welcome}))
        tasks = [asyncio.create_task(work) for work in (self._read(), self._write(), self._beat())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, _GONE):
                    log.error("a socket failed", exc_info=result)

    async def _write(self) -> None:
        """Sends what waits; a viewer that was dropped is told to come back."""
        while (frame := await self._viewer.next()) is not None:
            await self._websocket.send_text(frame)
        await self._websocket.close(TOO_SLOW, "resume")

    async def _beat(self) -> None:
        """Asks for a sign of life, and lets go of who gives none."""
        loop = asyncio.get_running_loop()
        pause = self._services.settings.heartbeat
        sessions = self._services.people.sessions
        while True:
            await asyncio.sleep(pause)
            if not await sessions.still_holds(self._websocket):
                self._viewer.drop()
                return
            if loop.time() - self._heard > MISSED_BEATS * pause:
                await self._websocket.close(GOING_AWAY, "silent")
                return
            self._viewer.send('{"type":"ping"}')

    async def _read(self) -> None:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._heard = asyncio.get_running_loop().time()
            text = message.get("text")
            answer = await self._answer(text if text is not None else "")
            if answer is not None:
                self._viewer.send(answer)

    async def _answer(self, text: str) -> str | None:
        """The answer to a message; None when it needs none."""
        key: str | None = None
        try:
            self._services.limit(self._websocket, self._viewer.caller)
            if len(text) > self._services.settings.max_frame:
                raise Problem(413, "too_large", "expected a shorter message")
            frame = _parse(text)
            if isinstance(frame, PingFrame):
                return '{"type":"pong"}' if frame.type == "ping" else None
            key = frame.key
            request = CommandRequest(key=frame.key, command=frame.command)
            ack = await self._services.command(self._room, request, self._viewer.caller)
        except Problem as problem:
            return _error(problem, key)
        return canonical({"type": "ack", **ack})


_GONE = (WebSocketDisconnect, RuntimeError, asyncio.CancelledError)
"""What a peer that has gone leaves behind; starlette tells a closed socket by a RuntimeError."""


def _parse(text: str) -> CommandFrame | PingFrame:
    try:
        return FRAMES.validate_json(text)
    except ValidationError as error:
        raise Problem(422, "invalid", explain(error)) from error


def explain(error: ValidationError) -> str:
    """What is wrong with a message, without repeating what it held."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _error(problem: Problem, key: str | None) -> str:
    body: JsonObject = {
        "type": "error",
        "key": key,
        "status": problem.status,
        **problem.to_json(),
    }
    return canonical(body)
