"""A certificate is checked block by block: however large it is, few blocks are in memory, on any number of threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from stampede.proofs.certificates import CertificateHeader, verify
from stampede.proofs.certificates.format import (
    CertificateBlock,
    encode_block,
    header_bytes,
    read_blocks,
    read_header,
)
from stampede.proofs.certificates.shipped import certificate_path

VERIFY = sys.modules["stampede.proofs.certificates.verify"]
SMALL = 4
"""Answers of a block, so that a few hundred make many blocks."""


@pytest.fixture
def many_blocks(tmp_path: Path) -> Path:
    """The shipped opening-abc-233 in small blocks."""
    return _write(tmp_path / "many.cert", spoiled=None)


def _write(path: Path, spoiled: int | None) -> Path:
    with certificate_path("opening-abc-233").open("rb") as file:
        header = read_header(file)
        parts = [(block.keys, block.moves, block.by) for block in read_blocks(file, header)]
    keys, moves, by = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    if spoiled is not None:
        moves[spoiled] = 0  # from a1 to a1
    blocks = [
        encode_block(*(column[at : at + SMALL] for column in (keys, moves, by)))
        for at in range(0, len(keys), SMALL)
    ]
    body = sha256(b"".join(blocks)).hexdigest()
    header = replace(header, blocks=len(blocks), body=body)
    path.write_bytes(header_bytes(header) + b"".join(blocks))
    return path


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_few_blocks_are_read_ahead(
    many_blocks: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []  # a count for each time that the file is read
    ahead: list[int] = []

    def counting(file: BinaryIO, header: CertificateHeader) -> Iterator[CertificateBlock]:
        read.append(0)
        for block in read_blocks(file, header):
            read[-1] += len(block.keys)
            yield block

    def report(_what: str, done: int, _total: int) -> None:
        ahead.append(read[-1] - done)

    monkeypatch.setattr(VERIFY, "read_blocks", counting)
    (verdict,) = verify([many_blocks], workers=workers, report=report)
    assert verdict.fault is None
    assert verdict.header is not None
    assert read == [verdict.header.positions] * 2, "once for the keys, once for the answers"
    assert len(ahead) > 80
    assert max(ahead) <= VERIFY.AHEAD * workers * SMALL


def test_the_first_fault_is_named_on_any_number_of_threads(tmp_path: Path) -> None:
    path = _write(tmp_path / "bad.cert", spoiled=201)
    faults = [verify([path], workers=workers)[0].fault for workers in (1, 2, 5)]
    assert faults[0] is not None
    assert "block 50, position 201" in faults[0].place
    assert {str(fault) for fault in faults} == {str(faults[0])}
