"""What several commands of the benchmarks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, TypeAlias

import typer

from stampede.cli.common.output import tracked

__all__ = ["Seconds", "progress"]

Seconds: TypeAlias = Annotated[
    float, typer.Option("--seconds", min=0.1, metavar="S", help="How long the run takes, about.")
]


def progress(count: int) -> Callable[[range], Iterable[int]]:
    """What shows the progress of so many rounds."""
    return partial(tracked, total=count, what="Measuring")
