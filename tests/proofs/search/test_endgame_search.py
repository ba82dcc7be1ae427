"""Proof search with an endgame tablebase agrees with the one without; the verifier rebuilds it by code of its own."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from stampede.buffalo import Side
from stampede.core.errors import InputError, ParseError
from stampede.kernels.buffalo.bridge import signed
from stampede.kernels.buffalo.keys import canonical_key, unpack
from stampede.kernels.buffalo.layout import (
    BOARD_WORDS,
    CHIEF_AT,
    DOGS_AT,
    FILE_BITS,
    KEY,
    SQUARE_BITS,
)
from stampede.kernels.buffalo.lookups import WIDTH
from stampede.kernels.buffalo.make import make_buffalo
from stampede.proofs.certificates import Verdict, verify
from stampede.proofs.certificates.endgame_solver import EndgameGame, solve_endgames
from stampede.proofs.manager.certify import certify_tree
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.workers import LocalWorkers
from stampede.proofs.search.certify import write_proof
from stampede.proofs.search.named import open_named
from stampede.proofs.search.prove import Proof, Prover
from stampede.proofs.search.sampled import check_sample
from stampede.proofs.search.starts import opening_key
from stampede.tablebase.endgames.build import build_endgame
from stampede.tablebase.endgames.endgame import Endgame, open_endgame
from stampede.tablebase.endgames.recognise import make_endgame_recogniser, recognise_endgame
from stampede.tablebase.endgames.spec import EndgameSpec

COLUMNS = 5


@pytest.fixture(scope="module")
def endgame(tmp_path_factory: pytest.TempPathFactory) -> Endgame:
    folder = tmp_path_factory.mktemp("endgames")
    return open_endgame(build_endgame(EndgameSpec(COLUMNS, 3, 4), folder))


def random_key(rng: random.Random) -> int:
    """A position on five columns with the hunter to move and three to five buffaloes."""
    key, taken = 0, set()
    for file in rng.sample(range(COLUMNS), rng.randint(3, COLUMNS)):
        rank = rng.randint(3, 7)
        key |= rank << (FILE_BITS * file)
        taken.add((rank - 2) * WIDTH + file)
    prairie = [rank * WIDTH + file for rank in range(5) for file in range(COLUMNS)]
    chief, *dogs = rng.sample([square for square in prairie if square not in taken], 5)
    key |= chief << CHIEF_AT
    for index, dog in enumerate(sorted(dogs)):
        key |= dog << (DOGS_AT + SQUARE_BITS * index)
    return signed(key | 1 << 63)


def test_what_the_endgame_recognises_a_search_without_it_proves(endgame: Endgame) -> None:
    rng = random.Random(22)
    recogniser = make_endgame_recogniser(endgame, COLUMNS)
    plain = Prover((), width=COLUMNS, megabytes=16, cores=1)
    helped = Prover((), endgame=endgame, width=COLUMNS, megabytes=16, cores=1)
    board = np.zeros(BOARD_WORDS, dtype=np.int64)
    recognised = hunters = 0
    for _ in range(300):
        key = random_key(rng)
        assert key < 0
        unpack(key, board)
        winner = plain.search(key).winner
        assert helped.search(key).winner is winner
        if recognise_endgame(board, recogniser, -1):
            assert winner is Side.BUFFALO
            recognised += 1
        hunters += winner is Side.HUNTER
    assert recognised > 20
    assert hunters > 20


def test_a_sample_of_both_outcomes_is_confirmed_by_a_search_without_it(endgame: Endgame) -> None:
    check = check_sample(endgame, 150, seed=3, megabytes=4)
    assert check.buffalo > 5
    assert check.hunter > 50
    assert check.buffalo + check.hunter + check.open == 150
    assert check_sample(endgame, 10, budget=1, megabytes=1).open > 0


def test_a_wrong_answer_of_the_tablebase_is_found_by_a_sample(endgame: Endgame) -> None:
    """A tablebase whose index has lost its rows calls every position a win of the hunter."""
    empty = replace(endgame, where=np.zeros_like(endgame.where))
    with pytest.raises(InputError, match=r"the hunter wins in key .*, but a search finds"):
        check_sample(empty, 150, seed=3, megabytes=4)


@pytest.fixture(scope="module")
def proof(endgame: Endgame) -> tuple[list[int], Proof]:
    """Some positions that the buffalo side wins, and their common proof."""
    rng = random.Random(1)
    prover = Prover((), endgame=endgame, width=COLUMNS, megabytes=16, cores=1)
    keys = [random_key(rng) for _ in range(300)]
    won = [key for key in keys if prover.search(key).winner is Side.BUFFALO]
    return won, prover.proof(won, Side.BUFFALO)


def judge(prover: Prover, keys: list[int], proof: Proof, path: Path) -> Verdict:
    """The verdict on a certificate; both checks must agree, on the place of a fault, too."""
    write_proof(prover, keys, proof, title="Endgames", path=path)
    (verdict,), (slow,) = verify([path], workers=2), verify([path], every=1)
    places = [None if one.fault is None else one.fault.place for one in (verdict, slow)]
    assert places[0] == places[1]
    return verdict


def test_the_verifier_rebuilds_what_its_certificate_names(
    endgame: Endgame, proof: tuple[list[int], Proof], tmp_path: Path
) -> None:
    keys, found = proof
    prover = Prover((), endgame=endgame, width=COLUMNS, megabytes=1, cores=1)
    verdict = judge(prover, keys, found, tmp_path / "a.cert")
    assert verdict.fault is None
    assert verdict.header is not None
    assert len(verdict.header.claims) == len(keys) > 10
    assert verdict.header.tablebase_names == ("endgame/5/3/4",)
    (rebuilt,) = verdict.tablebases
    assert rebuilt.questions == verdict.questions > np.count_nonzero(found.by) > 5
    assert rebuilt.sets is not None
    assert rebuilt.sets > 3


def test_what_an_endgame_doesnt_win_is_refused(
    endgame: Endgame, proof: tuple[list[int], Proof], tmp_path: Path
) -> None:
    keys, found = proof
    prover = Prover((), endgame=endgame, width=COLUMNS, megabytes=1, cores=1)
    last = int(np.flatnonzero(found.by)[-1])
    files = int(found.by[last])

    def judge_with(files: int, moves: npt.NDArray[np.int64] = found.moves) -> str:
        by = found.by.copy()
        by[last] = files
        wrong = replace(found, by=by, moves=moves)
        return str(judge(prover, keys, wrong, tmp_path / "wrong.cert").fault)

    # One of the three buffaloes alone doesn't win: the verifier's own solver says so.
    assert "doesn't say that the buffalo side wins" in judge_with(files & -files)
    # All five are no endgame.
    assert "one to 3 files" in judge_with((1 << COLUMNS) - 1)
    # An answer that leaves a buffalo out doesn't lead to a position with the hunter to move.
    moves = found.moves.copy()
    moves[last] = moves[last] & 127 | (moves[last] & 127) << 7
    assert "leaves a buffalo out" in judge_with(files, moves)


def test_the_verifiers_endgames_are_those_of_the_tablebase(endgame: Endgame) -> None:
    rng = random.Random(5)
    questions, expected = [], []
    for _ in range(5000):
        files = rng.sample(range(COLUMNS), rng.randint(1, 3))
        buffaloes = [(file, rng.randint(3, 7)) for file in files]
        taken = {(rank - 2) * COLUMNS + file for file, rank in buffaloes}
        free = [square for square in range(5 * COLUMNS) if square not in taken]
        chief, *dogs = rng.sample(free, 5)
        ranks = sum(rank << 3 * file for file, rank in buffaloes)
        questions.append([ranks, sum(1 << dog for dog in dogs), chief])
        expected.append(endgame.wins(buffaloes, dogs, chief))
    answers = solve_endgames(COLUMNS, np.array(questions), 2)
    assert answers.right.tolist() == expected
    assert sum(expected) > 100
    assert len(answers.sets) == 15


@pytest.mark.parametrize("text", ["endgame/5/4/4", "endgame/5/3/3", "5/3/4", "endgame/5/3/4/"])
def test_a_malformed_endgame_of_a_certificate_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="expected a tablebase such as endgame/11/3/4"):
        EndgameGame.parse(text)


def test_an_endgame_of_another_board_is_refused(endgame: Endgame) -> None:
    with pytest.raises(InputError, match="expected an endgame tablebase of 11 columns"):
        Prover((), endgame=endgame)


def test_a_proof_tree_opens_the_endgames_that_it_names(tmp_path: Path) -> None:
    key = int(canonical_key(opening_key((4, 3, 3))))
    spec = TreeSpec("abc", key, Side.BUFFALO, tiers=(100,), tablebases=("endgame/11/1/4",))
    create_tree(tmp_path / "tree", spec)
    file = TreeFile(tmp_path / "tree")
    with closing(LocalWorkers(lambda: ThreadPoolExecutor(1))) as workers:
        grow_tree(file, workers, GrowthLimits(), folder=str(tmp_path))
    assert (tmp_path / "endgame-11-1-4.table").exists()
    assert file.tree.counts().expanded > 0
    certify_tree(file, tmp_path / "tree.cert", tmp_path)
    (verdict,) = verify([tmp_path / "tree.cert"])
    assert verdict.fault is None


def test_answers_near_the_root_name_endgames_too(
    endgame: Endgame, proof: tuple[list[int], Proof]
) -> None:
    prover = Prover((), endgame=endgame, width=COLUMNS, megabytes=1, cores=1)
    _, found = proof
    board = np.zeros(BOARD_WORDS, dtype=np.int64)
    for key, move, files in zip(found.keys, found.moves, found.by, strict=True):
        unpack(key, board)
        make_buffalo(board, move)
        assert bool(prover.decider(int(board[KEY]))) == bool(files)


def test_tablebases_of_both_kinds_are_opened_by_name(tmp_path: Path) -> None:
    both = open_named(("5/abcde/0/-/0", "endgame/5/1/1"), tmp_path)
    assert [str(tablebase.spec) for tablebase in both.tablebases] == ["5/abcde/0/-/0"]
    assert str(both.endgame and both.endgame.spec) == "endgame/5/1/1"
    with pytest.raises(InputError, match="expected at most one endgame tablebase, got endgame/5"):
        open_named(("endgame/5/1/1", "endgame/5/1/2"), tmp_path)
