"""A slow line between a browser and its server: a TCP proxy that delays, holds and cuts.

Chromium's own throttling leaves WebSockets alone; this proxy doesn't. A new connection costs one round trip more, as a
TCP handshake does.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

CHUNK = 65536


class SlowLine:
    """The proxy: its address is `base`. It may be told to hold all bytes, or to cut every connection.

    Args:
        target: The server's address.
        round_trip: Seconds that a byte and its answer need on the way.
    """

    def __init__(self, target: str, round_trip: float) -> None:
        parts = urlsplit(target)
        assert parts.hostname is not None
        self._address = (parts.hostname, parts.port)
        self._half = round_trip / 2
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._listening: asyncio.Task[None] | None = None
        self.base = ""

    async def listen(self, started: threading.Event) -> None:
        """Serves until it is cancelled."""
        self._listening = asyncio.current_task()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        started.set()
        async with server:
            await server.serve_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # asyncio reports a handler that is cancelled as an error.
        with suppress(asyncio.CancelledError):
            await self._connect(reader, writer)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        await asyncio.sleep(2 * self._half)  # the handshake
        try:
            there, back = await asyncio.open_connection(*self._address)
        except OSError:
            writer.close()
            return
        self._writers.add(back)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._carry(reader, back))
            group.create_task(self._carry(there, writer))

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Passes bytes on, each after its delay and in their order."""
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while (item := await waiting.get())[1]:
                due, chunk = item
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                await self._open.wait()
                target.write(chunk)
                await target.drain()

        delivering = asyncio.ensure_future(deliver())
        try:
            while chunk := await source.read(CHUNK):
                waiting.put_nowait((self._loop.time() + self._half, chunk))
        except OSError:
            pass
        waiting.put_nowait((0.0, b""))
        with suppress(OSError):
            await delivering
        target.close()

    def hold(self) -> None:
        """Lets nothing through, though the line looks alive."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def release(self) -> None:
        """Lets everything through again, in its order."""
        self._loop.call_soon_threadsafe(self._open.set)

    def cut(self) -> None:
        """Breaks every connection; what was held is lost."""

        def abort() -> None:
            for writer in list(self._writers):
                writer.transport.abort()

        self._loop.call_soon_threadsafe(abort)

    def run(self, started: threading.Event) -> None:
        """Runs the proxy in this thread."""
        asyncio.set_event_loop(self._loop)
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self.listen(started))
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        for writer in self._writers:
            writer.transport.abort()
        self._loop.run_until_complete(asyncio.sleep(0.01))  # sockets close in the next turn
        self._loop.close()
        self._writers.clear()

    def stop(self) -> None:
        """Ends it."""
        assert self._listening is not None
        self._loop.call_soon_threadsafe(self._listening.cancel)


@contextmanager
def slow_line(target: str, round_trip: float) -> Iterator[SlowLine]:
    """A proxy before a server, for as long as the block runs."""
    line = SlowLine(target, round_trip)
    started = threading.Event()
    thread = threading.Thread(target=line.run, args=(started,), daemon=True)
    thread.start()
    assert started.wait(30), "expected the proxy to listen"
    try:
        yield line
    finally:
        line.stop()
        thread.join(30)
