"""An update whose shared parts are encoded once has the bytes of one that is encoded for its viewer alone."""

from __future__ import annotations

import asyncio
import random

import pytest

from stampede.core.json import Json
from stampede.matches import Table
from stampede.matches.callers import Caller
from stampede.server.http.encode import encode
from stampede.server.http.frames import CloseFrame
from stampede.server.tables.broadcast import QUEUE_SLOT, Broadcaster, Viewer
from stampede.server.tables.games import CATALOGUE
from tests.matches.golden_logs import LOGS, read_log

MANY = 1 << 20


class Sent:
    """A socket that keeps what it is sent, write by write."""

    backpressure = False
    waiting = 0

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
        viewers = [Viewer(Caller(), player, MANY, changes=True) for player in chairs]
        viewers += [Viewer(Caller(), player, MANY, changes=False) for player in chairs[:2]]
        sockets = [Sent() for _ in viewers]
        broadcaster = Broadcaster()
        broadcaster.publish(table, 0)
        for viewer, socket in zip(viewers, sockets, strict=True):
            broadcaster.welcome(table, viewer, None, 0)
            viewer.connect(socket)
            twin.snapshot(viewer.player)
        for entry in log[1:]:
            since = table.seq
            table.apply(entry)
            twin.apply(entry)
            broadcaster.publish(table, 0)
            await asyncio.sleep(0)
            order = list(range(len(viewers)))
            rng.shuffle(order)
            for index in order:
                viewer = viewers[index]
                changes = twin.changes_since(viewer.player, since) if viewer.changes else None
                expected: dict[str, Json] = {
                    "type": "update",
                    "seq": twin.seq,
                    "now": 0,
                    "messages": [m.to_json() for m in twin.live_messages(since)],
                }
                if changes is None:
                    expected["view"] = twin.view_for(viewer.player).to_json()
                else:
                    expected["changes"] = changes.to_json()
                assert sockets[index].writes.pop() == (encode(expected),)

    asyncio.run(scenario())


def test_an_update_and_the_acknowledgement_behind_it_leave_in_one_write() -> None:
    async def scenario() -> None:
        viewer, socket = Viewer(Caller(), None, MANY), Sent()
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
        assert viewer.waiting > 3
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


@pytest.mark.parametrize("held", [0, 600], ids=["queued here", "and held by the socket"])
def test_a_viewer_who_does_not_read_is_dropped_and_their_queue_freed(held: int) -> None:
    """What counts are bytes: a few large messages are as many as a lot of small ones."""

    async def scenario() -> None:
        for size in (1, 100, 300):
            viewer, socket = Viewer(Caller(), None, 1000), Sent()
            viewer.connect(socket)
            socket.backpressure, socket.waiting = True, held
            fitting = (1000 - held) // (size + QUEUE_SLOT)
            for _ in range(fitting):
                viewer.send(b"x" * size)
            assert not viewer.dropped
            viewer.send(b"x" * size)
            assert (viewer.dropped, viewer.waiting) == (True, held)
            assert socket.writes == []
            assert len(socket.endings) == 1

    asyncio.run(scenario())


def test_viewers_are_sent_to_in_the_order_in_which_they_came() -> None:
    """Otherwise no run of a whole server could be repeated."""
    log = read_log("buffalo")
    table, order = Table(CATALOGUE, log[0]), list[int]()

    class Noting(Sent):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def write_texts(self, *texts: bytes) -> None:
            order.append(self.number)
            super().write_texts(*texts)

    broadcaster = Broadcaster()
    broadcaster.publish(table, 0)
    for number in range(50):
        viewer = Viewer(Caller(), None, MANY)
        broadcaster.welcome(table, viewer, None, 0)
        viewer.connect(Noting(number))
    table.apply(log[1])
    broadcaster.publish(table, 0)
    assert order == list(range(50))


def test_a_welcome_holds_the_latest_messages_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without gaps up to the present, in bytes as on the wire; what is left out is a request for events."""
    table = Table.rebuild(CATALOGUE, read_log(next(iter(LOGS))))

    def welcome(since: int | None) -> list[Json]:
        viewer = Viewer(Caller(), None, MANY)
        messages = Broadcaster().welcome(table, viewer, since, 0)["messages"]
        assert isinstance(messages, list)
        return messages

    everything = [message.to_json() for message in table.messages(None, 0)]
    assert len(everything) > 10
    assert welcome(0) == everything[-500:]
    assert welcome(None) == []
    for left_out in (1, 5, len(everything)):
        kept = everything[left_out:]
        size = len(encode(kept)) - 1  # without one of the brackets
        monkeypatch.setattr("stampede.server.tables.broadcast.MAX_MISSED_BYTES", size)
        assert welcome(0) == kept
        assert len(encode(welcome(0))) <= size + 1
