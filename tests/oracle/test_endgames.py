"""What an endgame tablebase says about positions of the real board: never wrong, and enough to win by in time."""

from __future__ import annotations

import random

import pytest

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.oracle.knowledge import Knowledge
from stampede.oracle.local import LocalOracle
from stampede.proofs.search.prove import Prover
from stampede.search.buffalo.engine import Engine, Limits
from stampede.tablebase.endgames.build import build_endgame
from stampede.tablebase.endgames.spec import EndgameSpec
from tests.search.buffalo.plain import scattered


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> LocalOracle:
    """One buffalo against all; beside it a tablebase of another board and a damaged one, which don't count."""
    folder = tmp_path_factory.mktemp("endgames")
    build_endgame(EndgameSpec(11, 1, 4), folder)
    build_endgame(EndgameSpec(5, 2, 1), folder)
    (folder / "endgame-11-3-4.table").write_bytes(b"BUFFTABL and nothing else")
    return LocalOracle(folder)


def known_wins(oracle: LocalOracle, count: int, turn: Side) -> list[Position]:
    """Positions with up to three buffaloes that an endgame wins with this side to move."""
    rng, found = random.Random(int(turn)), list[Position]()
    while len(found) < count:
        position = scattered(rng, rng.randrange(1, 4), (3, 4, 5, 6, 7)).with_turn(turn)
        if oracle.consult(position).result is not None:
            found.append(position)
    return found


@pytest.mark.parametrize("turn", list(Side))
def test_a_proof_search_confirms_what_it_says(oracle: LocalOracle, turn: Side) -> None:
    prover = Prover((), megabytes=16, cores=1)
    for position in known_wins(oracle, 40, turn):
        result = oracle.consult(position).result
        assert result is not None
        assert (result.winner, result.kind, result.source) == (
            Side.BUFFALO,
            "table",
            "endgame/11/1/4",
        )
        assert (result.move is None) == (turn is Side.HUNTER)
        assert prover.search(signed(encode(position))).winner is Side.BUFFALO, position.fen()


def test_its_answers_win_in_the_time_that_it_names(oracle: LocalOracle) -> None:
    rng = random.Random(3)
    for position in known_wins(oracle, 40, Side.BUFFALO):
        place, left = position, None
        while not place.is_over:
            result = oracle.consult(place).result
            assert result is not None
            assert left is None or result.plies <= left
            move = result.move or place.legal_moves.sample(rng)
            place, left = place.play(move), result.plies - 1
        assert place.winner is Side.BUFFALO


def test_the_engine_reports_a_win_that_it_knows(oracle: LocalOracle) -> None:
    engine = Engine(1 << 10, oracle=oracle)
    for position in known_wins(oracle, 10, Side.BUFFALO):
        report = engine.search(position, Limits(nodes=1))
        assert report.best.plies is not None, position.fen()
        assert report.best.plies > 0


def test_without_an_endgame_tablebase_nothing_is_looked_up() -> None:
    assert Knowledge.of(()).endgame is None
