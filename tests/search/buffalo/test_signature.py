"""The search's signature: how many positions it looks at. A commit that changes it says so, and why.

A change of the search or of its weights changes these numbers; a change of speed alone doesn't.
"""

import os
import subprocess
import sys

import pytest

from stampede.buffalo import START_FEN, Position
from stampede.search.buffalo.engine import Engine, Limits

SIGNATURE = {
    START_FEN: 119_123,
    "3b4bb1/b1b1b1b4/1b3b1b2b/5D2D2/8D2/3D3C3/11 b - - 0 13": 71_588,
    "4b2bb2/2bb5bb/6b4/1b3b1D3/b3C2D1D1/4D6/11 w - - 0 16": 470,
    "b1bbb1bbb1b/1b3b3b1/11/11/11/3DDCDD3/11 w - - 0 1": 138_373,
    "2bb1b1bbbb/b3b1b4/1b9/11/5C3D1/1D2D5D/11 b - - 0 6": 88_331,
}


@pytest.mark.parametrize("fen", SIGNATURE)
def test_the_search_looks_at_as_many_positions_as_ever(fen: str) -> None:
    found = Engine(entries=1 << 18).search(Position.from_fen(fen), Limits(depth=9))
    assert found.nodes == SIGNATURE[fen]


def test_the_search_is_the_same_in_plain_python() -> None:
    """With and without compilation, in a process of its own, which loads the compiled code from the cache."""
    program = (
        "from stampede.buffalo import Position\n"
        "from stampede.search.buffalo.engine import Engine, Limits\n"
        "found = Engine(entries=1).search(Position.start(), Limits(depth=3), variations=2)\n"
        "print(found.nodes, found.variations)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert told[0] == told[1] != ""
