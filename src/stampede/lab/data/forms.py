"""What a game's steps and states look like as columns: the interface, and what its implementations share."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.json

from stampede.core.errors import RecordError
from stampede.core.json import Json
from stampede.core.playthrough import AnyPlaythrough
from stampede.core.record import GameRecord

__all__ = ["DataForm", "Steps", "decision_steps", "read_actions", "step_keys"]

_BLOCK_MARGIN: Final = 1024


class Steps(NamedTuple):
    """The steps of some games.

    Attributes:
        table: A row a step.
        counts: How many steps each game has.
        rounds: How many rounds each game has.
    """

    table: pa.Table
    counts: npt.NDArray[np.int32]
    rounds: npt.NDArray[np.int16]


class DataForm(Protocol):
    """A game's columns.

    Attributes:
        steps: The columns of `steps`.
        states: The columns of `states`.
    """

    steps: pa.Schema
    states: pa.Schema

    def make_steps(self, lines: Sequence[bytes], heads: Sequence[GameRecord], first: int) -> Steps:
        """Makes the rows of `steps` from the lines of records; ``first`` is the number of the first game."""

    def read_steps(self, steps: Mapping[str, Sequence[Json]], begin: int, end: int) -> list[Json]:
        """Returns rows of `steps` as the steps of a record."""

    def state_rows(self, game: int, played: AnyPlaythrough) -> Iterator[tuple[object, ...]]:
        """Yields the rows of `states`: what is on the table before each decision."""


def read_actions(lines: Sequence[bytes], step: pa.DataType) -> pa.ListArray:
    """Reads the steps of records, a list for each line; RecordError names a wrong line, from 0, as its index."""
    try:
        return _parse(lines, step)
    except pa.ArrowInvalid as error:
        for index, line in enumerate(lines):
            try:
                _parse([line], step)
            except pa.ArrowInvalid as one:
                raise RecordError(f"actions: {one}", index) from one
        raise RecordError(f"actions: {error}") from error


def _parse(lines: Sequence[bytes], step: pa.DataType) -> pa.ListArray:
    text = b"\n".join(line.rstrip(b"\n") for line in lines)
    table = pyarrow.json.read_json(
        io.BytesIO(text),
        pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + _BLOCK_MARGIN),
        pyarrow.json.ParseOptions(
            explicit_schema=pa.schema([("actions", pa.list_(step))]),
            unexpected_field_behavior="ignore",
        ),
    )
    actions = table["actions"].combine_chunks()
    if len(actions) != len(lines) or actions.null_count:
        raise pa.ArrowInvalid(f"expected a list for each of {len(lines)} records")
    return actions


def step_keys(
    actions: pa.ListArray, first: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Returns the number of each game's steps, and for each step its game and its place there."""
    offsets = actions.offsets.to_numpy()
    counts = np.diff(offsets).astype(np.int32)
    games = np.arange(first, first + len(counts), dtype=np.int32).repeat(counts)
    places = np.arange(offsets[-1], dtype=np.int32) - offsets[:-1].repeat(counts).astype(np.int32)
    return counts, games, places


def decision_steps(played: AnyPlaythrough) -> list[int]:
    """For each decision the step of the record that tells it; steps between them followed from the rules."""
    found: list[int] = []
    written = step = 0
    for turn in played.turns:
        found.append(step)
        written += len(played.game.write_steps(turn.events))
        step = max(step + 1, written)
    return found
