"""What tables and certificates know: never wrong, never more than is proven, and enough to win by."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stampede.bots.buffalo.levels import Thought, level_of
from stampede.bots.buffalo.player import BuffaloBot
from stampede.buffalo import Move, Position, Side
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.generate import generate_buffalo, generate_hunter
from stampede.kernels.buffalo.layout import BANK, CHIEF, DOGS, KEY, MAX_MOVES, PRAIRIE, TO
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.buffalo.make import make_buffalo, make_hunter, unmake
from stampede.oracle.book import ProofBook, shipped_books
from stampede.oracle.knowledge import Knowledge
from stampede.oracle.local import LocalOracle
from stampede.search.buffalo.analysis import analyse
from stampede.search.buffalo.engine import Engine, Limits
from stampede.tablebase.build import BuildProgress, BuildStopped, build_columns
from stampede.tablebase.files import file_name
from stampede.tablebase.probe import BOUND, probe
from stampede.tablebase.small import build_small, missing_tablebases
from stampede.tablebase.spec import TablebaseSpec
from stampede.tablebase.tablebase import open_tablebase
from tests.search.buffalo.plain import scattered
from tests.tablebase.guarded import guarded_position

ALL = (2, 3, 4, 5, 6)
SPECS = (TablebaseSpec.of(4, 0), TablebaseSpec.of(6, 1, ALL), TablebaseSpec.of(5, 2, (2, 3)))
PARTS = (PRAIRIE, BANK, DOGS, CHIEF, KEY)
Chooser = Callable[[Words, list[int]], int]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some tables, built once for all tests here."""
    place = tmp_path_factory.mktemp("tables")
    for spec in SPECS:
        build_columns(spec, place)
    return place


@pytest.fixture(scope="module")
def known(folder: Path) -> Knowledge:
    return Knowledge.of([open_tablebase(folder / file_name(spec)) for spec in SPECS])


def recognised(rng: random.Random, known: Knowledge, count: int) -> list[Position]:
    """Positions with the buffalo side to move that a table wins for the hunter; most at some distance."""
    found: list[Position] = []
    while len(found) < count:
        position = scattered(rng, rng.randrange(1, 7), (3, 4, 5, 6, 6, 7, 7)).with_turn(
            Side.BUFFALO
        )
        answer = known.look_up(position)
        if answer is not None and (answer.plies > 6 or rng.random() < 0.1):
            found.append(position)
    return found


# --- tables ---


def test_plain_search_never_contradicts_a_table(known: Knowledge) -> None:
    rng = random.Random(1)
    agreed = 0
    for position in recognised(rng, known, 150):
        plies = Engine(entries=1 << 14).search(position, Limits(nodes=4_000)).best.plies
        assert plies is None or plies < 0, position.fen()
        agreed += plies is not None
    assert agreed > 50


def test_what_a_table_knows_of_a_mirror_image_is_the_same(known: Knowledge) -> None:
    for position in recognised(random.Random(2), known, 100):
        answers = [known.look_up(place) for place in (position, position.mirror())]
        assert answers[0] == answers[1]


def _bound(words: Words, board: Words) -> int:
    found = int(probe(words, *(board[part] for part in PARTS)))
    return found & BOUND if found >= 0 else -1


def _random_step(rng: random.Random) -> Chooser:
    return lambda _board, moves: rng.choice(moves)


def _runner(rng: random.Random) -> Chooser:
    """The step that comes nearest to the far bank."""
    return lambda _board, moves: min(moves, key=lambda move: (move >> TO) // 11 + rng.random() / 2)


def _trickster(words: Words) -> Chooser:
    """The step after which the fewest answers of the hunter keep the win."""

    def choose(board: Words, moves: list[int]) -> int:
        def answers(step: int) -> int:
            before = make_buffalo(board, step)
            kept = sum(bound >= 0 for bound in _answers(words, board).values())
            unmake(board, step, before)
            return kept

        return min(moves, key=answers)

    return choose


def _moves(generate: Callable[[Words, Words, int], int], board: Words) -> list[int]:
    room = np.zeros(MAX_MOVES, dtype=np.int64)
    count = int(generate(board, room, 0))
    return [int(move) for move in room[:count]]


def _answers(words: Words, board: Words) -> dict[int, int]:
    """The bound that each move of the hunter leaves, -1 where no table wins."""
    found = {}
    for move in _moves(generate_hunter, board):
        before = make_hunter(board, move)
        # A buffalo on rank 2 crosses; no table is asked then.
        found[move] = -1 if board[PRAIRIE] & 0x7FF else _bound(words, board)
        unmake(board, move, before)
    return found


@pytest.mark.parametrize("side", ["random", "runner", "trickster"])
def test_playing_by_the_tables_wins_every_recognised_position_in_time(
    known: Knowledge, side: str
) -> None:
    """Thousands of turns: the smallest bound is always smaller by two, and no buffalo ever crosses."""
    rng = random.Random(side)
    words = known.probe_words[0].copy()
    choose = {"random": _random_step(rng), "runner": _runner(rng)}.get(side, _trickster(words))
    games = 400 if side == "trickster" else 1_500
    turns = 0
    for position in recognised(rng, known, games):
        turns += _play(words, position, choose)
    assert turns > 3 * games


@pytest.mark.parametrize("text", ["5/abde/1/2abcde+3ae/1/4c", "6/bcef/2/2abcdef/2/4d+6a"])
def test_guards_of_a_table_stay_where_they_are_and_it_wins_in_time(
    text: str, tmp_path: Path
) -> None:
    tablebase = open_tablebase(build_columns(TablebaseSpec.parse(text), tmp_path))
    known = Knowledge.of([tablebase])
    words = known.probe_words[0].copy()
    rng, trick = random.Random(text), _trickster(words)
    games = turns = 0
    while games < 150:
        position = guarded_position(rng, tablebase.spec)
        if position is not None and known.look_up(position) is not None:
            games += 1
            turns += _play(words, position, trick)
    assert turns > games


def _play(words: Words, position: Position, choose: Chooser) -> int:
    """Plays by the tables to the end; returns how many turns it took."""
    board = new_board(position)
    bound = _bound(words, board)
    assert bound >= 0
    turns = 0
    while steps := _moves(generate_buffalo, board):
        make_buffalo(board, choose(board, steps))
        answers = {m: left for m, left in _answers(words, board).items() if left >= 0}
        assert answers, position.fen()
        best = min(answers, key=answers.__getitem__)
        assert answers[best] <= bound - 2, position.fen()
        bound = answers[best]
        make_hunter(board, best)
        turns += 1
    return turns


def test_an_engine_with_tables_wins_them_too_and_keeps_its_promise(folder: Path) -> None:
    """Against a search without tables; the promise is what it says at its first turn."""
    oracle = LocalOracle(folder)
    rng = random.Random(3)
    for position in recognised(rng, oracle.knowledge(Position.start()), 15):
        promise = Engine(1 << 12, oracle=oracle).search(position, Limits(depth=3)).best.plies
        assert promise is not None
        assert promise < 0
        left = -promise
        place = position
        while not place.is_over:
            engine = Engine(1 << 12, oracle=oracle if place.turn is Side.HUNTER else None)
            place = place.play(engine.search(place, Limits(nodes=1_500)).best.move)
            left -= 1
        assert place.winner is Side.HUNTER, position.fen()
        assert left >= 0, position.fen()


def test_a_search_proves_more_with_tables_and_never_another_winner(folder: Path) -> None:
    rng = random.Random(4)
    oracle = LocalOracle(folder)
    with_tables = without = 0
    for _ in range(60):
        position = scattered(rng, 6, (4, 5, 6, 7))
        if position.is_over:
            continue
        limits = Limits(nodes=3_000)
        told = Engine(1 << 13, oracle=oracle).search(position, limits).best.plies
        plain = Engine(1 << 13).search(position, limits).best.plies
        with_tables += told is not None
        without += plain is not None
        assert told is None or plain is None or (told > 0) == (plain > 0), position.fen()
    assert with_tables > without


# --- certificates ---


def test_every_position_of_the_shipped_certificates_has_its_answer() -> None:
    """Also in the mirror; each answer is legal, and the side to move wins."""
    rng = random.Random(5)
    for book in shipped_books():
        for index in rng.sample(range(len(book.hunters)), min(60, len(book.hunters))):
            position = _position(book, index)
            for place in (position, position.mirror()):
                answer = book.find(place)
                assert answer is not None, place.fen()
                assert answer.winner is book.winner
                assert (answer.move is None) == (book.turn is not book.winner)
                if answer.move is not None:
                    assert place.is_legal(answer.move), place.fen()


def _position(book: ProofBook, index: int) -> Position:
    from stampede.kernels.buffalo.bridge import decode  # noqa: PLC0415 - only here

    key = int(book.hunters[index]) << 33 | int(book.buffaloes[index]) | int(book.turn) << 63
    return decode(key)


def test_a_hunter_who_beats_some_buffaloes_is_known_to_beat_fewer() -> None:
    rng = random.Random(6)
    known = Knowledge.of((), books=shipped_books())
    for _ in range(40):
        missing = rng.sample("abcdefghijk", rng.randrange(2, 10))
        position = Position.start(missing)
        answer = known.look_up(position)
        assert answer is not None, missing
        assert (answer.winner, answer.kind, answer.move) == (Side.HUNTER, "certificate", None)
        steps = sum(square.rank - 2 for square in position.buffaloes)
        assert answer.plies == 2 * steps
        for move in position.legal_moves:
            after = known.look_up(position.after(move))
            assert after is not None, (missing, move)
            assert after.move is not None
            assert position.after(move).is_legal(after.move)


def test_buffaloes_that_win_are_known_to_win_with_others_beside_them() -> None:
    """The certificate's answers are followed to the crossing, against random hunters."""
    rng = random.Random(7)
    known = Knowledge.of((), books=shipped_books())
    start = Position.from_fen("3bbbbbbbb/11/11/bbb8/11/3DDCDD3/11 w - - 0 1")
    for _ in range(20):
        place, left = start, 200
        while not place.is_over:
            answer = known.look_up(place)
            if place.turn is Side.HUNTER:
                place = place.play(place.legal_moves.sample(rng))
                continue
            move: Move | None = None if answer is None else answer.move
            if answer is not None:
                assert answer.plies <= left
                left = answer.plies - 2
            if move is None:  # certificates end where a buffalo can't be stopped any more
                move = Engine(1 << 12).search(place, Limits(depth=5)).best.move
            place = place.play(move)
        assert place.winner is Side.BUFFALO


# --- who uses them ---


@pytest.mark.parametrize("kind", ["random", "engine"])
def test_the_top_level_never_loses_as_the_hunter_from_proven_rungs(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B4.2, rungs 5 to 10, with a thousandth of its budget; docs/engine.md tells of longer runs."""
    monkeypatch.setenv("STAMPEDE_TABLEBASES", str(folder))
    hunter = BuffaloBot(replace(level_of(10), hunter=Thought(2_500), seconds=None))
    rng = random.Random(kind)
    for rung in range(5, 11):
        place = Position.start(rng.sample("abcdefghijk", rung))
        while not place.is_over:
            if place.turn is Side.HUNTER:
                move = hunter.move(place, rng)
            elif kind == "random":
                move = place.legal_moves.sample(rng)
            else:
                move = Engine(1 << 12).search(place, Limits(nodes=1_000)).best.move
            place = place.play(move)
        assert place.winner is Side.HUNTER


def test_an_analysis_says_what_is_proven_and_by_what(folder: Path) -> None:
    engine = Engine(1 << 12, oracle=LocalOracle(folder, shipped_books()))
    start = Position.start("abc")
    told = analyse(start, Limits(nodes=2_000), engine=engine)
    count = int(told.verdict.values["count"])
    assert str(told.verdict) == f"the hunter wins by force: proven, at most {count} moves"
    assert count <= 40
    assert told.remarks[0].code == "in_certificate"
    assert told.to_json()["proven"] == {
        "winner": "hunter",
        "at_most": count,
        "by": "certificate",
        "name": told.remarks[0].values["name"],
    }
    position = recognised(random.Random(8), engine_known(folder), 1)[0]
    told = analyse(position, Limits(nodes=2_000), engine=engine)
    assert told.remarks[0].code == "in_table"
    assert TablebaseSpec.parse(told.remarks[0].values["name"]) in SPECS
    assert analyse(Position.start(), Limits(nodes=500), engine=engine).to_json()["proven"] is None


def engine_known(folder: Path) -> Knowledge:
    return LocalOracle(folder).knowledge(Position.start())


# --- the oracle ---


def test_an_oracle_takes_in_new_tables_and_leaves_out_damaged_ones(
    folder: Path, tmp_path: Path
) -> None:
    oracle = LocalOracle(tmp_path)
    position = recognised(random.Random(9), engine_known(folder), 1)[0]
    assert oracle.knowledge(position).look_up(position) is None
    for spec in SPECS:
        (tmp_path / file_name(spec)).write_bytes((folder / file_name(spec)).read_bytes())
    assert oracle.knowledge(position).look_up(position) is not None
    for spec in SPECS:
        path = tmp_path / file_name(spec)
        data = bytearray(path.read_bytes())
        data[-100] ^= 1
        path.write_bytes(bytes(data))
    assert oracle.knowledge(position).look_up(position) is None


def test_small_tables_are_built_once_by_one_process_and_go_on_after_a_stop(tmp_path: Path) -> None:
    specs = (TablebaseSpec.of(3, 1), TablebaseSpec.of(4, 1))
    calls = 0

    def stops(_spec: TablebaseSpec, _now: BuildProgress) -> None:
        nonlocal calls
        calls += 1
        if calls > 10:
            raise BuildStopped

    with pytest.raises(BuildStopped):
        build_small(tmp_path, specs, report=stops)
    assert missing_tablebases(tmp_path, specs)
    lock = tmp_path / "beside" / "lock"
    lock.touch()
    assert not build_small(tmp_path, specs)
    # The other process has died: there was no sign of it for a while.
    touched = lock.stat().st_mtime
    assert build_small(tmp_path, specs, clock=lambda: touched + 3_600)
    assert missing_tablebases(tmp_path, specs) == ()
    assert [open_tablebase(tmp_path / file_name(spec), check=True).spec for spec in specs] == [
        *specs
    ]
