"""boardgame.io beside our server: how many moves of a trivial game it takes on one core.

It is fetched by npm into build/peer, in the versions that `benches/peer/package-lock.json` pins. Its clients here are
as lean as those of our own server: raw frames of socket.io's protocol on the same sockets.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import orjson

from benches.load.process import Running, serving
from benches.load.report import quantile
from benches.load.socket import Line, connect
from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["Comparison", "PeerCrowd", "Rival", "install", "serving_peer"]

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ROOT / "benches" / "peer"
PACKAGES: Final = ROOT / "build" / "peer"
NPM: Final = str(ROOT / "scripts" / "npm")

SOCKET: Final = "/socket.io/?EIO=4&transport=websocket"
OPEN, PING, PONG = b"0{", b"2", b"3"
JOIN, JOINED, EVENT = b"40/count,", b"40/count,{", b"42/count,"
QUIET: Final = 1.0
PATIENCE: Final = 60.0


@dataclass(slots=True)
class Rival:
    """What one server did, in several rounds.

    Attributes:
        name: Which one.
        waits: Seconds from a move to its answer, by round.
        seconds: How long each round was.
        processor: Seconds of the core that the server used in each round.
        extra: Commands beside the moves, which took processor time, too.
    """

    name: str
    waits: list[list[float]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    extra: int = 0

    def add(self, waits: list[float], seconds: float, processor: float, extra: int = 0) -> None:
        """Takes a round in."""
        self.waits.append(waits)
        self.seconds.append(seconds)
        self.processor.append(processor)
        self.extra += extra

    @property
    def rate(self) -> float:
        """Moves a second: the median of the rounds."""
        pairs = zip(self.waits, self.seconds, strict=True)
        return median(len(waits) / seconds for waits, seconds in pairs)

    @property
    def each(self) -> float:
        """Seconds of processor time for a move."""
        return sum(self.processor) / (sum(map(len, self.waits)) + self.extra)

    def wait(self, share: float) -> float:
        """The wait that this share of all moves doesn't exceed."""
        return quantile([wait for waits in self.waits for wait in waits], share)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Our server and the others, in the order in which they were measured."""

    ours: Rival
    rivals: tuple[Rival, ...]

    def to_json(self) -> JsonObject:
        """All figures, and how many times as many moves ours does as each of the others."""
        others = [rival for rival in self.rivals if rival is not self.ours]
        return {
            "servers": [
                {
                    "name": rival.name,
                    "moves_per_second": round(rival.rate),
                    "p50_ms": round(1000 * rival.wait(0.5), 2),
                    "p99_ms": round(1000 * rival.wait(0.99), 2),
                    "processor_us": round(1e6 * rival.each, 1),
                }
                for rival in self.rivals
            ],
            "moves": {rival.name: round(self.ours.rate / rival.rate, 2) for rival in others},
            "processor": {rival.name: round(rival.each / self.ours.each, 2) for rival in others},
        }


# --- its packages and its process ---


def install() -> str:
    """Fetches boardgame.io unless it is there; returns the path of Node.js. InputError when there is none."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    lock = (SOURCES / "package-lock.json").read_bytes()
    stamp = PACKAGES / ".stamp"
    if not stamp.exists() or stamp.read_bytes() != lock:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(SOURCES / name, PACKAGES / name)
        _npm("--prefix", str(PACKAGES), "ci", "--omit=dev")
        stamp.write_bytes(lock)
    return _npm("exec", "--call", "node -p process.execPath").strip()


def _npm(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own script
        [NPM, "--silent", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InputError(f"expected npm to work, got: {(done.stderr or done.stdout)[-500:]}")
    return done.stdout


@contextmanager
def serving_peer(node: str, store: str, core: int) -> Iterator[Running]:
    """Runs boardgame.io on a core of its own; the store is "memory", or a folder for its FlatFile."""
    command = [str(SOURCES / "server.cjs"), str(PACKAGES), "0", store]
    with serving(command, {"NODE_ENV": "production"}, core, program=node) as running:
        yield running


# --- its clients ---


@dataclass(slots=True)
class Moves:
    """What the clients have noted since the last phase began: seconds from a move to its answer."""

    waits: list[float] = field(default_factory=list)
    resting: bool = False


class Client:
    """One of a match's two players: moves as soon as it is its turn."""

    __slots__ = ("_line", "_match", "_moves", "_name", "_player", "_sent", "_state", "joined")

    def __init__(self, line: Line, match: str, player: int, moves: Moves) -> None:
        self._line = line
        self._match = match
        self._player = player
        self._name = str(player)
        self._moves = moves
        self._sent = 0.0
        self._state = -1
        self.joined = asyncio.get_running_loop().create_future()
        line.listen(self.hear)

    def hear(self, text: bytes) -> None:
        """Takes a packet of engine.io: https://socket.io/docs/v4/engine-io-protocol."""
        if text.startswith(EVENT):
            name, _, told, *_ = orjson.loads(text[len(EVENT) :])
            if name in {"sync", "update"}:
                self._look(told["state"] if name == "sync" else told)
        elif text == PING:
            self._line.send(PONG)
        elif text.startswith(OPEN):
            self._line.send(JOIN)
        elif text.startswith(JOINED):
            self._emit("sync", self._match, self._name, None, 2)

    def _look(self, state: dict[str, object]) -> None:
        number = state["_stateID"]
        assert isinstance(number, int)
        if not self.joined.done():
            self.joined.set_result(None)
        if self._sent and number == self._state + 1:
            self._moves.waits.append(time.perf_counter() - self._sent)
            self._sent = 0.0
        self._state = number
        self.move()

    def move(self) -> None:
        """Makes a move when it is its turn."""
        if self._moves.resting or self._sent or self._state % 2 != self._player:
            return
        move = {"type": "add", "args": (), "playerID": self._name, "credentials": None}
        action = {"type": "MAKE_MOVE", "payload": move}
        self._sent = time.perf_counter()
        self._emit("update", action, self._state, self._match, self._name)

    def _emit(self, *values: object) -> None:
        self._line.send(EVENT + orjson.dumps(values))


class PeerCrowd:
    """All clients of one boardgame.io, two at each match."""

    def __init__(
        self, server: Running, lines: list[Line], clients: list[Client], moves: Moves
    ) -> None:
        self._server = server
        self._lines = lines
        self._clients = clients
        self._moves = moves

    @classmethod
    async def gather(cls, server: Running, matches: int) -> PeerCrowd:
        """Connects everybody; boardgame.io makes a match when its first player asks for it."""
        moves, lines, clients = Moves(resting=True), [], []
        for match in range(matches):
            for player in range(2):
                line = await connect(server.host, server.port, SOCKET)
                client = Client(line, f"match{match}", player, moves)
                await asyncio.wait_for(client.joined, PATIENCE)
                lines.append(line)
                clients.append(client)
        return cls(server, lines, clients, moves)

    async def rush(self, rival: Rival, seconds: float) -> None:
        """Everybody moves as soon as it is their turn; the round goes to `rival`."""
        moves = self._moves
        moves.waits, moves.resting = [], False
        begin, busy = time.perf_counter(), self._server.seconds()
        for client in self._clients:
            client.move()
        await asyncio.sleep(seconds)
        while not moves.waits and time.perf_counter() < begin + PATIENCE:
            await asyncio.sleep(0.1)
        waits, moves.waits, moves.resting = moves.waits, [], True
        rival.add(waits, time.perf_counter() - begin, self._server.seconds() - busy)
        await asyncio.sleep(QUIET)  # what is under way comes to its end
        lost = sum(line.lost for line in self._lines)
        if lost or not waits:
            raise RuntimeError(f"expected moves, got {len(waits)}, and {lost} lines lost")
