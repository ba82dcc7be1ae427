"""Endgame tablebases against a plain search by the rules, on boards small enough for all positions."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from stampede.core.errors import InputError, ParseError
from stampede.tablebase.build import BuildProgress, BuildStopped
from stampede.tablebase.endgames.build import build_endgame, estimate_endgame, solve_set
from stampede.tablebase.endgames.endgame import open_endgame
from stampede.tablebase.endgames.placements import make_prairie
from stampede.tablebase.endgames.spec import EndgameSpec, squares_taken
from stampede.tablebase.files import BODY

Cell = tuple[int, int]
"""A file from 0 and a rank."""


class PlainSearch:
    """The rules (B2, B3) on a board of some columns, word by word."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.hunter_loses = cache(self._hunter_loses)
        self.buffaloes_win = cache(self._buffaloes_win)

    def _buffaloes_win(
        self, buffaloes: frozenset[Cell], dogs: frozenset[Cell], chief: Cell
    ) -> bool:
        for file, rank in buffaloes:
            step = (file, rank - 1)
            if step in dogs or step == chief:
                continue
            if step[1] == 1 or self.hunter_loses(buffaloes - {(file, rank)} | {step}, dogs, chief):
                return True
        return False

    def _hunter_loses(self, buffaloes: frozenset[Cell], dogs: frozenset[Cell], chief: Cell) -> bool:
        for right in (-1, 0, 1):
            for up in (-1, 0, 1):
                to = (chief[0] + right, chief[1] + up)
                free = self._on_prairie(to) and to not in dogs and to != chief
                if free and not self.buffaloes_win(buffaloes - {to}, dogs, to):
                    return False
                for dog in dogs if right or up else ():
                    to = (dog[0] + right, dog[1] + up)
                    while self._on_prairie(to) and to not in buffaloes | dogs | {chief}:
                        if not self.buffaloes_win(buffaloes, dogs - {dog} | {to}, chief):
                            return False
                        to = (to[0] + right, to[1] + up)
        return True

    def _on_prairie(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 2 <= cell[1] <= 6


@pytest.mark.parametrize(("columns", "dogs"), [(4, 1), (3, 2), (4, 0)])
def test_every_result_is_that_of_a_plain_search(tmp_path: Path, columns: int, dogs: int) -> None:
    spec = EndgameSpec(columns, 3, dogs)
    endgame = open_endgame(build_endgame(spec, tmp_path), check=True)
    plain, rng = PlainSearch(columns), random.Random(22)
    prairie = [(file, rank) for rank in range(2, 7) for file in range(columns)]
    seen = set()
    for _ in range(1500):
        files = rng.sample(range(columns), rng.randint(1, 3))
        buffaloes = [(file, rng.randint(3, 7)) for file in files]
        chief, *pack = rng.sample([at for at in prairie if at not in buffaloes], dogs + 1)
        squares = [(rank - 2) * columns + file for file, rank in (chief, *pack)]
        won = endgame.wins(buffaloes, squares[1:], squares[0])
        assert won == plain.hunter_loses(frozenset(buffaloes), frozenset(pack), chief)
        seen.add(won)
    assert seen == {True, False}


def test_the_hunter_never_loses_by_having_to_move() -> None:
    prairie = make_prairie(4, 2)
    tables: dict[tuple[int, ...], npt.NDArray[np.int64]] = {
        (): np.zeros((1, len(prairie.placements)), dtype=np.int64)
    }
    lost = 0
    for count in (1, 2, 3):
        for columns in combinations(range(4), count):
            rows = []
            for ranks, buffalo, hunter in solve_set(prairie, columns, tables):
                legal = (prairie.placements & squares_taken(4, columns, ranks)) == 0
                assert not (hunter & ~buffalo)[legal].any()
                lost += int(np.bitwise_count(hunter[legal]).sum())
                rows.append(buffalo.copy())
            tables[columns] = np.array(rows)
    assert lost > 1000


def test_a_stopped_build_goes_on_and_ends_with_the_same_file(tmp_path: Path) -> None:
    spec = EndgameSpec(4, 3, 1)
    whole = build_endgame(spec, tmp_path / "whole").read_bytes()
    calls = 0

    def stop(_progress: BuildProgress) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise BuildStopped

    with pytest.raises(BuildStopped):
        build_endgame(spec, tmp_path / "parts", report=stop)
    reports: list[BuildProgress] = []
    again = build_endgame(spec, tmp_path / "parts", report=reports.append)
    assert again.read_bytes() == whole
    assert len(reports) == len(spec.sets) - 3
    assert reports[-1].done == estimate_endgame(spec).states


def stopped_build(spec: EndgameSpec, folder: Path, sets: int) -> tuple[Path, Path]:
    """A build that was stopped after so many sets: its file, and its state."""

    def stop(progress: BuildProgress) -> None:
        if progress.done >= sum(5 ** len(some) for some in spec.sets[:sets]):
            raise BuildStopped

    with pytest.raises(BuildStopped):
        build_endgame(spec, folder, cores=1, report=stop)
    (part,), (state,) = folder.glob("*.part"), folder.glob("*.state")
    return part, state


def test_what_a_killed_build_left_behind_its_last_set_is_built_again(tmp_path: Path) -> None:
    spec = EndgameSpec(4, 3, 1)
    whole = build_endgame(spec, tmp_path / "whole").read_bytes()
    part, state = stopped_build(spec, tmp_path / "parts", 3)
    saved = state.read_bytes()
    _, _ = stopped_build(spec, tmp_path / "parts", 5)
    state.write_bytes(saved)  # killed after it wrote rows and index of two more sets
    assert part.stat().st_size > BODY
    assert build_endgame(spec, tmp_path / "parts").read_bytes() == whole


def test_a_build_is_not_resumed_from_damaged_files(tmp_path: Path) -> None:
    spec = EndgameSpec(4, 3, 1)
    part, state = stopped_build(spec, tmp_path, 4)
    index = BODY + 8 * spec.states
    sound, told = part.read_bytes(), state.read_bytes()
    entry = BODY + 8 * spec.first_state(spec.sets[0])
    for at, place in (
        (index + 40, f"between bytes {index:,} and"),
        (entry, f"between bytes {BODY:,} and {index:,}"),
        (entry + 7, f"between bytes {BODY:,} and {index:,}"),  # an entry that leads beyond the rows
    ):
        spoilt = bytearray(sound)
        spoilt[at] ^= 1
        part.write_bytes(spoilt)
        with pytest.raises(InputError, match=f"damaged {place}.*delete it"):
            build_endgame(spec, tmp_path)
    part.write_bytes(sound[:index])
    with pytest.raises(InputError, match=f"damaged between bytes {index:,}"):
        build_endgame(spec, tmp_path)
    part.write_bytes(sound)
    state.write_bytes(told.replace(b'"done": 4', b'"done": 5'))
    with pytest.raises(InputError, match="expected the state of an interrupted build"):
        build_endgame(spec, tmp_path)
    state.write_bytes(told)
    again = build_endgame(spec, tmp_path)
    assert again.read_bytes() == build_endgame(spec, tmp_path / "whole").read_bytes()


def test_a_damaged_file_is_refused_with_the_place(tmp_path: Path) -> None:
    path = build_endgame(EndgameSpec(3, 2, 1), tmp_path)
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged between bytes 4,096"):
        open_endgame(path, check=True)


@pytest.mark.parametrize(
    "text", ["endgame/12/3/4", "endgame/11/4/4", "endgame/11/3", "endgame/11/3/x"]
)
def test_a_malformed_spec_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="expected"):
        EndgameSpec.parse(text)
