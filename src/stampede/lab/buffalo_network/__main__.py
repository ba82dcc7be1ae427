"""Trains the network of Buffalo's evaluation: plays the games that a folder lacks, then fits the network to them.

The games are played by the engine without a network, which probes the tablebases of this machine (stampede warmup
--tablebases). An interrupted command continues when it is given again. The last of every 80 batches is held out. The
same tablebases and settings give the same file.

Examples:
  python -m stampede.lab.buffalo_network --folder build/positions --out src/stampede/search/buffalo/network.npz
  python -m stampede.lab.buffalo_network --folder build/few --batches 4 --games 10 --nodes 500 --out build/network.npz
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from stampede.core.errors import StampedeError
from stampede.lab.buffalo_network.fit import RATES, NetworkFit, make_examples
from stampede.lab.buffalo_network.positions import Batch, read_batches, self_play_job
from stampede.lab.shards import Executor, Job, JobFolder, executor_for, run
from stampede.search.buffalo.network import write_network

__all__ = ["main"]

_HELD_OUT: Final = 80
_FIT_SEED: Final = 1


def main(arguments: list[str] | None = None) -> int:
    """Plays, fits and writes the file; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m stampede.lab.buffalo_network",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the positions are kept")
    parser.add_argument("--out", type=Path, required=True, help="the network's file, .npz")
    parser.add_argument("--batches", type=int, default=400)
    parser.add_argument("--games", type=int, default=400, help="of a batch")
    parser.add_argument("--nodes", type=int, default=5000, help="of a move")
    parser.add_argument("--trust", type=float, default=0.3, help="share of the game's result")
    parser.add_argument("--seed", default="net/5000", help="of the games: any text")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster, or local")
    told = parser.parse_args(arguments)
    try:
        job = self_play_job(told.batches, told.games, told.nodes, told.seed)
        folder = _play(job, told.folder, executor_for(told.jobs, told.ray))
        settings = " ".join(
            f"--{name} {getattr(told, name)}"
            for name in ("batches", "games", "nodes", "trust", "seed")
        )
        fit = _fit(list(read_batches(folder)), told.trust)
        write_network(told.out, fit.network(f"python -m stampede.lab.buffalo_network {settings}"))
    except (StampedeError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    return 0


def _play(job: Job, path: Path, executor: Executor) -> JobFolder:
    with Progress(console=Console(stderr=True)) as progress:
        shown = progress.add_task("self-play", total=job.items)

        def show(done: int) -> None:
            progress.update(shown, completed=done)

        return run(job, path, executor, progress=show).folder


def _fit(batches: list[Batch], trust: float) -> NetworkFit:
    held_out = batches[_HELD_OUT - 1 :: _HELD_OUT] or batches[-1:]
    chosen = [batch for batch in batches if all(batch is not other for other in held_out)]
    examples, unseen = make_examples(chosen or batches, trust), make_examples(held_out, trust)
    fit = NetworkFit(_FIT_SEED)
    print(f"{len(examples.targets)} positions, {len(unseen.targets)} held out")  # noqa: T201
    for number, rate in enumerate(RATES, 1):
        fit.make_pass(examples, rate)
        print(f"pass {number}: loss {fit.loss(unseen):.4f} on those held out", flush=True)  # noqa: T201
    return fit


if __name__ == "__main__":
    sys.exit(main())
