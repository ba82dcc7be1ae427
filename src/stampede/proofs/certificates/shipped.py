"""The shipped certificates, and the record of their last verification.

The record (``verified.json``) has each file's SHA-256 and how long checking took. `stampede solve results --note`
writes it after checking everything; a file with another hash doesn't count as verified.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import JsonObject, expect_int, expect_object
from stampede.proofs.certificates.format import CertificateHeader, open_certificate
from stampede.proofs.certificates.verify import Verdict

__all__ = [
    "RECORD",
    "SHIPPED",
    "VerifiedCertificate",
    "certificate_path",
    "list_unverified",
    "make_record",
    "read_record",
    "shipped_files",
    "verified_certificates",
]

SHIPPED: Final = Path(__file__).with_name("shipped")
RECORD: Final = "verified.json"
SUFFIX: Final = ".cert"


@dataclass(frozen=True, slots=True)
class VerifiedCertificate:
    """A certificate that is recorded as verified.

    Attributes:
        name: The file's name without its suffix.
        header: Its header.
        size: The file's bytes.
        seconds: How long the check took, with its tablebases.
    """

    name: str
    header: CertificateHeader
    size: int
    seconds: int


def shipped_files(folder: Path = SHIPPED) -> list[Path]:
    """The certificates of a folder, by name."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def certificate_path(text: str) -> Path:
    """The file with this path, or the shipped certificate with this name."""
    path = Path(text)
    shipped = SHIPPED / (text.removesuffix(SUFFIX) + SUFFIX)
    if not path.exists() and path.name == text and shipped.exists():
        return shipped
    return path


def read_record(folder: Path = SHIPPED) -> JsonObject:
    """A folder's record; empty when there is none."""
    path = folder / RECORD
    return expect_object(json.loads(path.read_text("utf-8")), RECORD) if path.exists() else {}


def list_unverified(folder: Path = SHIPPED) -> list[Path]:
    """The certificates of a folder that its record doesn't call verified."""
    record = read_record(folder)
    return [path for path in shipped_files(folder) if not _is_recorded(path, record)]


def _is_recorded(path: Path, record: JsonObject) -> bool:
    about = record.get(path.name)
    found = sha256(path.read_bytes()).hexdigest()
    return about is not None and expect_object(about, RECORD).get("sha256") == found


def make_record(verdicts: Sequence[Verdict]) -> JsonObject:
    """The record of files that were just checked; only those without a fault are in it."""
    return {
        verdict.path.name: {
            "seconds": round(
                verdict.seconds + sum(tablebase.seconds for tablebase in verdict.tablebases)
            ),
            "sha256": sha256(verdict.path.read_bytes()).hexdigest(),
        }
        for verdict in sorted(verdicts, key=lambda verdict: verdict.path.name)
        if verdict.fault is None
    }


def verified_certificates(folder: Path = SHIPPED) -> list[VerifiedCertificate]:
    """The verified certificates of a folder; InputError when one isn't recorded as verified.

    This trusts the record, not the proofs: `verify` checks these.
    """
    record = read_record(folder)
    found = []
    for path in shipped_files(folder):
        if not _is_recorded(path, record):
            raise InputError(f"{path.name}: expected the file that was verified, got another")
        about = expect_object(record[path.name], RECORD)
        header, size = open_certificate(path)
        found.append(
            VerifiedCertificate(
                path.stem, header, size, expect_int(about.get("seconds"), "seconds")
            )
        )
    return found
