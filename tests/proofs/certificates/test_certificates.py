"""Certificates: true ones are verified by both checks, and whatever is wrong is refused and named."""

import io
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.buffalo import Move, Position, Side
from stampede.proofs.certificates import (
    CertificateClaim,
    CertificateFault,
    CertificateHeader,
    Recogniser,
    Verdict,
    WindowSpec,
    verify,
)
from stampede.proofs.certificates.format import (
    header_bytes,
    narrow_fen,
    read_blocks,
    read_header,
    wide_position,
)
from tests.proofs.certificates.naive import Solver, answers, solved, write

HUNTER_WINS = {
    "five columns": (5, "bb3/5/5/5/1D1D1/1DCD1/5 b - - 0 1"),
    "four buffaloes": (5, "5/1bb2/5/b2b1/1D1D1/1DCD1/5 b - - 0 1"),
    "the real board": (11, "11/11/b9b/11/11/3DDCDD3/11 w - - 0 1"),
    "all are blocked": (6, "6/bb4/DDDDC1/6/6/6/6 b - - 0 1"),
}
BUFFALO_WINS = {
    "buffalo side to move": (6, "6/4DC/6/bb2DD/5D/6/6 b - - 0 1"),
    "hunter to move": (6, "6/4DC/6/1b2DD/b4D/6/6 w - - 0 1"),
    "the real board": (11, "11/9DC/11/1b7DD/b9D/11/11 b - - 0 1"),
}
WINDOW = (Recogniser(0, 0), Recogniser(0, 1), Recogniser(0, 0, mirrored=True))
TABLES = ("5/abcde/3/2abcde+3abcde/3",)
GUARDED = "bb1b1b/5D/6/6/2C3/1D1DD1/6 b - - 0 1"
"""Six columns: a dog blocks the last one; chief and three dogs have the other five to themselves."""


def judged(path: Path, every: int | None = None) -> Verdict:
    return verify([path], workers=2, every=every)[0]


def refused(path: Path) -> CertificateFault:
    """What is wrong with a file; both checks must say that it is, and at the same place."""
    fault, slow_fault = judged(path).fault, judged(path, every=1).fault
    assert fault is not None
    assert slow_fault is not None
    assert fault.place == slow_fault.place
    return fault


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.cert"


# --- true ones ---


@pytest.mark.parametrize("name", HUNTER_WINS)
def test_the_hunters_wins_are_verified(name: str, path: Path) -> None:
    width, text = HUNTER_WINS[name]
    assert solved(path, text, width)[0] is Side.HUNTER
    assert judged(path).fault is None
    assert judged(path, every=1).fault is None


@pytest.mark.parametrize("name", BUFFALO_WINS)
def test_the_buffalo_sides_wins_are_verified(name: str, path: Path) -> None:
    width, text = BUFFALO_WINS[name]
    assert solved(path, text, width)[0] is Side.BUFFALO
    assert judged(path).fault is None
    assert judged(path, every=1).fault is None


def test_the_mirror_images_of_what_is_proven_are_proven(path: Path) -> None:
    """Writing turns each position to one side; claims are found whichever way they are given."""
    for width, text in (HUNTER_WINS["four buffaloes"], BUFFALO_WINS["buffalo side to move"]):
        winner, entries = solved(path, text, width)
        root = wide_position(text, width)
        mirrored = narrow_mirror(root, width)
        header = write(
            path, width, winner, [CertificateClaim(root), CertificateClaim(mirrored)], entries
        )
        assert judged(path).fault is None
        turned = {narrow_mirror(p, width): narrow_mirror_move(m, width) for p, m in entries.items()}
        again = write(
            path, width, winner, [CertificateClaim(root), CertificateClaim(mirrored)], turned
        )
        assert judged(path).fault is None
        assert again.positions == header.positions


def narrow_mirror(position: Position, width: int) -> Position:
    ranks, rest = narrow_fen(position, width).split(" ", 1)
    rows = [re.sub("[0-9]+", lambda n: "." * int(n.group()), row) for row in ranks.split("/")]
    turned = [re.sub(r"\.+", lambda run: str(len(run.group())), row[::-1]) for row in rows]
    return wide_position("/".join(turned) + " " + rest, width)


def narrow_mirror_move(move: Move, width: int) -> Move:
    def turned(name: str) -> str:
        return chr(ord("a") + width - 1 - ord(name[0]) + ord("a")) + name[1]

    text = str(move)
    return Move.parse(turned(text[:2]) + turned(text[2:]))


def test_several_claims_share_one_file(path: Path) -> None:
    roots = [
        wide_position(text, 5)
        for text in ("bb3/5/5/5/1D1D1/1DCD1/5 b - -", "1b1b1/5/5/5/5/DDCDD/5 b - -")
    ]
    solver = Solver(5)
    entries = answers(solver, roots[0], Side.HUNTER) | answers(solver, roots[1], Side.HUNTER)
    write(path, 5, Side.HUNTER, [CertificateClaim(root) for root in roots], entries)
    verdict = judged(path)
    assert verdict.fault is None
    assert verdict.header is not None
    assert [claim.position for claim in verdict.header.claims] == roots


def test_a_buffalo_may_be_left_out(path: Path) -> None:
    """The proof of fewer buffaloes proves more: an extra one never hurts."""
    width, text = BUFFALO_WINS["buffalo side to move"]
    _, entries = solved(path, text, width)
    more = wide_position(text.replace("6/4DC", "3b2/4DC", 1), width)
    move = Move.parse("d7d6")
    write(
        path,
        width,
        Side.BUFFALO,
        [CertificateClaim(more)],
        {**entries, more: replace(move, to_square=move.from_square)},
    )
    assert judged(path).fault is None
    assert judged(path, every=1).fault is None
    nobody = replace(move, from_square=move.to_square)
    write(path, width, Side.BUFFALO, [CertificateClaim(more)], {**entries, more: nobody})
    refused(path)


# --- recognisers ---


def test_a_window_with_a_guard_decides_a_claim(path: Path) -> None:
    root = wide_position(GUARDED, 6)
    write(
        path,
        6,
        Side.HUNTER,
        [CertificateClaim(root, by=1)],
        {},
        tablebases=TABLES,
        recognisers=WINDOW,
    )
    for every in (None, 1):
        verdict = judged(path, every)
        assert verdict.fault is None
        assert verdict.questions == 1
        assert [str(tablebase.spec) for tablebase in verdict.tablebases] == list(TABLES)


def test_a_window_decides_positions_after_answers_in_both_orientations(path: Path) -> None:
    before = wide_position(GUARDED.replace("5D/6/6/2C3", "6/5D/6/2C3").replace(" b ", " w "), 6)
    entries = {before: Move.parse("f5f6")}
    image = narrow_mirror(before, 6)
    for claim in (before, image):
        write(
            path,
            6,
            Side.HUNTER,
            [CertificateClaim(claim)],
            entries,
            tablebases=TABLES,
            recognisers=WINDOW,
            by={before: 1},
        )
        for every in (None, 1):
            verdict = judged(path, every)
            assert verdict.fault is None
            assert verdict.questions == 1


@pytest.mark.parametrize(
    ("text", "by", "problem"),
    [
        (GUARDED, 2, "3 dogs"),
        (GUARDED.replace("5D/6/6", "6/6/6").replace("1D1DD1", "D1DDD1"), 1, "3 dogs"),
        (GUARDED.replace("2C3/1D1DD1", "5C/1D1DD1"), 1, "chief"),
        (GUARDED.replace("5D/6/6/2C3", "6/5D/6/2C3"), 1, None),
        ("bb1b1b/6/6/6/2C2D/1D1DD1/6 b - - 0 1", 1, None),
        ("bb1b2/6/6/5b/2C3/1D1DDD/6 b - - 0 1", 1, "holds the buffalo on f4"),
        ("bb1b2/6/6/6/2C2b/1D1DDD/6 b - - 0 1", 1, None),
        (
            "b2b1b/5D/6/6/2C3/1b1DD1/6 b - - 0 1".replace("b2b1b", "b2b1b").replace(
                "1b1DD1", "DbD1D1"
            ),
            1,
            "b2",
        ),
        ("5b/4DD/4D1/4D1/bbbb2/4C1/6 b - - 0 1", 1, "table"),
    ],
)
def test_windows_that_do_not_apply_are_refused(
    text: str, by: int, problem: str | None, path: Path
) -> None:
    """None stands for one that does, so that the others are refused for the one thing that is wrong."""
    root = wide_position(text, 6)
    write(
        path,
        6,
        Side.HUNTER,
        [CertificateClaim(root, by=by)],
        {},
        tablebases=TABLES,
        recognisers=WINDOW,
    )
    if problem is None:
        assert judged(path).fault is None
    else:
        fault = refused(path)
        assert problem in str(fault)
        assert "claim" in fault.place


def test_a_column_where_the_table_has_no_buffalo_is_refused(path: Path) -> None:
    root = wide_position(GUARDED, 6)
    write(
        path,
        6,
        Side.HUNTER,
        [CertificateClaim(root, 1)],
        {},
        tablebases=("5/abc/3/2abcde+3abcde/3",),
        recognisers=WINDOW,
    )
    assert "column d" in str(refused(path))


SEALED = "11/3b6b/4bb4D/5Db2b1/9D1/4D2C3/11 b - - 0 1"
"""A dog on f4 in front of the buffalo on f5, in the middle of a window from d to h; two guards outside."""


@pytest.mark.parametrize(
    ("text", "tablebase", "problem"),
    [
        (SEALED, "5/abde/1/2abcde+3ae/1/4c", None),
        (SEALED, "5/abde/1/2abcde+3ae/1/3c", "expected 1 guards on their squares, got 0"),
        (SEALED, "5/abde/1/2abcde+3ae/1/6c", "expected 1 guards on their squares, got 0"),
        (SEALED, "5/abde/2/2abcde+4c/2", "column f"),
        (SEALED, "5/abde/0/-/0/4c", "expected 0 dogs"),
        (SEALED.replace("4bb4D", "4b5D"), "5/abde/1/2abcde+3ae/1/4c", "right behind"),
        (
            SEALED.replace("11/3b6b/4bb4D", "11/3b1b4b/4b5D"),
            "5/abde/1/2abcde+3ae/1/4c",
            "right behind",
        ),
    ],
)
def test_a_dog_in_front_of_a_buffalo_seals_a_column_of_a_window(
    text: str, tablebase: str, problem: str | None, path: Path
) -> None:
    """None stands for a proof; the others differ from it in the one thing that is wrong."""
    claim = CertificateClaim(wide_position(text, 11), by=1)
    window = (Recogniser(0, 3, mirrored=False),)
    write(path, 11, Side.HUNTER, [claim], {}, tablebases=(tablebase,), recognisers=window)
    if problem is not None:
        assert problem in str(refused(path))
        return
    for every in (None, 1):
        verdict = judged(path, every)
        assert verdict.fault is None
        assert verdict.questions == 1


# --- false ones ---


@pytest.mark.parametrize(
    "wins", [HUNTER_WINS["four buffaloes"], BUFFALO_WINS["buffalo side to move"]]
)
def test_every_missing_position_is_missed(wins: tuple[int, str], path: Path) -> None:
    """Without any one of its positions, up to mirror images, a proof has a hole, and the reply is named."""
    width, text = wins
    winner, entries = solved(path, text, width)
    claim = CertificateClaim(wide_position(text, width))
    for left_out in list(entries)[:12]:
        images = {left_out, narrow_mirror(left_out, width)}
        fewer = {position: move for position, move in entries.items() if position not in images}
        write(path, width, winner, [claim], fewer)
        assert "no answer" in str(refused(path)) or "missing" in str(refused(path))


@pytest.mark.parametrize(
    "wins", [HUNTER_WINS["four buffaloes"], BUFFALO_WINS["buffalo side to move"]]
)
def test_wrong_answers_are_refused(wins: tuple[int, str], path: Path) -> None:
    """Any other move of any piece instead: illegal, or it leads where no answers are; unless it wins, too."""
    width, text = wins
    winner, entries = solved(path, text, width)
    claim = CertificateClaim(wide_position(text, width))
    solver = Solver(width)
    position = next(iter(entries))
    pieces = sorted(position.pieces)
    tried = 0
    for start in pieces:
        for end in {square for other in pieces for square in (other, other.mirror())}:
            move = Move(start, end)
            good = position.is_legal(move) and solver.holds(position.after(move), winner)
            if not good and start != end:
                write(path, width, winner, [claim], {**entries, position: move})
                fault = judged(path).fault
                assert fault is not None
                assert "position" in fault.place
                tried += 1
    assert tried > 10


def test_a_wrong_claim_is_refused(path: Path) -> None:
    width, text = HUNTER_WINS["five columns"]
    winner, entries = solved(path, text, width)
    for other in ("bbb2/5/5/5/1D1D1/1DCD1/5 b - - 0 1", "bb3/5/5/5/1D1D1/1DCD1/5 w - - 0 1"):
        write(
            path,
            width,
            winner,
            [
                CertificateClaim(wide_position(text, width)),
                CertificateClaim(wide_position(other, width)),
            ],
            entries,
        )
        assert refused(path).place.startswith("claim 1")
    write(path, width, Side.BUFFALO, [CertificateClaim(wide_position(text, width))], {})
    assert refused(path).place.startswith("claim 0")


def test_the_board_ends_where_the_header_says(path: Path) -> None:
    """A dog's move beyond the last column exists on the wider board only."""
    text = "6/6/6/6/4DD/3DDC/6 w - - 0 1"
    root = wide_position(text, 6)
    write(path, 11, Side.HUNTER, [CertificateClaim(root)], {root: Move.parse("f3h5")})
    assert judged(path).fault is None
    write(path, 6, Side.HUNTER, [CertificateClaim(root)], {root: Move.parse("f3h5")})
    assert "breaks the rules" in str(refused(path))


def test_a_recogniser_proves_nothing_for_the_buffalo_side(path: Path) -> None:
    width, text = BUFFALO_WINS["buffalo side to move"]
    winner, entries = solved(path, text, width)
    position = next(iter(entries))
    write(
        path,
        width,
        winner,
        [CertificateClaim(wide_position(text, width))],
        entries,
        tablebases=("5/abcde/4/2abcde/4",),
        recognisers=(Recogniser(0, 0),),
        by={position: 1},
    )
    assert "recogniser" in str(refused(path))


# --- damage ---


def sample() -> bytes:
    """The bytes of a certificate with answers, tables and recognisers."""
    width, text = HUNTER_WINS["four buffaloes"]
    root = wide_position(text, width)
    entries = answers(Solver(width), root, Side.HUNTER)
    folder = Path(tempfile.mkdtemp())
    write(
        folder / "a",
        width,
        Side.HUNTER,
        [CertificateClaim(root)],
        entries,
        tablebases=TABLES,
        recognisers=(Recogniser(0, 0),),
    )
    return (folder / "a").read_bytes()


SAMPLE = sample()


def read(data: bytes) -> int:
    """Reads a whole file; how many positions it has."""
    file = io.BytesIO(data)
    return sum(len(block.keys) for block in read_blocks(file, read_header(file)))


@settings(max_examples=300)
@given(st.integers(0, len(SAMPLE) - 1), st.integers(1, 255))
def test_a_changed_byte_anywhere_is_noticed(at: int, change: int) -> None:
    assert read(SAMPLE) > 0
    with pytest.raises(CertificateFault) as caught:
        read(SAMPLE[:at] + bytes([SAMPLE[at] ^ change]) + SAMPLE[at + 1 :])
    expected = "byte 0" if at < 8 else "header" if at < len(header_bytes(header())) else "block"
    assert caught.value.place.startswith((expected, "end"))


def header() -> CertificateHeader:
    return read_header(io.BytesIO(SAMPLE))


@given(st.integers(0, len(SAMPLE) - 1))
def test_a_file_that_is_cut_off_is_noticed(length: int) -> None:
    with pytest.raises(CertificateFault):
        read(SAMPLE[:length])


@given(st.binary(min_size=1, max_size=40))
def test_bytes_after_the_end_are_noticed(more: bytes) -> None:
    with pytest.raises(CertificateFault, match="end"):
        read(SAMPLE + more)


@given(st.binary(max_size=200))
def test_other_files_are_no_certificates(data: bytes) -> None:
    with pytest.raises(CertificateFault):
        read(data)


def test_a_block_that_was_exchanged_is_noticed(path: Path) -> None:
    """Both blocks are whole; only the checksum of all of them tells."""
    width, text = HUNTER_WINS["five columns"]
    _, entries = solved(path, text, width)
    good = path.read_bytes()
    start = len(header_bytes(read_header(io.BytesIO(good))))
    fewer = dict(list(entries.items())[:-1])
    write(path, width, Side.HUNTER, [CertificateClaim(wide_position(text, width))], fewer)
    other = path.read_bytes()
    path.write_bytes(good[:start] + other[len(header_bytes(read_header(io.BytesIO(other)))) :])
    assert refused(path).place == "end"


def test_specs_keep_their_text() -> None:
    for text in (
        *TABLES,
        "8/abcdefgh/3/2abcdefgh/3",
        "3/abc/0/-/0",
        "10/abcdefghij/3/2abcdefghij+3bcdghi/3",
    ):
        assert str(WindowSpec.parse(text)) == text
