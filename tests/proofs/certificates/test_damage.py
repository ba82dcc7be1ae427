"""Damaged files: a changed, missing, exchanged or further byte of a certificate is noticed, wherever it is."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.buffalo import Side
from stampede.proofs.certificates import (
    CertificateClaim,
    CertificateFault,
    CertificateHeader,
    Recogniser,
)
from stampede.proofs.certificates.format import (
    header_bytes,
    read_blocks,
    read_header,
    wide_position,
)
from tests.proofs.certificates.judging import HUNTER_WINS, TABLES, refused
from tests.proofs.certificates.naive import Solver, answers, solved, write


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
