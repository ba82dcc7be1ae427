"""The engine behind the Universal Chess Interface (UCI), as far as Buffalo needs it: see docs/engine.md.

A session reads commands and writes answers, a line each. A search runs in its own thread, so the session still obeys
`stop`, `isready` and `quit`. An invalid command changes nothing and is answered with an `info string`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from stampede import __version__
from stampede.buffalo import BuffaloGame, Position, Side
from stampede.core.errors import InputError, ParseError, StampedeError
from stampede.kernels.jit import is_cached
from stampede.search.buffalo.engine import MAX_THREADS, Engine, Limits, Stop
from stampede.search.buffalo.oracle import Oracle
from stampede.search.buffalo.pvs import pvs
from stampede.search.buffalo.transposition import ENTRY_BYTES
from stampede.search.buffalo.variations import SearchReport, Variation

__all__ = ["UciSession", "format_score"]

_MEGABYTE: Final = 1 << 20
_MAX_HASH_MEGABYTES: Final = 4096
_MAX_VARIATIONS: Final = 96
_OPTIONS: Final = (
    f"option name Hash type spin default 64 min 1 max {_MAX_HASH_MEGABYTES}",
    "option name Clear Hash type button",
    f"option name MultiPV type spin default 1 min 1 max {_MAX_VARIATIONS}",
    f"option name Threads type spin default 1 min 1 max {MAX_THREADS}",
    "option name Tables type check default true",
    "option name UCI_Variant type combo default buffalo var buffalo",
)
_NUMBERS: Final = (
    "movetime", "nodes", "depth", "wtime", "btime", "winc", "binc", "movestogo",
)  # fmt: skip
_ENDLESS: Final = ("infinite", "ponder")
_OVERHEAD: Final = 0.02
"""Seconds that are kept in reserve for sending the answer."""


def format_score(variation: Variation) -> str:
    """Writes a score as UCI does: `cp` in hundredths, `mate` in moves of the side to move."""
    if variation.plies is None:
        return f"cp {variation.score}"
    moves = (abs(variation.plies) + 1) // 2
    return f"mate {moves if variation.plies > 0 else -moves}"


def _format_info(report: SearchReport, number: int, variation: Variation) -> str:
    moves = " ".join(map(str, variation.moves))
    return (
        f"info depth {variation.depth} multipv {number} score {format_score(variation)}"
        f" nodes {report.nodes}"
        f" nps {report.nodes_per_second} time {round(1000 * report.seconds)} pv {moves}"
    )


class UciSession:
    """A session with a GUI or a match runner."""

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
        self._variations = 1
        self._threads = 1
        self._uses_oracle = True
        self._position = Position.start()
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._may_answer = threading.Event()
        """UCI: after `go infinite` the engine must not answer before `stop`, even when it has finished."""

    def run(self, commands: Iterable[str]) -> None:
        """Obeys commands until `quit` or the end of the input."""
        try:
            for text in commands:
                words = text.split()
                if words and not self.obey(words):
                    break
        finally:
            self._end_search()

    def obey(self, words: Sequence[str]) -> bool:
        """Obeys one command; False when it was `quit`."""
        try:
            return self._dispatch(words[0], list(words[1:]))
        except StampedeError as error:
            self._write(f"info string error: {error}")
        return True

    def _dispatch(self, command: str, words: list[str]) -> bool:
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
                self._position = _parse_position(words)
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
            oracle = self._make_oracle() if self._uses_oracle else None
            entries = self._megabytes * _MEGABYTE // ENTRY_BYTES
            self._engine = Engine(entries, oracle=oracle, threads=self._threads)
        return self._engine

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        match name.strip().lower():
            case "hash":
                self._megabytes = _parse_spin("Hash", value, _MAX_HASH_MEGABYTES)
                self._engine = None
            case "clear hash":
                self._ready_engine().forget()
            case "multipv":
                self._variations = _parse_spin("MultiPV", value, _MAX_VARIATIONS)
            case "threads":
                self._threads = _parse_spin("Threads", value, MAX_THREADS)
                self._engine = None
            case "tables":
                if value.strip() not in ("true", "false"):
                    raise InputError(f"Tables: expected true or false, got {value!r}")
                self._uses_oracle = value.strip() == "true"
                self._engine = None
            case "uci_variant":
                if value.strip() != BuffaloGame.name:
                    raise InputError(f"UCI_Variant: expected buffalo, got {value!r}")
            case _:
                raise InputError(f"expected an option that `uci` lists, got {name!r}")

    def _go(self, words: list[str]) -> None:
        limits, endless = _parse_limits(words, self._position.turn)
        if self._position.is_over:
            self._write("info string the game is over")
            self._write("bestmove (none)")
            return
        self._stop = Stop()
        self._may_answer = threading.Event()
        if not endless:
            self._may_answer.set()
        arguments = (self._ready_engine(), self._position, limits, self._stop, self._may_answer)
        self._thread = threading.Thread(target=self._think, args=arguments, daemon=True)
        self._thread.start()

    def _think(
        self,
        engine: Engine,
        position: Position,
        limits: Limits,
        stop: Stop,
        may_answer: threading.Event,
    ) -> None:
        found = engine.search(
            position, limits, variations=self._variations, report=self._report, stop=stop
        )
        self._report(found)
        if found.exact is not None:
            exact = found.exact
            result = f"{exact.winner} wins: proven, at most {found.at_most} moves"
            self._write(f"info string {result} ({exact.kind} {exact.source})")
        may_answer.wait()
        reply = f" ponder {found.best.moves[1]}" if len(found.best.moves) > 1 else ""
        self._write(f"bestmove {found.best.move}{reply}")

    def _report(self, report: SearchReport) -> None:
        for number, variation in enumerate(report.variations, 1):
            self._write(_format_info(report, number, variation))

    def _end_search(self) -> None:
        if self._thread is not None:
            self._stop.set()
            self._may_answer.set()
            self._thread.join()
            self._thread = None


def _parse_spin(name: str, text: str, maximum: int) -> int:
    if not text.strip().isdecimal() or not 1 <= int(text) <= maximum:
        raise InputError(f"{name}: expected a number from 1 to {maximum}, got {text!r}")
    return int(text)


def _parse_position(words: list[str]) -> Position:
    """The position of a `position` command; ParseError or IllegalAction when there is none."""
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


def _parse_limits(words: list[str], turn: Side) -> tuple[Limits, bool]:
    """The budget of a `go` command, and whether only `stop` ends it."""
    given: dict[str, int] = {}
    endless = not words
    rest = iter(words)
    for word in rest:
        if word in _ENDLESS:
            endless = True
        elif word in _NUMBERS:
            given[word] = _parse_number(word, next(rest, ""))
        else:
            raise InputError(f"go: expected {', '.join(_NUMBERS + _ENDLESS)}, got {word!r}")
    seconds = given["movetime"] / 1000 if "movetime" in given else _allot_time(given, turn)
    return Limits(given.get("depth"), given.get("nodes"), seconds), endless


def _parse_number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    least = 1 if name in ("movetime", "nodes", "depth", "movestogo") else 0
    if value < least and name not in ("wtime", "btime"):
        raise InputError(f"go {name}: expected a number from {least}, got {text!r}")
    return value


def _allot_time(given: dict[str, int], turn: Side) -> float | None:
    """Seconds for a move with a game clock: a share of what is left, as games last about thirty moves each."""
    side = "b" if turn is Side.BUFFALO else "w"
    left = given.get(f"{side}time")
    if left is None:
        return None
    seconds, increment = left / 1000, given.get(f"{side}inc", 0) / 1000
    moves = min(given.get("movestogo", 24), 24)
    return max(0.005, min(seconds / moves + 0.8 * increment, 0.5 * seconds) - _OVERHEAD)
