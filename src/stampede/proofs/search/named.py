"""Tablebases by their names: those of columns for the hunter's wins, an endgame tablebase for the buffalo side's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from stampede.core.errors import InputError
from stampede.proofs.search.partial_tablebase import build_partial, parse_name
from stampede.tablebase.build import BuildProgress, build_columns
from stampede.tablebase.endgames.build import build_endgame
from stampede.tablebase.endgames.endgame import Endgame, open_endgame
from stampede.tablebase.endgames.spec import EndgameSpec
from stampede.tablebase.spec import MOST_DOGS
from stampede.tablebase.tablebase import Tablebase, open_tablebase
from stampede.tablebase.windows import MAX_TABLEBASES

__all__ = ["NamedTablebases", "build_named", "check_names", "open_named"]

ReportProgress = Callable[[BuildProgress], object]


class NamedTablebases(NamedTuple):
    """Opened tablebases: those of columns, and the endgame tablebase if one is named."""

    tablebases: tuple[Tablebase, ...] = ()
    endgame: Endgame | None = None


def build_named(
    text: str,
    folder: Path,
    *,
    cores: int = 2,
    report: ReportProgress = lambda _progress: None,
    memory: int | None = None,
) -> Path:
    """Builds a tablebase of any kind by its name, unless its file exists, and returns the path.

    `memory` is that of `build_partial`, for partial tablebases.
    """
    if EndgameSpec.is_named(text):
        return build_endgame(EndgameSpec.parse(text), folder, cores=cores, report=report)
    spec, max_layer = parse_name(text)
    if max_layer is None:
        return build_columns(spec, folder, cores=cores, report=report)
    return build_partial(spec, max_layer, folder, cores=cores, report=report, memory=memory)


def check_names(names: Sequence[str], width: int) -> None:
    """Checks that a search on a board of this width can use tablebases of these names, without building one.

    Raises:
        InputError: A name is malformed or of another board, or there are too many of one kind.
    """
    endgames = [EndgameSpec.parse(name) for name in names if EndgameSpec.is_named(name)]
    if len(endgames) > 1:
        raise InputError(
            f"expected at most one endgame tablebase, got {', '.join(map(str, endgames))}"
        )
    if any((spec.columns, spec.dogs) != (width, MOST_DOGS) for spec in endgames):
        raise InputError(
            f"expected an endgame tablebase of {width} columns and {MOST_DOGS} dogs, got {endgames[0]}"
        )
    columns = [parse_name(name) for name in names if not EndgameSpec.is_named(name)]
    if len(columns) > MAX_TABLEBASES:
        raise InputError(
            f"expected at most {MAX_TABLEBASES} tablebases of columns, got {len(columns)}"
        )


def open_named(names: Sequence[str], folder: Path, *, cores: int = 1) -> NamedTablebases:
    """Opens tablebases by their names; missing ones are built.

    Raises:
        InputError: A name is malformed, or there is more than one endgame tablebase.
    """
    endgames = [name for name in names if EndgameSpec.is_named(name)]
    if len(endgames) > 1:
        raise InputError(f"expected at most one endgame tablebase, got {', '.join(endgames)}")
    paths = {name: build_named(name, folder, cores=cores) for name in names}
    return NamedTablebases(
        tuple(open_tablebase(path) for name, path in paths.items() if name not in endgames),
        open_endgame(paths[endgames[0]]) if endgames else None,
    )
