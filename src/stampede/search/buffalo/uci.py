"""The engine behind the Universal Chess Interface, as far as Buffalo needs it: see docs/engine.md.

A session reads commands as lines and writes answers as lines. A search runs in a thread of its own, so that `stop`,
`isready` and `quit` are heard while it thinks. What can't be understood is answered by an `info string`, and changes
nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from stampede import __version__
from stampede.buffalo import Position, Side
from stampede.core.errors import InputError, ParseError, StampedeError
from stampede.kernels.jit import is_cached
from stampede.search.buffalo.engine import Engine, Limits, Stop
from stampede.search.buffalo.oracle import Oracle
from stampede.search.buffalo.pvs import pvs
from stampede.search.buffalo.transposition import ENTRY_BYTES
from stampede.search.buffalo.variations import SearchReport, Variation

__all__ = ["UciSession", "score_text"]

_MEGABYTE: Final = 1 << 20
_OPTIONS: Final = (
    "option name Hash type spin default 64 min 1 max 4096",
    "option name Clear Hash type button",
    "option name MultiPV type spin default 1 min 1 max 96",
    "option name Tables type check default true",
    "option name UCI_Variant type combo default buffalo var buffalo",
)
_NUMBERS: Final = (
    "movetime", "nodes", "depth", "wtime", "btime", "winc", "binc", "movestogo",
)  # fmt: skip
_WORDS: Final = ("infinite", "ponder")
_OVERHEAD: Final = 0.02
"""Seconds kept back for the way of the answer."""


def score_text(line: Variation) -> str:
    """A score as UCI writes it: `cp` in hundredths, `mate` in moves of the side to move."""
    if line.plies is None:
        return f"cp {line.score}"
    moves = (abs(line.plies) + 1) // 2
    return f"mate {moves if line.plies > 0 else -moves}"


def _info(report: SearchReport, number: int, line: Variation) -> str:
    moves = " ".join(map(str, line.moves))
    return (
        f"info depth {line.depth} multipv {number} score {score_text(line)} nodes {report.nodes}"
        f" nps {report.nodes_per_second} time {round(1000 * report.seconds)} pv {moves}"
    )


class UciSession:
    """One conversation with a GUI or a match runner."""

    def __init__(self, write: Callable[[str], None], make_oracle: Callable[[], Oracle]) -> None:
        """Makes a session.

        Args:
            write: Writes a line of the answer.
            make_oracle: Makes the oracle of the engine; called when the engine is first needed, as that takes a moment.
        """
        self._make_oracle = make_oracle
        self._write_line = write
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._megabytes = 64
        self._lines = 1
        self._knows = True
        self._position = Position.start()
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._held = threading.Event()

    def run(self, commands: Iterable[str]) -> None:
        """Answers commands until `quit` or their end."""
        try:
            for text in commands:
                words = text.split()
                if words and not self.hear(words):
                    break
        finally:
            self._end_search()

    def hear(self, words: Sequence[str]) -> bool:
        """Answers one command; False when it was `quit`."""
        try:
            return self._obey(words[0], list(words[1:]))
        except StampedeError as error:
            self._write(f"info string error: {error}")
        return True

    def _obey(self, command: str, words: list[str]) -> bool:
        match command:
            case "uci":
                self._introduce()
            case "isready":
                self._ready()
            case "setoption":
                self._end_search()
                self._set_option(words)
            case "ucinewgame":
                self._end_search()
                self._ready_engine().forget()
            case "position":
                self._end_search()
                self._position = _position(words)
            case "go":
                self._end_search()
                self._go(words)
            case "stop" | "ponderhit":
                self._end_search()
            case "quit":
                return False
            case "d":
                self._write(f"info string {self._position.fen()}")
            case "debug" | "register":
                pass
            case _:
                raise InputError(f"expected a UCI command, got {command!r}")
        return True

    def _write(self, line: str) -> None:
        with self._lock:
            self._write_line(line)

    def _introduce(self) -> None:
        for line in (f"id name Stampede {__version__}", "id author the Stampede authors"):
            self._write(line)
        for line in _OPTIONS:
            self._write(line)
        self._write("uciok")

    def _ready(self) -> None:
        self._ready_engine()
        self._write("readyok")

    def _ready_engine(self) -> Engine:
        if self._engine is None:
            note = "preparing the search"
            if not is_cached(pvs):
                note = "compiling the search, once on this machine: some ten seconds"
            self._write(f"info string {note}")
            Engine(entries=1).search(Position.start(), Limits(depth=1))
            oracle = self._make_oracle() if self._knows else None
            self._engine = Engine(self._megabytes * _MEGABYTE // ENTRY_BYTES, oracle=oracle)
        return self._engine

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        match name.strip().lower():
            case "hash":
                self._megabytes = _spin("Hash", value, 4096)
                self._engine = None
            case "clear hash":
                self._ready_engine().forget()
            case "multipv":
                self._lines = _spin("MultiPV", value, 96)
            case "tables":
                if value.strip() not in ("true", "false"):
                    raise InputError(f"Tables: expected true or false, got {value!r}")
                self._knows = value.strip() == "true"
                self._engine = None
            case "uci_variant":
                if value.strip() != "buffalo":
                    raise InputError(f"UCI_Variant: expected buffalo, got {value!r}")
            case _:
                raise InputError(f"expected an option that `uci` lists, got {name!r}")

    def _go(self, words: list[str]) -> None:
        limits, endless = _limits(words, self._position.turn)
        if self._position.is_over:
            self._write("info string the game is over")
            self._write("bestmove (none)")
            return
        self._stop = Stop()
        self._held = threading.Event()
        if not endless:
            self._held.set()
        arguments = (self._ready_engine(), self._position, limits, self._stop, self._held)
        self._thread = threading.Thread(target=self._think, args=arguments, daemon=True)
        self._thread.start()

    def _think(
        self, engine: Engine, position: Position, limits: Limits, stop: Stop, held: threading.Event
    ) -> None:
        found = engine.search(
            position, limits, variations=self._lines, report=self._report, stop=stop
        )
        self._report(found)
        if found.exact is not None:
            known = found.exact
            told = f"{known.winner} wins: proven, at most {found.at_most} moves"
            self._write(f"info string {told} ({known.kind} {known.source})")
        held.wait()
        reply = f" ponder {found.best.moves[1]}" if len(found.best.moves) > 1 else ""
        self._write(f"bestmove {found.best.move}{reply}")

    def _report(self, report: SearchReport) -> None:
        for number, line in enumerate(report.variations, 1):
            self._write(_info(report, number, line))

    def _end_search(self) -> None:
        if self._thread is not None:
            self._stop.set()
            self._held.set()
            self._thread.join()
            self._thread = None


def _spin(name: str, text: str, most: int) -> int:
    if not text.strip().isdecimal() or not 1 <= int(text) <= most:
        raise InputError(f"{name}: expected a number from 1 to {most}, got {text!r}")
    return int(text)


def _position(words: list[str]) -> Position:
    """The position of a `position` command; ParseError or IllegalAction when it can't be had."""
    setup, _, moves = " ".join(words).partition("moves")
    kind, _, fen = setup.strip().partition(" ")
    match kind:
        case "startpos":
            position = Position.start()
        case "fen":
            position = Position.from_fen(fen)
        case _:
            raise ParseError(f"position: expected startpos or fen, got {kind!r}")
    for move in moves.split():
        position = position.play(move)
    return position


def _limits(words: list[str], turn: Side) -> tuple[Limits, bool]:
    """The budget of a `go` command, and whether only `stop` ends it."""
    given: dict[str, int] = {}
    endless = not words
    rest = iter(words)
    for word in rest:
        if word in _WORDS:
            endless = True
        elif word in _NUMBERS:
            given[word] = _number(word, next(rest, ""))
        else:
            raise InputError(f"go: expected {', '.join(_NUMBERS + _WORDS)}, got {word!r}")
    seconds = given["movetime"] / 1000 if "movetime" in given else _share(given, turn)
    return Limits(given.get("depth"), given.get("nodes"), seconds), endless


def _number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    least = 1 if name in ("movetime", "nodes", "depth", "movestogo") else 0
    if value < least and name not in ("wtime", "btime"):
        raise InputError(f"go {name}: expected a number from {least}, got {text!r}")
    return value


def _share(given: dict[str, int], turn: Side) -> float | None:
    """How long to think with a clock: a share of what is left, since games last about thirty moves each."""
    side = "b" if turn is Side.BUFFALO else "w"
    left = given.get(f"{side}time")
    if left is None:
        return None
    seconds, more = left / 1000, given.get(f"{side}inc", 0) / 1000
    moves = min(given.get("movestogo", 24), 24)
    return max(0.005, min(seconds / moves + 0.8 * more, 0.5 * seconds) - _OVERHEAD)
