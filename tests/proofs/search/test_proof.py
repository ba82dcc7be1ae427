from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import decode, encode, new_board, signed
from stampede.kernels.buffalo.lookups import Words
from stampede.proofs.certificates import verify
from stampede.proofs.certificates.shipped import verified_certificates
from stampede.proofs.search import prove
from stampede.proofs.search.certify import certify
from stampede.proofs.search.jobs import JOBS, run
from stampede.proofs.search.prove import Prover
from stampede.proofs.search.starts import missing_files, opening_key, start_key
from stampede.proofs.search.transposition import (
    NUMBER_BITS,
    TranspositionTable,
    new_transposition_table,
    store_entries,
)
from stampede.tablebase.build import build_columns
from stampede.tablebase.spec import TablebaseSpec
from stampede.tablebase.tablebase import Tablebase, open_tablebase
from stampede.tablebase.windows import holds, make_recognisers, recognise
from tests.tablebase.guarded import guarded_position

SPECS = (
    "6/abcdef/2/2abcdef/2",
    "5/abcde/1/2abcde/1",
    "4/ad/2/2abcd+4bc/1",
    "4/abcd/0/-/0",
    "7/abcfg/3/2abcdefg/3",
    "11/abk/4/2abcdefghijk/4",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables are built once for all tests here."""
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def tablebases(folder: Path) -> list[Tablebase]:
    return [open_tablebase(build_columns(TablebaseSpec.parse(text), folder)) for text in SPECS]


def random_position(rng: random.Random) -> Position | None:
    """Few buffaloes, most of them on their way, and dogs that like to stand in front of them or on rank 2."""
    board: dict[tuple[int, int], str] = {}
    for at in rng.sample(range(11), rng.randint(1, 5)):
        board[at, rng.choice((7, 6, 5, 5, 4, 4, 3))] = "b"
    fronts = [(at, rank - 1) for (at, rank) in board if rank > 2]
    free = [(at, rank) for at in range(11) for rank in range(2, 7)]
    near = [(at, 2) for at in range(11)]
    for sign in "DDDDC":
        place = rng.choice(rng.choice((fronts, near, free, free)))
        if place in board:
            return None
        board[place] = sign
    text = "/".join(
        "".join(board.get((at, rank), "1") for at in range(11)) for rank in range(7, 0, -1)
    )
    fen = "/".join(_joined(row) for row in text.split("/"))
    return Position.from_fen(f"{fen} b - -")


def _joined(row: str) -> str:
    out, empty = "", 0
    for sign in row:
        if sign == "1":
            empty += 1
        else:
            out, empty = out + (str(empty) if empty else "") + sign, 0
    return out + (str(empty) if empty else "")


def test_what_a_table_recognises_plain_search_proves_too(tablebases: list[Tablebase]) -> None:
    """Thousands of positions without a contradiction, both mirror images, every table used."""
    recognisers, plain = make_recognisers(tablebases), Prover([], megabytes=64, cores=1)
    rng = random.Random(8)
    recognised: dict[int, int] = {}
    compared = 0
    while compared < 3000:
        position = random_position(rng)
        if position is None or position.is_over:
            continue
        number = recognise(new_board(position), recognisers)
        assert (number != 0) == (recognise(new_board(position.mirror()), recognisers) != 0)
        if number == 0:
            continue
        status = plain.search(signed(encode(position)), positions=30_000)
        if status.winner is not None:
            compared += 1
            assert status.winner is Side.HUNTER, position.fen()
            tablebase = recognisers.window(number).tablebase
            recognised[tablebase] = recognised.get(tablebase, 0) + 1
    assert set(recognised) == set(range(len(tablebases))), recognised


@pytest.mark.parametrize(
    "text", ["5/abde/1/2abcde+3ae/1/4c", "6/acdf/2/2abcdef/2/5b", "5/ace/1/2abcde+4ace/1/3b+6d"]
)
def test_what_a_table_with_guards_recognises_plain_search_proves_too(
    text: str, folder: Path
) -> None:
    """A dog in front of a buffalo seals an inner column; a thousand positions each, both mirror images."""
    tablebase = open_tablebase(build_columns(TablebaseSpec.parse(text), folder))
    recognisers, plain = make_recognisers([tablebase]), Prover([], megabytes=64, cores=1)
    rng = random.Random(text)
    compared = refused = 0
    while compared < 1000:
        position = guarded_position(rng, tablebase.spec)
        if position is None or position.is_over:
            continue
        number = recognise(new_board(position), recognisers)
        assert (number != 0) == (recognise(new_board(position.mirror()), recognisers) != 0)
        if number == 0:
            refused += 1
            continue
        status = plain.search(signed(encode(position)), positions=30_000)
        if status.winner is not None:
            compared += 1
            assert status.winner is Side.HUNTER, position.fen()
    assert refused > 100, "not everything is won"


def test_a_guard_holds_exactly_where_the_little_recursion_says() -> None:
    def held(row: int, dog: int, limit: int) -> bool:
        answers = (at for at in range(row + 2, limit + 1) if at != dog)
        return dog == row + 1 or any(held(row + 1, at, limit) for at in answers)

    for limit in range(2, 6):
        for row in range(limit):
            for dog in range(row + 1, limit + 1):
                assert holds(row, dog, limit) == held(row, dog, limit), (row, dog, limit)


def test_search_and_readable_rules_agree_on_small_positions() -> None:
    """Two or three buffaloes that are nearly across: every value of a whole tree, by both sides."""
    rng, prover = random.Random(5), Prover([], megabytes=16, cores=1)
    seen = {Side.BUFFALO: 0, Side.HUNTER: 0}

    def winner(position: Position, depth: int) -> Side:
        if (over := position.winner) is not None:
            return over
        if depth == 0:
            raise RecursionError
        mover = position.turn
        values = (winner(position.after(move), depth - 1) for move in position.legal_moves)
        return mover if mover in values else mover.other

    while min(seen.values()) < 15:
        position = random_position(rng)
        if position is None or len(position.buffaloes) > 2 or position.is_over:
            continue
        if sum(square.rank - 1 for square in position.buffaloes) > 4:
            continue
        try:
            expected = winner(position, 5)
        except RecursionError:
            continue
        assert prover.search(signed(encode(position))).winner is expected, position.fen()
        seen[expected] += 1


@pytest.mark.parametrize("name", ["columns-5", "columns-6", "opening-abc-3"])
def test_shipped_jobs_make_certificates_that_verify(
    name: str, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.cert"
    run(JOBS[name], path, folder=folder)
    (verdict,) = verify([path], workers=2)
    assert verdict.fault is None
    assert verdict.header is not None
    assert verdict.header.winner is JOBS[name].winner


def test_a_job_may_search_an_easier_position_first(folder: Path, tmp_path: Path) -> None:
    """The certificate of the harder one follows from one table, and claims nothing else."""
    assert JOBS["opening-abjk-2"].first == (opening_key((2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2)),)
    job = replace(JOBS["opening-abc-3"], first=(opening_key((3, 3, 4)),))
    numbers: list[int] = []
    run(
        job, tmp_path / "abc.cert", folder=folder, report=lambda told: numbers.append(told.position)
    )
    assert sorted(set(numbers)) == [0, 1]
    (verdict,) = verify([tmp_path / "abc.cert"])
    assert verdict.fault is None
    assert verdict.header is not None
    (claim,) = verdict.header.claims
    assert claim.position == decode(signed(opening_key((3, 3, 3))))


def test_every_shipped_certificate_has_the_job_that_makes_it() -> None:
    about = {
        proof.name: (proof.header.title, proof.header.winner) for proof in verified_certificates()
    }
    assert about == {name: (job.title, job.winner) for name, job in JOBS.items()}


def test_a_hunters_proof_with_positions_and_windows_verifies(
    tablebases: list[Tablebase], tmp_path: Path
) -> None:
    """Seven columns by a table of six and a guard: the proof has answers of its own and names its windows."""
    prover = Prover(tablebases[:1], width=7, megabytes=16)
    key = start_key(7, "d")
    assert prover.search(key, positions=2_000_000).winner is Side.HUNTER
    path = tmp_path / "seven.cert"
    proof = certify(prover, [key], Side.HUNTER, title="seven columns", path=path)
    assert len(proof.keys) > 0
    assert (proof.by > 0).any()
    (verdict,) = verify([path], workers=2)
    assert verdict.fault is None


def test_a_search_that_is_stopped_and_resumed_gives_the_same_result(tmp_path: Path) -> None:
    key, saved = opening_key((3, 3, 3)), tmp_path / "search.checkpoint"
    whole = Prover([], megabytes=16, cores=1).search(key)

    first = Prover([], megabytes=16, cores=1)
    assert first.search(key, positions=2_000).winner is None
    first.save(saved, key)
    second = Prover([], megabytes=16, cores=1)
    second.load(saved, key)
    resumed = second.search(key)
    assert resumed.winner is whole.winner is Side.BUFFALO
    assert resumed.positions < whole.positions, "what was found is used"


def test_a_checkpoint_of_another_search_is_refused(
    tablebases: list[Tablebase], tmp_path: Path
) -> None:
    key, saved = opening_key((3, 3, 3)), tmp_path / "search.checkpoint"
    Prover(tablebases[:1], megabytes=1, cores=1).save(saved, key)
    name = tablebases[0].name

    def load(prover: Prover, root: int, *, any_root: bool = False) -> None:
        prover.load(saved, root, any_root=any_root)

    mirrored = opening_key((0,) * 8 + (3, 3, 3))
    load(Prover(tablebases[:2], megabytes=1, cores=1), mirrored)  # the same position, and more
    with pytest.raises(InputError, match=f"expected .* no tablebases but none, got .* {name}"):
        load(Prover([], megabytes=1, cores=1), key)
    other = opening_key((2, 3, 3))
    with pytest.raises(InputError, match="expected a search of the position with the key"):
        load(Prover(tablebases[:1], megabytes=1, cores=1), other)
    load(Prover(tablebases[:1], megabytes=1, cores=1), other, any_root=True)
    with pytest.raises(InputError, match="expected a search on 7 columns, got one on 11"):
        load(Prover(tablebases[:1], width=7, megabytes=1, cores=1), start_key(7))


def test_a_damaged_checkpoint_is_refused_with_the_place(tmp_path: Path) -> None:
    key, saved = opening_key((3, 3, 3)), tmp_path / "search.checkpoint"
    prover = Prover([], megabytes=1, cores=1)
    prover.search(key, positions=2_000)
    prover.save(saved, key)
    sound = saved.read_bytes()
    body = sound.index(b"\n") + 1
    old = tmp_path / "old.npz"
    np.savez(old, keys=prover.tt.keys, values=prover.tt.values)
    for data, told in (
        (b"", "first line is damaged or other"),
        (old.read_bytes(), "first line is damaged or other"),
        (sound.replace(b'"width":11', b'"width":10'), "first line is damaged or other"),
        (sound[:body], f"damaged between bytes {body:,} and"),
        (sound[:-1], f"damaged between bytes {body:,} and {len(sound) - 1:,}"),
        (sound[:-9] + b"x" + sound[-8:], f"damaged between bytes {body:,} and"),
        (sound + b"x", f"expected the end at byte {len(sound):,}"),
    ):
        saved.write_bytes(data)
        with pytest.raises(InputError, match=told):
            Prover([], megabytes=1, cores=1).load(saved, key)


@pytest.mark.parametrize("megabytes", [1, 3])
def test_the_transposition_table_has_the_size_that_was_asked_for(megabytes: int) -> None:
    """Not a power of two either, and every slot is used."""
    tt = new_transposition_table(megabytes)
    assert tt.keys.nbytes + tt.values.nbytes == megabytes << 20
    rng = np.random.default_rng(22)
    store_many(tt, rng.integers(1, 1 << 62, 4 * len(tt.keys)))
    assert np.count_nonzero(tt.values) > 0.95 * len(tt.keys)


def store_many(tt: TranspositionTable, keys: Words) -> None:
    """Stores positions with the numbers 1 and 1."""
    value = 1 | 1 << NUMBER_BITS
    store_entries(tt, keys ^ value, np.full(len(keys), value))


def test_a_proof_is_as_long_as_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """The space for answers grows until the proof fits; only a limit that the caller sets ends it."""
    key = opening_key((3, 3, 3))
    prover = Prover([], megabytes=16, cores=1)
    prover.search(key)
    whole = prover.proof([key], Side.BUFFALO)
    monkeypatch.setattr(prove, "_FEW_ANSWERS", 2)
    grown = prover.proof([key], Side.BUFFALO)
    assert sorted(grown.keys) == sorted(whole.keys)
    with pytest.raises(InputError, match="at most 10 positions, got a longer one"):
        prover.proof([key], Side.BUFFALO, most=10)


def test_a_proof_of_what_is_not_decided_is_refused() -> None:
    prover = Prover([], megabytes=1, cores=1)
    with pytest.raises(InputError, match="expected a win"):
        prover.proof([opening_key((3, 3, 3))], Side.HUNTER)


def test_starts_are_those_of_the_rules() -> None:
    assert decode(start_key()) == Position.start()
    assert decode(start_key(missing="ck")) == Position.start("ck")
    after = Position.start().play("a7a6")
    assert decode(opening_key((1,))) == after
    with pytest.raises(InputError, match="columns"):
        start_key(4)
    with pytest.raises(InputError, match="files"):
        start_key(6, "g")


def test_ways_are_counted_up_to_mirror_images() -> None:
    assert [len(missing_files(count)) for count in (1, 2, 3)] == [6, 30, 85]
    assert all(set(way) <= set(FILES) for way in missing_files(3))


def test_two_threads_decide_as_one_does() -> None:
    for steps in ((3, 3, 3), (2, 2, 2)):
        key = opening_key(steps, "defghijk")
        winners = {Prover([], megabytes=16, cores=cores).search(key).winner for cores in (1, 2)}
        assert len(winners) == 1
        assert None not in winners
