"""Recognisers: a window with guards decides positions where it applies, and is refused where it doesn't."""

from pathlib import Path

import pytest

from stampede.buffalo import Move, Side
from stampede.proofs.certificates import CertificateClaim, Recogniser, WindowSpec
from stampede.proofs.certificates.format import wide_position
from tests.proofs.certificates.judging import TABLES, judged, narrow_mirror, refused
from tests.proofs.certificates.naive import write

WINDOW = (Recogniser(0, 0), Recogniser(0, 1), Recogniser(0, 0, mirrored=True))
GUARDED = "bb1b1b/5D/6/6/2C3/1D1DD1/6 b - - 0 1"
"""Six columns: a dog blocks the last one; chief and three dogs have the other five to themselves."""


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


def test_specs_keep_their_text() -> None:
    for text in (
        *TABLES,
        "8/abcdefgh/3/2abcdefgh/3",
        "3/abc/0/-/0",
        "10/abcdefghij/3/2abcdefghij+3bcdghi/3",
    ):
        assert str(WindowSpec.parse(text)) == text
