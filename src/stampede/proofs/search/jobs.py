"""The shipped proofs, and how each of them is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stampede.buffalo import Side
from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError
from stampede.proofs.search.certify import certify
from stampede.proofs.search.named import open_named
from stampede.proofs.search.prove import ProofStatus, Prover
from stampede.proofs.search.starts import missing_files, opening_key, start_key
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["JOBS", "JobProgress", "ProofJob", "run"]

_EIGHT: Final = str(TablebaseSpec.of(8, 3))
_NINE: Final = str(TablebaseSpec.of(9, 3))
_ENDGAMES: Final = "endgame/11/3/4"
_TWO: Final = str(TablebaseSpec.of(8, 2, (2, 3)))


@dataclass(frozen=True, slots=True)
class ProofJob:
    """A proof to be made.

    Attributes:
        name: The certificate's name.
        title: What it says, in a line.
        width: The board's width.
        keys: The positions, as int64.
        winner: The side that wins all of them.
        tablebases: The names of the tablebases that the search may use.
        first: Positions, as int64, that are searched before, in the same transposition table: the search of the others
            profits from them.
        megabytes: The size of the transposition table.
    """

    name: str
    title: str
    keys: tuple[int, ...]
    winner: Side
    tablebases: tuple[str, ...]
    width: int = len(FILES)
    first: tuple[int, ...] = ()
    megabytes: int = 256


@dataclass(frozen=True, slots=True)
class JobProgress:
    """The progress of a job: the position's number, counting those that are searched first, and its search."""

    position: int
    status: ProofStatus


def _narrow(width: int) -> ProofJob:
    tablebases = {9: (_EIGHT,), 10: (_EIGHT, _NINE)}.get(width, (str(TablebaseSpec.of(width, 4)),))
    title = f"A board of {width} columns with its full row of buffaloes"
    return ProofJob(f"columns-{width}", title, (start_key(width),), Side.HUNTER, tablebases, width)


def _without(name: str, missing: tuple[str, ...], *tablebases: str) -> ProofJob:
    left = len(FILES) - len(missing[0])
    how = f"without {', '.join(missing[0])}" if len(missing) == 1 else f"{len(missing)} ways"
    keys = tuple(start_key(missing=files) for files in missing)
    return ProofJob(name, f"{left} buffaloes, {how}", keys, Side.HUNTER, tablebases)


def _dead(files: str, column: int, squares: str = "2abcdefghij") -> str:
    """The tablebase of ten columns from this one on, without the buffaloes of some files."""
    live = "".join(FILES[at] for at in range(10) if FILES[at + column] not in files)
    return f"10/{live}/3/{squares}/3"


def _opening(name: str, title: str, steps: tuple[int, ...]) -> ProofJob:
    return ProofJob(name, title, (opening_key(steps),), Side.BUFFALO, ())


def _two_steps_key(files: str) -> int:
    """The position in which these files have made two steps and the others one."""
    return opening_key(tuple(2 if name in files else 1 for name in FILES))


def _two_steps(files: str, *, first: tuple[str, ...] = (), megabytes: int = 256) -> ProofJob:
    """These files have made two steps and the others one: proven by endgames, after easier ones of the kind."""
    title = (
        f"{', '.join(files[:-1])} and {files[-1]} have made two steps, the others one,"
        " the hunter is to move"
    )
    return ProofJob(
        f"opening-{files}-2",
        title,
        (_two_steps_key(files),),
        Side.BUFFALO,
        (_ENDGAMES,),
        first=tuple(map(_two_steps_key, first)),
        megabytes=megabytes,
    )


_OWN_TABLEBASE_8: Final = {"def": 0, "deg": 1, "deh": 1, "dfg": 1, "dfh": 0, "efg": 0, "cgh": 0}
"""Ways with eight buffaloes that need their own tablebase, and the column where it begins."""
_RANK_3: Final = "2abcdefghij+3bcdghi"
"""Squares for dogs that also let them block one row earlier."""
_TEN: Final = f"10/abcdefghij/3/{_RANK_3}/3"
_OWN_TABLEBASE_9: Final = {
    "de": (1, "2abcdefghij"),
    **dict.fromkeys(("df", "dg", "dh", "ef", "eg"), (1, _RANK_3)),
    "cg": (0, _RANK_3),
    "ch": (0, _RANK_3),
}

_ALL: Final = (
    *(_narrow(width) for width in range(5, 11)),
    _without(
        "buffaloes-8",
        tuple(way for way in missing_files(3) if way not in _OWN_TABLEBASE_8),
        _EIGHT,
        _TWO,
        _NINE,
    ),
    *(
        _without(f"buffaloes-8-{way}", (way,), _EIGHT, _dead(way, column))
        for way, column in _OWN_TABLEBASE_8.items()
    ),
    _without(
        "buffaloes-9",
        tuple(way for way in missing_files(2) if way not in _OWN_TABLEBASE_9),
        _EIGHT,
        _TWO,
        _NINE,
    ),
    *(
        _without(f"buffaloes-9-{way}", (way,), _EIGHT, _dead(way, column, squares))
        for way, (column, squares) in _OWN_TABLEBASE_9.items()
    ),
    _without("buffaloes-10", ("a", "b"), _EIGHT, _NINE),
    _without("buffaloes-10-cd", ("c", "d"), _EIGHT, _TEN),
    _opening("opening-all-2", "All eleven have made two steps, the hunter is to move", (2,) * 11),
    _opening(
        "opening-abc-233",
        "b and c have made three steps and a two, the hunter is to move",
        (2, 3, 3),
    ),
    _two_steps("abcijk"),
    _two_steps("abjk", first=("abcjk",), megabytes=1024),
    _opening("opening-abc-3", "a, b and c have made three steps, the hunter is to move", (3, 3, 3)),
)

JOBS: Final = {job.name: job for job in _ALL}
"""All jobs by name."""


def run(
    job: ProofJob,
    path: Path,
    *,
    folder: Path,
    cores: int = 2,
    megabytes: int | None = None,
    report: Callable[[JobProgress], object] = lambda _told: None,
) -> int:
    """Makes a job's certificate and returns its number of positions. Missing tablebases are built in the folder.

    Raises:
        InputError: A position has another winner than the job says.
    """
    tablebases, endgame = open_named(job.tablebases, folder, cores=cores)
    prover = Prover(
        tablebases,
        endgame=endgame,
        width=job.width,
        megabytes=megabytes or job.megabytes,
        cores=cores,
    )
    for number, key in enumerate((*job.first, *job.keys)):

        def show(status: ProofStatus, number: int = number) -> None:
            report(JobProgress(number, status))

        status = prover.search(key, report=show)
        if status.winner is not job.winner:
            raise InputError(f"expected a win of {job.winner} in {job.name}, got {status.winner}")
    return len(certify(prover, job.keys, job.winner, title=job.title, path=path).keys)
