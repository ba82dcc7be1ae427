"""How fast Buffalo's kernels and search are: figures by name, and ratios to others that were measured in the same run.

The others are the readable rules, in pure Python, and Fairy-Stockfish, if there is one to ask: the folder of its npm
package fairy-stockfish-nnue.wasm (installed outside this repository; it needs node), or the command of any native UCI
engine that knows the variant "stampede-buffalo". Without it, its rows are left out with the reason.

Rounds take turns, and the best of each counts, as whatever else the machine does can only slow things down.
"""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import numpy as np

from stampede.buffalo import Position
from stampede.buffalo import perft as readable
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import MAX_MOVES
from stampede.kernels.buffalo.perft import lines, lines_by_moves
from stampede.kernels.buffalo.playouts import playouts
from stampede.kernels.rng import new_rng
from stampede.lab.bench.measurements import Measurement, Measurements, best_rates
from stampede.search.buffalo.engine import Engine, Limits

__all__ = ["fairy_command", "measure", "rounds"]

KNOWN = {5: 4_078_531, 6: 247_539_753, 7: 2_618_375_760}
"""Lines from the start by depth."""
ROUND_SECONDS = 2.4
"""About what a round takes on the machine where this was written; it only turns seconds into a number."""
PLAYOUTS = 40_000
READABLE_GAMES = 60
READABLE_DEPTH = 4
FAIRY_DEPTH = 5
FAIRY_ROUNDS = 3
SEARCH_NODES = 400_000
FAIRY_SEARCH_SECONDS = 0.5
MIDDLE_GAME = (
    "3b4bb1/b1b1b1b4/1b3b1b2b/5D2D2/8D2/3D3C3/11 b - - 0 13",
    "2bb1b1bbbb/b3b1b4/1b9/11/5C3D1/1D2D5D/11 b - - 0 6",
    "b1bbb1bbb1b/1b3b3b1/11/11/11/3DDCDD3/11 w - - 0 1",
)
ENGINE_SECONDS = 120.0
"""After so long without an answer the engine is ended."""
BRIDGE = Path(__file__).with_name("match_fairy.cjs")


def rounds(seconds: float) -> int:
    """How many rounds a run of about so many seconds has."""
    return max(1, round(seconds / ROUND_SECONDS))


def measure(
    count: int,
    track: Callable[[range], Iterable[int]] = iter,
    fairy: list[str] | None = None,
) -> Measurements:
    """Measures in so many rounds, each with a bit of everything.

    Args:
        count: The number of rounds.
        track: Wraps the rounds, to show progress.
        fairy: The command that starts Fairy-Stockfish; None to leave it out.
    """
    best = _best_rates(count, track)
    report = Measurements(counts={f"perft, depth {depth}": KNOWN[depth] for depth in KNOWN})
    add = report.figures.append
    add(Measurement("perft", best["perft"], "leaves a second", 1e9))
    add(Measurement("perft by moves", best["perft by moves"], "leaves a second"))
    add(Measurement("random games", best["random games"], "games a second", 400_000))
    add(Measurement("search", best["search"], "nodes a second", 3e6))
    add(Measurement("readable perft", best["readable perft"], "leaves a second"))
    add(Measurement("readable random games", best["readable random games"], "games a second"))
    if count > 1:
        add(Measurement("first compile", _compile_seconds(), "seconds", 45, at_most=True))
    else:
        report.skipped["first compile"] = "a run of one round leaves it out"
    games = best["random games"] / best["readable random games"]
    add(Measurement("random games / readable random games", games, "times", 300))
    add(Measurement("perft / readable perft", best["perft"] / best["readable perft"], "times"))
    _add_fairy(report, best, fairy)
    return report


def _best_rates(count: int, track: Callable[[range], Iterable[int]]) -> dict[str, float]:
    """The best rate of each task over all rounds. Each task is given its round's number and returns what it did."""
    tasks: dict[str, Callable[[int], int]] = {
        "perft": lambda _: _lines(7),
        "perft by moves": lambda _: _by_moves(7),
        "perft, depth 6": lambda _: _lines(6),
        "perft, depth 5": lambda _: sum(_lines(FAIRY_DEPTH) for _ in range(100)),
        "perft by moves, depth 5": lambda _: sum(_by_moves(FAIRY_DEPTH) for _ in range(10)),
        "random games": _random_games,
        "readable random games": _readable_games,
        "readable perft": lambda _: readable.perft(Position.start(), READABLE_DEPTH),
        "search": _search,
    }
    return best_rates(tasks, track(range(count)))


def _checked(depth: int, found: int) -> int:
    if found != KNOWN[depth]:
        raise ValueError(f"perft {depth}: expected {KNOWN[depth]}, got {found}")
    return found


def _lines(depth: int) -> int:
    return _checked(depth, int(lines(new_board(Position.start()), depth)))


def _by_moves(depth: int) -> int:
    room = np.zeros(depth * MAX_MOVES, dtype=np.int64)
    return _checked(depth, int(lines_by_moves(new_board(Position.start()), depth, room, 0)))


def _random_games(seed: int) -> int:
    playouts(new_board(Position.start()), PLAYOUTS, new_rng(seed))
    return PLAYOUTS


def _readable_games(seed: int) -> int:
    """Random games on positions alone, unchecked: the readable rules at their fastest."""
    rng = random.Random(seed)
    for _ in range(READABLE_GAMES):
        position = Position.start()
        while moves := position.legal_moves:
            position = position.after(moves.sample(rng))
    return READABLE_GAMES


def _search(_round: int) -> int:
    """Searches of middle-game positions, each with an empty table."""
    done = 0
    for fen in MIDDLE_GAME:
        engine = Engine(entries=1 << 16)
        done += engine.search(Position.from_fen(fen), Limits(nodes=SEARCH_NODES)).nodes
    return done


def _compile_seconds() -> float:
    """How long a new user waits for all of both games: `stampede warmup` with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-m", "stampede.cli", "warmup", "--quiet"]
        subprocess.run(command, env=environment, check=True)  # noqa: S603
        return time.perf_counter() - begin


# --- Fairy-Stockfish ---


def fairy_command(folder: str | None, engine: str | None) -> list[str] | None:
    """The command for a folder of the npm package, or for a native engine; None when neither is given.

    Raises:
        ValueError: There is no such package or no node.
    """
    if engine is not None:
        return shlex.split(engine)
    if folder is None:
        return None
    if not (Path(folder) / "stockfish.js").is_file():
        raise ValueError(f"expected a folder with fairy-stockfish-nnue.wasm, got {folder}")
    node = which("node")
    if node is None:
        raise ValueError("expected node on the path, got none")
    return [node, "--no-experimental-fetch", str(BRIDGE), folder]


def _add_fairy(report: Measurements, best: dict[str, float], command: list[str] | None) -> None:
    if command is None:
        report.skipped["Fairy-Stockfish"] = (
            "no engine was named: install the npm package fairy-stockfish-nnue.wasm outside the "
            "repository and give its folder by --fairy, or a native engine by --engine"
        )
        return
    try:
        with _engine(command) as engine:
            counted = max(_fairy_perft(engine) for _ in range(FAIRY_ROUNDS))
            searched = max(_fairy_search(engine) for _ in range(FAIRY_ROUNDS))
    except (OSError, ValueError) as error:
        report.skipped["Fairy-Stockfish"] = f"{command[0]}: {error}"
        return
    add = report.figures.append
    add(Measurement("Fairy-Stockfish perft", counted, "leaves a second"))
    add(Measurement("Fairy-Stockfish search", searched, "nodes a second"))
    # Both at the depth that Fairy-Stockfish counts in about a second; the second one counts as it does.
    wanted = 60.0
    add(Measurement("perft / Fairy-Stockfish", best["perft, depth 5"] / counted, "times", wanted))
    by_moves = best["perft by moves, depth 5"] / counted
    add(Measurement("perft by moves / Fairy-Stockfish", by_moves, "times", wanted))
    add(Measurement("search / Fairy-Stockfish", best["search"] / searched, "times", 8))


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation with a UCI engine."""

    process: subprocess.Popen[str]

    def ask(self, command: str, until: str) -> list[str]:
        """Sends a command and reads lines up to one that begins with a word; ValueError when it never comes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        heard = []
        for line in self.process.stdout:
            heard.append(line.strip())
            if line.startswith(until):
                return heard
        raise ValueError(f"expected a line with {until!r} after {command!r}, but the engine ended")


@contextmanager
def _engine(command: list[str]) -> Iterator[_Talk]:
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - the user names the command
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as process:
        # A hung engine is ended, which also ends the wait for its line.
        guard = threading.Timer(ENGINE_SECONDS, process.kill)
        guard.start()
        try:
            talk = _Talk(process)
            talk.ask("uci", "uciok")
            talk.ask("isready", "readyok")
            yield talk
        finally:
            guard.cancel()
            process.kill()


def _fairy_perft(engine: _Talk) -> float:
    engine.ask(f"position fen {Position.start().fen()}\nisready", "readyok")
    begin = time.perf_counter()
    heard = engine.ask(f"go perft {FAIRY_DEPTH}", "Nodes searched")
    seconds = time.perf_counter() - begin
    return _checked(FAIRY_DEPTH, int(heard[-1].split()[-1])) / seconds


def _fairy_search(engine: _Talk) -> float:
    """Its nodes a second by its own report, over all positions."""
    nodes, milliseconds = 0, 0
    for fen in MIDDLE_GAME:
        engine.ask(f"ucinewgame\nposition fen {fen}\nisready", "readyok")
        heard = engine.ask(f"go movetime {round(1000 * FAIRY_SEARCH_SECONDS)}", "bestmove")
        words = next(line for line in reversed(heard) if " nodes " in line).split()
        nodes += int(words[words.index("nodes") + 1])
        milliseconds += int(words[words.index("time") + 1])
    return 1000 * nodes / milliseconds
