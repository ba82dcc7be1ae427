"""The simulated network: TCP connections by bytes, with delay, cuts, half-open ends and slow readers.

TCP keeps the order and doubles nothing within a connection, so the network doesn't either. Chunks may be cut at any
byte. What is lost, doubled or reordered are whole requests, which clients send again, and messages between workers.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from zlib import crc32

from simulation.loop import SimulatedLoop
from simulation.world import World

__all__ = ["USUAL_LATENCY", "Endpoint", "Network", "SocketAddress"]

HIGH_WATER: Final = 64 * 1024
LOW_WATER: Final = 16 * 1024
"""asyncio's own marks."""
USUAL_LATENCY: Final = 0.02
"""Seconds."""
MAX_READ: Final = 256 * 1024
"""What asyncio reads at once."""


class SocketAddress:
    """A listening socket, as far as uvicorn looks at it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def getsockname(self) -> tuple[str, int]:
        """Returns the address."""
        return ("10.0.0.1", self.port)

    def close(self) -> None:
        """Does nothing: the server object stops listening."""


class Listener(asyncio.AbstractServer):
    """A process that listens."""

    def __init__(self, network: Network, loop: SimulatedLoop, factory: Callable[[], Any]) -> None:
        self.loop = loop
        self.factory = factory
        self._network = network

    def close(self) -> None:
        """Stops listening."""
        if self in self._network.listeners:
            self._network.listeners.remove(self)

    def is_serving(self) -> bool:
        """Whether it listens."""
        return self in self._network.listeners

    async def wait_closed(self) -> None:
        """Returns at once."""

    async def start_serving(self) -> None:
        """Listens already."""

    async def serve_forever(self) -> None:
        """Isn't used by uvicorn."""
        raise NotImplementedError("expected `start_serving`: uvicorn runs its own main loop")

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Returns the process's loop."""
        return self.loop


class Endpoint(asyncio.Transport):
    """One end of a connection: an asyncio transport.

    Attributes:
        link: The connection's number.
        peer: The other end.
        protocol: What is told of it.
        reads: Whether its owner reads; a slow reader's end has False.
        lost: Whether the protocol was told of its end.
    """

    def __init__(
        self, network: Network, loop: SimulatedLoop, link: int, address: tuple[str, int], side: str
    ) -> None:
        super().__init__({"peername": address, "sockname": ("10.0.0.1", 80), "socket": None})
        self.loop = loop
        self.link = link
        self.side = side
        self.peer: Endpoint
        self.protocol: Any = None
        self.reads = True
        self.lost = False
        self.most_waiting = 0
        self._network = network
        self._buffer = bytearray()
        self._in_flight = 0
        self._last_arrival = 0.0
        self._inbox: deque[bytes | None] = deque()  # None: the peer has closed its side
        self._is_paused = False
        self._is_closing = False
        self._is_write_paused = False
        self._is_delivering = False
        self._high, self._low = HIGH_WATER, LOW_WATER

    # --- asyncio.Transport ---

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Sets who is told."""
        self.protocol = protocol

    def get_protocol(self) -> Any:
        """Returns who is told."""
        return self.protocol

    def is_closing(self) -> bool:
        """Whether it is closed or about to be."""
        return self._is_closing

    def is_reading(self) -> bool:
        """Whether it reads."""
        return not self._is_paused and not self._is_closing

    def pause_reading(self) -> None:
        """Stops reading."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Reads again."""
        if self._is_paused:
            self._is_paused = False
            self._deliver_soon()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Sets the water marks, with asyncio's defaults."""
        if high is None:
            high = HIGH_WATER if low is None else 4 * low
        self._high, self._low = high, high // 4 if low is None else low

    def get_write_buffer_limits(self) -> tuple[int, int]:
        """Returns the water marks."""
        return self._low, self._high

    def get_write_buffer_size(self) -> int:
        """Returns how many bytes wait."""
        return len(self._buffer)

    def can_write_eof(self) -> bool:
        """Says no, as nobody here closes one direction only."""
        return False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Sends what fits on the wire and keeps the rest."""
        if self._is_closing or not data or self.loop.exit_code is not None:
            return
        if self.side == "server" and self._network.world.reach("send") == "cut":
            self._network.cut(self.link)
        self._buffer += data
        self._pump()
        waiting = len(self._buffer)
        self.most_waiting = max(self.most_waiting, waiting)
        if waiting > self._high and not self._is_write_paused:
            self._is_write_paused = True
            self.protocol.pause_writing()

    def close(self) -> None:
        """Closes when everything is sent."""
        if self._is_closing or self.loop.exit_code is not None:
            return
        self._is_closing = True
        if not self._buffer:
            self.loop.call_soon(self._lose, None)

    def abort(self) -> None:
        """Closes at once; what waits is lost."""
        if self.lost:
            return
        self._is_closing = True
        self._buffer.clear()
        self.loop.call_soon(self._lose, None)

    # --- the wire ---

    def _pump(self) -> None:
        """Puts bytes on the wire, as many as the window takes, cut anywhere."""
        network = self._network
        while self._buffer and (room := network.window - self._in_flight) > 0:
            size = min(len(self._buffer), room, network.draw_chunk())
            chunk = bytes(self._buffer[:size])
            del self._buffer[:size]
            self._in_flight += size
            self._schedule(chunk)

    def _schedule(self, chunk: bytes | None) -> None:
        network = self._network
        if self.link in network.half_open:
            return  # nobody ever hears of it
        arrival = max(self._last_arrival, network.world.now + network.draw_delay())
        self._last_arrival = arrival
        network.world.after(arrival - network.world.now, self.peer._arrive, chunk)

    def _arrive(self, chunk: bytes | None) -> None:
        if self.lost or self.link in self._network.half_open:
            return
        if chunk:
            text = f"link {self.link} → {self.side}: {len(chunk)} bytes, {crc32(chunk):08x}"
            self._network.world.note(text)
        self._inbox.append(chunk)
        self._deliver_soon()

    def _deliver_soon(self) -> None:
        if self.protocol is None:  # not accepted yet
            return
        if self._inbox and not self._is_delivering and self.reads and not self._is_paused:
            self._is_delivering = True
            self.loop.call_soon(self._deliver)

    def resume_slow_reader(self) -> None:
        """Reads again, after `reads` was False."""
        self.reads = True
        self._deliver_soon()

    def _deliver(self) -> None:
        self._is_delivering = False
        if self.lost or self._is_paused or not self.reads or not self._inbox:
            return
        chunk = self._inbox.popleft()
        if chunk is None:
            if not self._is_closing and not self.protocol.eof_received():
                self.close()
            return
        while self._inbox and self._inbox[0] is not None and len(chunk) < MAX_READ:
            if not self._network.coalesces():
                break
            chunk += self._inbox.popleft()  # type: ignore[operator] # not None
        self.peer._acknowledge(len(chunk))
        if not self._is_closing:
            self.protocol.data_received(chunk)
        self._deliver_soon()

    def _acknowledge(self, size: int) -> None:
        """The peer has read so many bytes: there is room for more."""
        self._in_flight -= size
        if self.lost:
            return
        self._pump()
        if self._buffer or self._is_write_paused or self._is_closing:
            self.loop.call_soon(self._drained)

    def _drained(self) -> None:
        if self.lost:
            return
        if self._is_write_paused and len(self._buffer) <= self._low:
            self._is_write_paused = False
            self.protocol.resume_writing()
        if self._is_closing and not self._buffer:
            self._lose(None)

    def _lose(self, error: Exception | None) -> None:
        """Tells the protocol that it is over, once, and the peer in its time."""
        if self.lost:
            return
        self.lost = True
        self._is_closing = True
        self._buffer.clear()
        self._inbox.clear()
        self._network.forget(self)
        self._schedule(None)
        if self.protocol is not None:
            self.protocol.connection_lost(error)

    def reset(self, error: Exception) -> None:
        """The connection is cut: the protocol is told soon."""
        if not self.lost:
            self._is_closing = True
            self._buffer.clear()
            self.loop.call_soon(self._lose, error)


class Network:
    """All connections.

    Attributes:
        listeners: The processes that listen.
        half_open: Connections over which nothing arrives any more, and nobody is told.
        latency: The usual delay in seconds.
        window: Bytes on the way in one direction of a connection.
    """

    def __init__(self, world: World, rng: random.Random) -> None:
        self.world = world
        self.listeners: list[Listener] = []
        self.half_open: set[int] = set()
        self.latency = USUAL_LATENCY
        self.window = 64 * 1024
        self.cutting = 0.1
        self.ends: dict[Endpoint, None] = {}
        self._rng = rng
        self._links = 0
        world.on_cut = self.cut_all

    def listen(
        self, loop: SimulatedLoop, factory: Callable[[], asyncio.BaseProtocol], sock: object
    ) -> Listener:
        """A process listens; several share the address."""
        del sock
        listener = Listener(self, loop, factory)
        self.listeners.append(listener)
        return listener

    def connect(
        self, loop: SimulatedLoop, protocol: asyncio.Protocol, address: str, pick: random.Random
    ) -> Endpoint:
        """Connects a client to one of the listening processes.

        Raises:
            ConnectionRefusedError: Nobody listens.
        """
        if not self.listeners:
            raise ConnectionRefusedError("nobody listens")
        listener = pick.choice(self.listeners)
        self._links += 1
        peername = (address, 40_000 + self._links % 20_000)
        client = Endpoint(self, loop, self._links, ("10.0.0.1", 80), "client")
        server = Endpoint(self, listener.loop, self._links, peername, "server")
        client.peer, server.peer = server, client
        client.protocol = protocol
        self.ends[client] = self.ends[server] = None
        self.world.note(f"link {self._links}: {address} connects to {listener.loop.name}")
        self.world.after(self.draw_delay(), self._accept, listener, server)
        return client

    def _accept(self, listener: Listener, server: Endpoint) -> None:
        if listener not in self.listeners:  # it stopped meanwhile
            self.forget(server)
            server.lost = True
            server.peer.reset(ConnectionResetError("nobody listens any more"))
            return
        listener.loop.call_soon(self._make, listener, server)

    def _make(self, listener: Listener, server: Endpoint) -> None:
        if server.lost:
            return
        server.protocol = listener.factory()
        server.protocol.connection_made(server)
        client = server.peer
        if not client.lost:
            client.loop.call_soon(client.protocol.connection_made, client)
        server._deliver_soon()

    def forget(self, end: Endpoint) -> None:
        """Removes an end that is over."""
        self.ends.pop(end, None)

    def cut(self, link: int) -> None:
        """Cuts a connection: both ends are told, each in its time."""
        for end in [end for end in self.ends if end.link == link]:
            self.world.after(self.draw_delay(), end.reset, ConnectionResetError("cut"))

    def cut_all(self) -> None:
        """Cuts all connections."""
        for link in self.open_links():
            self.cut(link)

    def open_links(self) -> list[int]:
        """Returns the numbers of all connections that are open at the server."""
        return [end.link for end in self.ends if end.side == "server"]

    def kill(self, loop: SimulatedLoop, *, silently: bool) -> None:
        """A process has died: the kernel resets its connections, unless the whole machine is gone (silently)."""
        for listener in [item for item in self.listeners if item.loop is loop]:
            self.listeners.remove(listener)
        for end in [end for end in self.ends if end.loop is loop]:
            end.lost = True
            self.forget(end)
            if silently:
                self.half_open.add(end.link)
            else:
                self.world.after(self.draw_delay(), end.peer.reset, ConnectionResetError("killed"))

    def draw_delay(self) -> float:
        """Draws how long a packet takes."""
        rng = self._rng
        delay = self.latency * (0.25 + 1.5 * rng.random())
        return delay * 20 if rng.random() < 0.01 else delay

    def draw_chunk(self) -> int:
        """Draws how many bytes a packet takes: mostly many, sometimes cut anywhere."""
        if self._rng.random() < self.cutting:
            return self._rng.choice((1, 2, 3, 7, 50, 300, 1400))
        return 65536

    def coalesces(self) -> bool:
        """Draws whether two chunks that have arrived are read together."""
        return self._rng.random() < 0.5
