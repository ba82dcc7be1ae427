"""Certificates: true ones are verified by both checks, and whatever is wrong is refused and named."""

from dataclasses import replace
from pathlib import Path

import pytest

from stampede.buffalo import Move, Side
from stampede.proofs.certificates import CertificateClaim, Recogniser
from stampede.proofs.certificates.format import wide_position
from tests.proofs.certificates.judging import (
    BUFFALO_WINS,
    HUNTER_WINS,
    judged,
    narrow_mirror,
    narrow_mirror_move,
    refused,
)
from tests.proofs.certificates.naive import Solver, answers, solved, write

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
