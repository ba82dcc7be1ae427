"""An update whose shared parts are encoded once has the bytes of one that is encoded for its viewer alone."""

from __future__ import annotations

import asyncio
import random

import pytest

from stampede.core.json import Json
from stampede.matches import Table
from stampede.matches.callers import Caller
from stampede.server.http.encode import encode
from stampede.server.http.websocket import CloseFrame
from stampede.server.tables.broadcast import Broadcaster, Viewer
from stampede.server.tables.games import CATALOGUE
from tests.matches.golden_logs import LOGS, read_log


class Sent:
    """A socket that keeps what it is sent, write by write."""

    backpressure = False

    def __init__(self) -> None:
        self.writes: list[tuple[bytes, ...]] = []
        self.endings: list[CloseFrame] = []

    def write_texts(self, *texts: bytes) -> None:
        self.writes.append(texts)

    def request_close(self, ending: CloseFrame, /) -> None:
        self.endings.append(ending)


@pytest.mark.parametrize("name", LOGS)
def test_updates_are_the_same_byte_for_byte(name: str) -> None:
    """For players and spectators, for those who want changes and those who want views."""

    async def scenario() -> None:
        rng = random.Random(2)
        log = read_log(name)
        table, twin = Table(CATALOGUE, log[0]), Table(CATALOGUE, log[0])
        chairs = [None, *range(len(table.state.chairs))]
        viewers = [Viewer(Caller(), player, 9, changes=True) for player in chairs]
        viewers += [Viewer(Caller(), player, 9, changes=False) for player in chairs[:2]]
        sockets = [Sent() for _ in viewers]
        broadcaster = Broadcaster()
        broadcaster.publish(table)
        for viewer, socket in zip(viewers, sockets, strict=True):
            broadcaster.welcome(table, viewer, None)
            viewer.connect(socket)
            twin.snapshot(viewer.player)
        for entry in log[1:]:
            since = table.seq
            table.apply(entry)
            twin.apply(entry)
            broadcaster.publish(table)
            await asyncio.sleep(0)
            order = list(range(len(viewers)))
            rng.shuffle(order)
            for index in order:
                viewer = viewers[index]
                changes = twin.changes_since(viewer.player, since) if viewer.changes else None
                expected: dict[str, Json] = {
                    "type": "update",
                    "seq": twin.seq,
                    "messages": [m.to_json() for m in twin.messages(viewer.player, since)],
                }
                if changes is None:
                    expected["view"] = twin.view_for(viewer.player).to_json()
                else:
                    expected["changes"] = changes.to_json()
                assert sockets[index].writes.pop() == (encode(expected),)

    asyncio.run(scenario())


def test_an_update_and_the_acknowledgement_behind_it_leave_in_one_write() -> None:
    async def scenario() -> None:
        viewer, socket = Viewer(Caller(), None, 3), Sent()
        viewer.send(b"early")
        viewer.connect(socket)
        viewer.send(b"chat")
        viewer.cork()
        viewer.send(b"update")
        viewer.send(b"ack")
        viewer.uncork()
        socket.backpressure = True
        for text in (b"1", b"2", b"3"):
            viewer.send(text)
        assert socket.writes == [(b"early",), (b"chat",), (b"update", b"ack")]
        assert len(viewer) == 3
        socket.backpressure = False
        viewer.flush()
        assert socket.writes[3:] == [(b"1", b"2", b"3")]
        viewer.cork()
        viewer.send(b"last")
        viewer.drop()
        assert socket.writes[4:] == [(b"last",)], "what was sent before the drop still leaves"
        assert viewer.dropped
        assert [ending.code for ending in socket.endings] == [4008]

    asyncio.run(scenario())


def test_a_viewer_who_does_not_read_is_dropped_and_their_queue_freed() -> None:
    async def scenario() -> None:
        viewer, socket = Viewer(Caller(), None, 2), Sent()
        viewer.connect(socket)
        socket.backpressure = True
        for text in (b"1", b"2", b"3"):
            viewer.send(text)
        assert (viewer.dropped, len(viewer)) == (True, 0)
        assert socket.writes == []
        assert len(socket.endings) == 1

    asyncio.run(scenario())
