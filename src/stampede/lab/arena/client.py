"""A client for external UCI engines: started by a command, and not trusted to answer."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
from contextlib import suppress
from typing import IO, Final

from stampede.buffalo import Move, Position
from stampede.core.errors import InputError
from stampede.lab.arena.answers import PlayerFault, PlayerMove
from stampede.search.buffalo.engine import Limits

__all__ = ["UciPlayer"]

_START_SECONDS: Final = 60.0
_UNTIMED_SECONDS: Final = 600.0


class UciPlayer:
    """An engine in another process. After a failure it is restarted for the next game."""

    def __init__(self, command: str, limits: Limits, grace: float) -> None:
        """Makes a player; the engine is started with the first game.

        Raises:
            InputError: The command is empty, or there is no limit.
        """
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise InputError(f"uci: expected a command, got {command!r}: {error}") from error
        if not self._command:
            raise InputError("uci: expected a command after uci:, got nothing")
        if limits == Limits():
            raise InputError("uci: expected a limit of depth, nodes or seconds")
        self.name = command.strip()
        self._limits = limits
        self._grace = grace
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()

    def begin(self, seed: str) -> None:
        """Begins a game; starts the engine if it isn't running."""
        del seed
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._send("ucinewgame")
        self._send("isready")
        self._wait_for("readyok", _START_SECONDS)

    def move(self, start: Position, moves: list[Move], position: Position) -> PlayerMove:
        """The engine's move."""
        del position
        played = " ".join(map(str, moves))
        self._send(f"position fen {start.fen()}" + (f" moves {played}" if played else ""))
        self._send(f"go {_go(self._limits)}")
        seconds = self._limits.seconds or _UNTIMED_SECONDS
        answer = self._wait_for("bestmove", seconds + self._grace).split()
        if len(answer) < 2:
            self.close()
            raise PlayerFault("expected a move after bestmove, got nothing")
        return PlayerMove(answer[1])

    def close(self) -> None:
        """Ends the engine, by force if it doesn't quit."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError, ValueError):
            process.stdin.write("quit\n")
        with suppress(OSError, ValueError):
            process.stdin.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join()
        if process.stdout is not None:
            process.stdout.close()

    def _start(self) -> None:
        self.close()
        self._answers = queue.Queue()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user named the command
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise PlayerFault(f"can't be started: {error.strerror or error}") from error
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._answers), daemon=True
        )
        self._reader.start()
        self._send("uci")
        self._wait_for("uciok", _START_SECONDS)

    def _send(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise PlayerFault("isn't running")
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except (OSError, ValueError) as error:
            self.close()
            raise PlayerFault("died") from error

    def _wait_for(self, word: str, seconds: float) -> str:
        """The next line that begins with a word. When it doesn't come in time the engine is ended: PlayerFault."""
        while True:
            try:
                line = self._answers.get(timeout=seconds)
            except queue.Empty:
                self.close()
                raise PlayerFault(f"hung: no {word} within {seconds:g} s") from None
            if line is None:
                self.close()
                raise PlayerFault(f"died before {word}")
            if line.split()[:1] == [word]:
                return line


def _read(stream: IO[str], answers: queue.Queue[str | None]) -> None:
    with suppress(OSError, ValueError):
        for line in stream:
            answers.put(line)
    answers.put(None)


def _go(limits: Limits) -> str:
    parts = []
    if limits.seconds is not None:
        parts.append(f"movetime {max(1, round(1000 * limits.seconds))}")
    if limits.nodes is not None:
        parts.append(f"nodes {limits.nodes}")
    if limits.depth is not None:
        parts.append(f"depth {limits.depth}")
    return " ".join(parts)
