"""The page of results: made from verified certificates alone, and the committed one is the one they make."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from stampede.buffalo import Position, Side
from stampede.cli.main import build
from stampede.core.errors import InputError
from stampede.proofs.certificates import CertificateClaim, Recogniser, Verdict, verify
from stampede.proofs.certificates.shipped import (
    RECORD,
    SHIPPED,
    VerifiedCertificate,
    certificate_path,
    make_record,
    shipped_files,
    verified_certificates,
)
from stampede.proofs.results import facts, narrow_start, page, ways
from tests.proofs.certificates.naive import solved, write
from tests.repository.files import ROOT

MOST_STATES = 100_000
"""Tables with more states than this are left to `make solved`."""

MOST_POSITIONS = 20_000
"""Of larger certificates the readable rules, a thousand times slower, look at so many positions in equal steps."""


def is_quick(proof: VerifiedCertificate) -> bool:
    header = proof.header
    small = all(6 ** len(tablebase.live) <= MOST_STATES for tablebase in header.tablebases)
    return small and header.endgame is None


def test_the_committed_page_is_the_one_that_the_certificates_make() -> None:
    """After new certificates: make solved."""
    assert (ROOT / "docs/solved.md").read_text(encoding="utf-8") == page(verified_certificates())


@pytest.mark.parametrize(
    "name", [proof.name for proof in verified_certificates() if is_quick(proof)]
)
def test_shipped_certificates_with_small_tables_are_verified(name: str) -> None:
    assert verify([SHIPPED / f"{name}.cert"], workers=2)[0].fault is None


@pytest.mark.parametrize(
    "name", [proof.name for proof in verified_certificates() if not is_quick(proof)]
)
def test_the_positions_of_the_others_are_right_by_the_readable_rules(name: str) -> None:
    """All but the tables' own words: those are built by `make solved`."""
    path = SHIPPED / f"{name}.cert"
    (compiled,) = verify([path], tablebases=False)
    assert compiled.header is not None
    every = max(1, compiled.header.positions // MOST_POSITIONS)
    (verdict,) = verify([path], every=every, tablebases=False)
    assert compiled.fault is None
    assert verdict.fault is None
    assert verdict.questions > 0


def test_every_shipped_certificate_was_verified_as_it_is() -> None:
    assert [proof.name for proof in verified_certificates()] == [
        path.stem for path in shipped_files()
    ]


def test_a_certificate_that_was_not_verified_makes_no_page(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    solved(path, "bb3/5/5/5/1D1D1/1DCD1/5 b - - 0 1", 5)
    verdicts = verify([path])
    (tmp_path / RECORD).write_text(str(make_record(verdicts)).replace("'", '"'))
    assert [proof.name for proof in verified_certificates(tmp_path)] == ["a"]
    solved(path, "1b1b1/5/5/5/5/DDCDD/5 b - - 0 1", 5)
    with pytest.raises(InputError, match=r"a\.cert"):
        verified_certificates(tmp_path)
    solved(tmp_path / "b.cert", "bb3/5/5/5/1D1D1/1DCD1/5 b - - 0 1", 5)
    with pytest.raises(InputError, match="cert"):
        verified_certificates(tmp_path)


def test_a_fault_is_not_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    write(path, 11, Side.HUNTER, [CertificateClaim(Position.start())], {})
    verdicts = verify([path])
    assert make_record(verdicts) == {}
    assert isinstance(verdicts[0], Verdict)


def test_claims_are_told_apart_by_what_they_are_about(tmp_path: Path) -> None:
    """B4.2, B4.3: fewer buffaloes, opening turns, narrow boards, and whatever else there is."""
    path = tmp_path / "a.cert"
    openings = ("1bbbbbbbbbb/b10", "bb1bbbbbbb1/2b7b")
    texts = [f"{o}/11/11/11/3DDCDD3/11 w - - 0 1" for o in openings]
    positions = [
        Position.start("ab"),
        *(Position.from_fen(text) for text in texts),
        Position.from_fen("bbbbbbbbbbb/11/11/11/11/2D1DCDD3/11 b - - 0 1"),
    ]
    header = write(
        path, 11, Side.HUNTER, [CertificateClaim(position) for position in positions], {}
    )
    found = list(facts([VerifiedCertificate("a", header, 1, 1)]))
    assert [(fact.kind, "".join(sorted(fact.files))) for fact in found] == [
        ("fewer", "ab"),
        ("opening", "a"),
        ("opening", "ck"),
        ("position", ""),
    ]
    narrow = write(path, 7, Side.HUNTER, [CertificateClaim(narrow_start(7))], {})
    assert [fact.kind for fact in facts([VerifiedCertificate("a", narrow, 1, 1)])] == ["board"]


def test_mirror_images_count_once() -> None:
    assert [len(ways(count)) for count in (1, 2, 3)] == [6, 30, 85]


def test_the_command_verifies_shipped_ones_by_name_and_names_the_fault_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert certificate_path("columns-5") == SHIPPED / "columns-5.cert"
    run = CliRunner()
    done = run.invoke(build("solve"), ["solve", "verify", "columns-5", "--claims"])
    assert (done.exit_code, "verified" in done.stdout) == (0, True)
    Path("bad.cert").write_bytes((SHIPPED / "columns-5.cert").read_bytes()[:-1])
    done = run.invoke(build("solve"), ["solve", "verify", "bad.cert"])
    assert done.exit_code == 1
    assert "bad.cert: " in done.stderr
    done = run.invoke(build("solve"), ["solve", "verify", "bad.cert", "columns-5", "--json"])
    assert done.exit_code == 1
    assert '"valid": false' in done.stdout
    assert run.invoke(build("solve"), ["solve", "verify", "no-such-file"]).exit_code == 2


def test_a_table_that_says_no_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.cert"
    spec = "5/abcde/4/2abcd/4"
    claim = CertificateClaim(narrow_start(5), by=1)
    write(path, 5, Side.HUNTER, [claim], {}, tablebases=(spec,), recognisers=(Recogniser(0, 0),))
    fault = verify([path])[0].fault
    assert spec in str(fault)
