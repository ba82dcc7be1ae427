"""Buffalo's steps and states as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from stampede.buffalo.pieces import Side
from stampede.buffalo.position import Position
from stampede.core.json import Json, expect_int, expect_str
from stampede.core.playthrough import AnyPlaythrough
from stampede.core.record import GameRecord
from stampede.lab.data.forms import Steps, decision_steps, read_actions, step_keys
from stampede.lab.data.schema import NAME

__all__ = ["BUFFALO"]

_STEPS: Final = pa.schema(
    [
        ("game", pa.int32()),
        ("step", pa.int32()),
        ("round", pa.int16()),  # from 1; a round ends with the hunter's move
        ("seat", pa.int8()),
        ("move", NAME),
    ]
)
_STATES: Final = pa.schema(
    [("game", pa.int32()), ("step", pa.int32()), ("seat", pa.int8()), ("fen", pa.string())]
)


class BuffaloForm:
    """The columns of Buffalo; see `DataForm`."""

    steps = _STEPS
    states = _STATES

    def make_steps(self, lines: Sequence[bytes], heads: Sequence[GameRecord], first: int) -> Steps:
        """Makes the rows of `steps`."""
        actions = read_actions(lines, pa.string())
        counts, games, places = step_keys(actions, first)
        opening = np.array([_opening(head) for head in heads], np.int32)
        late = places - opening.repeat(counts)  # 0 for the hunter's first move
        answered = np.maximum(late + 1, 0) // 2  # the hunter's moves before this one
        columns = {
            "game": pa.array(games),
            "step": pa.array(places),
            "round": pa.array((1 + answered).astype(np.int16)),
            "seat": pa.array(((late >= 0) & (late % 2 == 0)).astype(np.int8)),
            "move": actions.flatten().dictionary_encode(),
        }
        last = counts - 1 - opening
        rounds = np.where(counts > 0, 1 + np.maximum(last + 1, 0) // 2, 0).astype(np.int16)
        return Steps(pa.table({name: columns[name] for name in _STEPS.names}), counts, rounds)

    def read_steps(self, steps: Mapping[str, Sequence[Json]], begin: int, end: int) -> list[Json]:
        """Returns rows of `steps` as the steps of a record."""
        return list(steps["move"][begin:end])

    def state_rows(self, game: int, played: AnyPlaythrough) -> Iterator[tuple[object, ...]]:
        """Yields the rows of `states`."""
        before = played.start
        for step, turn in zip(decision_steps(played), played.turns, strict=True):
            yield game, step, turn.seat, before.position.fen()
            before = turn.state


BUFFALO: Final = BuffaloForm()


def _opening(head: GameRecord) -> int:
    """How many moves the buffalo side makes before the hunter's first (B4.3)."""
    start = head.setup.get("start")
    if start is not None and Position.from_fen(expect_str(start, "start")).turn is Side.HUNTER:
        return 0
    return expect_int(head.rules.get("opening_moves", 1), "rules.opening_moves")
